// Budgets of operations with a cleanup.

import Futures

extension Budget {
    static let cleaning = [
        each("enqueue with a cleanup", of: "TurnGiver.enqueue", cleaned) { [queue = FutureQueue(resource: 1)] in
            queue.on(.immediate).enqueue {
                Future($0)
            } finally: { _, _ in
                Future()
            }
            precondition(queue.isEmpty)
        }
    ]

    private static let cleaned =
        queued + [
            Reason(3, "the cleanup as one that runs where it belongs and asks for its result; what its node calls"),
            Reason(2, "what keeps its turn, and what that calls"),
            Reason(2, "the cleanup, and what gives it the result"),
            Reason(4, "the node that starts the cleanup after the operation; its closure; their types"),
            Reason(4, "the node of the cleanup, what it follows; its closure; their types"),
            Reason(1, "the future that the cleanup makes"),
            Reason(2, "the listener that gives back the turn, and its closure"),
            step("the node that passes on the result after the cleanup"),
        ]
}
