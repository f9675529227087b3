// Disposables as objects, as a node keeps them.

import Futures
import Testing

@Suite struct KeptTests {
    private struct Value: Disposable {
        let count: AtomicCounter

        func dispose() { count.up() }
    }

    @Test func `a disposable that is an object is kept as that object, and any other one in a box`() {
        let count = AtomicCounter()
        let objects: [any Disposable & AnyObject] = [Disposer { count.up() }, DelayedJob {}, DisposeBag()]
        for object in objects {
            let disposable: any Disposable = object
            let kept = Kept(disposable)
            #expect(kept?.object === object)
            kept?.dispose()
        }
        #expect(count.value == 1)
        let value: any Disposable = Value(count: count)
        let box = Kept(value)
        #expect(box?.object is Disposer)
        box?.dispose()
        #expect(count.value == 2)
        let nothing: any Disposable = NilDisposer()
        #expect(Kept(nothing) == nil)
    }
}
