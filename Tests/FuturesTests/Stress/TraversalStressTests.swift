// Traversals under threads: elements that complete in every way, during cancels.

import Foundation
import Futures
import Testing

extension ThreadStressTests {
    @Suite struct Traversals {
        @Test func `under any race, each element starts at most once, and none is in progress or kept afterwards`()
            async
        {
            await runPrograms(rounds / 2) { TraversalRun(&$0) }
        }
    }
}

/// The events of one traversal's elements, and the first fault.
private struct Progress {
    let limit: Int
    private(set) var complaint: String?
    private var isRequesting = false
    private var started: Set<Int> = []
    private var current: Set<Int> = []
    private var isCancelled = false
    /// The number of elements that were cancelled although the traversal was not.
    private(set) var cancelledCount = 0

    init(limit: Int) { self.limit = limit }

    var currentCount: Int { current.count }
    var startedCount: Int { started.count }

    mutating func complain(_ text: String) { complaint = complaint ?? text }

    mutating func request() {
        if isRequesting { complain("two threads had the iterator") }
        isRequesting = true
    }

    mutating func requested() { isRequesting = false }

    mutating func start(_ element: Int) {
        if !started.insert(element).inserted { complain("element \(element) started twice") }
        current.insert(element)
        if current.count > limit { complain("\(current.count) elements in progress, of \(limit)") }
    }

    mutating func cancel() { isCancelled = true }

    mutating func cancelled() { if !isCancelled { cancelledCount += 1 } }

    mutating func end(_ element: Int) { current.remove(element) }
}

/// A sequence of numbers whose iterator may be slow, so that other workers have to wait for it.
private struct Numbers: Sequence, IteratorProtocol, Sendable {
    let count: Int
    let isSlow: Bool
    let progress: Guarded<Progress>
    var nextNumber = 0

    mutating func next() -> Int? {
        progress.with { $0.request() }
        defer { progress.with { $0.requested() } }
        if isSlow { for _ in 0..<3 { sched_yield() } }
        guard nextNumber < count else { return nil }
        nextNumber += 1
        return nextNumber - 1
    }
}

/// Traversals that four threads start and cancel, and whose elements they complete.
private final class TraversalRun: ThreadProgram {
    private struct Running {
        let future: Future<[Int]>
        let progress: Guarded<Progress>
        let ends: Ends
        let count: Int
        /// Whether the elements in progress are cancelled when another one fails.
        let cancelsOthers: Bool

        func cancel() {
            progress.with { $0.cancel() }
            future.cancel()
        }

        /// Whether the elements in progress must have been cancelled by now.
        var isCancelled: Bool { future.isCompleted && cancelsOthers }
    }

    /// Closures that complete pending elements; with an error, if the argument is true.
    private typealias Ends = Guarded<[Int: @Sendable (Bool) -> Void]>

    private let census = Census()
    private let running = Guarded<[Running]>([])
    private let found = Guarded<String?>(nil)
    private let seed: UInt64

    init(_ random: inout SplitMix) { seed = random.next() }

    var complaint: String? { found.with { $0 } }

    private func complain(_ text: String) { found.with { $0 = $0 ?? text } }

