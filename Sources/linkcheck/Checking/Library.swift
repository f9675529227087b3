// Library: reads files and parses documents, in the background and with a deadline.

import Foundation
import Futures

/// Reads and parses documents. A document that takes too long does not delay the others.
@MainActor
final class Library {
    /// The time limit for parsing one document.
    private let timeLimit: Duration
    private let files: Files
    private let readFile: @Sendable ([String]) throws -> Files.Reading

    private let disk = FutureQueue(maxConcurrentCount: 8)
    private let parsing = FutureQueue(maxConcurrentCount: 4)

    /// - Parameters:
    ///   - files: How files are found.
    ///   - timeLimit: How long reading and parsing a document may take.
    ///   - readFile: Reads and parses the first of some files that exists.
    init(
        _ files: Files = Files(), timeLimit: Duration = .seconds(30),
        readFile: (@Sendable ([String]) throws -> Files.Reading)? = nil
    ) {
        self.files = files
        self.timeLimit = timeLimit
        self.readFile = readFile ?? { try files.read($0) }
    }

    /// Returns a future of the documents in a folder and its subfolders.
    func documents(in folder: String) -> Future<Files.Listing> {
        Future(on: .background, immediate: { [files] in files.documents(in: folder) })
    }

    /// Returns a future of a visit to the first of `paths` that exists.
    func read(_ paths: [String]) -> Future<Visit> {
        // The turn lasts until the main actor has the document, so that documents do not pile up in front of it.
        disk.enqueue { [readFile] in
            Future(on: .background, immediate: { try readFile(paths) })
                .fail(with: TooSlow(limit: self.timeLimit), after: self.timeLimit)
                .map { Visit(address: $0.address, document: $0.document) }
        }
    }

    /// Returns a future of the visit that ends with a response.
    func read(_ response: Response) -> Future<Visit> {
        guard response.kind != nil, !response.body.isEmpty else {
            return Future(Visit(address: response.address, document: response.kind.map { Document(kind: $0) }))
        }
        return parsing.enqueue {
            Future(on: .background, immediate: { response.document })
                .fail(with: TooSlow(limit: self.timeLimit), after: self.timeLimit)
                .map { Visit(address: response.address, document: $0) }
        }
    }

    struct TooSlow: Error, CustomStringConvertible {
        let limit: Duration

        var description: String { "reading the document took longer than \(limit)" }
    }
}
