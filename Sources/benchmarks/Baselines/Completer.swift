// Completer: the right to complete a callback, which fails it when it is lost.

/// The right to complete a callback: if it is released without having done so, the callback fails.
final class Completer: Sendable {
    let callback = Callback()

    @inline(never)
    init() {}

    deinit {
        // Asked first: making an error costs an allocation.
        if !callback.isCompleted { callback.complete(.failure(Abandoned())) }
    }
}

struct Abandoned: Error {}
