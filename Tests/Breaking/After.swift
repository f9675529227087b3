// The interface of Before.swift with four breaking changes, and two that break nothing.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct Box<Value> {}
public func first<Value>(of boxes: some Collection<Value>) -> Value? { nil }

public protocol Queue {
    func run()
    func shutDown()
    var name: String { get }
}
extension Queue {
    public var name: String { "" }
}
public protocol Named {
    var name: String { get }
    var title: String { get }
}
extension Named {
    public var title: String { "" }
}

public enum Format {
    case dot
    case mermaid
}

public final class Bag {
    @available(*, noasync)
    public func inner() {}
    @available(*, noasync)
    public func outer() {}
    public func new() {}
}
