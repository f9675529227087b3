// An operation keeps its turn while another thread disposes its disposable. Contract/Turns.md

import Dispatch
import Foundation
import Futures
import Testing

@Suite struct QueueDisposingTests {
    private let log = Log<String>()

    @Test(arguments: 0..<disposingForms.count)
    func `an operation that is cancelled while its future disposes keeps its turn until the disposal returns`(
        _ form: Int
    ) async {
        for steps in 0...2 {
            let log = Log<String>()
            let blocked = Blocked(log)
            let future = disposingForms[form].enqueue(log, .immediate) {
                var future = blocked.future()
                for _ in 0..<steps { future = future.map(on: .immediate) { $0 } }
                return future
            }
            blocked.complete()
            #expect(future.cancel())
            #expect(future.isCancelled)
            #expect(log.entries == ["disposes"], "\(disposingForms[form].name), \(steps) steps")
            blocked.goOn()
            // A pool's operation may still be in its closure; that thread then releases the turn.
            #expect(await comesTrue { log.entries.contains("next") })
            #expect(log.entries.filter { $0 != "cleans up" } == ["disposes", "has disposed", "next"])
        }
    }

    @Test(arguments: 0..<disposingForms.count)
    func `an operation that is cancelled in its closure keeps its turn while the returned future disposes`(_ form: Int)
    {
        for steps in 0...2 {
            let log = Log<String>()
            let blocked = Blocked(log)
            let own = Shared<Future<Int>?>(nil)
            let (known, called) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let scheduler = Scheduler(label: "operation")
            own.value = disposingForms[form].enqueue(log, scheduler) {
                known.wait()
                own.value!.cancel()
                var future = blocked.future()
                for _ in 0..<steps { future = future.map(on: .immediate) { $0 } }
                blocked.complete()
                called.signal()
                return future
            }
            known.signal()
            called.wait()
            // Waits until the operation's closure has returned.
            scheduler.sync {}
            #expect(log.entries == ["disposes"], "\(disposingForms[form].name), \(steps) steps")
            blocked.goOn()
            // The cleanup runs on this scheduler.
            scheduler.sync {}
            #expect(log.entries.filter { $0 != "cleans up" } == ["disposes", "has disposed", "next"])
        }
    }

    @Test func `an operation that is cancelled keeps its turn until its performWhile has ended on its scheduler`() async
    {
        for form in disposingForms {
            for isCompleted in [false, true] {
                let log = Log<String>()
                let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let (elsewhere, completion) = (Scheduler(label: "elsewhere"), Shared<Future<Int>.Completion?>(nil))
                let made = DispatchSemaphore(value: 0)
                let future = form.enqueue(log, .immediate) {
                    let source = Future<Int>(on: .immediate) {
                        completion.value = $0
                        return NilDisposer()
                    }
                    return source.performWhile(on: elsewhere) {
                        made.signal()
                        return Disposer {
                            log.add("ends")
                            entered.signal()
                            gate.wait()
                            log.add("has ended")
                        }
                    }
                }
                made.wait()
                elsewhere.sync {}
                if isCompleted {
                    completion.value!(.success(1))
                    entered.wait()
                }
                #expect(future.cancel())
                if !isCompleted { entered.wait() }
                #expect(log.entries == ["ends"], "\(form.name)")
                gate.signal()
                #expect(await comesTrue { log.entries.contains("next") })
                #expect(log.entries.filter { $0 != "cleans up" } == ["ends", "has ended", "next"], "\(form.name)")
                completion.value = nil
            }
        }
    }

    @Test func `an operation whose future has other listeners releases its turn when it is cancelled`() {
        let blocked = Blocked(log)
        let future = disposingForms[0].enqueue(log, .immediate) { [log] in
            let future = blocked.future()
            future.onResult(on: .immediate) { _ in log.add("other") }
            return future
        }
        blocked.complete()
        #expect(future.cancel())
        #expect(log.entries == ["disposes", "next"])
        blocked.goOn()
        #expect(log.entries == ["disposes", "next", "has disposed", "other"])
    }
}
