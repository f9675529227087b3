// Operations whose futures dispose what another thread is disposing, too.

import Dispatch
import Foundation
import Futures
import Testing

private struct Failed: Error {}

@Suite struct MetDisposingTests {
    @Test func `an operation whose future has lost another one that disposes what has lost keeps its turn`()
        async throws
    {
        for form in disposingForms {
            for disposesItself in [false, true] {
                let (log, ownLog, rivals) = (Log<String>(), Log<String>(), [Promise<Int>(), Promise<Int>()])
                let (blocked, own) = (Blocked(log), Blocked(ownLog))
                let future = form.enqueue(log, .immediate) {
                    let lost = join([blocked.future(), rivals[0].future]).map(on: .immediate) { $0[0] }
                    return join([disposesItself ? own.future() : .never, lost, rivals[1].future])
                        .map(on: .immediate) { $0[0] }
                }
                try #require(blocked.isDisposed { rivals[0].fail(Failed()) }, "\(form.name)")
                // Its own disposable, in which it is cancelled, returns first.
                if disposesItself { try #require(own.isDisposed { rivals[1].fail(Failed()) }, "\(form.name)") }
                #expect(future.cancel(), "\(form.name)")
                if disposesItself { own.goOn() }
                #expect(log.entries == ["disposes"], "\(form.name), \(disposesItself)")
                blocked.goOn()
                #expect(await comesTrue { log.entries.contains("next") }, "\(form.name), \(disposesItself)")
                #expect(log.entries.filter { $0 != "cleans up" } == ["disposes", "has disposed", "next"])
            }
        }
    }

    @Test func `also if three of them cancel each other in a ring`() async throws {
        for form in disposingForms {
            let logs = (0..<3).map { _ in Log<String>() }
            let rivals = (0..<3).map { _ in Promise<Int>() }
            let (futures, kept) = (Shared<[Future<Int>]>([]), Shared<[Future<Int>.Completion]>([]))
            let entered = (0..<3).map { _ in DispatchSemaphore(value: 0) }
            let (gates, lastGates) = (
                (0..<3).map { _ in DispatchSemaphore(value: 0) }, (0..<3).map { _ in DispatchSemaphore(value: 0) }
            )
            for index in 0..<3 {
                futures.value.append(
                    form.enqueue(logs[index], .immediate) {
                        let source = Future<Int>(on: .immediate) { completion in
                            kept.change { $0.append(completion) }
                            return Disposer {
                                logs[index].add("disposes")
                                entered[index].signal()
                                gates[index].wait()
                                futures.value[(index + 1) % 3].cancel()
                                entered[index].signal()
                                lastGates[index].wait()
                                logs[index].add("has disposed")
                            }
                        }
                        return join([source, rivals[index].future]).map(on: .immediate) { $0[0] }
                    })
            }
            for rival in rivals { Thread.detachNewThread { rival.fail(Failed()) } }
            for entered in entered { try #require(entered.wait(timeout: .testTimeout) == .success) }
            for (gate, entered) in zip(gates, entered) {
                gate.signal()
                try #require(entered.wait(timeout: .testTimeout) == .success)
            }
            // Each of the three turns waits for all of the disposables: for the next one that has been cancelled, and
            // so on.
            for gate in lastGates { gate.signal() }
            for log in logs {
                #expect(await comesTrue { log.entries.contains("next") }, "\(form.name)")
                #expect(log.entries.filter { $0 != "cleans up" } == ["disposes", "has disposed", "next"])
            }
            futures.value = []
        }
    }

    @Test
    func `an operation that is cancelled in its closure keeps its turn while what it returns disposes what has lost`()
        async throws
    {
        // A pool's operation is a step behind what its closure returns.
        for form in disposingForms where form.name != "pool" {
            let (log, rival) = (Log<String>(), Promise<Int>())
            let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let (blocked, scheduler) = (Blocked(log), Scheduler(label: "operation"))
            let future = form.enqueue(log, scheduler) {
                let future = Future.firstSuccess(of: [blocked.future(), rival.future])
                entered.signal()
                gate.wait()
                return future
            }
            try #require(entered.wait(timeout: .testTimeout) == .success, "\(form.name)")
            try #require(blocked.isDisposed { rival.succeed(1) }, "\(form.name)")
            #expect(future.cancel(), "\(form.name)")
            gate.signal()
            scheduler.sync {}
            #expect(log.entries.filter { $0 != "cleans up" } == ["disposes"], "\(form.name)")
            blocked.goOn()
            #expect(await comesTrue { log.entries.contains("next") }, "\(form.name)")
            #expect(log.entries.filter { $0 != "cleans up" } == ["disposes", "has disposed", "next"])
        }
    }
}
