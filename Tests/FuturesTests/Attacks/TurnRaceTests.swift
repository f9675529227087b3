// Steps whose future is handed over in one thread while another one cancels them.

import Futures
import Testing

extension Attacks {
    @Suite struct Turns {
        @Test func `a cancel reaches the future that a step waits for while that is handed over or completes`() {
            let census = Census()
            Attacks.run(isDebug ? 200 : 3000) { random in
                let seed = random.next()
                let outer = Promise<Sheet>()
                let inner = (0..<8).map { _ in Promise<Sheet>() }
                let last = Shared<[Future<Sheet>]>([])
                var step = outer.future.map(on: .immediate) { $0 }
                var all: [Future<Sheet>] = []
                for promise in inner {
                    let next = promise.future.map(on: .immediate) { $0 }
                    step = step.flatMap(on: .immediate) { _ in next }
                    all.append(step)
                }
                last.value = all
                interruptedRace { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    switch thread {
                    case 0: outer.succeed(Sheet(0, census))
                    case 1: for promise in inner { promise.succeed(Sheet(1, census)) }
                    case 2: last.value.last?.cancel()
                    default:
                        let leaving = last.value.randomElement(using: &random)?.onValue(on: .immediate) { _ in }
                        leaving?.cancel()
                    }
                }
                guard last.value.last!.isCompleted else { return "the last step is pending" }
                for future in last.value {
                    if case .success(let sheet)? = future.result, !sheet.isWhole { return "a value is gone" }
                }
                return nil
            }
        }
    }
}
