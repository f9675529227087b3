// Events: what takes too long, grows too long, or cannot end. Contract/Diagnosing.md

import Dispatch
import Foundation
import Futures
import Testing

@testable import FuturesDiagnostics

/// Recording is a switch of the process, so each of these runs in a process of its own. No test waits for time to pass:
/// a check is told what time it is.
@Suite struct EventTests {
    /// The limits of the tests: an hour, which no test takes, however busy the machine is.
    static let limits = Diagnostics.Limits(
        callback: .seconds(3600), waitingCount: nil, operation: .seconds(3600), historyCount: nil, wait: .seconds(3600))
    static let early = Duration.seconds(1800)
    static let late = Duration.seconds(7200)

    static func start() {
        Diagnostics.limits = .none
        Diagnostics.isOn = true
    }

    /// Collects events. The second element says whether there are as many as expected; no test waits for more.
    static func collect() -> Shared<[Diagnostics.Event]> {
        let events = Shared<[Diagnostics.Event]>([])
        Diagnostics.onEvent { event in events.change { $0.append(event) } }
        return events
    }

    static func comes(_ count: Int, of events: Shared<[Diagnostics.Event]>) async {
        while events.value.count < count { await Task.yield() }
    }

    @Test func `a callback that blocks a serial scheduler too long is an event, once`() async {
        await #expect(processExitsWith: .success) {
            EventTests.start()
            let (serial, concurrent) = (Scheduler(label: "work"), Scheduler(label: "pool", attributes: .concurrent))
            let (started, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let futures = [serial, concurrent].map { scheduler in
                Future(1).map(on: scheduler) { _ in
                    started.signal()
                    gate.wait()
                }
            }
            started.wait()
            started.wait()
            var (watch, limits) = (Watch(), EventTests.limits)
            #expect(watch.check(limits, now: .now).isEmpty)
            let found = watch.check(limits, now: .now + EventTests.late)
            #expect(found.map(\.kind) == [.blockedScheduler])
            #expect(found[0].subject.hasPrefix("map in FuturesTests."), "\(found)")
            #expect(found[0].description.hasPrefix("Scheduler(work) has been blocked for 2 h by map in "), "\(found)")
            #expect(found[0].duration! >= .seconds(7200))
            // A chain says which callback is running, and which one waits for it.
            #expect(futures[0].chain.contains("(running on Scheduler(work) for "), "\(futures[0].chain)")
            let next = Future(2).map(on: serial) { $0 }
            #expect(next.chain.contains("a callback on Scheduler(work), which has run map in "), "\(next.chain)")
            #expect(watch.check(limits, now: .now + EventTests.late).isEmpty)
            limits.callback = nil
            var other = Watch()
            #expect(other.check(limits, now: .now + EventTests.late).isEmpty)
            gate.signal()
            gate.signal()
            for future in futures { try? await future.value }
        }
    }

