// Hostile use: exit with pending work, static initialisers.

import Foundation
import Futures
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A cycle of lazy initialisers through futures that run on other threads.
private enum Statics {
    static let first = Future(on: Scheduler(label: "first"), immediate: { 1 })
    /// Waits, while the runtime holds the lock of this initialiser, for code that reads another static variable.
    static let second =
        (try? Future(on: Scheduler(label: "second"), immediate: { Statics.third }).wait(timeout: testTimeout)) ?? 0
    static let third = (try? first.map(on: .background) { $0 + 2 }.wait(timeout: testTimeout)) ?? 0
    static let queue = FutureQueue()
}

@Suite struct HostileUseTests {
    @Test func `a process can exit at any time while work is pending and threads are busy`() async {
        for _ in 0..<3 {
            await #expect(processExitsWith: .exitCode(7)) {
                let concurrent = Scheduler(label: "concurrent", attributes: .concurrent)
                let schedulers = [.background, Scheduler(label: "serial"), concurrent]
                let queue = FutureQueue()
                for number in 0..<200 {
                    let (scheduler, next) = (schedulers[number % 3], schedulers[(number + 1) % 3])
                    @Sendable func loop() -> Future<Int> {
                        Future(on: scheduler, immediate: { number }).flatMap(on: next) { _ in loop() }
                    }
                    loop().onValue(on: scheduler) { _ in }
                    Future(1).delay(by: .microseconds(number)).onValue(on: scheduler) { _ in }
                    queue.on(scheduler).enqueue { Future(1).delay(by: .milliseconds(1)) }
                    Task { try await loop().value }
                }
                _ = try await Future(1).delay(by: .milliseconds(20)).value
                exit(7)
            }
        }
    }

    @Test func `static initialisers can wait for each other's futures on other threads`() {
        race(4) { thread in
            #expect((thread % 2 == 0 ? Statics.second : Statics.third) == 3)
            let result = Result { try Statics.queue.run { 5 }.wait(timeout: testTimeout) }
            #expect((try? result.get()) == 5, "\(result)")
        }
    }
}
