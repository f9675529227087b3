// Subscribers: demands, completions, and the subscriber of `sink`.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum Subscribers {
    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }

    public struct Demand: Equatable, Comparable, Hashable {
        /// Nil if it is unlimited.
        public let max: Int?

        public static let unlimited = Demand(max: nil)
        public static let none = Demand(max: 0)
        public static func max(_ value: Int) -> Demand {
            precondition(value >= 0)
            return Demand(max: value)
        }

        private init(max: Int?) { self.max = max }

        public static func + (a: Demand, b: Demand) -> Demand {
            guard let x = a.max, let y = b.max else { return .unlimited }
            return Demand(max: x + y)
        }
        public static func += (a: inout Demand, b: Demand) { a = a + b }
        public static func - (a: Demand, b: Int) -> Demand { a.max.map { Demand(max: Swift.max($0 - b, 0)) } ?? a }
        public static func -= (a: inout Demand, b: Int) { a = a - b }

        public static func < (a: Demand, b: Demand) -> Bool {
            guard let x = a.max else { return false }
            return b.max.map { x < $0 } ?? true
        }
        public static func > (a: Demand, b: Int) -> Bool { a.max.map { $0 > b } ?? true }
    }

    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        public let receiveValue: (Input) -> Void
        public let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
        private let subscription = Guarded<(any Subscription)?>(nil)

        public init(
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            self.receiveCompletion = receiveCompletion
            self.receiveValue = receiveValue
        }

        public func receive(subscription: any Subscription) {
            self.subscription.with { $0 = subscription }
            subscription.request(.unlimited)
        }

        public func receive(_ value: Input) -> Subscribers.Demand {
            receiveValue(value)
            return .none
        }

        public func receive(completion: Subscribers.Completion<Failure>) {
            subscription.with { $0 = nil }
            receiveCompletion(completion)
        }

        public func cancel() { subscription.take()?.cancel() }
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}

public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    public let combineIdentifier: CombineIdentifier
    private let subscribed: (any Subscription) -> Void
    private let received: (Input) -> Subscribers.Demand
    private let completed: (Subscribers.Completion<Failure>) -> Void

    public init<S: Subscriber>(_ s: S) where Input == S.Input, Failure == S.Failure {
        combineIdentifier = s.combineIdentifier
        subscribed = s.receive(subscription:)
        received = { s.receive($0) }
        completed = s.receive(completion:)
    }

    public func receive(subscription: any Subscription) { subscribed(subscription) }
    public func receive(_ value: Input) -> Subscribers.Demand { received(value) }
    public func receive(completion: Subscribers.Completion<Failure>) { completed(completion) }
}

public final class AnyCancellable: Cancellable {
    private let action: Guarded<(() -> Void)?>

    public init(_ cancel: @escaping () -> Void) { action = Guarded(cancel) }
    public convenience init<C: Cancellable>(_ canceller: C) { self.init(canceller.cancel) }
    deinit { cancel() }

    public func cancel() { action.take()?() }
}
