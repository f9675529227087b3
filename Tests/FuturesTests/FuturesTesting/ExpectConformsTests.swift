// expectConforms: what it finds in queues that are not what they should be. Contract/Testing.md

import Dispatch
import Futures
import FuturesTesting
import Testing

/// A queue that does one thing wrong, or none.
private final class Faulty: ExecutionQueue {
    enum Fault { case none, isLost, isTwice, isInside, isConcurrent, isReversed, waits, isKept, isCurrent, changes }

    private let fault: Fault
    private let queue: DispatchQueue
    private let count = Shared(0), kept = Log<@Sendable () -> Void>(), key = DispatchSpecificKey<Bool>()
    let label = "faulty"
    let isSerial = true

    init(_ fault: Fault) {
        self.fault = fault
        queue = DispatchQueue(label: "faulty")
        queue.setSpecific(key: key, value: true)
    }

    private final class Other {}

    var identifyingObject: AnyObject { fault == .changes ? Other() : self }
    var isCurrent: Bool { fault == .isCurrent || DispatchQueue.getSpecific(key: key) == true }

    func async(_ work: @escaping @Sendable () -> Void) {
        let number = count.increment()
        switch fault {
        case .isLost where number == 2000: return
        case .isTwice:
            queue.async {
                work(); work()
            }
        case .isInside: work()
        case .isReversed where number.isMultiple(of: 100):
            queue.asyncAfter(deadline: .now() + .milliseconds(2), execute: work)
        case .isConcurrent:
            // On a thread of its own, which gets the time to begin.
            let returned = DispatchSemaphore(value: 0)
            DispatchQueue(label: "faulty").async {
                work()
                returned.signal()
            }
            _ = returned.wait(timeout: .now() + .milliseconds(200))
        case .waits:
            queue.async(execute: work)
            queue.sync {}
        case .isKept:
            kept.add(work)
            queue.async(execute: work)
        default: queue.async(execute: work)
        }
    }
}

@Suite struct ExpectConformsTests {
    /// Expects these words of the error with some limit. A fault that shows only by the limit takes that long, and what
    /// comes before it must not reach the limit, on the busiest machine.
    private func expectWords(_ words: String, _ check: @escaping @Sendable (Duration) throws -> Void) async {
        var (found, expected) = ("", words)
        for limit in [1, 10, 100].map({ Duration.seconds($0) }) where found != expected {
            expected = words.replacing("LIMIT", with: "\(limit)")
            found = await self.words { try check(limit) }
        }
        #expect(found == expected)
    }

    /// Returns the words of the error. No thread of the concurrency pool waits meanwhile.
    private func words(_ body: @escaping @Sendable () throws -> Void) async -> String {
        do {
            try await Future(on: Scheduler(label: "expectConforms"), immediate: { try body() }).value
            return ""
        } catch { return "\(error)" }
    }

    @Test func `expectConforms accepts queues that do what is required`() throws {
        try expectConforms(Faulty(.none), within: testTimeout)
        try expectConforms(ThreadLoop(), within: testTimeout)
    }

    @Test(arguments: [
        (Faulty.Fault.isLost, "1 of 4000 closures were not called within LIMIT."),
        (.isTwice, "A closure was called more than once."),
        (.isInside, "async(_:) called the closure before it returned."),
        (.isConcurrent, "isSerial is true, but two closures ran at the same time."),
        (.isReversed, "isSerial is true, but closures of one thread were not called in their order."),
        (.waits, "async(_:) waits until the closure in progress has returned."),
        (.isKept, "A closure was not released after its call."),
        (.isCurrent, "isCurrent is true in code that does not run on the queue."),
        (.changes, "identifyingObject is another object each time."),
    ])
    fileprivate func `expectConforms says what a queue does not do`(_ fault: Faulty.Fault, _ expected: String) async {
        await expectWords("At Test.swift:7: faulty: " + expected) { limit in
            try expectConforms(Faulty(fault), within: limit, file: "Test.swift", line: 7)
        }
    }
}
