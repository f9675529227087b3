// Traversals under threads: elements that complete in every way, during cancels.

import Foundation
import Futures
import Testing

extension ThreadStressTests {
    @Suite struct Traversals {
        @Test func `under any race, each element starts at most once, and none is left or kept afterwards`() async {
            await runPrograms(rounds / 2) { _ in TraversalRun() }
        }
    }
}

private struct Progress {
    let witness: Witness
    let limit: Int
    var isRequesting = false
    private(set) var started: Set<Int> = []
    var current: Set<Int> = []
    var isCancelled = false
    /// The number of elements that were cancelled although the traversal was not.
    var cancelledCount = 0

    init(_ witness: Witness, limit: Int) {
        self.witness = witness
        self.limit = limit
    }

    mutating func request() {
        if isRequesting { witness.complain("two threads had the iterator") }
        isRequesting = true
    }

    mutating func start(_ element: Int) {
        if !started.insert(element).inserted { witness.complain("element \(element) started twice") }
        current.insert(element)
        if current.count > limit { witness.complain("\(current.count) elements in progress, of \(limit)") }
    }
}

/// A sequence of numbers whose iterator may be slow, so that other workers have to wait for it.
private struct Numbers: Sequence, IteratorProtocol, Sendable {
    let count: Int
    let isSlow: Bool
    let progress: Shared<Progress>
    var nextNumber = 0

    mutating func next() -> Int? {
        progress.change { $0.request() }
        defer { progress.change { $0.isRequesting = false } }
        if isSlow { for _ in 0..<3 { sched_yield() } }
        guard nextNumber < count else { return nil }
        nextNumber += 1
        return nextNumber - 1
    }
}

private final class TraversalRun: ThreadProgram {
    private struct Running {
        let future: Future<[Int]>
        let progress: Shared<Progress>
        let count: Int
        /// Whether the elements in progress are cancelled when another one fails.
        let cancelsOthers: Bool

        func cancel() {
            progress.change { $0.isCancelled = true }
            future.cancel()
        }
    }

    let witness = Witness()
    private let running = Shared<[Running]>([])

    func run(thread: Int, _ random: inout SplitMix) {
        for _ in 0..<12 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: running.change { $0.randomElement(using: &random) }?.cancel()
            case 2, 3, 4: witness.openGates()
            default: add(&random)
            }
        }
    }

    private func add(_ random: inout SplitMix) {
        let (limit, count) = (Int.random(in: 1...5, using: &random), random.pick([0, 1, 7, 20]))
        let progress = Shared(Progress(witness, limit: limit))
        let numbers = Numbers(count: count, isSlow: random.oneIn(2), progress: progress)
        let scheduler = random.pick([Scheduler.immediate, Scheduler(label: "serial"), .background])
        let (choices, object) = (random.next(), witness.census.make())
        let transform: @Sendable (Int) throws -> Future<Int> = { [witness] element in
            object.touch()
            var random = SplitMix(choices &+ UInt64(element))
            progress.change { $0.start(element) }
            let end: @Sendable () -> Void = { progress.change { _ = $0.current.remove(element) } }
            // Few fail.
            let courses: [Witness.Course] =
                random.oneIn(10) ? [.throwing, .failing] : [.immediate, .immediate, .background, .otherThread, .gated]
            let work = Result { try witness.work(random.pick(courses)) {} }
            guard let future = work.success else {
                end()
                throw Oops(element)
            }
            return future.map(on: .immediate) { _ in element }
                .onCancel(on: .immediate) { progress.change { if !$0.isCancelled { $0.cancelledCount += 1 } } }
                .always(on: .immediate, end)
        }
        let cancelsOthers = choices % 4 != 0
        let future: Future<[Int]> =
            switch choices % 4 {
            case 1:
                numbers.mapToFuture(on: scheduler, maxConcurrentCount: limit) { number in
                    Future<Void>().flatMap(on: .immediate) { try transform(number) }.mapResult(on: .immediate) { $0 }
                }
                .map(on: .immediate) { try $0.map { try $0.get() } }
            case 2:
                Future(()).flatMap(on: .background) {
                    numbers.mapToFuture(on: scheduler, maxConcurrentCount: limit, transform)
                }
            default:
                numbers.mapToFuture(
                    on: scheduler, maxConcurrentCount: limit, cancelNonCompleted: cancelsOthers, transform)
            }
        let traversal = Running(future: future, progress: progress, count: count, cancelsOthers: cancelsOthers)
        running.change { $0.append(traversal) }
    }

    func finish() async {
        let all = running.value
        // Does not open gates: elements in progress are cancelled with their traversal.
        await witness.expect("an element continues though its traversal has completed") {
        } _: {
            all.allSatisfy { !$0.cancelsOthers || !$0.future.isCompleted || $0.progress.change { $0.current.isEmpty } }
        }
        await witness.expect("it hangs") {
            all.allSatisfy { $0.future.isCompleted && $0.progress.change { $0.current.isEmpty } }
        }
        for traversal in all { check(traversal) }
        running.value = []
    }

    private func check(_ traversal: Running) {
        let progress = traversal.progress.value
        if progress.cancelledCount > 0, !traversal.cancelsOthers {
            witness.complain("an error has cancelled \(progress.cancelledCount) elements")
        }
        guard let values = traversal.future.success else { return }
        if values != Array(0..<traversal.count) {
            witness.complain("values \(values) of \(traversal.count) elements")
        }
        if progress.started.count != traversal.count {
            witness.complain("\(progress.started.count) of \(traversal.count) elements started")
        }
    }
}
