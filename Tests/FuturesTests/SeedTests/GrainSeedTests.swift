// The code of Grain's documents, as near to its text as Swift 6 on Linux allows (Documentation/Seeds.md).

import Foundation
import Futures
import Testing

// Stands in for security-scoped files, which Linux does not have.
extension URL {
    fileprivate func startAccessingSecurityScopedResource() -> Bool { path.hasPrefix("/granted") }
    fileprivate func stopAccessingSecurityScopedResource() {}
}

private indirect enum FileAccessProgression: Progression {
    typealias Result = (fileURL: URL, hasAccess: Bool, stopper: FileAccessProgression?)

    /// Initial steps
    case start(fileURL: URL, forgiving: Bool)
    case stop(fileURL: URL)
    /// Completed step
    case complete(Result)

    enum ErrorKind: Error {
        case cannotAccess(fileURL: URL)
    }
}

extension FileAccessProgression {
    /// The task for each stage
    func next() -> Deferred<FileAccessProgression> {
        switch self {
        case let .start(fileURL, forgiving):
            return Deferred {
                let accessSucceeded = fileURL.startAccessingSecurityScopedResource()

                if !accessSucceeded && !forgiving {
                    throw ErrorKind.cannotAccess(fileURL: fileURL)
                }

                return FileAccessProgression.complete(
                    (
                        fileURL: fileURL,
                        hasAccess: accessSucceeded,
                        stopper: accessSucceeded
                            ? FileAccessProgression.stop(
                                fileURL: fileURL
                            ) : nil
                    ))
            }
        case let .stop(fileURL):
            return Deferred {
                fileURL.stopAccessingSecurityScopedResource()

                return FileAccessProgression.complete(
                    (
                        fileURL: fileURL,
                        hasAccess: false,
                        stopper: nil
                    ))
            }
        case .complete:
            completedStage(self)
        }
    }

    var result: Result? {
        guard case let .complete(result) = self else { return nil }
        return result
    }
}

// Stands in for a session, so that no test needs the network.
private struct HTTPURLResponse: Sendable { var statusCode: Int }
private struct Session: Sendable {
    static let shared = Session()
    func dataTask(
        with url: URL, body: Data? = nil,
        completionHandler: @escaping @Sendable (Data?, HTTPURLResponse?, (any Error)?) -> Void
    ) {
        Scheduler.background.async {
            switch url.path {
            case "/broken": completionHandler(nil, nil, Oops(1))
            case "/missing": completionHandler(nil, HTTPURLResponse(statusCode: 404), nil)
            default: completionHandler(body ?? Data("[1]".utf8), HTTPURLResponse(statusCode: 200), nil)
            }
        }
    }
}

private enum HTTPRequestProgression: Progression {
    typealias Result = (response: HTTPURLResponse, body: Data?)

    case get(url: URL)
    case post(url: URL, body: Data)

    case success(Result)

    func next() -> Deferred<HTTPRequestProgression> {
        return Deferred.future { resolve in
            switch self {
            case let .get(url):
                let session = Session.shared
                session.dataTask(
                    with: url,
                    completionHandler: { data, response, error in
                        if let error = error {
                            resolve { throw error }
                        } else {
                            resolve { .success((response: response!, body: data)) }
                        }
                    })
            case let .post(url, body):
                let session = Session.shared
                session.dataTask(
                    with: url, body: body,
                    completionHandler: { (data, response, error) in
                        if let error = error {
                            resolve { throw error }
                        } else {
                            resolve { .success((response: response!, body: data)) }
                        }
                    })
            case .success:
                completedStage(self)
            }
        }
    }

    var result: Result? {
        guard case let .success(result) = self else { return nil }
        return result
    }
}

private enum FileOpenStage: Progression {
    typealias Result = (text: String, number: Double, arrayOfText: [String])

    /// Initial stages
    case read(fileURL: URL)
    /// Intermediate stages
    case unserializeJSON(data: Data)
    case parseJSON(object: [String: String])
    /// Completed stages
    case success(Result)

    // Any errors thrown by the stages
    enum Error: Swift.Error {
        case invalidJSON
        case missingData
    }

