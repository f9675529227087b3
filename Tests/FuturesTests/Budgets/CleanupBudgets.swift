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
            Reason(5, "the cleanup as one that runs where it belongs and asks for its result; what its node calls"),
            Reason(4, "what keeps the turn and gives it back"),
            Reason(9, "the nodes that start the cleanup and are it; their closures and types; the cleanup's future"),
            step("the node that passes on the result after the cleanup"),
        ]
}