    @Test func `a queue in which too many operations wait is an event, and again once half of them have left`() async {
        await #expect(processExitsWith: .success) {
            EventTests.start()
            let events = EventTests.collect()
            Diagnostics.limits.waitingCount = 4
            let (queue, other) = (FutureQueue(label: "ledger"), FutureQueue(label: "audit"))
            let gate = Promise<Void>()
            func fill(_ queue: FutureQueue<Void>, _ count: Int) -> [Future<Void>] {
                (0..<count).map { _ in queue.on(.immediate).enqueue { gate.future.withoutHistory() } }
            }
            // One of each runs.
            var kept = fill(other, 5)
            var waiting = fill(queue, 10).dropFirst()
            await EventTests.comes(1, of: events)
            #expect(events.change { $0[0].count == 5 && $0[0].subject == "FutureQueue \"ledger\"" })
            #expect(
                events.change { $0[0].description }.hasPrefix(
                    "5 operations wait in FutureQueue \"ledger\", the last one enqueued at FuturesTests/EventTests.swift:"
                )
            )
            // More than half as many as the limit are left.
            for _ in 0..<6 { waiting.removeLast().cancel() }
            var watch = Watch()
            _ = watch.check(.none, now: .now)
            waiting += fill(queue, 6)
            // Half as many are left.
            while waiting.count > 2 { waiting.removeLast().cancel() }
            _ = watch.check(.none, now: .now)
            waiting += fill(queue, 6)
            await EventTests.comes(2, of: events)
            #expect(events.change { $0.map(\.count) } == [5, 5])
            Diagnostics.limits.waitingCount = nil
            kept += fill(other, 10)
            #expect(events.value.count == 2)
            withExtendedLifetime((kept, waiting, gate)) {}
        }
    }

    @Test func `an operation or a permit that takes too long is an event, once, with what it waits for`() async {
        await #expect(processExitsWith: .success) {
            EventTests.start()
            let (queue, mutex) = (FutureQueue(label: "ledger"), FutureMutex(label: "index"))
            let pool = ResourcePool(
                label: "connections", maxCount: 1, callTimeout: testTimeout, on: .immediate, create: { Future(1) })
            let (gate, next) = (Promise<Void>(), Promise<Void>())
            let kept = [
                queue.on(.immediate).enqueue { gate.future }, queue.on(.immediate).enqueue { next.future },
                pool.on(.immediate).enqueue { _ in gate.future },
            ]
            let permit = mutex.acquire()
            let done = FutureQueue().on(.immediate).enqueue { Future(1) }
            var (watch, limits) = (Watch(), EventTests.limits)
            #expect(watch.check(limits, now: .now + EventTests.early).isEmpty)
            let found = watch.check(limits, now: .now + EventTests.late)
            #expect(found.allSatisfy { $0.kind == .longOperation && $0.duration! >= .seconds(7200) })
            let texts = found.map(\.description)
            #expect(texts.count == 3, "\(texts)")
            for (start, end) in [
                ("An operation is taking long: enqueue on \"ledger\" at", "not completed for 2 h"),
                ("An operation is taking long: enqueue on \"connections\" at", "not completed for 2 h"),
                ("The permit of FutureMutex \"index\" granted at FuturesTests/EventTests.swift", "held for 2 h."),
            ] {
                #expect(texts.contains { $0.hasPrefix(start) && $0.hasSuffix(end) }, "\(start): \(texts)")
            }
            #expect(watch.check(limits, now: .now + EventTests.late).isEmpty)
            limits.operation = nil
            var other = Watch()
            #expect(other.check(limits, now: .now + EventTests.late).isEmpty)
            // The next operation has its turn now.
            gate.succeed()
            #expect(watch.check(EventTests.limits, now: .now + EventTests.late).map(\.kind) == [.longOperation])
            withExtendedLifetime((kept, permit, done)) {}
        }
    }

    @Test func `a history that is too long is an event, once, and withoutHistory starts it anew`() async {
        await #expect(processExitsWith: .success) {
            EventTests.start()
            let events = EventTests.collect()
            Diagnostics.limits.historyCount = 100
            let gate = Promise<Int>()
            var (long, short) = (gate.future, gate.future)
            for _ in 0..<1000 {
                long = long.map(on: .immediate) { $0 + 1 }
                short = short.map(on: .immediate) { $0 + 1 }.withoutHistory()
            }
            await EventTests.comes(1, of: events)
            gate.succeed(0)
            // Completed steps count, too, and combinations.
            var all = Future(on: .immediate) { 0 }.map(on: .immediate) { $0 }
            for _ in 0..<200 { all = join(all, Future(1)).map(on: .immediate) { $0 + $1 } }
            await EventTests.comes(2, of: events)
            let found = events.value
            #expect(found.map(\.kind) == [.longHistory, .longHistory])
            #expect(found.map(\.count) == [101, 101])
            #expect(found[0].description.hasPrefix("The history of map in FuturesTests."), "\(found[0])")
            #expect(short.success == 1000 && long.success == 1000)
        }
    }

    @Test func `a wait that cannot succeed is an event, once, and one that can is none`() async {
        await #expect(processExitsWith: .success) {
            EventTests.start()
            let (ledger, open) = (FutureQueue(label: "ledger"), Promise<Void>())
            // Its task awaits an operation behind it, which the queue does not see.
            let transfer = ledger.run { try await ledger.on(.immediate).enqueue { Future() }.value }
            while !Diagnostics.report().contains("DEADLOCK") { await Task.yield() }
            let never = Future<Void>.never.map(on: .immediate) {}
            let either = select(never, or: open.future).asVoid()
            for future in [transfer, never, open.future, either] { Thread.detachNewThread { try? future.wait() } }
            // The waits are recorded when each thread has begun.
            while Diagnostics.report().components(separatedBy: "wait() at").count < 5 { await Task.yield() }
            var (watch, limits) = (Watch(), EventTests.limits)
            limits.operation = nil
            #expect(watch.check(limits, now: .now + EventTests.early).isEmpty)
            // What is found is examined once more.
            #expect(watch.check(limits, now: .now + EventTests.late).isEmpty)
            let found = watch.check(limits, now: .now + EventTests.late)
            #expect(found.map(\.kind) == [.endlessWait, .endlessWait], "\(found)")
            #expect(found.contains { $0.description.contains("again: a cycle") }, "\(found)")
            #expect(found.contains { $0.description.hasSuffix("which never completes") }, "\(found)")
            #expect(found.allSatisfy { $0.subject.hasPrefix("wait() at FuturesTests/EventTests.swift:") })
            #expect(watch.check(limits, now: .now + EventTests.late).isEmpty)
            limits.wait = nil
            var other = Watch()
            for _ in 0..<2 { #expect(other.check(limits, now: .now + EventTests.late).isEmpty) }
            open.succeed()
            withExtendedLifetime(transfer) {}
        }
    }

    @Test func `checks and metrics are safe while other threads make, complete and cancel futures`() async {
        await #expect(processExitsWith: .success) {
            let events = EventTests.collect()
            Diagnostics.limits = Diagnostics.Limits(
                callback: .zero, waitingCount: 0, operation: .zero, historyCount: 2, wait: .zero, interval: .zero)
            Diagnostics.isOn = true
            let sums = MetricsTests.Sums()
            Diagnostics.setMetricsRecorder(sums, interval: .zero)
            let (queue, work) = (FutureQueue(label: "busy", maxConcurrentCount: 2), Scheduler(label: "work"))
            DispatchQueue.concurrentPerform(iterations: 3) { _ in
                for round in 0..<300 {
                    let promise = Promise<Int>()
                    let operation = queue.on(work).enqueue { promise.future.map { $0 } }
                    let all = join(operation, promise.future.map(on: .utility) { $0 }, Future<Int>.never.map { $0 })
                    if round % 2 == 0 { promise.succeed(1) } else { all.cancel() }
                }
            }
            #expect(throws: Never.self) { try queue.drained().wait(timeout: testTimeout) }
            await EventTests.comes(1, of: events)
            while sums.count(of: .created) == 0 { await Task.yield() }
        }
    }

    @Test func `a handler may block, use futures, read a report, and set another handler`() async {
        await #expect(processExitsWith: .success) {
            EventTests.start()
            let (queue, block) = (FutureQueue(), DispatchSemaphore(value: 0))
            let names = Shared<[String]>([])
            Diagnostics.onEvent { event in
                _ = Diagnostics.report()
                try? queue.on(.immediate).enqueue { Future() }.wait()
                Diagnostics.limits.historyCount = 5
                Diagnostics.onEvent { event in names.change { $0.append("second: \(event.kind)") } }
                names.change { $0.append("first: \(event.kind)") }
                block.wait()
            }
            _ = Promise<Int>()
            while names.value.isEmpty { await Task.yield() }
            // The first call still blocks, and the next one comes behind it.
            _ = Promise<Int>()
            #expect(names.value == ["first: abandoned"])
            block.signal()
            while names.value.count < 2 { await Task.yield() }
            #expect(names.value == ["first: abandoned", "second: abandoned"])
        }
    }

    @Test func `without a handler, an event is a line on standard error`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            EventTests.start()
            let text = standardError(of: { _ = Promise<Int>(file: "FuturesTests/Abandoned.swift", line: 7) }) {
                $0.hasSuffix("\n")
            }
            let start = "Futures: The future made at FuturesTests/Abandoned.swift:7 was abandoned: its promise or "
            exit(text.hasPrefix(start) ? 7 : 3)
        }
    }

    @Test func `at most 20 events are printed in a burst, then one each second, with the number left out`() {
        var (limit, now) = (PrintLimit(), ContinuousClock.now)
        for _ in 0..<20 { #expect(limit.next(at: now) == .line(leftOut: 0)) }
        #expect(limit.next(at: now) == .notice)
        for _ in 0..<9 { #expect(limit.next(at: now) == .nothing) }
        now += .milliseconds(999)
        #expect(limit.next(at: now) == .nothing)
        now += .milliseconds(1)
        #expect(limit.next(at: now) == .line(leftOut: 11))
        #expect(limit.next(at: now) == .notice)
        now += .seconds(3600)
        #expect(limit.next(at: now) == .line(leftOut: 1))
        for _ in 0..<19 { #expect(limit.next(at: now) == .line(leftOut: 0)) }
        #expect(limit.next(at: now) == .notice)
    }
}

/// Calls `body`, and returns what the process writes to standard error until `isComplete` accepts it.
func standardError(of body: () -> Void, until isComplete: (String) -> Bool) -> String {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, dup2(ends[1], 2) == 2 else { exit(1) }
    body()
    var (text, bytes) = ("", [UInt8](repeating: 0, count: 4096))
    while !isComplete(text) {
        let count = read(ends[0], &bytes, bytes.count)
        guard count > 0 else { exit(2) }
        text += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    return text
}