    func next() -> Deferred<FileOpenStage> {
        return Deferred {
            switch self {
            case let .read(fileURL):
                return .unserializeJSON(
                    data: try Data(contentsOf: fileURL, options: .mappedIfSafe)
                )
            case let .unserializeJSON(data):
                return .parseJSON(
                    object: try JSONDecoder().decode([String: String].self, from: data)
                )
            case let .parseJSON(dictionary):
                guard let text = dictionary["text"],
                    let number = dictionary["number"].flatMap(Double.init),
                    let arrayOfText = dictionary["arrayOfText"]?.split(separator: ",").map(String.init)
                else { throw Error.missingData }

                return .success((text: text, number: number, arrayOfText: arrayOfText))
            case .success:
                completedStage(self)
            }
        }
    }

    var result: Result? {
        guard case let .success(result) = self else { return nil }
        return result
    }
}

private enum FileUploadProgression: Progression {
    typealias Result = [Int]?

    case openFile(fileStage: FileOpenStage, destinationURL: URL)
    case uploadRequest(request: HTTPRequestProgression)
    case parseUploadResponse(data: Data?)
    case success(Result)

    enum ErrorKind: Error {
        case uploadFailed(statusCode: Int, body: Data?)
        case uploadResponseParsing(body: Data?)
    }

    func next() -> Deferred<FileUploadProgression> {
        switch self {
        case let .openFile(stage, destinationURL):
            return stage.compose(
                transformNext: {
                    .openFile(fileStage: $0, destinationURL: destinationURL)
                },
                transformResult: { result in
                    Deferred {
                        .uploadRequest(
                            request: .post(
                                url: destinationURL,
                                body: try JSONEncoder().encode([Int(result.number)])
                            )
                        )
                    }
                }
            )
        case let .uploadRequest(stage):
            return stage.compose(
                transformNext: {
                    .uploadRequest(request: $0)
                },
                transformResult: { result in
                    let (response, body) = result
                    switch response.statusCode {
                    case 200:
                        return Deferred { .parseUploadResponse(data: body) }
                    default:
                        return Deferred { throw ErrorKind.uploadFailed(statusCode: response.statusCode, body: body) }
                    }
                }
            )
        case let .parseUploadResponse(data):
            return Deferred {
                .success(
                    try data.map { try JSONDecoder().decode([Int].self, from: $0) }
                )
            }
        case .success:
            completedStage(self)
        }
    }

    var result: Result? {
        guard case let .success(result) = self else { return nil }
        return result
    }
}

@Suite struct GrainSeedTests {
    @Test func `Grain's file access runs as its document shows`() throws {
        let stopped = Promise<Bool>()
        let fileURL = URL(fileURLWithPath: "/granted/a")
        FileAccessProgression.start(fileURL: fileURL, forgiving: true).execute { useResult in
            do {
                let result = try useResult()
                if let stopper = result.stopper {
                    // Use result.fileURL
                    // All when done accessing
                    stopper.execute { _ in
                        stopped.succeed(result.hasAccess)
                    }
                }
            } catch {
                stopped.fail(error)
            }
        }
        #expect(try stopped.future.wait(timeout: patience))
        let denied = FileAccessProgression.start(fileURL: URL(fileURLWithPath: "/a"), forgiving: false).run()
        #expect(throws: FileAccessProgression.ErrorKind.self) { try denied.wait(timeout: patience) }
    }

    @Test func `Grain's file is read, uploaded and its response parsed as its documents show`() throws {
        let fileURL = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: fileURL) }
        try Data(#"{"text":"a","number":"4","arrayOfText":"b,c"}"#.utf8).write(to: fileURL)
        let read = FileOpenStage.read(fileURL: fileURL).execute { useResult in
            do {
                let (text, number, arrayOfText) = try useResult()
                return "\(text) \(number) \(arrayOfText.count)"
            } catch {
                return "\(error)"
            }
        }
        #expect(try read.wait(timeout: patience) == "a 4.0 2")

        func upload(_ path: String) throws -> [Int]? {
            try FileUploadProgression.openFile(
                fileStage: .read(fileURL: fileURL), destinationURL: URL(fileURLWithPath: path)
            ).run().wait(timeout: patience)
        }
        #expect(try upload("/new") == [4])
        #expect(throws: Oops(1)) { try upload("/broken") }
        #expect(throws: FileUploadProgression.ErrorKind.self) { try upload("/missing") }
        #expect(HTTPRequestProgression.get(url: URL(fileURLWithPath: "/")).result == nil)
    }
}