    func run(thread: Int) {
        var random = SplitMix(seed &+ UInt64(thread))
        for _ in 0..<12 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: running.with { $0.randomElement(using: &random) }?.cancel()
            case 2, 3, 4: complete(failing: Int.random(in: 0..<4, using: &random) == 0)
            default: add(&random)
            }
        }
    }

    /// Completes elements in progress, except those that must be cancelled.
    private func complete(failing: Bool = false) {
        for traversal in running.with({ $0 }) where !traversal.isCancelled {
            complete(traversal.ends, failing: failing)
        }
    }

    private func complete(_ ends: Ends, failing: Bool = false) {
        for (index, end) in ends.with({ $0 }).values.enumerated() { end(failing && index == 0) }
    }

    private func add(_ random: inout SplitMix) {
        let limit = Int.random(in: 1...5, using: &random)
        let count = [0, 1, 7, 20].randomElement(using: &random)!
        let progress = Guarded(Progress(limit: limit))
        let numbers = Numbers(count: count, isSlow: .random(using: &random), progress: progress)
        let scheduler = [Scheduler.immediate, Scheduler(label: "serial"), .background].randomElement(using: &random)!
        let choices = random.next()
        let ends = Ends([:])
        let object = census.make()

        let transform: @Sendable (Int) throws -> Future<Int> = { [self] element in
            object.touch()
            var random = SplitMix(choices &+ UInt64(element))
            progress.with { $0.start(element) }
            let end: @Sendable () -> Void = { progress.with { $0.end(element) } }
            let choice = Int.random(in: 0..<32, using: &random)
            guard choice > 0 else {
                end()
                throw Oops(element)
            }
            return self.future(of: element, choice, ends)
                .onCancel(on: .immediate) { progress.with { $0.cancelled() } }
                .always(on: .immediate, end)
        }
        let cancelsOthers = choices % 4 != 0
        let future: Future<[Int]> =
            switch choices % 4 {
            case 0:
                numbers.mapToFuture(on: scheduler, maxConcurrentCount: limit, cancelNonCompleted: false, transform)
            case 1:
                numbers.mapToFutureResults(on: scheduler, maxConcurrentCount: limit, transform)
                    .map(on: .immediate) { try $0.map { try $0.get() } }
            case 2:
                Future(())
                    .flatMap(on: .background) {
                        numbers.mapToFuture(on: scheduler, maxConcurrentCount: limit, transform)
                    }
            default: numbers.mapToFuture(on: scheduler, maxConcurrentCount: limit, transform)
            }
        let traversal = Running(
            future: future, progress: progress, ends: ends, count: count, cancelsOthers: cancelsOthers)
        running.with { $0.append(traversal) }
    }

    /// Returns the future of an element.
    private func future(of element: Int, _ choice: Int, _ ends: Ends) -> Future<Int> {
        switch choice {
        case 1: return Future(error: Oops(element))
        case 2..<12: return Future(element)
        case 12..<15: return Future(element).delay(by: .microseconds(20), on: .background)
        default:
            let object = census.make()
            return Future(on: .immediate) { end in
                ends.with { ends in
                    ends[element] = { isFailing in
                        object.touch()
                        end(isFailing ? .failure(Oops(element)) : .success(element))
                    }
                }
                return Disposer { ends.with { $0[element] = nil } }
            }
        }
    }

    func finish() async {
        if await !comesTrue(while: { self.complete() }, { isOver }) { complain("it hangs") }
        running.with { $0 }.forEach(check)
        // An error that cancels no elements may come just before a worker starts its next one, which is pending then.
        let late = running.with { $0 }.filter { !$0.cancelsOthers }.map(\.ends)
        running.with { $0 = [] }
        if await !comesTrue(while: { late.forEach { complete($0) } }, { census.alive == 0 }) {
            complain("\(census.alive) traversals are kept")
        }
    }

    /// Whether every traversal has completed, and no element is in progress.
    private var isOver: Bool {
        running.with { $0 }.allSatisfy { $0.future.isCompleted && $0.progress.with { $0.currentCount } == 0 }
    }

    private func check(_ traversal: Running) {
        if let complaint = traversal.progress.with({ $0.complaint }) { complain(complaint) }
        let cancelled = traversal.progress.with { $0.cancelledCount }
        if cancelled > 0, !traversal.cancelsOthers { complain("an error has cancelled \(cancelled) elements") }
        guard let values = traversal.future.success else { return }
        if values != Array(0..<traversal.count) { complain("values \(values) of \(traversal.count) elements") }
        let started = traversal.progress.with { $0.startedCount }
        if started != traversal.count { complain("\(started) of \(traversal.count) elements started") }
    }
}
