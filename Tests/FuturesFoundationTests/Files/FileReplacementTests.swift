// Replacements that are cancelled. Contract/Files.md

import Foundation
import Futures
import Testing

@testable import FuturesFoundation

@Suite struct FileReplacementTests {
    let folder: TemporaryFolder
    let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.write("old", to: "file")
    }

    /// Replaces the file, and cancels at a step what `make` makes of the future. Returns that, and what `cancel`
    /// returned.
    private func replacing(
        cancelAt step: FileReplacement.Step, _ make: (Future<Void>) -> Future<Void> = { $0 }
    ) async throws -> (future: Future<Void>, isCancelled: Bool) {
        let (made, cancelled) = (Promise<Future<Void>>(), Promise<Bool>())
        let future = make(
            Files.replacing(file, with: Data("new".utf8), on: Scheduler(label: "replacing")) { current in
                if current == step, let future = try? made.future.wait() { cancelled.succeed(future.cancel()) }
            })
        made.succeed(future)
        return (future, try await cancelled.future.value)
    }

    @Test func `errors of a replacement and of a download name their file`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let (missing, file, link) = (folder.at("none/file"), folder.at("file"), folder.at("link"))
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
            let server = try HostileServer { _, client in client.reply(200, String(repeating: "x", count: 10_000)) }
            func errors(of target: URL) async -> [FileError?] {
                [
                    await Files.replace(target, with: Data(count: 10_000)).failure() as? FileError,
                    await HTTPClient().download(from: server.address, to: target).failure() as? FileError,
                ]
            }
            #expect(
                await errors(of: missing)
                    == .init(repeating: .system(call: "open", path: missing.path, code: ENOENT), count: 2))
            #expect(
                await errors(of: link)
                    == .init(repeating: .system(call: "replace", path: link.path, code: EISDIR), count: 2))
            // A full disk, for this process.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            #expect(
                await errors(of: file)
                    == .init(repeating: .system(call: "write", path: file.path, code: EFBIG), count: 2))
        }
    }

    @Test func `the temporary file of a private file is private from its first moment`() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let watched = Locked((isOver: false, open: [String]()))
        let end = Gate()
        Thread.detachNewThread { [folder] in
            while !watched.withLock(\.isOver) {
                for name in folder.names where name != "file" {
                    var info = stat()
                    guard stat(folder.at(name).path, &info) == 0, info.st_mode & 0o077 != 0 else { continue }
                    watched.withLock { $0.open.append("\(name): \(String(info.st_mode, radix: 8))") }
                }
            }
            end.open()
        }
        for _ in 0..<3000 { _ = try FileReplacement(of: file) }
        watched.withLock { $0.isOver = true }
        try await end.future.value
        #expect(watched.withLock(\.open).isEmpty)
    }

    @Test func `a replacement that is cancelled before the file is renamed leaves it alone`() async throws {
        let (future, isCancelled) = try await replacing(cancelAt: .written)
        #expect(isCancelled)
        #expect(await future.failure() is CancellationError)
        #expect(await comesTrue { folder.names == ["file"] })
        #expect(folder.text("file") == "old")
    }

    @Test func `a replacement whose file is being renamed cannot be cancelled`() async throws {
        let (future, isCancelled) = try await replacing(cancelAt: .claimed)
        #expect(!isCancelled)
        try await future.value
        #expect(folder.names == ["file"] && folder.text("file") == "new")
    }

    @Test func `a cancel of a future that was made of a replacement leaves that alone once the file is being renamed`()
        async throws
    {
        let (future, isCancelled) = try await replacing(cancelAt: .claimed) { $0.map(on: .immediate) {} }
        #expect(isCancelled)
        #expect(await future.failure() is CancellationError)
        #expect(await comesTrue { folder.names == ["file"] && folder.text("file") == "new" })
    }

    @Test
    func `a replacement that is cancelled at any moment replaces the file if the cancel returned false, and only then`()
        async throws
    {
        for delay in 0..<100 {
            try await Files.write(Data("old".utf8), to: file).value
            let future = Files.replace(file, with: Data("new".utf8))
            for _ in 0..<delay * 50 { _ = future.isCompleted }
            let isCancelled = future.cancel()
            _ = await future.arrival()
            #expect(await comesTrue { folder.names == ["file"] })
            #expect(folder.text("file") == (isCancelled ? "old" : "new"))
        }
    }

    @Test func `a repetition replaces the file again, and can be cancelled`() async throws {
        let (count, written, gate) = (Locked(0), Gate(), Gate())
        let future = Files.replacing(file, with: Data("new".utf8), on: Scheduler(label: "replacing")) { step in
            guard step == .written else { return }
            count.withLock { $0 += 1 }
            guard count.withLock({ $0 }) == 2 else { return }
            written.open()
            gate.pass()
        }
        try await future.value
        #expect(folder.text("file") == "new")
        try await Files.write(Data("old".utf8), to: file).value
        let again = Scheduler.immediate.perform { future.onValueRepeat(maxRepetitions: 1) }
        try await written.future.value
        #expect(again.cancel())
        gate.open()
        #expect(await comesTrue { folder.names == ["file"] })
        #expect(folder.text("file") == "old")
    }
}
