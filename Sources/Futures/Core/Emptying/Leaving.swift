// Leaving: how a combination stops listening to the futures that it combines.

/// Cancels a combination's listeners when the combination completes, which cancels each source without other listeners.
///
/// Only `dispose()` does so. Releasing this does not, unlike a `Disposer`: an unreferenced chain on `Future.never` is
/// deallocated without cancelling anything.
final class Leaving: Disposable {
    let listeners: [Node]
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
