// Completer: an owner of a callback that fails it when released.

/// An owner of a callback. If it is released before the callback is completed, the callback fails.
final class Completer: Sendable {
    let callback = Callback()

    @inline(never)
    init() {}

    deinit {
        // Checked first: creating an error costs an allocation.
        if !callback.isCompleted { callback.complete(.failure(Abandoned())) }
    }
}

struct Abandoned: Error {}
