// How long traversals keep their scheduler, and what counts as an element in progress.

import Futures
import Testing

@Suite struct TraversalTurnTests {
    /// Ways to start ten elements, at most two of them in progress.
    private typealias Way = @Sendable (_ element: @escaping @Sendable (Int) -> Future<Future<Int>>) -> any Sendable

    private static let ways: [Way] = [
        { (0..<10).mapToFuture(on: .immediate, maxConcurrentCount: 2, $0) },
        { (0..<10).forEachToFuture(on: .immediate, maxConcurrentCount: 2, $0, onResult: { _ in }) },
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
