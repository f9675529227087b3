// Fuzzing: the functions that libFuzzer calls, and the list of what it is given to.

import Foundation

/// What is fuzzed. Each has a folder of examples in Corpora, and a file of words in Words.
///
/// A target fails by a trap: its own, or that of a `require`.
enum FuzzTarget: String, CaseIterable {
    case addresses, compression, dates, documents, options, requests, responses, robots, schedules

    func run(_ input: FuzzInput) {
        switch self {
        case .addresses: fuzzAddresses(input)
        case .compression: fuzzCompression(input)
        case .dates: fuzzDates(input)
        case .documents: fuzzDocuments(input)
        case .options: fuzzOptions(input)
        case .requests: fuzzRequests(input)
        case .responses: fuzzResponses(input)
        case .robots: fuzzRobots(input)
        case .schedules: fuzzSchedules(input)
        }
    }

    /// The target that the variable `FUZZ_TARGET` of the environment names.
    static let chosen: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            let names = allCases.map(\.rawValue).joined(separator: ", ")
            fatalError("Set FUZZ_TARGET to one of \(names).")
        }
        return target
    }()
}

/// The bytes of one run: choices at the start, which the target takes, and the rest.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(bytes) }

    var bytes: Bytes { Bytes(rest) }
    var text: String { String(decoding: rest, as: UTF8.self) }

    /// Takes the first byte, or 0 if there is none.
    mutating func choice() -> Int { Int(rest.popFirst() ?? 0) }

    /// Takes the first byte, and returns the element that it chooses.
    mutating func choice<T>(of values: [T]) -> T { values[choice() % values.count] }
}

/// Fails the run if `condition` is false.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}

/// Called by libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.run(FuzzInput(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
