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
        let found = Files().documents(in: folder.path)
        #expect(found.documents.map(folder.names.name) == ["a/c.HTML", "b.md", "f.md/g.md", "z.markdown"])
        #expect(found.problems.isEmpty)
    }

    @Test func `ignored files and folders of dependencies are left out, unless they are wanted`() throws {
        let folder = try TemporaryFolder([
            ".gitignore": "# comment\n\nout/\n*.tmp.md\n/a/top.md\n!keep.tmp.md\nx/**/deep\n",
            "a.md": "", "out/b.md": "", "a/out/c.md": "", "a/d.tmp.md": "", "keep.tmp.md": "", "a/top.md": "",
            "a/a/top.md": "", "a/out.md": "",
            "x/deep/e.md": "", "x/y/z/deep/f.md": "", "node_modules/g/h.md": "", "i/node_modules/j.md": "",
            "i/.gitignore": "k.md\n", "i/k.md": "", "k.md": "",
        ])
        let found = { (files: Files) in files.documents(in: folder.path).documents.map(folder.names.name) }
        #expect(found(Files()) == ["a.md", "a/a/top.md", "a/out.md", "k.md", "keep.tmp.md"])
        #expect(found(Files(honorsIgnoreFiles: false)).count == 14)
        let skipped = Files(skipped: ["/a", "k*.md", "!k.md", "!node_modules"])
        #expect(found(skipped) == ["a.md", "i/node_modules/j.md", "k.md", "keep.tmp.md", "node_modules/g/h.md"])
    }

    @Test func `a link may leave out an extension, and a folder may have an index page of another name`() throws {
        let folder = try TemporaryFolder([
            "guide.html": "<p id=a>", "guide/x.md": "", "b/home.md": "# Home", "b/index.html": "", "c/home.md": "# C",
        ])
        let place = { (name: String) in folder.path + "/" + name }
        let files = Files(indexNames: ["home.md", "index.html"], extensions: ["md", "html"])
        let anchors = try ["guide", "c/home", "b"].map { try files.read([place($0)]).document?.anchors }
        #expect(anchors == [["a"], ["c"], ["home"]])
        #expect(try files.read([place("guide")]).address == .file(place("guide.html")))
        #expect(try Files().read([place("guide")]).document == nil)
        #expect(throws: FileProblem.self) { try Files().read([place("c/home")]) }
    }

    @Test func `a link to a folder is not followed`() throws {
        let folder = try TemporaryFolder(["a/b.md": ""])
        let link = folder.address.appending(path: "a/loop")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.address)
        #expect(Files().documents(in: folder.path).documents.map(folder.names.name) == ["a/b.md"])
    }
}
