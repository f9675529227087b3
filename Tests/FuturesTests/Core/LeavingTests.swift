// Contract, rule 14: leaving takes the same time among many as among few.

import Futures
import Testing

/// The smallest of a few measurements: what else the machine does makes them longer, never shorter.
func shortest(of count: Int = 5, _ body: () -> Duration) -> Duration {
    (0..<count).map { _ in body() }.min()!
}

@Suite(.serialized) struct LeavingTests {
    enum Order: CaseIterable { case first, last, shuffled }

    /// The time for each of `count` listeners to leave.
    private func timeToLeave(_ count: Int, _ order: Order) -> Duration {
        let promise = Promise<Int>()
        promise.future.onValue(on: .immediate) { _ in }
        var listeners = (0..<count).map { _ in promise.future.map(on: .immediate) { $0 } }
        switch order {
        case .first: break
        case .last: listeners.reverse()
        case .shuffled: listeners.shuffle()
        }
        return ContinuousClock().measure { for listener in listeners { listener.cancel() } } / count
    }

    @Test(arguments: Order.allCases)
    func `leaving takes the same time however many stay`(order: Order) {
        // In a singly linked list the second takes forty times as long; caches alone make it two or three times.
        let few = shortest(of: 9) { timeToLeave(500, order) }
        let many = shortest { timeToLeave(20_000, order) }
        #expect(many < few * 10)
    }
}
