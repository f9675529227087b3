// Abandonment: a future whose promise or completion was released fails instead of hanging. Contract/Life.md

import Futures
import Testing

@Suite struct AbandonmentTests {
    private func isAbandoned(_ future: Future<Int>) -> Bool {
        if case .abandoned = future.error as? FutureError { true } else { false }
    }

    @Test func `a promise that is released without being completed fails its future as abandoned`() {
        let future = Promise<Int>().future
        #expect(isAbandoned(future))

        let heard = Log<Bool>()
        func drop(_ promise: consuming Promise<Int>) {
            promise.future.map(on: .immediate) { $0 }.onError(on: .immediate) { heard.add($0 is FutureError) }
        }
        drop(Promise())
        #expect(heard.entries == [true])
    }

    @Test func `a promise is released with what refers to it, however many promises tell each other`() {
        let failed = Log<Int>()
        do {
            var last = Promise<Int>()
            last.future.onError(on: .immediate) { _ in failed.add(1) }
            for _ in 0..<100 {
                let (next, old) = (Promise<Int>(), last)
                for _ in 0..<2 { next.future.onValue(on: .immediate) { old.succeed($0) } }
                last = next
            }
        }
        #expect(failed.entries == [1])
    }

    @Test func `a completion closure that is released without being called fails its future as abandoned`() {
        let disposals = Shared(0)
        let future = Future<Int> { _ in Disposer { disposals.increment() } }
        #expect(isAbandoned(future))
        #expect(disposals.value == 1)

        let kept = Shared<Future<Int>.Completion?>(nil)
        let later = Future<Int> {
            kept.value = $0
            return NilDisposer()
        }
        #expect(later.result == nil)
        kept.value = nil
        #expect(isAbandoned(later))
    }

    @Test func `the error of an abandoned future has the source location of the future`() {
        let line = #line + 1
        let promised = Promise<Int>().future
        let operated = Future<Int> { _ in NilDisposer() }
        let placed = Future<Int>(on: .immediate) { _ in NilDisposer() }
        for (index, future) in [promised, operated, placed].enumerated() {
            guard case .abandoned(let origin) = future.error as? FutureError else {
                Issue.record("not abandoned")
                continue
            }
            #expect(origin.line == line + index)
            #expect(origin.fileID == #fileID)
            #expect("\(future.error!)".contains("AbandonmentTests.swift:\(line + index)"))
        }
    }
}
