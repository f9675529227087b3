// What a chain has left is released without the threads of the user. Contract/GivingBack.md

import Foundation
import Testing

@testable import Futures

/// A value that calls a closure when it is released.
private final class Last: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}

@Suite struct LateReleaseTests {
    @Test func `a permit goes back though all threads of a scheduler wait for it`() async {
        // In a process of its own: the threads that wait are those of other tests, too.
        await #expect(processExitsWith: .success) {
            let mutex = FutureMutex()
            let variable = Shared<Future<Permit>?>(mutex.acquire())
            let chain = select(Future(1), or: variable.value!)
            let (begun, done, begunBefore) = (AtomicCounter(), AtomicCounter(), Shared<Int?>(nil))
            // Dispatch adds a thread for a second that none had time: far more jobs than have begun by then.
            let count = 60
            for _ in 0..<count {
                Scheduler.background.async {
                    begun.up()
                    try? mutex.acquire().wait().release()
                    if done.up() == 1 { begunBefore.value = begun.value }
                }
            }
            #expect(await comesTrue { begun.value >= 2 })
            variable.value = nil
            #expect(await comesTrue { done.value == count })
            // Work behind the jobs would begin after all of them.
            #expect(begunBefore.value! < count)
            withExtendedLifetime(chain) {}
        }
    }

    @Test(arguments: [false, true])
    func `a permit goes back though the deinit of a value of its chain waits for it`(isKept: Bool) async {
        let mutex = FutureMutex()
        let variable = Shared<Future<Permit>?>(nil)
        let (begun, done) = (AtomicCounter(), AtomicCounter())
        let chain = Shared<(any Sendable)?>(nil)
        Thread.detachNewThread {
            func lock() -> Future<Permit> {
                let lock = mutex.acquire()
                if isKept { variable.value = lock }
                return lock
            }
            let value = Future().map(on: .immediate) {
                Last {
                    begun.up()
                    try? mutex.acquire().wait().release()
                    done.up()
                }
            }
            chain.value = join(value, lock(), Future<Int>(error: Oops()))
        }
        // The value is found at the same time as the permit, or before.
        #expect(await comesTrue { begun.value == 1 })
        variable.value = nil
        #expect(await comesTrue { done.value == 1 })
        withExtendedLifetime(chain) {}
    }

    @Test func `a kept permit is looked for again after at most 16 seconds`() {
        var pauses: [Duration] = [.milliseconds(1)]
        for _ in 0..<1000 { pauses.append(LateRelease.pause(after: pauses.last!)) }
        #expect(pauses.prefix(4) == [.milliseconds(1), .milliseconds(4), .milliseconds(16), .milliseconds(64)])
        #expect(pauses[6...] == [.milliseconds(4096)] + Array(repeating: .seconds(16), count: 994))
    }

    #if os(Linux)
        @Test
        func `repetitions that fail or succeed on another thread need no thread of their own for what they leave`()
            async
        {
            await #expect(processExitsWith: .success) {
                let scheduler = Scheduler(label: "repetitions")
                for isValue in [false, true] {
                    // The thread that completes a run still refers to it when the next one starts.
                    let run = Future<Last>(on: scheduler) { completion in
                        scheduler.async { completion(isValue ? .success(Last {}) : .failure(Oops())) }
                        return Disposer {}
                    }.map(on: .immediate) { $0 }
                    let count = isDebug ? 10_000 : 50_000
                    let all =
                        isValue
                        ? run.onValueRepeat(on: scheduler, maxRepetitions: count)
                        : run.onErrorRepeat(on: scheduler, maxRepetitions: count)
                    _ = try? await all.value
                    let status = try! String(contentsOfFile: "/proc/self/status", encoding: .utf8)
                    let line = status.split(separator: "\n").first { $0.hasPrefix("Threads:") }!
                    #expect(Int(line.split(separator: "\t").last!)! < 40, "\(line)")
                }
            }
        }
    #endif
}
