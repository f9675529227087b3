// Files: reads documents from disk.

import Foundation

/// The reason why a file or folder cannot be read.
struct FileProblem: Error, CustomStringConvertible {
    let file: URL
    let description: String
}

/// The checker's access to the file system.
enum Files {
    /// Returns the documents in a folder and its subfolders, sorted by path, and the folders that cannot be read.
    ///
    /// Hidden files and folders, such as `.build`, are omitted. Symbolic links to folders are not followed.
    static func documents(in folder: URL) -> (documents: [URL], problems: [FileProblem]) {
        var documents: [URL] = []
        var problems: [FileProblem] = []
        var folders = [folder]
        while let folder = folders.popLast() {
            do {
                let entries = try FileManager.default.contentsOfDirectory(
                    at: folder, includingPropertiesForKeys: [.isDirectoryKey, .isSymbolicLinkKey])
                for entry in entries where !entry.lastPathComponent.hasPrefix(".") {
                    let values = try? entry.resourceValues(forKeys: [.isDirectoryKey, .isSymbolicLinkKey])
                    if values?.isDirectory == true, values?.isSymbolicLink != true {
                        folders.append(entry)
                    } else if Document.Kind(of: entry) != nil, !isFolder(entry) {
                        documents.append(.file(entry.path(percentEncoded: false)))
                    }
                }
            } catch {
                problems.append(
                    FileProblem(
                        file: .file(folder.path(percentEncoded: false)), description: "cannot be read: \(reason(error))"
                    ))
            }
        }
        return (documents.sorted { $0.path() < $1.path() }, problems)
    }

    /// Reads the first of `places` that exists. The visit has no document if that is neither HTML nor Markdown. The
    /// document of a folder is its index.
    ///
    /// - Throws: A `FileProblem` if none of `places` exists, or if the document cannot be read.
    static func visit(_ places: [URL]) throws -> Visit {
        for place in places where FileManager.default.fileExists(atPath: place.path(percentEncoded: false)) {
            return Visit(address: place, document: try document(at: place))
        }
        throw FileProblem(file: places[0], description: "no such file")
    }

    static func isFolder(_ place: URL) -> Bool {
        var isFolder: ObjCBool = false
        let path = place.path(percentEncoded: false)
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

extension Files {
    private static func document(at place: URL) throws -> Document? {
        if isFolder(place) {
            let index = ["index.html", "index.htm", "README.md", "index.md"].lazy.map {
                place.appending(path: $0)
            }
            let first = index.first { FileManager.default.fileExists(atPath: $0.path(percentEncoded: false)) }
            return try first.flatMap { try document(at: $0) }
        }
        guard let kind = Document.Kind(of: place) else { return nil }
        do {
            // Reading from a pipe or a device might block forever.
            let path = place.resolvingSymlinksInPath().path(percentEncoded: false)
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            guard type == .typeRegular else {
                throw FileProblem(file: place, description: "not a regular file")
            }
            return Document(try Data(contentsOf: place), kind: kind)
        } catch let problem as FileProblem {
            throw problem
        } catch {
            throw FileProblem(file: place, description: "cannot be read: \(reason(error))")
        }
    }

    private static func reason(_ error: any Error) -> String {
        (error as? CocoaError)?.code == .fileReadNoPermission ? "permission denied" : error.localizedDescription
    }
}
