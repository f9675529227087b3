// How long traversals keep their scheduler, and what counts as an element in progress.

import Futures
import FuturesTesting
import Testing

/// The ways to traverse the numbers from 0 on, on a scheduler.
enum TraversalKind: CaseIterable {
    case one, four, results, forEach, reduction

    func start(
        _ numbers: some Sequence<Int> & Sendable, on scheduler: Scheduler,
        _ element: @escaping @Sendable (Int) -> Future<Void>
    ) -> Future<Void> {
        switch self {
        case .one: numbers.mapToFuture(on: scheduler, element).asVoid()
        case .four: numbers.mapToFuture(on: scheduler, maxConcurrentCount: 4, element).asVoid()
        case .results: numbers.mapToFutureResults(on: scheduler, maxConcurrentCount: 2, element).asVoid()
        case .forEach: numbers.forEachToFuture(on: scheduler, element) { _ in }
        case .reduction: numbers.reduceToFuture(on: scheduler, ()) { _, number in element(number) }
        }
    }
}

@Suite struct TraversalTurnTests {
    /// Without a kind: as many elements as there are.
    @Test(arguments: TraversalKind.allCases.map(Optional.some) + [nil], [false, true])
    func `an endless traversal of complete elements yields to other work on its scheduler`(
        kind: TraversalKind?, ofOperations: Bool
    ) {
        let (time, queue, elements) = (VirtualTime(), FutureQueue<Void>(), AtomicCounter())
        let elementsBefore = Log<Int>()
        let numbers = sequence(first: 0) { $0 + 1 }
        let element: @Sendable (Int) -> Future<Void> = { _ in
            elements.up()
            return ofOperations ? queue.on(time.scheduler).run {} : Future()
        }
        let traversal =
            kind?.start(numbers, on: time.scheduler, element)
            ?? numbers.mapToFuture(on: time.scheduler, maxConcurrentCount: .max, element).asVoid()
        time.scheduler.async { elementsBefore.add(elements.value) }
        time.scheduler.async { time.scheduler.async { traversal.cancel() } }
        time.run()
        #expect(traversal.isCancelled)
        #expect(elementsBefore.entries == [64])
    }

    /// Ways to start ten elements, at most two of them in progress.
    private typealias Way = @Sendable (_ element: @escaping @Sendable (Int) -> Future<Future<Int>>) -> any Sendable

    private static let ways: [Way] = [
        { (0..<10).mapToFuture(on: .immediate, maxConcurrentCount: 2, $0) },
        { (0..<10).mapToFutureResults(on: .immediate, maxConcurrentCount: 2, $0) },
        { (0..<10).forEachToFuture(on: .immediate, maxConcurrentCount: 2, $0, onResult: { _ in }) },
        { element in
            (0..<10).map { number in Deferred.following { element(number) } }.joined(maxConcurrentCount: 2)
                .start(on: .immediate)
        },
        { element in
            (0..<10).reduceToFuture(on: .immediate, Future(0)) { _, number in element(number) }
        },
    ]

    @Test(arguments: ways.indices)
    func `a future in the value of an element counts as in progress until it has completed`(way: Int) {
        let saves = Shared<[Promise<Int>]>([])
        let start = Self.ways[way]
        let future = start { number in
            Future(number).map(on: .immediate) { _ in
                let save = Promise<Int>()
                saves.change { $0.append(save) }
                return save.future
            }
        }
        for number in 0..<10 {
            let count = saves.value.count
            #expect(count > number && count <= number + 2)
            if number < count { saves.value[number].succeed(number) }
        }
        withExtendedLifetime(future) {}
    }
}
