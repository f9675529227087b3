// Leaving: how a combination stops listening to what it combined.

/// The listeners of a combination, which leave when it is over: what nobody else listens to is cancelled then.
///
/// Not when it is let go of, as a `Disposer` would: a chain on `Future.never` that nobody holds is freed, and cancels
/// nothing.
final class Leaving: Disposable {
    private let listeners: [Node]
    private let timer: (any Disposable)?
    private let isWanted: @Sendable () -> Bool

    init(
        _ listeners: [Node], stopping timer: (any Disposable)? = nil,
        if isWanted: @escaping @Sendable () -> Bool = { true }
    ) {
        self.listeners = listeners
        self.timer = timer
        self.isWanted = isWanted
    }

    func dispose() {
        timer?.dispose()
        guard isWanted() else { return }
        for listener in listeners { listener.cancel() }
    }
}
