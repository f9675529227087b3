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
    /// The scheduler and the delay of each timer, and whether it is disposed.
    private let timers: [(scheduler: Int, delay: Duration, isDisposed: Bool)]

    init(_ random: inout SplitMix) {
        blockedCount = random.pick([0, 0, 2, 4, 8])
        timers = (0..<Int.random(in: 1...60, using: &random)).map { _ in
            (
                random.pick([0, 0, 1, 2, 3]), .microseconds(random.pick([0, 500, 500, 1000, 2000])),
                random.oneIn(8)
            )
        }
    }

    /// Returns a description of the fault, or nil.
    func complaint() -> String? {
        let release = DispatchSemaphore(value: 0)
        let blocked = DispatchGroup()
        for _ in 0..<blockedCount { DispatchQueue.global().async(group: blocked) { release.wait() } }
        defer { for _ in 0..<blockedCount { release.signal() } }
        let fired = Log<(index: Int, scheduler: Int)>()
        let end = DispatchSemaphore(value: 0)
        var disposables: [any Disposable] = []
        for (index, timer) in timers.enumerated() {
            let disposable = schedulers[timer.scheduler].async(after: timer.delay) {
                fired.add((index, timer.scheduler))
                if !timer.isDisposed { end.signal() }
            }
            if timer.isDisposed { disposables.append(disposable) }
        }
        for disposable in disposables { disposable.dispose() }
        for timer in timers where !timer.isDisposed {
            guard end.wait(timeout: .testTimeout) == .success else { return "a timer is missing" }
        }
        for (number, scheduler) in schedulers.enumerated() {
            let delays = fired.entries.filter { $0.scheduler == number }.map(\.index)
            for (a, b) in zip(delays, delays.dropFirst()) where timers[a].delay == timers[b].delay && a > b {
                return "timer \(b) of \(scheduler) with the delay of \(a) fires behind that"
            }
        }
        return nil
    }
}

extension Attacks {
    @Suite struct Timers {
        @Test func `random timers fire in order, whichever threads are blocked`() {
            Attacks.run(isDebug ? 100 : 1000) { TimerProgram(&$0).complaint() }
        }
    }
}
