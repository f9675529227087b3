// The names that Futures has, too: to see how a file that imports both can tell them apart.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    public typealias Output = DeferredPublisher.Output
    public typealias Failure = DeferredPublisher.Failure

    public let createPublisher: () -> DeferredPublisher

    public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

    public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Failure {
        createPublisher().subscribe(subscriber)
    }
}

public protocol Scheduler {}
