// Real timers under threads: started, disposed and fired at the same time.

import Dispatch
import Foundation
import Futures
import Testing

/// Larger than three words and reference counted, so a premature release is detected.
private struct Cargo: Sendable {
    let object: Census.Counted
    let numbers: [Int]
    let text: String

    init(_ census: Census, _ number: Int, farewell: @escaping @Sendable () -> Void) {
        object = census.make(farewell: farewell)
        numbers = [number, number + 1]
        text = "cargo number \(number), which is longer than a small string"
    }

    func check(_ number: Int) -> Bool { numbers == [number, number + 1] && text.contains(" \(number),") }
}

extension ThreadStressTests {
    @Suite struct RealTimers {
        @Test func `under any race, each timer runs once or is disposed, and releases its work`() {
            let schedulers = [
                Scheduler(label: "own"), .background, .immediate,
                Scheduler(queue: DispatchQueue(label: "queue")),
            ]
            (rounds / 4).rounds { random, _ in
                let (census, wrong, released) = (Census(), AtomicCounter(), DispatchGroup())
                let runs = (0..<400).map { _ in AtomicCounter() }
                let kept = Guarded<[Int]>([])
                let timers = Guarded<[any Disposable]>([])
                let seed = random.next()
                race(4) { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    for index in thread * 100..<thread * 100 + 100 {
                        released.enter()
                        let cargo = Cargo(census, index) { released.leave() }
                        let delay = Duration.microseconds(Int.random(in: -10..<400, using: &random))
                        let timer = schedulers.randomElement(using: &random)!.async(after: delay) {
                            if !cargo.check(index) { wrong.up() }
                            runs[index].up()
                        }
                        switch random.next() % 4 {
                        case 0: timer.dispose()
                        // Disposed by this thread or another one, now or later.
                        case 1: timers.with { $0.append(timer) }
                        case 2:
                            timers.with { $0.popLast() }?.dispose()
                            kept.with { $0.append(index) }
                        default: kept.with { $0.append(index) }
                        }
                    }
                }
                for timer in timers.with({ $0 }) { timer.dispose() }
                #expect(released.wait(timeout: .testTimeout) == .success)
                #expect(census.alive == 0)
                #expect(wrong.value == 0)
                #expect(runs.allSatisfy { $0.value <= 1 })
                for index in kept.with({ $0 }) { #expect(runs[index].value == 1) }
            }
        }
    }
}
