// Diagnosing: what reports, chains and descriptions say of live futures. Contract/Diagnosing.md

import Dispatch
import Foundation
import Futures
import FuturesTesting
import Testing

@testable import FuturesDiagnostics

/// Recording is a switch of the process, so what needs it on runs in a process of its own.
@Suite struct DiagnosticsTests {
    @Test func `a chain leads from the last step to the promise, with its line`() {
        let promise = Promise<Int>()
        let line = #line - 1
        let end = promise.future.map(on: .immediate) { $0 + 1 }.named("page 7")
        #expect(end.chain.contains("map \"page 7\"") || end.chain.contains("step \"page 7\""))
        #expect(end.chain.hasSuffix("← Promise at FuturesTests/DiagnosticsTests.swift:\(line), not completed"))
        promise.succeed(1)
        #expect(end.chain == "completed")
        #expect(Future<Int>.never.chain.contains("never completes"))
    }

    @Test func `a chain says that an operation has returned, and its completion was not called`() {
        let kept = Shared<Future<Int>.Completion?>(nil)
        let future = Future<Int>(on: .immediate) { completion in
            kept.value = completion
            return NilDisposer()
        }
        let line = #line - 4
        #expect(
            future.map(on: .immediate) { $0 }.chain.hasSuffix(
                "← Future at FuturesTests/DiagnosticsTests.swift:\(line), "
                    + "whose operation has returned, but whose completion was not called"))
        // A task is no such operation.
        let task = Future<Int> { try await Promise<Int>().future.value }
        #expect(!task.chain.contains("returned"))
        kept.value?(.success(1))
        #expect(future.chain == "completed")
    }

    @Test func `a chain names the queue of an operation, without a label, behind the operation's place`() {
        let queue = FutureQueue(file: "App/Queue.swift", line: 3)
        let gate = Promise<Void>(file: "App/Gate.swift", line: 4)
        let running = queue.on(.immediate).enqueue(file: "App/Run.swift", line: 5) { gate.future }
        let drained = queue.drained()
        #expect(
            running.chain
                == "operation at App/Run.swift:5 on the FutureQueue made at App/Queue.swift:3 (running) ← Promise at App/Gate.swift:4, not completed"
        )
        #expect(
            drained.chain.hasPrefix(
                "drained of the FutureQueue made at App/Queue.swift:3 ← operation at App/Run.swift:5"))
        gate.succeed()
    }

    @Test func `a name is shown by print, and the last one counts`() {
        let future = Promise<Int>().future
        #expect(!"\(future)".contains("name:"))
        let named = Promise<Int>()
        let same = named.future.named("first").named("user 7")
        #expect(same == named.future)
        #expect("\(named.future)".contains("name: \"user 7\""))
        named.succeed(1)
        #expect("\(named.future)".contains("name: \"user 7\""))
        #expect(!"\(Future<Int>.never.named("none"))".contains("none"))
    }

    @Test func `a report shows the line that has to complete what is pending`() async {
        // In one process: to read the names of its functions takes a second.
        await #expect(processExitsWith: .success) {
            Diagnostics.isOn = true
            let kept = Scene.allCases.map { $0.set() }
            let report = Diagnostics.report()
            for part in Scene.allCases.flatMap(\.parts) {
                #expect(report.contains(part), "\(part) is missing in:\n\(report)")
            }
            withExtendedLifetime(kept) {}
        }
    }

    @Test func `futures of the same code are one line with their number`() async {
        await #expect(processExitsWith: .success) {
            Diagnostics.isOn = true
            let promise = Promise<Int>()
            let futures = (0..<1000).map { _ in promise.future.map(on: .immediate) { $0 } }
            let report = Diagnostics.report()
            #expect(report.contains("1000 × map in FuturesTests."), "\(report)")
            #expect(report.contains("; all of them wait for this one\n"), "\(report)")
            #expect(report.split(separator: "\n").count < 8)
            promise.succeed(1)
            #expect(Diagnostics.report() == "Futures: nothing is pending.\n")
            let promises = (0..<2).map { _ in Promise<Int>() }
            let others = promises.map { $0.future.map(on: .immediate) { $0 } }
            let second = Diagnostics.report()
            #expect(second.contains(" × map in FuturesTests."), "\(second)")
            #expect(!second.contains("wait for this one"), "\(second)")
            withExtendedLifetime((futures, others)) {}
        }
    }

    @Test func `a report says how many more futures of the same code there are than in the one before`() async {
        await #expect(processExitsWith: .success) {
            Diagnostics.isOn = true
            let promise = Promise<Int>()
            var futures: [Future<Int>] = []
            func add(_ count: Int) { for _ in 0..<count { futures.append(promise.future.map(on: .immediate) { $0 }) } }
            func expect(_ start: String, _ location: Testing.SourceLocation = #_sourceLocation) {
                let report = Diagnostics.report()
                let line = report.split(separator: "\n").last.map { String($0) } ?? ""
                #expect(line.hasPrefix("  " + start), "\(report)", sourceLocation: location)
            }
            add(2)
            expect("2 × map in FuturesTests.")
            add(3)
            expect("5 (3 more than ")
            // As many as before, and fewer.
            expect("5 × map in FuturesTests.")
            futures.removeLast().cancel()
            expect("4 × map in FuturesTests.")
            add(1)
            expect("5 (1 more than ")
            promise.succeed(1)
        }
    }

    @Test func `a failure that nothing observes is reported, and no other`() async {
        await #expect(processExitsWith: .success) {
            struct Lost: Error {}
            let (events, gate) = (UnobservedFailureTests.Events(), Promise<Int>())
            @Sendable func failing() -> Future<Int> {
                gate.future.flatMap(on: .immediate) { _ in Future<Int>(error: Lost()) }
            }
            // Code may look at the error of each of these.
            let read = failing()
            let awaited = failing()
            var handled: [Any] = [
                failing().onError(on: .immediate) { _ in }, failing().always(on: .immediate) {},
                failing().recover(on: .immediate) { _ in 1 },
                join(failing(), failing()).onError(on: .immediate) { _ in },
                select(failing(), or: failing()).mapResult(on: .immediate) { $0 },
                failing().onResult(on: .immediate) { _ in },
                failing().retry(RetryPolicy(.constant(.milliseconds(1)), maxRepetitions: 2), on: .background)
                    .onError(on: .immediate) { _ in },
                gate.future.flatMap(on: .immediate) { _ in
                    [1, 2].mapToFuture(on: .immediate, maxConcurrentCount: 2) { _ in Future<Int>(error: Lost()) }
                }.onError(on: .immediate) { _ in },
                SingleFlight<Int, Int>().future(on: .immediate, for: 1) { failing() }.onError(on: .immediate) { _ in },
            ]
            // What a closure returns is passed on, whether it has completed by then or not.
            let queue = FutureQueue()
            handled.append(
                gate.future.flatMap(on: .immediate) { _ in queue.on(.immediate).enqueue { Future<Int>(error: Lost()) }
                }
                .onError(on: .immediate) { _ in })
            let cancelled = failing()
            cancelled.cancel()
            let task = Task { try await awaited.value }
            _ = failing().onValue(on: .immediate) { _ in }
            // A delay passes an error on, and no code sees it.
            _ = failing().delay(by: .microseconds(1), on: .background)
            gate.succeed(1)
            _ = try? await task.value
            if case .failure? = read.result {}
            handled = []
            withExtendedLifetime(handled) {}
            // A promise that is released is an event of its own.
            _ = Promise<Int>(file: "FuturesTests/Abandoned.swift", line: 7)
            let all = await events.take(3).sorted()
            #expect(all.count == 3, "\(all)")
            #expect(all[0].hasPrefix("Nothing observed the error that has reached delay in FuturesTests."), "\(all)")
            #expect(all[1].hasPrefix("Nothing observed the error that has reached onValue in FuturesTests."), "\(all)")
            #expect(all[1].hasSuffix(": Lost()"), "\(all)")
            #expect(
                all[2] == """
                    The future made at FuturesTests/Abandoned.swift:7 was abandoned: its promise or completion was released \
                    without being called. Swift releases a promise at its last use, also one that a variable or an array holds.
                    """)
        }
    }

    @Test func `SIGQUIT prints the report, and the process continues`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            Diagnostics.isOn = true
            let promise = Promise<Int>()
            let future = promise.future.map(on: .immediate) { $0 }
            let watch = Diagnostics.dumpOnQuit()
            _ = standardError(of: { kill(getpid(), SIGQUIT) }) {
                $0.contains("Promise at FuturesTests/DiagnosticsTests.swift")
            }
            withExtendedLifetime((promise, future, watch)) {}
            exit(7)
        }
    }

    @Test func `a report names the first operations that wait in a queue, and the number of the others`() async {
        await #expect(processExitsWith: .success) {
            Diagnostics.isOn = true
            let (queue, gate) = (FutureQueue(label: "ledger"), Promise<Int>())
            let all = (0..<1000).map { _ in queue.on(.immediate).enqueue { gate.future } }
            let report = Diagnostics.report()
            #expect(report.contains("\"ledger\": 1 running, 999 waiting"), "\(report)")
            for place in ["1st", "8th"] { #expect(report.contains("(\(place) of 999, waiting "), "\(report)") }
            #expect(report.contains("  991 more waiting\n") && report.utf8.count < 2000, "\(report)")
            #expect(report.hasPrefix("Futures: 1001 pending"), "\(report)")
            #expect(all[500].chain.contains("(behind the first 8 of 999, waiting "), "\(all[500].chain)")
            let awaiting = all[700].map(on: .immediate) { $0 }
            #expect(Diagnostics.report().contains("(behind the first 8 of 999, waiting "))
            withExtendedLifetime(awaiting) { _ = gate.succeed(1) }
        }
    }

    enum Scene: CaseIterable {
        case promise, twoQueues, join, awaiting, waiting, permit, timer, scheduler, cache

        func set() -> [Any] {
            let (gate, work) = (Promise<Void>(), Scheduler(label: "work"))
            // A clock that stands still: on another one, the queues would break their deadlocks.
            let time = VirtualTime()
            switch self {
            case .promise: return [gate, gate.future.map(on: .immediate) {}]
            case .twoQueues:
                let (first, second) = (FutureQueue(label: "ledger"), FutureQueue(label: "audit"))
                let kept = [
                    first.on(time.scheduler).enqueue {
                        gate.future.flatMap(on: .immediate) { second.on(time.scheduler).enqueue { Future() } }
                    },
                    second.on(time.scheduler).enqueue {
                        gate.future.flatMap(on: .immediate) { first.on(time.scheduler).enqueue { Future() } }
                    },
                ]
                time.run()
                gate.succeed()
                return [kept, first, second, time]
            case .join:
                let queue = FutureQueue(label: "ledger")
                let outer = queue.on(time.scheduler).enqueue {
                    Futures.join(Future(1), queue.on(time.scheduler).enqueue { Future(2) }).asVoid()
                }
                time.run()
                return [queue, outer, time]
            case .awaiting:
                let (queue, started) = (FutureQueue(label: "ledger"), Promise<Void>())
                let outer = queue.run {
                    let inner = queue.on(.immediate).enqueue { Future() }
                    started.succeed()
                    try await inner.value
                }
                try? started.future.wait(timeout: testTimeout)
                comesToReport("DEADLOCK")
                return [queue, outer]
            case .waiting:
                let thread = Thread { try? gate.future.map(on: .immediate) {}.wait() }
                thread.start()
                comesToReport("wait()")
                return [gate, thread]
            case .permit:
                let mutex = FutureMutex(label: "index")
                return [mutex, mutex.acquire(), mutex.on(.immediate).enqueue { Future() }]
            case .timer: return [Future(1).delay(by: .seconds(1000), on: work)]
            case .scheduler:
                let (blocked, started) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                work.async {
                    started.signal()
                    blocked.wait()
                }
                started.wait()
                return [blocked, Future(1).map(on: work) { $0 }]
            case .cache:
                let users = FutureCache<Int, Void>(label: "users", maxCount: 1)
                return [users, users.future(on: .immediate, for: 1) { gate.future }]
            }
        }

        var parts: [String] {
            switch self {
            case .promise:
                [
                    "map at FuturesTests/DiagnosticsTests.swift:", "← Promise at FuturesTests/DiagnosticsTests.swift:",
                    "not completed for",
                ]
            case .twoQueues: ["3 deadlocks.", "DEADLOCK", "on \"ledger\"", "on \"audit\"", "(1st of 1, waiting"]
            case .join:
                ["DEADLOCK", "join at FuturesTests/", "1 of 2 left", "FutureQueue \"ledger\": 1 running, 1 waiting"]
            case .awaiting: ["DEADLOCK", "on \"ledger\"", "(1st of 1, waiting"]
            case .waiting: ["Threads that wait:", "wait() at FuturesTests/DiagnosticsTests.swift:", "← Promise at"]
            case .permit:
                [
                    "FutureMutex \"index\": 1 running, 1 waiting",
                    "a permit granted at FuturesTests/DiagnosticsTests.swift:",
                ]
            case .timer: ["delay at FuturesTests/", "waiting for its timer or task on Scheduler(time)"]
            case .scheduler:
                [
                    "Schedulers that are busy:\n  Scheduler(work): has run a block for", ", and 1 callback waits\n",
                    "waiting for a callback on Scheduler(work), which has run a block for",
                ]
            case .cache: ["\"users\" ← Promise at FuturesTests/"]
            }
        }

        /// Waits until a report has a word that other threads bring about.
        private func comesToReport(_ word: String) {
            for _ in 0..<6000 where !Diagnostics.report().contains(word) { usleep(10_000) }
        }
    }
}
