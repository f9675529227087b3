// Random operations of a pool that wait for resources.

import Futures
import FuturesTesting
import Testing

extension Attacks {
    @Suite struct Pools {
        @Test func `under random waits, checks and closes that hang, no resource is idle while an operation waits`() {
            Attacks.run(isDebug ? 300 : 3000) { random in
                let busy = BusyPool(3, isChecked: true, closing: 1...2)
                var waiting: [Future<Void>] = []
                var open = [1, 2, 3].shuffled(using: &random)
                for step in 0..<20 {
                    switch Int.random(in: 0...3, using: &random) {
                    case 0 where !open.isEmpty: busy.giveBack(open.removeLast())
                    case 1 where !waiting.isEmpty: waiting.randomElement(using: &random)!.cancel()
                    case 2 where random.oneIn(5): busy.closed.succeed()
                    default: waiting.append(busy.enqueue("\(step)"))
                    }
                    busy.time.run()
                    waiting.removeAll(where: \.isCompleted)
                    if !waiting.isEmpty, busy.pool.idleCount > 0 { return "idle: \(busy.pool.idleCount)" }
                }
                busy.closed.succeed()
                for resource in open { busy.giveBack(resource) }
                let isOver = waiting.allSatisfy(\.isCompleted) && busy.pool.runningCount == 0
                // Nothing stays on the clock, which would keep it.
                let end = busy.pool.close()
                busy.time.run()
                if !end.isCompleted || busy.time.pendingCount > 0 { return "the pool is not closed" }
                return isOver ? nil : "not all operations have completed"
            }
        }
    }
}
