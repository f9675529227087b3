// Leases that processes share. Contract/Files.md

import Foundation
import Futures
import FuturesFoundation
import Testing

@Suite struct FileLeasesTests {
    let folder: TemporaryFolder
    let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.at("lock")
    }

    /// A lock of the folder's file `lock`. Two objects are like two processes: each opens the file itself.
    private func lock() -> FutureMutex { FutureMutex(leasesFrom: FileLeases(in: folder.url), named: "lock") }

    private func isTimeout(_ error: (any Error)?) -> Bool {
        if case .waitTimedOut = error as? QueueError { true } else { false }
    }

    @Test func `one owner has the lock, and the next one has it when that has ended`() async throws {
        let (first, second) = (lock(), lock())
        let (gate, started) = (Gate(), Gate())
        let holder = first.on(.immediate).enqueue {
            started.open()
            return gate.future
        }
        try await started.future.value
        #expect(
            isTimeout(await second.enqueue(with: .waitTimeout(.milliseconds(20))) { Future() }.failure()))
        let waiting = second.enqueue { Future("mine") }
        #expect(!waiting.isCompleted)
        gate.open()
        #expect(try await waiting.value == "mine")
        try await holder.value
    }

    @Test func `operations of one object run in their order`() async throws {
        let lock = self.lock()
        let order = Locked<[Int]>([])
        try await join(
            (0..<20).map { number in lock.enqueue { Future(order.withLock { $0.append(number) }) } }
        ).asVoid().value
        #expect(order.withLock { $0 } == Array(0..<20))
    }

    @Test func `many owners never have the lock at the same time`() async throws {
        let count = try folder.write("0", to: "count")
        let locks = (0..<5).map { _ in lock() }
        try await (0..<50).mapToFuture(on: .background, maxConcurrentCount: 10) { number in
            locks[number % 5].enqueue {
                Files.read(count).flatMap { text in
                    Files.write(Data("\(Int(String(decoding: text, as: UTF8.self))! + 1)".utf8), to: count)
                }
            }
        }.asVoid().value
        #expect(folder.text("count") == "50")
    }

    @Test func `an operation that fails, throws or is cancelled releases the lock`() async throws {
        let (first, second) = (lock(), lock())
        #expect(await first.enqueue { Future<Void>(error: Oops()) }.failure() is Oops)
        try await second.enqueue { Future() }.value
        let throwing: Future<Int> = first.enqueue { throw Oops() }
        #expect(await throwing.failure() is Oops)
        try await second.enqueue { Future() }.value
        let (started, endlessly) = (Gate(), Gate())
        let endless = first.on(.immediate).enqueue {
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
        let lock = self.lock()
        let first = lock.on(Scheduler(label: "closure")).enqueue {
            entered.open()
            gate.pass()
            return Future()
        }
        try await entered.future.value
        #expect(first.cancel())
        // Neither another owner has it, nor the next operation of the same object.
        #expect(!isFree(file))
        let next = lock.on(.immediate).enqueue { Future("next") }
        #expect(!next.isCompleted && !isFree(file))
        gate.open()
        #expect(try await next.value == "next")
        #expect(await comesTrue { isFree(file) })
    }

    @Test
    func
        `the lock of a cancelled operation with a cleanup is released when its future completes, which has other listeners`()
        async throws
    {
        let (started, promise) = (Gate(), Promise<Void>())
        let shared = promise.future.onValue(on: .immediate) {}
        let first = lock().on(.immediate).enqueue {
            started.open()
            return promise.future
        } finally: { _, _ in
            Future()
        }
        try await started.future.value
        #expect(await comesTrue { first.cancel() })
        #expect(!isFree(file))
        promise.succeed()
        try await shared.value
        #expect(await comesTrue { isFree(file) })
    }

    @Test func `an operation that is cancelled at any moment leaves the lock`() async throws {
        let lock = self.lock()
        // Retained, as nothing may depend on their release.
        var futures: [Future<Void>] = []
        for delay in 0..<200 {
            let future = lock.on(.background).enqueue { Future() }
            for _ in 0..<delay * 20 { _ = future.isCompleted }
            future.cancel()
            futures.append(future)
        }
        try await lock.enqueue { Future() }.value
        #expect(await comesTrue { isFree(file) })
        #expect(futures.allSatisfy { $0.isCompleted })
    }

    @Test func `an operation that is cancelled while it waits never runs`() async throws {
        let (first, second) = (lock(), lock())
        let permit = try await first.acquire().value
        let waiting = second.enqueue { Future(error: Oops()) as Future<Int> }
        waiting.cancel()
        permit.release()
        try await second.enqueue { Future() }.value
        #expect(
            waiting.result.map { if case .failure(let error) = $0 { error is CancellationError } else { false } }
                == true)
    }

    @Test func `an operation that waits for one behind it fails, and the error names both`() async {
        let lock = self.lock()
        let outer = lock.on(.immediate).enqueue(file: "outer", line: 1) {
            lock.on(.immediate).enqueue(file: "inner", line: 2) { Future(1) }
        }
        let error = QueueError.deadlock(running: .init("outer", line: 1), waiting: .init("inner", line: 2))
        #expect(await outer.failure() as? QueueError == error)
        let permits = lock.on(.immediate).enqueue(file: "outer", line: 1) { lock.acquire(file: "inner", line: 2) }
        #expect(await permits.failure() as? QueueError == error)
        #expect(await comesTrue { isFree(file) })
    }

    @Test func `a permit releases the lock once, or when it is released itself`() async throws {
        let (first, second) = (lock(), lock())
        let permit = try await first.acquire().value
        #expect(isTimeout(await second.acquire(with: .waitTimeout(.milliseconds(5))).failure()))
        permit.release()
        permit.dispose()
        var other: Permit? = try await second.acquire().value
        #expect(other != nil)
        other = nil
        try await first.acquire(with: .waitTimeout(.seconds(3600))).value.release()
    }

    @Test func `a lock whose folder does not exist is an error`() async throws {
        let error = await FutureMutex(leasesFrom: FileLeases(in: folder.at("none")), named: "lock").enqueue { Future() }
            .failure()
        #expect(error as? FileError == .system(call: "open", path: folder.at("none/lock").path, code: ENOENT))
    }

    @Test func `a file that is replaced is locked under its name`() async throws {
        let (first, second) = (lock(), lock())
        let permit = try await first.acquire().value
        try FileManager.default.removeItem(at: file)
        let other = try await second.acquire().value
        #expect(isTimeout(await lock().acquire(with: .waitTimeout(.milliseconds(5))).failure()))
        permit.release()
        other.release()
    }

    @Test func `tokens grow, in the file, and also if the file is damaged or removed; the greatest one is the last`()
        async throws
    {
        let leases = FileLeases(in: folder.url)
        var last: UInt64 = 0
        for content in [nil, nil, "?", "", nil, "00000000000000000007\n", "99999999999999999999"] {
            if let content { try folder.write(content, to: "lock") }
            let lease = try await leases.acquire("lock").value
            #expect(lease.token > last && lease.duration == nil && lease.name == "lock")
            #expect(
                folder.text("lock") == String(repeating: "0", count: 20 - "\(lease.token)".count) + "\(lease.token)\n")
            last = lease.token
            try await leases.release(lease).value
        }
        try FileManager.default.removeItem(at: file)
        let lease = try await leases.acquire("lock").value
        #expect(lease.token > last)
        try await leases.release(lease).value
        try folder.write("18446744073709551614", to: "lock")
        #expect(try await lock().enqueue { Future() }.value == ())
        // It was the greatest number, so there is no other one.
        let error = await leases.acquire("lock").failure() as? FileError
        #expect(error == .system(call: "count in", path: file.path, code: EOVERFLOW))
        #expect(await comesTrue { isFree(file) })
    }

    @Test func `each name has a file of its own, in the folder`() async throws {
        let leases = FileLeases(in: folder.url)
        let names = ["a", "A", "", ".", "..", "%", "%2E", "a/b", "a b", "../x", "ü", "u\u{308}", "\0", "a%2Fb"]
        let granted = try await join(names.map { leases.acquire($0) }).value
        #expect(granted.map(\.name) == names && folder.names.count == names.count)
        #expect(folder.names.contains("a%2Fb") && folder.names.contains("%C3%BC"))
        for lease in granted { try await leases.release(lease).value }
    }

    @Test func `a lease that was not released ends with its last reference`() async throws {
        let leases = FileLeases(in: folder.url)
        var lease: OuterLease? = try await leases.acquire("lock").value
        #expect(lease?.holder != nil && !isFree(file))
        lease = nil
        #expect(await comesTrue { isFree(file) })
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/flock")))
    func `the lock of a process that is killed is released`() async throws {
        var command = Command("/usr/bin/flock", ["-x", file.path, "-c", "echo held > held; exec sleep 3600"])
        command.directory = folder.url
        command.createsProcessGroup = true
        command.gracePeriod = .zero
        let process = command.run()
        #expect(await comesTrue { folder.text("held") == "held\n" })
        let lock = self.lock()
        #expect(isTimeout(await lock.acquire(with: .waitTimeout(.milliseconds(20))).failure()))
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
