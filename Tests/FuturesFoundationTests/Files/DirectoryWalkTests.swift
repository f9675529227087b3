// Walks through folders. Contract/Files.md

import Foundation
import Futures
import FuturesFoundation
import Testing

@Suite struct DirectoryWalkTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func names(_ walk: DirectoryWalk) -> [String] {
        walk.map { String($0.url.path.dropFirst(folder.url.path.count + 1)) }.sorted()
    }

    @Test func `a walk has all files and folders, each folder before its contents`() throws {
        for path in ["a", "b/c", "b/d/e", "f/.hidden"] { try folder.write("", to: path) }
        #expect(names(Files.walk(folder.url)) == ["a", "b", "b/c", "b/d", "b/d/e", "f", "f/.hidden"])
        var seen: Set<String> = [folder.url.path]
        for entry in Files.walk(folder.url) {
            #expect(seen.contains(entry.url.deletingLastPathComponent().path))
            seen.insert(entry.url.path)
        }
        #expect(Files.walk(folder.url).first { $0.url.lastPathComponent == "e" }?.depth == 2)
    }

    @Test func `a walk reads folders whose names a URL would change`() throws {
        let names = ["\u{FEFF}", "%41", "a b", "\u{301}", "é", "?", "#", ":", "~", "\\"]
        for name in names {
            let path = "\(folder.url.path)/\(name)"
            try #require(mkdir(path, 0o755) == 0)
            close(creat(path + "/file", 0o644))
        }
        let kinds = Files.walk(folder.url).map(\.kind)
        #expect(
            kinds.count { $0 == .directory } == names.count && kinds.count { $0 == .file } == names.count, "\(kinds)")
    }

    @Test func `a walk has no more than its depth`() throws {
        for path in ["a", "b/c", "b/d/e"] { try folder.write("", to: path) }
        #expect(names(Files.walk(folder.url, maxDepth: 0)) == ["a", "b"])
        #expect(names(Files.walk(folder.url, maxDepth: 1)) == ["a", "b", "b/c", "b/d"])
    }

    @Test func `a walk does not follow symbolic links, so a circle has an end`() throws {
        try folder.write("", to: "a/file")
        try FileManager.default.createSymbolicLink(
            atPath: folder.at("a/up").path, withDestinationPath: folder.url.path)
        let kinds = Dictionary(
            uniqueKeysWithValues: Files.walk(folder.url).map { ($0.url.lastPathComponent, $0.kind) })
        #expect(kinds == ["a": .directory, "file": .file, "up": .symbolicLink])
    }

    /// Walks, and puts a symbolic link to `outside` in the place of `replaced` when the walk is in front of `a/b`.
    private func entries(replacing replaced: String, with outside: TemporaryFolder) throws -> [DirectoryWalk.Entry] {
        try folder.write("", to: "a/b/file")
        var walk = Files.walk(folder.url).makeIterator()
        var entries: [DirectoryWalk.Entry] = []
        while let entry = walk.next() {
            entries.append(entry)
            guard entry.kind == .directory, entry.url.lastPathComponent == "b" else { continue }
            try FileManager.default.moveItem(at: folder.at(replaced), to: outside.at("moved"))
            try FileManager.default.createSymbolicLink(at: folder.at(replaced), withDestinationURL: outside.url)
        }
        return entries
    }

    @Test func `a walk does not follow a symbolic link that replaces a folder meanwhile`() throws {
        let outside = try TemporaryFolder()
        try outside.write("", to: "outside")
        try outside.write("", to: "b/outside")
        let link = try entries(replacing: "a/b", with: outside)
        #expect(link.map(\.url.lastPathComponent) == ["a", "b", "b"])
        guard case .unreadable(.system("open", folder.at("a/b").path, _))? = link.last?.kind else {
            Issue.record("\(link)")
            return
        }
    }

    @Test func `a walk reads the folders that it has found, even if a symbolic link replaces one above them`() throws {
        let outside = try TemporaryFolder()
        try outside.write("", to: "b/outside")
        let above = try entries(replacing: "a", with: outside)
        #expect(above.map(\.url.lastPathComponent) == ["a", "b", "file"])
    }

    @Test func `a folder that cannot be read is an entry that says why, and the walk continues`() throws {
        let missing = Array(Files.walk(folder.at("none")))
        #expect(missing.map(\.kind) == [.unreadable(.system(call: "open", path: folder.at("none").path, code: ENOENT))])
        for path in ["a/file", "b/file", "c/file"] { try folder.write("", to: path) }
        // Removed while the walk is in front of them.
        var walk = Files.walk(folder.url).makeIterator()
        let next = walk.next()
        let first = try #require(next)
        try FileManager.default.removeItem(at: first.url)
        var rest: [DirectoryWalk.Entry] = []
        while let entry = walk.next() { rest.append(entry) }
        #expect(rest.first?.url.lastPathComponent == first.url.lastPathComponent)
        guard case .unreadable? = rest.first?.kind else {
            Issue.record("\(rest)")
            return
        }
        #expect(rest.filter { $0.kind == .file }.count == 2)
    }

    @Test func `a walk reads no more than it is asked for`() async throws {
        for number in 0..<50 { try folder.write("\(number)", to: "\(number % 5)/\(number)") }
        let sizes = try await Files.walk(folder.url)
            .mapToFuture(on: .background, maxConcurrentCount: 4) { entry in
                entry.kind == .file ? Files.read(entry.url).map { $0.count } : Future(0)
            }.value
        #expect(sizes.reduce(0, +) == 90)
        // In the other order: folders that do not exist when the walk is created.
        let walk = Files.walk(folder.at("later"))
        try folder.write("", to: "later/file")
        #expect(names(walk) == ["later/file"])
        #expect(names(walk) == ["later/file"])
    }
}
