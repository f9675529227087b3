// Files: reads documents from disk.

import Foundation

/// The reason why a file or folder cannot be read.
struct FileProblem: Error, CustomStringConvertible {
    let path: String
    let description: String
}

/// The checker's access to the file system.
enum Files {
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
    static func documents(in folder: String) -> Listing {
        var documents: [String] = []
        var problems: [FileProblem] = []
        var folders = [folder]
        while let folder = folders.popLast() {
            do {
                for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasPrefix(".") {
                    let path = FilePath.normal(folder + "/" + name)
                    if isFolder(path) {
                        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
                        if !isLink { folders.append(path) }
                    } else if DocumentKind(extension: FilePath.fileExtension(of: name))?.isPage == true {
                        documents.append(path)
                    }
                }
            } catch {
                problems.append(
                    FileProblem(path: FilePath.normal(folder), description: "cannot be read: \(reason(error))"))
            }
        }
        return Listing(documents: documents.sorted(), problems: problems)
    }

    /// Reads the first of `places` that exists. The document of a folder is its index.
    ///
    /// - Throws: A `FileProblem` if none of `places` exists, or if the document cannot be read.
    static func read(_ places: [String]) throws -> Reading {
        for place in places where FileManager.default.fileExists(atPath: place) {
            return Reading(address: .file(place), document: try document(at: place))
        }
        throw FileProblem(path: places[0], description: "no such file")
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

extension Files {
    private static func document(at path: String) throws -> Document? {
        if isFolder(path) {
            let index = ["index.html", "index.htm", "README.md", "index.md"].lazy.map { path + "/" + $0 }
            let first = index.first { FileManager.default.fileExists(atPath: $0) }
            return try first.flatMap { try document(at: $0) }
        }
        guard let kind = DocumentKind(extension: FilePath.fileExtension(of: path)) else { return nil }
        do {
            // Reading from a pipe or a device might block forever.
            let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
            let type = try FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
            guard type == .typeRegular else {
                throw FileProblem(path: path, description: "not a regular file")
            }
            return Document(Bytes(try Data(contentsOf: URL(filePath: path))), kind: kind)
        } catch let problem as FileProblem {
            throw problem
        } catch {
            throw FileProblem(path: path, description: "cannot be read: \(reason(error))")
        }
    }

    private static func reason(_ error: any Error) -> String {
        (error as? CocoaError)?.code == .fileReadNoPermission ? "permission denied" : error.localizedDescription
    }
}
