// The code of Grain's older document about stages, as close to its text as Swift 6 on Linux allows
// (Documentation/Seeds.md).

import Foundation
import Futures
import Testing

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
                return .unserializeJSON(data: try Data(contentsOf: fileURL, options: .mappedIfSafe))
            case let .unserializeJSON(data):
                return .parseJSON(object: UncheckedSendable(try JSONSerialization.jsonObject(with: data, options: [])))
            case let .parseJSON(object):
                guard let dictionary = object.value as? [String: Any] else {
                    throw Error.invalidJSON
                }

                guard let text = dictionary["text"] as? String,
                    let number = dictionary["number"] as? Double,
                    let arrayOfText = dictionary["arrayOfText"] as? [String]
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
}
