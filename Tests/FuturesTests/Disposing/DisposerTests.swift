// Disposer: its closure runs once.

import Futures
import Testing

@Suite struct DisposerTests {
    @Test func `a disposer runs its closure once`() {
        let calls = Shared(0)
        let disposer = Disposer { calls.increment() }
        disposer.dispose()
        disposer.dispose()
        #expect(calls.value == 1)
    }

    @Test func `a disposer that is released disposes`() {
        let calls = Shared(0)
        var disposer: Disposer? = Disposer { calls.increment() }
        #expect(disposer != nil && calls.value == 0)
        disposer = nil
        #expect(calls.value == 1)
    }

    @Test func `a disposed disposer has released its closure`() {
        let census = Census()
        func make() -> Disposer {
            let captured = census.make()
            return Disposer { captured.touch() }
        }
        let disposer = make()
        #expect(census.alive == 1)
        disposer.dispose()
        #expect(census.alive == 0)
    }

    @Test func `a disposer may be disposed from inside its closure`() {
        let calls = Shared(0)
        let itself = Shared<Disposer?>(nil)
        itself.value = Disposer {
            calls.increment()
            itself.value?.dispose()
            itself.value = nil
        }
        itself.value?.dispose()
        #expect(calls.value == 1)
    }

    @Test func `a disposer that several threads dispose runs its closure once`() {
        for _ in 0..<200 {
            let calls = Shared(0)
            let disposer = Disposer { calls.increment() }
            race({ disposer.dispose() }, { disposer.dispose() })
            #expect(calls.value == 1)
        }
    }

    @Test func `a nil disposer does nothing`() {
        NilDisposer().dispose()
    }
}
