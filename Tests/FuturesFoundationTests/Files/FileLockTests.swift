// Locks that processes share. Contract/Files.md

import Foundation
import Futures
import FuturesFoundation
import Testing

@Suite struct FileLockTests {
    let folder: TemporaryFolder
    let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.at("lock")
    }

    @Test func `one owner has the lock, and the next one has it when that has ended`() async throws {
        // Two objects are like two processes: each opens the file itself.
        let (first, second) = (FileLock(file), FileLock(file))
        let (gate, started) = (Gate(), Gate())
        let holder = first.enqueue(on: .immediate) {
            started.open()
            return gate.future
        }
        try await started.future.value
        #expect(
            await second.enqueue(waitTimeout: .milliseconds(20)) { Future() }.failure() as? FileError
                == .locked(path: file.path))
        let waiting = second.enqueue { Future("mine") }
        #expect(!waiting.isCompleted)
        gate.open()
        #expect(try await waiting.value == "mine")
        try await holder.value
    }

    @Test func `operations of one object run in their order`() async throws {
        let lock = FileLock(file)
        let order = Locked<[Int]>([])
        try await join(
            (0..<20).map { number in lock.enqueue { Future(order.withLock { $0.append(number) }) } }
        ).asVoid().value
        #expect(order.withLock { $0 } == Array(0..<20))
    }

    @Test func `many owners never have the lock at the same time`() async throws {
        let count = try folder.write("0", to: "count")
        let locks = (0..<5).map { _ in FileLock(file) }
        try await (0..<50).mapToFuture(on: .concurrentBackground, maxConcurrentCount: 10) { number in
            locks[number % 5].enqueue {
                Files.read(count).flatMap { text in
                    Files.write(Data("\(Int(String(decoding: text, as: UTF8.self))! + 1)".utf8), to: count)
                }
            }
        }.asVoid().value
        #expect(folder.text("count") == "50")
    }

    @Test func `an operation that fails, throws or is cancelled releases the lock`() async throws {
        let (first, second) = (FileLock(file), FileLock(file))
        #expect(await first.enqueue { Future<Void>(error: Oops()) }.failure() is Oops)
        try await second.enqueue { Future() }.value
        let throwing: Future<Int> = first.enqueue { throw Oops() }
        #expect(await throwing.failure() is Oops)
        try await second.enqueue { Future() }.value
        let (started, endlessly) = (Gate(), Gate())
        let endless = first.enqueue(on: .immediate) {
            started.open()
            return endlessly.future
        }
        try await started.future.value
        endless.cancel()
        try await second.enqueue { Future() }.value
    }

    @Test func `the lock of an operation that is cancelled during its closure is released when that has returned`()
        async throws
    {
        let (entered, gate) = (Gate(), Gate())
        let lock = FileLock(file)
        let first = lock.enqueue(on: Scheduler(label: "closure")) {
            entered.open()
            gate.pass()
            return Future()
        }
        try await entered.future.value
        #expect(first.cancel())
        // Neither another owner has it, nor the next operation of the same object.
        #expect(!isFree(file))
        let next = lock.enqueue(on: .immediate) { Future("next") }
        #expect(!next.isCompleted && !isFree(file))
        gate.open()
        #expect(try await next.value == "next")
        #expect(await comesTrue { isFree(file) })
    }

    @Test func `the lock of a cancelled operation whose future has other listeners is released when that completes`()
        async throws
    {
        let (started, promise) = (Gate(), Promise<Void>())
        let shared = promise.future.onValue(on: .immediate) {}
        let first = FileLock(file).enqueue(on: .immediate) {
            started.open()
            return promise.future
        }
        try await started.future.value
        #expect(await comesTrue { first.cancel() })
        #expect(!isFree(file))
        promise.succeed()
        try await shared.value
        #expect(await comesTrue { isFree(file) })
    }

    @Test func `an unreferenced operation that can never complete releases the lock`() async throws {
        let started = Gate()
        _ = FileLock(file).enqueue(on: .immediate) { () -> Future<Void> in
            started.open()
            return .never
        }
        try await started.future.value
        #expect(await comesTrue { isFree(file) })
    }

    @Test func `an operation that is cancelled at any moment leaves the lock`() async throws {
        let lock = FileLock(file)
        // Retained, as nothing may depend on their release.
        var futures: [Future<Void>] = []
        for delay in 0..<200 {
            let future = lock.enqueue(on: .concurrentBackground) { Future() }
            for _ in 0..<delay * 20 { _ = future.isCompleted }
            future.cancel()
            futures.append(future)
        }
        try await lock.enqueue { Future() }.value
        #expect(await comesTrue { isFree(file) })
        #expect(futures.allSatisfy { $0.isCompleted })
    }

    @Test func `an operation that is cancelled while it waits never runs`() async throws {
        let (first, second) = (FileLock(file), FileLock(file))
        let permit = try await first.lock().value
        let waiting = second.enqueue { Future(error: Oops()) as Future<Int> }
        waiting.cancel()
        permit.release()
        try await second.enqueue { Future() }.value
        #expect(
            waiting.result.map { if case .failure(let error) = $0 { error is CancellationError } else { false } }
                == true)
    }

    @Test func `an operation that waits for one behind it fails, and the error names both`() async {
        let lock = FileLock(file)
        let outer = lock.enqueue(on: .immediate, file: "outer", line: 1) {
            lock.enqueue(on: .immediate, file: "inner", line: 2) { Future(1) }
        }
        let error = QueueError.deadlock(running: .init("outer", line: 1), waiting: .init("inner", line: 2))
        #expect(await outer.failure() as? QueueError == error)
        let permits = lock.enqueue(on: .immediate, file: "outer", line: 1) { lock.lock(file: "inner", line: 2) }
        #expect(await permits.failure() as? QueueError == error)
        #expect(await comesTrue { isFree(file) })
    }

    @Test func `a permit releases the lock once, or when it is released itself`() async throws {
        let (first, second) = (FileLock(file), FileLock(file))
        let permit = try await first.lock().value
        #expect(await second.lock(waitTimeout: .milliseconds(5)).failure() is FileError)
        permit.release()
        permit.dispose()
        var other: FilePermit? = try await second.lock().value
        #expect(other != nil)
        other = nil
        try await first.lock(waitTimeout: .seconds(3600)).value.release()
    }

    @Test func `a lock whose folder does not exist is an error`() async throws {
        let error = await FileLock(folder.at("none/lock")).enqueue { Future() }.failure()
        #expect(error as? FileError == .system(call: "open", path: folder.at("none/lock").path, code: ENOENT))
    }

    @Test func `a file that is replaced is locked under its name`() async throws {
        let (first, second) = (FileLock(file), FileLock(file))
        let permit = try await first.lock().value
        try FileManager.default.removeItem(at: file)
        let other = try await second.lock().value
        #expect(await FileLock(file).lock(waitTimeout: .milliseconds(5)).failure() is FileError)
        permit.release()
        other.release()
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/flock")))
    func `the lock of a process that is killed is released`() async throws {
        var command = Command("/usr/bin/flock", ["-x", file.path, "-c", "echo held > held; exec sleep 3600"])
        command.directory = folder.url
        command.createsProcessGroup = true
        command.gracePeriod = .zero
        let process = command.run()
        #expect(await comesTrue { folder.text("held") == "held\n" })
        let lock = FileLock(file)
        #expect(await lock.lock(waitTimeout: .milliseconds(20)).failure() is FileError)
        let waiting = lock.enqueue { Future("mine") }
        process.cancel()
        #expect(try await waiting.value == "mine")
    }
}

/// Returns whether nothing has locked the file.
private func isFree(_ file: URL) -> Bool {
    let descriptor = open(file.path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
}
