// An interface for .ci/api, which must find that After.swift breaks four of its declarations.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct Box<Value> {}
public func first<Value>(of boxes: some Collection<Box<Value>>) -> Value? { nil }  // breaks: the constraint

public protocol Queue {  // breaks: a requirement without a default
    func run()
    var name: String { get }
}
extension Queue {
    public var name: String { "" }
}
public protocol Named {
    var name: String { get }
}

public enum Format {  // breaks: a case
    case dot
}

public final class Bag {
    public func inner() {}  // breaks: no longer for asynchronous code
    @available(*, noasync)
    public func outer() {}
}
