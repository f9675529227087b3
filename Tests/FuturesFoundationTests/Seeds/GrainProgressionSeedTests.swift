// The code of Grain's document about progressions, as close to its text as Swift 6 on Linux allows
// (Documentation/Seeds.md).

import Foundation
import Futures
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
                            ? FileAccessProgression.stop(fileURL: fileURL) : nil
                    ))
            }
        case let .stop(fileURL):
            return Deferred {
                fileURL.stopAccessingSecurityScopedResource()

                return FileAccessProgression.complete((fileURL: fileURL, hasAccess: false, stopper: nil))
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

private enum HTTPRequestProgression: Progression {
    typealias Result = (response: HTTPURLResponse, body: Data?)

    case get(url: URL)
    case post(url: URL, body: Data)

    case success(Result)

    func next() -> Deferred<HTTPRequestProgression> {
        return Deferred.future { resolve in
            switch self {
            case let .get(url):
                let session = URLSession.patient
                let task = session.dataTask(
                    with: url,
                    completionHandler: { data, response, error in
                        if let error = error {
                            resolve { throw error }
                        } else {
                            resolve { .success((response: response as! HTTPURLResponse, body: data)) }
                        }
                    })
                task.resume()
            case let .post(url, body):
                let session = URLSession.patient
                var request = URLRequest(url: url)
                request.httpMethod = "POST"
                request.httpBody = body
                let task = session.dataTask(
                    with: request,
                    completionHandler: { (data, response, error) in
                        if let error = error {
                            resolve { throw error }
                        } else {
                            resolve { .success((response: response as! HTTPURLResponse, body: data)) }
                        }
                    })
                task.resume()
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

private typealias JSONFileReadProgression = FileOpenStage

private enum FileUploadProgression: Progression {
    typealias Result = UncheckedSendable<Any?>

    case openFile(fileStage: JSONFileReadProgression, destinationURL: URL)
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
                                body: try JSONSerialization.data(withJSONObject: ["number": result.number], options: [])
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
                        return Deferred {
                            throw ErrorKind.uploadFailed(statusCode: response.statusCode, body: body)
                        }
                    }
                }
            )
        case let .parseUploadResponse(data):
            return Deferred {
                .success(UncheckedSendable(try data.map { try JSONSerialization.jsonObject(with: $0, options: []) }))
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

@Suite struct GrainProgressionSeedTests {
    @Test func `Grain's file access runs as its document shows`() async throws {
        let (used, stopped) = (Promise<Bool>(), Promise<Void>())
        let fileURL = URL(fileURLWithPath: "/granted")
        FileAccessProgression.start(fileURL: fileURL, forgiving: true).execute { useResult in
            do {
                let result = try useResult()
                if let stopper = result.stopper {
                    // Use result.fileURL
                    used.succeed(result.hasAccess)
                    // All when done accessing
                    stopper.execute { _ in
                        stopped.succeed()
                    }
                }
            } catch {
                // Handle `error` here
                used.fail(error)
            }
        }
        #expect(try await used.future.value)
        try await stopped.future.value

        let locked = URL(fileURLWithPath: "/locked")
        let forgiven = try await FileAccessProgression.start(fileURL: locked, forgiving: true).run().value
        #expect(!forgiven.hasAccess && forgiven.stopper == nil && forgiven.fileURL == locked)
        await #expect(throws: FileAccessProgression.ErrorKind.self) {
            try await FileAccessProgression.start(fileURL: locked, forgiving: false).run().value
        }
    }

    @Test func `Grain's request is a progression`() async throws {
        let server = try HostileServer.answering()
        let got = try await HTTPRequestProgression.get(url: server.at("a")).run().value
        #expect(got.response.statusCode == 200 && got.body == Data("/a".utf8))
        await #expect(throws: URLError.self) {
            try await HTTPRequestProgression.get(url: URL(string: "http://127.0.0.1:1/")!).run().value
        }
    }

    @Test func `Grain's file is read, uploaded, and the response parsed`() async throws {
        let server = try HostileServer.answering()
        try await withGrainFile { fileURL in
            let stages = Locked(0)
            let parsed = try await FileUploadProgression.openFile(
                fileStage: .read(fileURL: fileURL), destinationURL: server.at("upload")
            )
            .run { _ in
                stages.withLock { $0 += 1 }
                return true
            }
            .value
            #expect((parsed.value as? [String: Int]) == ["number": 5])
            #expect(stages.withLock { $0 } == 8)
            await #expect(throws: FileUploadProgression.ErrorKind.self) {
                try await FileUploadProgression.openFile(
                    fileStage: .read(fileURL: fileURL), destinationURL: server.at("refused")
                )
                .run().value
            }
        }
    }
}
