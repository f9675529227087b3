// The code of Grain's older document about stages, as close to its text as Swift 6 on Linux allows
// (Documentation/Seeds.md).

import Foundation
import Futures
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum FileOpenStage: Progression {
    typealias Result = (text: String, number: Double, arrayOfText: [String])

    /// Initial stages
    case read(fileURL: URL)
    /// Intermediate stages
    case unserializeJSON(data: Data)
    case parseJSON(object: UncheckedSendable<Any>)
    /// Completed stages
    case success(Result)

    // Any errors thrown by the stages
    enum Error: Swift.Error {
        case invalidJSON
        case missingData
    }
}

extension FileOpenStage {
    /// The task for each stage
    func next() -> Deferred<FileOpenStage> {
        return Deferred {
            switch self {
            case let .read(fileURL):
                return .unserializeJSON(
                    data: try Data(contentsOf: fileURL, options: .mappedIfSafe)
                )
            case let .unserializeJSON(data):
                return .parseJSON(
                    object: UncheckedSendable(try JSONSerialization.jsonObject(with: data, options: []))
                )
            case let .parseJSON(object):
                guard let dictionary = object.value as? [String: Any] else {
                    throw Error.invalidJSON
                }

                guard let text = dictionary["text"] as? String,
                    let number = dictionary["number"] as? Double,
                    let arrayOfText = dictionary["arrayOfText"] as? [String]
                else { throw Error.missingData }

                return .success(
                    (
                        text: text,
                        number: number,
                        arrayOfText: arrayOfText
                    ))
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

private enum HTTPRequestStage: Progression {
    typealias Result = (response: HTTPURLResponse, body: Data?)

    case get(url: URL)
    case post(url: URL, body: Data)

    case success(Result)

    func next() -> Deferred<HTTPRequestStage> {
        return Deferred.future { resolve in
            switch self {
            case let .get(url):
                let session = URLSession.patient
                let task = session.dataTask(with: url) { data, response, error in
                    if let error = error {
                        resolve { throw error }
                    } else {
                        resolve { .success((response: response as! HTTPURLResponse, body: data)) }
                    }
                }
                task.resume()
            case let .post(url, body):
                let session = URLSession.patient
                var request = URLRequest(url: url)
                request.httpMethod = "POST"
                request.httpBody = body
                let task = session.dataTask(with: request) { (data, response, error) in
                    if let error = error {
                        resolve { throw error }
                    } else {
                        resolve { .success((response: response as! HTTPURLResponse, body: data)) }
                    }
                }
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

private enum FileUploadStage: Progression {
    typealias Result = UncheckedSendable<Any?>

    case openFile(fileStage: FileOpenStage, destinationURL: URL)
    case uploadRequest(request: HTTPRequestStage)
    case parseUploadResponse(data: Data?)
    case success(Result)

    enum Error: Swift.Error {
        case uploadFailed(statusCode: Int, body: Data?)
        case uploadResponseParsing(body: Data?)
    }

    func next() -> Deferred<FileUploadStage> {
        switch self {
        case let .openFile(stage, destinationURL):
            return stage.compose(
                transformNext: {
                    .openFile(fileStage: $0, destinationURL: destinationURL)
                },
                transformResult: { result in
                    .uploadRequest(
                        request: .post(
                            url: destinationURL,
                            body: try JSONSerialization.data(withJSONObject: ["number": result.number], options: [])
                        )
                    )
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
                        return .parseUploadResponse(data: body)
                    default:
                        throw Error.uploadFailed(statusCode: response.statusCode, body: body)
                    }
                }
            )
        case let .parseUploadResponse(data):
            return Deferred {
                .success(
                    UncheckedSendable(try data.map { try JSONSerialization.jsonObject(with: $0, options: []) })
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

@Suite struct GrainStageSeedTests {
    @Test func `Grain's file is opened, and its errors are caught in one place`() async throws {
        try await withGrainFile { fileURL in
            let done = Promise<String>()
            FileOpenStage.read(fileURL: fileURL).execute { useResult in
                do {
                    let (text, number, arrayOfText) = try useResult()
                    // Do something with result
                    done.succeed("\(text) \(number) \(arrayOfText)")
                } catch {
                    // Handle `error` here
                    done.fail(error)
                }
            }
            let text = try await done.future.value
            #expect(text == #"abc 5.0 ["def", "ghi"]"#)
        }
        await #expect(throws: FileOpenStage.Error.missingData) {
            try await FileOpenStage.unserializeJSON(data: Data("{}".utf8)).run().value
        }
        await #expect(throws: FileOpenStage.Error.invalidJSON) {
            try await FileOpenStage.parseJSON(object: UncheckedSendable([1])).run().value
        }
    }

    @Test func `Grain's file is uploaded in stages, whose results are transformed directly`() async throws {
        let server = try HostileServer.answering()
        try await withGrainFile { fileURL in
            let parsed = try await FileUploadStage.openFile(
                fileStage: .read(fileURL: fileURL), destinationURL: server.at("upload")
            )
            .run().value
            #expect((parsed.value as? [String: Int]) == ["number": 5])
            await #expect(throws: FileUploadStage.Error.self) {
                try await FileUploadStage.openFile(
                    fileStage: .read(fileURL: fileURL), destinationURL: server.at("refused")
                )
                .run().value
            }
        }
    }
}
