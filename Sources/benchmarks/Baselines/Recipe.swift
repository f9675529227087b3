// Recipe: a callback that retains its source and transform, so that it could run again.

import Synchronization

/// A callback that retains its source and its transform, so that the chain could run again. So it retains the
/// result of the source, too.
final class RecipeCallback<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var listener: (@Sendable (Value) -> Void)?
    }

    private let state = Mutex(State())
    private let source: RecipeCallback?
    private let transform: (@Sendable (Value) -> Value)?

    init(source: RecipeCallback? = nil, transform: (@Sendable (Value) -> Value)? = nil) {
        self.source = source
        self.transform = transform
    }

    var value: Value? { state.withLock { $0.value } }

    func map(_ transform: @escaping @Sendable (Value) -> Value) -> RecipeCallback {
        let mapped = RecipeCallback(source: self, transform: transform)
        state.withLock { $0.listener = { mapped.complete(transform($0)) } }
        return mapped
    }

    func complete(_ value: Value) {
        let listener = state.withLock { state in
            state.value = value
            return state.listener.take()
        }
        listener?(value)
    }
}
