// Attack: random programs, each from a seed, on a thread that may hang; faults are reported with the seed.

import Dispatch
import Foundation
import Futures
import Synchronization
import Testing

/// Random programs that combine several features. Each is generated from a seed, which a failure reports.
///
/// `FUTURES_SEED=number` runs only that program; `FUTURES_TRACE=1` prints each seed before its program runs, to find a
/// crash; `FUTURES_FACTOR=number` runs that many times the usual number of programs.
@Suite(.serialized) enum Attacks {
    private static let environment = ProcessInfo.processInfo.environment
    private static let traces = environment["FUTURES_TRACE"] != nil
    private static let only = environment["FUTURES_SEED"].flatMap(UInt64.init)
    private static let factor = environment["FUTURES_FACTOR"].flatMap(Int.init) ?? 1

    /// Runs `count` programs, or for a time in a `Soak`, until one returns the description of its fault, or hangs.
    static func run(
        _ count: Int, location: Testing.SourceLocation = #_sourceLocation,
        _ program: @escaping @Sendable (inout SplitMix) -> String?
    ) {
        let first = only ?? .random(in: 0...(.max / 2))
        let (usual, soak) = (only == nil ? count * factor : 1, Soak())
        // The first program that has not completed, the fault of the previous one, and whether all have run.
        let state = Shared<(seed: UInt64, complaint: String?, isOver: Bool)>((first, nil, false))
        let step = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var seed = first
            while soak.runsRound(after: Int(seed - first), of: usual) {
                if traces { FileHandle.standardError.write(Data("seed \(seed)\n".utf8)) }
                var random = SplitMix(seed)
                let complaint = program(&random)
                state.value = complaint == nil ? (seed + 1, nil, false) : (seed, complaint, true)
                step.signal()
                if complaint != nil { return }
                seed += 1
            }
            state.change { $0.isOver = true }
            step.signal()
        }
        while state.change({ !$0.isOver }) {
            // A hang is reported, and its thread abandoned.
            if step.wait(timeout: .testTimeout) == .success { continue }
            let seed = state.change { $0.seed }
            Issue.record("the program of seed \(seed) hangs (the \(seed - first + 1)th)", sourceLocation: location)
            return
        }
        let (seed, complaint, _) = state.value
        guard let complaint else { return soak.report(Int(seed - first)) }
        Issue.record("seed \(seed) (the \(seed - first + 1)th): \(complaint)", sourceLocation: location)
    }
}

/// A value that is larger than a future's inline storage, and counted: a use after its release is detected.
struct Sheet: Sendable {
    /// Detects whether the value was released.
    private final class Ink: Sendable {
        let mark = Atomic<UInt64>(0x5EED)
        private let object: Census.Counted

        init(_ object: Census.Counted) { self.object = object }

        deinit { mark.store(0xDEAD, ordering: .relaxed) }
    }

    private let text: String
    private let check = 0x5EED
    private let ink: Ink
    private let parts: [Sheet]

    init(_ number: Int, _ census: Census) {
        text = "a text of more than fifteen bytes, number \(number)"
        ink = Ink(census.make())
        parts = []
    }

    init(_ parts: [Sheet]) {
        text = "a text of more than fifteen bytes"
        ink = parts.first?.ink ?? Ink(Census().make())
        self.parts = parts
    }

    /// Whether the value and each of its parts are as they were stored.
    var isWhole: Bool {
        ink.mark.load(ordering: .relaxed) == 0x5EED && check == 0x5EED
            && text.hasPrefix("a text of more than fifteen bytes") && parts.allSatisfy(\.isWhole)
    }
}

extension Future {
    /// Whether its result arrives in time. Does not use `wait`, which would run this thread's deferred work meanwhile.
    func comes(within seconds: Double = 900) -> Bool {
        let done = DispatchSemaphore(value: 0)
        self.onResult(on: .immediate) { _ in done.signal() }
        return done.wait(timeout: .now() + seconds) == .success
    }
}
