// Reading and writing files. Contract/Foundation.md

import Dispatch
import Foundation
import Futures
import Testing

@testable import FuturesFoundation

@Suite struct FilesTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func isMissing(_ error: (any Error)?) -> Bool {
        if case FileError.system(_, _, ENOENT)? = error { true } else { false }
    }

    @Test func `a file is read, written and appended to`() async throws {
        let file = folder.at("file")
        try await Files.write(Data("one".utf8), to: file).value
        try await Files.append(Data(" two".utf8), to: file).value
        #expect(try await Files.read(file).value == Data("one two".utf8))
        try await Files.write(Data("3".utf8), to: file).value
        #expect(folder.text("file") == "3")
        try await Files.append(Data("new".utf8), to: folder.at("other")).value
        #expect(folder.text("other") == "new")
    }

    @Test func `a file that does not exist, or whose folder does not, is an error`() async throws {
        #expect(isMissing(await Files.read(folder.at("none")).failure()))
        let file = folder.at("none/file")
        #expect(isMissing(await Files.write(Data(), to: file).failure()))
        #expect(isMissing(await Files.append(Data(), to: file).failure()))
        #expect(isMissing(await Files.replace(file, with: Data()).failure()))
        let error = await Files.read(folder.url).failure()
        #expect(error as? FileError == .system(call: "read", path: folder.url.path, code: EISDIR))
        #expect(error?.localizedDescription == "Cannot read \(folder.url.path): Is a directory")
    }

    @Test func `an address that is not that of a file is an error`() async throws {
        let file = try folder.write("local", to: "file")
        let address = try #require(URL(string: "http://localhost\(file.path)"))
        let error = FileError.notAFile(address: address.absoluteString)
        #expect("\(error)" == "This is the address of no file: \(address)")
        #expect(await Files.read(address).failure() as? FileError == error)
        #expect(await Files.write(Data(), to: address).failure() as? FileError == error)
        #expect(await Files.append(Data(), to: address).failure() as? FileError == error)
        #expect(await Files.replace(address, with: Data()).failure() as? FileError == error)
        #expect(try String(contentsOf: file, encoding: .utf8) == "local")
        let path = try #require(URL(string: file.path))
        #expect(try await Files.read(path).value == Data("local".utf8))
    }

    @Test func `a file that is larger than the limit is an error, even if it is endless`() async throws {
        let file = try folder.write("12345", to: "file")
        #expect(try await Files.read(file, maxSize: 5).value.count == 5)
        #expect(await Files.read(file, maxSize: 4).failure() as? FileError == .tooLarge(path: file.path, maxSize: 4))
        let zeros = URL(fileURLWithPath: "/dev/zero")
        #expect(await Files.read(zeros).failure() as? FileError == .tooLarge(path: "/dev/zero", maxSize: 64 << 20))
        let error = await Files.read(zeros, maxSize: 9).failure()
        #expect(error as? FileError == .tooLarge(path: "/dev/zero", maxSize: 9))
    }

    @Test func `writing to a pipe without a reader is an error, and does not end the process`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            let folder = try TemporaryFolder()
            let pipe = folder.at("pipe")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            let reader = open(pipe.path, O_RDONLY | O_NONBLOCK)
            let future = Files.write(Data(count: 10_000_000), to: pipe)
            // It has begun, and waits for the rest to be read.
            var byte: UInt8 = 0
            while read(reader, &byte, 1) <= 0 { sched_yield() }
            close(reader)
            let error = await future.failure()
            #expect(error as? FileError == .system(call: "write", path: pipe.path, code: EPIPE))
        }
    }

    @Test func `cancelling stops a read that is in progress`() async throws {
        let (started, stopped) = (Gate(), Gate())
        let goesOn = DispatchSemaphore(value: 0)
        let reading = Files.blocking(on: .background, folder.url) { check in
            started.open()
            // It does not spin: while threads of its queue do, Dispatch adds few others for those that block.
            goesOn.wait()
            defer { stopped.open() }
            try check()
            Issue.record("The read continues after the cancel.")
        }
        // Not by this task, which may wait for its turn for long, while others need the thread that is blocked.
        Thread.detachNewThread {
            started.pass()
            reading.cancel()
            goesOn.signal()
        }
        try await stopped.future.value
    }

    @Test func `a file is replaced as a whole, with its permissions`() async throws {
        let file = try folder.write("old", to: "file")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let other = try FileHandle(forReadingFrom: file)
        try await Files.replace(file, with: Data("new".utf8)).value
        #expect(folder.text("file") == "new" && folder.names == ["file"])
        // A reader that has opened the old one keeps it.
        #expect(try other.readToEnd() == Data("old".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o640)
    }

    @Test func `readers never see a part of a file that is replaced`() async throws {
        let file = try folder.write(String(repeating: "0", count: 300_000), to: "file")
        let writing = (1...9).mapToFuture(on: .background) { number in
            Files.replace(file, with: Data(String(repeating: "\(number)", count: 300_000).utf8))
        }
        while !writing.isCompleted {
            let contents = try await Files.read(file).value
            #expect(contents.count == 300_000 && contents.first == contents.last)
        }
    }

    @Test func `what a symbolic link refers to is replaced, and not the link`() async throws {
        let paths = ["absolute": folder.at("one").path, "relative": "two", "in/link": "../three", "first": "second"]
        for name in ["one", "two", "three", "in/four"] { try folder.write("", to: name) }
        for (link, target) in paths {
            try FileManager.default.createSymbolicLink(atPath: folder.at(link).path, withDestinationPath: target)
        }
        try FileManager.default.createSymbolicLink(atPath: folder.at("second").path, withDestinationPath: "in/four")
        for link in paths.keys {
            try await Files.replace(folder.at(link), with: Data(link.utf8)).value
            let type = try FileManager.default.attributesOfItem(atPath: folder.at(link).path)[.type]
            #expect(type as? FileAttributeType == .typeSymbolicLink)
        }
        #expect(folder.text("one") == "absolute" && folder.text("two") == "relative")
        #expect(folder.text("three") == "in/link" && folder.text("in/four") == "first")
    }

    @Test func `what is no file is not replaced`() async throws {
        let pipe = folder.at("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for (place, code) in [(pipe, EOPNOTSUPP), (folder.url, EISDIR)] {
            let error = await Files.replace(place, with: Data()).failure()
            #expect(error as? FileError == .system(call: "replace", path: place.path, code: code))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["pipe"])
    }

    @Test func `a replacement that is cancelled leaves the file alone, and nothing beside it`() async throws {
        let file = try folder.write("old", to: "file")
        for delay in 0..<100 {
            try await Files.write(Data("old".utf8), to: file).value
            let future = Files.replace(file, with: Data(count: 1_000_000))
            for _ in 0..<delay * 50 { _ = future.isCompleted }
            let isCancelled = future.cancel()
            _ = await future.arrival()
            #expect(await comesTrue { folder.names == ["file"] })
            let size = try Data(contentsOf: file).count
            // A cancel may come while the file is being renamed.
            #expect(size == 1_000_000 || isCancelled && size == 3)
        }
    }

    @Test func `ten thousand files can be read at once`() async throws {
        let file = try folder.write("text", to: "file")
        let files = (0..<10_000).map { _ in Files.read(file) }
        #expect(try await join(files).value.allSatisfy { $0.count == 4 })
    }

    @Test func `the temporary file of a private file is private from its first moment`() async throws {
        let file = try folder.write("old", to: "file")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let (watched, end) = (Locked((isOver: false, open: [String]())), Gate())
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
}
