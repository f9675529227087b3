// Disposables as objects, as a node keeps them.

import Futures
import Testing

@Suite struct AsObjectTests {
    private struct Value: Disposable {
        let count: AtomicCounter

        func dispose() { count.up() }
    }

    private final class Object: Disposable {
        let count: AtomicCounter

        init(_ count: AtomicCounter) { self.count = count }

        func dispose() { count.up() }
    }

    @Test func `a disposable that is an object is kept as that object`() {
        let count = AtomicCounter()
        let (disposer, job, object) = (Disposer { count.up() }, DelayedJob { count.up() }, Object(count))
        let bag = DisposeBag()
        let disposables: [any Disposable & AnyObject] = [disposer, job, object, bag]
        for disposable in disposables {
            let existential: any Disposable = disposable
            #expect(existential.asObject === disposable)
        }
        #expect(count.value == 0)
        disposer.asObject?.dispose()
        object.asObject?.dispose()
        job.asObject?.dispose()
        #expect(count.value == 2)
    }

    @Test func `a disposable that is no object is kept in a box, and nothing is kept if there is nothing to dispose`() {
        let count = AtomicCounter()
        let value: any Disposable = Value(count: count)
        let box = value.asObject
        #expect(box is Disposer)
        box?.dispose()
        #expect(count.value == 1)
        #expect(NilDisposer().asObject == nil)
        #expect((NilDisposer() as any Disposable).asObject == nil)
    }
}
