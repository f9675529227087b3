// Temporary files of replacements.

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
}
