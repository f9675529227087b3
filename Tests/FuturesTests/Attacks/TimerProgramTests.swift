// Random timers, while threads of Dispatch's pool are blocked.

import Dispatch
import Foundation
import Futures
import Testing

/// Timers of several schedulers, and threads that are blocked until all of them have fired.
private final class TimerProgram: Sendable {
    private let schedulers = [
        Scheduler(label: "first"), Scheduler(label: "second"), Scheduler(queue: DispatchQueue(label: "third")),
        Scheduler(label: "fourth"),
    ]
    private let blockedCount: Int
    /// The scheduler and the delay of each timer, and whether a second thread disposes it meanwhile.
    private let timers: [(scheduler: Int, delay: Duration, isDisposed: Bool)]

    init(_ random: inout SplitMix) {
        blockedCount = random.pick([0, 0, 2, 4, 8])
        timers = (0..<Int.random(in: 1...60, using: &random)).map { _ in
            (
                random.pick([0, 0, 1, 2, 3]), .microseconds(random.pick([-10, 0, 500, 500, 1000, 2000])),
                random.oneIn(4)
            )
        }
    }

    func complaint() -> String? {
        let (release, released) = (DispatchSemaphore(value: 0), DispatchGroup())
        for _ in 0..<blockedCount { DispatchQueue.global().async { release.wait() } }
        defer { for _ in 0..<blockedCount { release.signal() } }
        let (fired, census, wrong) = (Log<Int>(), Census(), AtomicCounter())
        let disposables = Shared<[any Disposable]>([])
        race(2) { [timers, schedulers] thread in
            for (index, timer) in timers.enumerated() {
                guard thread == 0 else {
                    disposables.change { $0.popLast() }?.dispose()
                    continue
                }
                released.enter()
                // A use after its release is detected.
                let (sheet, object) = (Sheet(index, census), census.make { released.leave() })
                let disposable = schedulers[timer.scheduler].async(after: timer.delay) {
                    if !sheet.isWhole { wrong.up() }
                    object.touch()
                    fired.add(index)
                }
                if timer.isDisposed { disposables.change { $0.append(disposable) } }
            }
        }
        for disposable in disposables.value { disposable.dispose() }
        disposables.value = []
        // A timer has fired or was disposed when its work is released.
        guard released.wait(timeout: .testTimeout) == .success else { return "a timer is missing" }
        expectSoon { census.alive == 0 }
        let order = fired.entries
        if wrong.value > 0 { return "work was released too early" }
        if Set(order).count != order.count { return "a timer has fired twice" }
        if timers.indices.contains(where: { !timers[$0].isDisposed && !order.contains($0) }) {
            return "a timer is lost"
        }
        for number in schedulers.indices {
            let own = order.filter { timers[$0].scheduler == number }
            for (a, b) in zip(own, own.dropFirst()) where timers[a].delay == timers[b].delay && a > b {
                return "timer \(b) of \(number) with the delay of \(a) fires behind that"
            }
        }
        return nil
    }
}

extension Attacks {
    @Suite struct Timers {
        @Test func `random timers fire once, in order, or are disposed, whichever threads are blocked`() {
            Attacks.run(isDebug ? 100 : 1000) { TimerProgram(&$0).complaint() }
        }
    }
}
