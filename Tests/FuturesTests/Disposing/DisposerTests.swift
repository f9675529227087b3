// Disposer: its closure runs once, and where. Contract/Life.md

import Futures
import Testing

@Suite struct DisposerTests {
    @Test func `a disposer with a scheduler calls its closure there, or immediately if it is current`() {
        let (scheduler, calls) = (Scheduler(label: "own"), Log<Bool>())
        let disposer = Disposer(on: scheduler) { calls.add(scheduler.isCurrent) }
        scheduler.sync { disposer.dispose() }
        #expect(calls.entries == [true])
        Disposer(on: scheduler) { calls.add(scheduler.isCurrent) }.dispose()
        var released: Disposer? = Disposer(on: scheduler) { calls.add(scheduler.isCurrent) }
        #expect(released != nil)
        released = nil
        scheduler.sync {}
        #expect(calls.entries == [true, true, true])
    }

    @MainActor @Test func `a disposer of the main actor calls its closure there, wherever it is disposed`() async {
        var count = 0
        let direct = Disposer(on: MainActor.shared) { count += 1 }
        direct.dispose()
        #expect(count == 1)
        let (completion, done) = (Shared<Future<Int>.Completion?>(nil), Promise<Int>())
        let future = Future<Int> {
            completion.value = $0
            return Disposer(on: MainActor.shared) {
                count += 1
                done.succeed(count)
            }
        }
        onAnotherThread { completion.value!(.success(1)) }
        #expect(future.success == 1, "the main actor is busy")
        #expect(try! await done.future.arrival().get() == 2)
    }
}
