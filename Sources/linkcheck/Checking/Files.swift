// Files: reads documents from disk.

import Foundation

/// The reason why a file or folder cannot be read.
struct FileProblem: Error, CustomStringConvertible {
    let path: String
    let description: String
}

/// The checker's access to the file system.
struct Files: Equatable, Sendable {
    /// The names of the pages that a link to a folder leads to, if they exist.
    var indexNames = ["index.html", "index.htm", "README.md", "index.md"]
    /// The extensions that links may leave out, such as `html`.
    var extensions: [String] = []
    /// Patterns of files and folders that are left out, as in `.gitignore`.
    var skipped: [String] = []
    /// Whether folders of dependencies, and what `.gitignore` files name, are left out.
    var honorsIgnoreFiles = true

    struct Listing: Sendable {
        let documents: [String]
        let problems: [FileProblem]
    }

    /// A document, and where it was found. It is nil for a file of a kind that is not read.
    struct Reading: Sendable {
        let address: URL
        let document: Document?
    }

    /// Returns the documents in a folder and its subfolders, sorted by path, and the folders that cannot be read.
    ///
    /// Hidden files and folders, such as `.build`, are omitted. Symbolic links to folders are not followed.
    func documents(in folder: String) -> Listing {
        var documents: [String] = []
        var problems: [FileProblem] = []
        let folder = FilePath.normal(folder)
        var folders = [(folder, IgnoreRules(around: folder, options: self))]
        while let (folder, outer) = folders.popLast() {
            var rules = outer
            if honorsIgnoreFiles { rules.readFile(in: folder) }
            do {
                for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasPrefix(".") {
                    let path = FilePath.normal(folder + "/" + name)
                    let isFolder = Self.isFolder(path) == true
                    if rules.ignore(path, isFolder: isFolder) { continue }
                    if isFolder {
                        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
                        if !isLink { folders.append((path, rules)) }
                    } else if DocumentKind(extension: FilePath.fileExtension(of: name))?.isPage == true {
                        documents.append(path)
                    }
                }
            } catch {
                problems.append(
                    FileProblem(path: FilePath.normal(folder), description: "cannot be read: \(Self.reason(error))"))
            }
        }
        return Listing(documents: documents.sorted(), problems: problems)
    }

    /// Reads the first of `places` that exists. The document of a folder is its index. A page whose extension is left
    /// out has precedence over a folder with its name, as on most servers.
    ///
    /// - Throws: A `FileProblem` if none of `places` exists, or if the document cannot be read.
    func read(_ places: [String]) throws -> Reading {
        for place in places {
            let isFolder = Self.isFolder(place)
            let page =
                isFolder == false ? place : extensions.map { place + "." + $0 }.first { Self.isFolder($0) == false }
            guard let path = page ?? isFolder.map({ _ in place }) else { continue }
            return Reading(address: .file(path), document: try document(at: path))
        }
        throw FileProblem(path: places[0], description: "no such file")
    }

    /// Returns whether a folder has this path, or nil if nothing has.
    static func isFolder(_ path: String) -> Bool? {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
    }

    /// Returns the content of a file.
    ///
    /// - Throws: A `FileProblem` if it cannot be read. Reading from a pipe or a device might block forever.
    static func content(of path: String) throws(FileProblem) -> Bytes {
        do {
            let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
            let type = try FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
            if type == .typeRegular { return Bytes(try Data(contentsOf: URL(filePath: path))) }
        } catch {
            throw FileProblem(path: path, description: "cannot be read: \(reason(error))")
        }
        throw FileProblem(path: path, description: "not a regular file")
    }
}

extension Files {
    private func document(at path: String) throws(FileProblem) -> Document? {
        if Self.isFolder(path) == true {
            let index = indexNames.lazy.map { path + "/" + $0 }.first { Self.isFolder($0) == false }
            return try index.flatMap(document(at:))
        }
        guard let kind = DocumentKind(extension: FilePath.fileExtension(of: path)) else { return nil }
        return Document(try Self.content(of: path), kind: kind)
    }

    private static func reason(_ error: any Error) -> String {
        (error as? CocoaError)?.code == .fileReadNoPermission ? "permission denied" : error.localizedDescription
    }
}
