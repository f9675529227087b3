// Turns that are released in one thread while an operation starts in another one.

import Futures
import Testing

extension Attacks {
    @Suite struct Turns {
        // The optimizer had moved the retain of what a node stores behind the release of the lock: see `Node.publish`.
        // The fault shows only if a thread is interrupted at that very instruction, so the test runs many programs.
        @Test func `an abort does not release what a starting operation uses`() {
            Attacks.run(isDebug ? 10 : 100) { random in
                let queues = (0..<2).map { _ in FutureQueue(maxConcurrentCount: random.pick([1, 1, 3])) }
                let seed = random.next()
                let (ended, done) = (AtomicCounter(), AtomicCounter())
                interruptedRace { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    let queue = queues[thread % 2]
                    if thread < 2 {
                        for _ in 0..<1000 {
                            let batch = queue.on(.immediate).batch().enqueue { _ in stoppable {} }
                                .onResult(on: .immediate) { _ in ended.up() }
                            let timed = queue.on(.immediate).enqueue(with: .runTimeout(.seconds(100))) {
                                stoppable {}.timeout(after: .seconds(100), on: .background)
                            }.onResult(on: .immediate) { _ in ended.up() }
                            if random.oneIn(3) { timed.cancel() }
                            if random.oneIn(3) { batch.cancel() }
                        }
                        done.up()
                    } else {
                        while done.value < 2 { queue.cancelAll(with: Oops()) }
                    }
                }
                for queue in queues { queue.cancelAll(with: Oops()) }
                return queues.allSatisfy { $0.isEmpty } ? nil : "a turn is lost; \(ended.value) of 4000 have ended"
            }
        }

        @Test func `a cancel reaches the future that a step waits for while that is handed over or completes`() {
            let census = Census()
            Attacks.run(isDebug ? 200 : 3000) { random in
                let seed = random.next()
                let outer = Promise<Sheet>()
                let inner = (0..<8).map { _ in Promise<Sheet>() }
                let last = Guarded<[Future<Sheet>]>([])
                var step = outer.future.map(on: .immediate) { $0 }
                var all: [Future<Sheet>] = []
                for promise in inner {
                    let next = promise.future.map(on: .immediate) { $0 }
                    step = step.flatMap(on: .immediate) { _ in next }
                    all.append(step)
                }
                last.with { $0 = all }
                interruptedRace { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    switch thread {
                    case 0: outer.succeed(Sheet(0, census))
                    case 1: for promise in inner { promise.succeed(Sheet(1, census)) }
                    case 2: last.with { $0 }.last?.cancel()
                    default:
                        let leaving = last.with { $0 }.randomElement(using: &random)?.onValue(on: .immediate) { _ in }
                        leaving?.cancel()
                    }
                }
                guard last.with({ $0 }).last!.isCompleted else { return "the last step is pending" }
                for future in last.with({ $0 }) {
                    if case .success(let sheet)? = future.result, !sheet.isWhole { return "a value is gone" }
                }
                return nil
            }
        }
    }
}
