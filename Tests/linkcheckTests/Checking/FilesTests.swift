// Files: which files are read, and how.

import Foundation
import Testing

@testable import linkcheck

struct FilesTests {
    @Test func `the documents of a folder and its subfolders are found in order`() throws {
        let folder = try TemporaryFolder([
            "b.md": "", "a/c.HTML": "", "a/d.txt": "", "z.markdown": "", ".hidden.md": "", ".build/e.md": "",
            "f.md/g.md": "",
        ])
        let found = Files.documents(in: folder.path)
        #expect(
            found.documents.map(folder.names.name) == ["a/c.HTML", "b.md", "f.md/g.md", "z.markdown"])
        #expect(found.problems.isEmpty)
    }

    @Test func `a link to a folder is not followed`() throws {
        let folder = try TemporaryFolder(["a/b.md": ""])
        let link = folder.address.appending(path: "a/loop")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.address)
        #expect(Files.documents(in: folder.path).documents.map(folder.names.name) == ["a/b.md"])
    }

    @Test func `a path that is not a folder is a problem, not a crash`() throws {
        let folder = try TemporaryFolder([:])
        let found = Files.documents(in: folder.path)
        #expect(found.documents.isEmpty)
        #expect(found.problems.count == 1)
    }

    @Test func `the first existing file is visited`() throws {
        let folder = try TemporaryFolder(["a.md": "# A", "b.txt": "# B", "c/index.html": "<p id=c>"])
        let place = { (name: String) in folder.path + "/" + name }
        #expect(try Files.read([place("x.md"), place("a.md")]).document?.anchors == ["a"])
        #expect(try Files.read([place("b.txt")]).document == nil)
        #expect(try Files.read([place("c")]).document?.anchors == ["c"])
        #expect(throws: FileProblem.self) { try Files.read([place("x.md")]) }
    }
}
