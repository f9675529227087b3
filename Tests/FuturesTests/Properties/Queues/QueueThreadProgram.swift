// QueueThreadProgram: concurrent actions of several threads on one queue, and invariants that hold in any order.

import Dispatch
import Foundation
import Futures

/// The steps of each thread.
struct QueueThreadProgram: Sendable {
    enum Step: Sendable {
        case enqueue(Work, QueuePriority, enqueues: [Work])
        case batch([Work], fails: Bool)
        case cancel(Int)
        case abort, pause, resume, close
    }

    /// How an operation completes.
    enum Work: Sendable, CaseIterable {
        case value, error, thrown, background, callback, deadlock
    }

    var limit = 1
    var threads: [[Step]] = []

    var operationCount: Int {
        threads.joined().reduce(0) { count, step in
            switch step {
            case .enqueue(_, _, let enqueues): count + 1 + enqueues.count
            case .batch(let works, _): count + 1 + works.count
            default: count
            }
        }
    }
}

extension QueueThreadProgram {
    init(_ random: inout SplitMix, maxLength: Int) {
        limit = [1, 1, 2, 3].randomElement(using: &random)!
        threads = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            (0..<Int.random(in: 1...maxLength, using: &random)).map { _ in Self.step(&random) }
        }
    }

    private static func step(_ random: inout SplitMix) -> Step {
        func works(_ count: Range<Int>) -> [Work] {
            (0..<Int.random(in: count, using: &random)).map { _ in work() }
        }
        func work() -> Work {
            let work = Work.allCases.randomElement(using: &random)!
            return work == .deadlock && Int.random(in: 0..<4, using: &random) > 0 ? .value : work
        }
        switch Int.random(in: 0..<40, using: &random) {
        case 0...5: return .cancel(Int.random(in: 0..<8, using: &random))
        case 6: return .abort
        case 7: return .pause
        case 8, 9: return .resume
        case 10: return Int.random(in: 0..<8, using: &random) == 0 ? .close : .resume
        case 11...15: return .batch(works(0..<4), fails: Bool.random(using: &random))
        case 16...18: return .enqueue(work(), .high, enqueues: [])
        case 19...21: return .enqueue(work(), .low, enqueues: [])
        default: return .enqueue(work(), .normal, enqueues: works(0..<3))
        }
    }

    /// The programs with one thread or one step less than this one.
    var smaller: [QueueThreadProgram] {
        threads.indices.map { index in
            var other = self
            other.threads.remove(at: index)
            return other
        }
            + threads.indices.flatMap { thread in
                threads[thread].indices.map { index in
                    var other = self
                    other.threads[thread].remove(at: index)
                    return other
                }
            }
    }
}

/// One run of a program, and its faults.
final class QueueThreadRun: Sendable {
    private final class Token: Sendable {}

    private let queue: FutureQueue<Int>
    private let limit: Int
    /// The operations that use the resource. (Not a counter: an operation that is cancelled by one thread while another
    /// completes it leaves twice.)
    private let users = Guarded<Set<Int>>([])
    private let count = AtomicCounter()
    private let faults = Guarded<[String]>([])
    private let futures = Guarded<[Future<Int>]>([])
    private let objects = Guarded<[() -> AnyObject?]>([])
    /// The last operation of each thread that has started.
    private let lastBegun: Guarded<[Int]>

    init(_ program: QueueThreadProgram) {
        limit = program.limit
        queue = FutureQueue(resource: 7, maxConcurrentCount: program.limit)
        lastBegun = Guarded(program.threads.map { _ in -1 })
    }

    /// Runs a program, and returns its first fault, or nil.
    static func complaint(about program: QueueThreadProgram) -> String? {
        guard !program.threads.isEmpty else { return nil }
        let run = QueueThreadRun(program)
        race(program.threads.count) { run.run(program.threads[$0], thread: $0) }
        run.finish()
        return run.faults.with { $0.first }
    }

