// The work that a thread does before it blocks in a wait. Contract/Waiting.md

import Futures
import Testing

@Suite struct CatchUpTests {
    private static let ways: [@Sendable (@escaping @Sendable () -> Int?) -> Int?] = [
        { $0() },
        { wait in Scheduler(label: "other").sync { wait() } },
        { wait in Scheduler(label: "other").perform { wait() } },
        { wait in Scheduler(label: "other").sync { Scheduler(label: "third").sync { wait() } } },
        { wait in
            let result = Shared<Int?>(nil)
            // The callback runs behind this one, or in the wait.
            Future(1).onValue(on: .immediate) { _ in result.value = wait() }
            return result.value ?? wait()
        },
    ]

    @Test func `a wait runs the callbacks to which the callback in progress has led`() {
        let log = Log<Int?>()
        let ended = onAnotherThread {
            call {
                for way in Self.ways {
                    let future = Future(1).map(on: .immediate) { $0 + 1 }.flatMap(on: .immediate) { Future($0 + 1) }
                    log.add(way { try? future.wait(timeout: testTimeout) })
                }
            }
        }
        #expect(ended)
        #expect(log.entries == Self.ways.map { _ in 3 })
    }

    @Test func `while a callback waits, the callbacks behind it run in order on another thread`() {
        let (log, last) = (Log<String>(), Promise<Void>())
        let promise = Promise<Int>()
        promise.future.onValue(on: .immediate) { _ in
            log.add((try? last.future.wait(timeout: testTimeout)) == nil ? "a hangs" : "a has it")
        }
        for name in ["b", "c"] { promise.future.onValue(on: .immediate) { _ in log.add(name) } }
        promise.future.onValue(on: .immediate) { _ in last.succeed() }
        onAnotherThread { promise.succeed(1) }
        #expect(log.entries == ["b", "c", "a has it"])
    }

    @Test func `while a callback of a serial scheduler waits, those behind it on the scheduler wait, and others run`() {
        let (serial, log, last) = (Scheduler(label: "serial"), Log<String>(), Promise<Void>())
        let promise = Promise<Int>()
        promise.future.onValue(on: serial) { _ in
            log.add((try? last.future.wait(timeout: testTimeout)) == nil ? "a hangs" : "a has it")
        }
        let behind = promise.future.map(on: serial) { _ in log.add("b") }
        promise.future.onValue(on: .immediate) { _ in last.succeed() }
        serial.async { promise.succeed(1) }
        #expect((try? behind.wait(timeout: testTimeout)) != nil)
        #expect(log.entries == ["a has it", "b"])
    }

    @Test func `a wait runs what its callback has led to, though another callback that it runs waits, too`() throws {
        let (serial, result) = (Scheduler(label: "serial"), Shared<Int?>(nil))
        let (promise, other) = (Promise<Int>(), Promise<Int>())
        promise.future.onValue(on: serial) { _ in
            let first = Future(1).map(on: serial) { _ in try other.future.wait(timeout: testTimeout) }
            result.value = try? Future(2).map(on: serial) { $0 + 1 }.wait(timeout: testTimeout)
            withExtendedLifetime(first) {}
        }
        // That wait passes it on to another thread.
        promise.future.onValue(on: .immediate) { _ in other.succeed(10) }
        let last = promise.future.map(on: serial) { $0 }
        serial.async { promise.succeed(1) }
        try last.wait(timeout: testTimeout)
        #expect(result.value == 3)
    }

    @Test func `a wait in a callback with a time limit of zero runs one callback, and does not trap`() throws {
        let (serial, log) = (Scheduler(label: "serial"), Log<String>())
        let done = Future(1).map(on: serial) { _ in
            log.add("\((try? Future(1).map(on: serial) { $0 + 1 }.wait(timeout: .zero)) ?? 0)")
            let ahead = Future(1).map(on: serial) { $0 }
            do { try Future(2).map(on: serial) { $0 }.wait(timeout: .zero) } catch {
                log.add(error.isTimeout ? "too late" : "\(error)")
            }
            log.add("\(ahead.isCompleted)")
        }
        try done.wait(timeout: testTimeout)
        #expect(log.entries == ["2", "too late", "true"])
    }

    @Test func `what is released in a wait leads to callbacks there, in their order`() {
        let (log, serial) = (Log<String>(), Scheduler(label: "serial"))
        let ended = onAnotherThread {
            let done = Future(0).onValue(on: serial) { _ in
                for waitsForIt in [false, true] {
                    let promise = Promise<Int>()
                    let released = promise.future.map(on: serial) { _ in log.add("released") }
                    let holder = Shared<Disposer?>(Disposer { promise.succeed(1) })
                    Future(0).onValue(on: serial) { [holder = holder.value] _ in
                        log.add("first")
                        withExtendedLifetime(holder) {}
                    }
                    holder.value = nil
                    let last = waitsForIt ? released : Future(0).map(on: serial) { _ in log.add("last") }
                    _ = try? last.wait(timeout: testTimeout)
                }
            }
            _ = try? done.wait(timeout: testTimeout)
        }
        #expect(ended)
        #expect(log.entries == ["first", "released", "last", "first", "released"])
    }

    @Test func `callbacks of a future keep their order if a disposable waits between them`() {
        let (log, promise, last) = (Log<String>(), Promise<Int>(), Promise<Void>())
        let ended = onAnotherThread {
            call {
                promise.future.onValue(on: .immediate) { _ in log.add("a") }
                let other = stoppable { _ = try? last.future.wait(timeout: testTimeout) }
                let first = select(promise.future, or: other)
                promise.future.onValue(on: .immediate) { _ in
                    log.add("b")
                    last.succeed()
                }
                promise.succeed(1)
                withExtendedLifetime(first) {}
            }
        }
        #expect(ended)
        #expect(log.entries == ["a", "b"])
    }

    @Test func `a wait of a callback for one behind it on its serial scheduler traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (printer, promise) = (Scheduler(label: "the printer"), Promise<Int>())
            let needed = Shared<Future<Int>?>(nil)
            promise.future.onValue(on: printer) { _ in _ = try? needed.value?.wait() }
            needed.value = promise.future.map(on: printer) { $0 }
            printer.sync { promise.succeed(1) }
        }
        expectTrap(result, saying: "it blocks Scheduler(the printer)")
    }

    @Test func `many callbacks that wait for other threads run on a small stack`() {
        let count = 2000
        let (heard, all) = (Shared(0), Signal())
        onSmallStack {
            call {
                let promise = Promise<Int>()
                for _ in 0..<count {
                    promise.future.onValue(on: .immediate) { value in
                        let other = Future(on: .background, immediate: { value })
                        guard (try? other.wait(timeout: testTimeout)) == 1 else { return }
                        if heard.increment() == count { all.send() }
                    }
                }
                promise.succeed(1)
                // The first callback runs here, and each wait passes on the others.
                _ = try? Future(on: .background, immediate: { 1 }).wait(timeout: testTimeout)
            }
        }
        #expect(all.comes())
    }
}
