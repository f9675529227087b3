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