    private func run(_ steps: [QueueThreadProgram.Step], thread: Int) {
        var mine: [Future<Int>] = []
        var hasClosed = false
        for (number, step) in steps.enumerated() {
            switch step {
            case .enqueue(let work, let priority, let enqueues):
                let order = priority == .normal && limit == 1 ? (thread, number) : nil
                let future = enqueue(work, in: queue, priority, order, enqueues)
                if hasClosed, !(future.error is QueueError) { complain("a closed queue accepts") }
                mine.append(future)
            case .batch(let works, let fails): mine.append(batch(works, fails: fails))
            case .cancel(let index): if !mine.isEmpty { mine[mine.count - 1 - index % mine.count].cancel() }
            case .abort: queue.cancelAll(with: Oops(-1))
            case .pause: queue.pause()
            case .resume: queue.resume()
            case .close:
                queue.close()
                hasClosed = true
            }
        }
    }

    private func enqueue(
        _ work: QueueThreadProgram.Work, in queue: FutureQueue<Int>, _ priority: QueuePriority = .normal,
        _ order: (thread: Int, number: Int)? = nil, _ enqueues: [QueueThreadProgram.Work] = []
    ) -> Future<Int> {
        let token = Token()
        objects.with { $0.append { [weak token] in token } }
        let begun = AtomicCounter()
        let future = queue.on(.immediate).enqueue(with: .priority(priority)) { [self] resource in
            if begun.up() > 1 { complain("an operation began twice") }
            if let order {
                let last = lastBegun.with { last in
                    defer { last[order.thread] = order.number }
                    return last[order.thread]
                }
                if last > order.number { complain("an operation of a thread overtook another one") }
            }
            for other in enqueues { _ = enqueue(other, in: queue) }
            return try withExtendedLifetime(token) { try self.future(work, in: queue) }
        }
        let end = future.always(on: .immediate) {}
        futures.with { $0.append(end) }
        return end
    }

    /// Uses the resource until the returned future completes, or the closure returns.
    private func future(_ work: QueueThreadProgram.Work, in queue: FutureQueue<Int>) throws -> Future<Int> {
        let user = count.up()
        let leave: @Sendable () -> Void = { self.users.with { _ = $0.remove(user) } }
        let isTooMany = users.with { users in
            users.insert(user)
            return users.count > limit
        }
        if isTooMany { complain("more operations ran than allowed") }
        switch work {
        case .value:
            leave()
            return Future(1)
        case .error:
            leave()
            return Future(error: Oops(1))
        case .thrown:
            leave()
            throw Oops(2)
        case .background:
            return Future(
                on: .background,
                immediate: {
                    leave()
                    return 3
                }
            ).onCancel(on: .immediate, leave)
        case .callback:
            return Future(on: .immediate) { completion in
                DispatchQueue.global().async {
                    leave()
                    completion(.success(4))
                }
                return Disposer(leave)
            }
        case .deadlock:
            leave()
            return enqueue(.value, in: queue)
        }
    }

    private func batch(_ works: [QueueThreadProgram.Work], fails: Bool) -> Future<Int> {
        let end = queue.on(.immediate).enqueueBatch { [self] batch in
            for work in works { _ = enqueue(work, in: batch) }
            if fails { throw Oops(3) }
            return Future(5)
        }.always(on: .immediate) {}
        futures.with { $0.append(end) }
        return end
    }

    /// Waits until everything has completed, and checks that nothing is left.
    private func finish() {
        queue.resume()
        // Blocks instead of polling: as long as tests keep its threads busy, Dispatch has none for the operations in
        // the background.
        let (settled, end) = (Future.settle(futures.with { $0 }), ContinuousClock.now + testTimeout)
        while !settled.isCompleted, ContinuousClock.now < end {
            Watchdog.real.look(always: true)
            _ = try? settled.wait(timeout: .milliseconds(1))
        }
        if !soon({ self.queue.isEmpty && self.futures.with { $0.allSatisfy { $0.isCompleted } } }) {
            let lost = futures.with { $0.count { !$0.isCompleted } }
            complain("\(lost) are lost; \(queue.runningCount) run and \(queue.waitingCount) wait")
        }
        if !soon({ self.queue.drained().isCompleted }) { complain("it is empty, but not drained") }
        if !soon({ self.users.with { $0.isEmpty } }) { complain("some have not given back the resource") }
        futures.with { $0 = [] }
        if !soon({ self.objects.with { $0.allSatisfy { $0() == nil } } }) { complain("operations are kept") }
    }

    private func soon(_ condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + testTimeout
        while !condition() {
            if ContinuousClock.now > end { return false }
            sched_yield()
        }
        return true
    }

    private func complain(_ fault: String) { faults.with { $0.append(fault) } }
}
