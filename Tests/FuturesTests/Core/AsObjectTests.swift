// Disposables as objects, as a node keeps them.

import Futures
import Testing

@Suite struct AsObjectTests {
    private struct Value: Disposable {
        let count: AtomicCounter

        func dispose() { count.up() }
    }

    @Test func `a disposable that is an object is kept as that object, and any other one in a box`() {
        let count = AtomicCounter()
        let objects: [any Disposable & AnyObject] = [Disposer {}, DelayedJob {}, DisposeBag()]
        for object in objects { #expect((object as any Disposable).asObject === object) }
        let box = (Value(count: count) as any Disposable).asObject
        #expect(box is Disposer)
        box?.dispose()
        #expect(count.value == 1)
        #expect(NilDisposer().asObject == nil && (NilDisposer() as any Disposable).asObject == nil)
    }
}
