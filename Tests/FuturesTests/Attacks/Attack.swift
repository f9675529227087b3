// Attack: random programs, each from a seed, on a thread that may hang; what is wrong is reported with the seed.

import Dispatch
import Foundation
import Futures
import Synchronization
import Testing

/// Random programs against several features at once. Each is made from a seed, which a failure names.
///
/// `FUTURES_SEED=number` runs that program alone; `FUTURES_TRACE=1` names each seed before it is run, for a crash.
@Suite(.serialized) enum Attacks {
    private static let environment = ProcessInfo.processInfo.environment
    private static let traces = environment["FUTURES_TRACE"] != nil
    private static let only = environment["FUTURES_SEED"].flatMap(UInt64.init)
    /// How often more than usual: for an attack that takes its time.
    private static let factor = environment["FUTURES_FACTOR"].flatMap(Int.init) ?? 1

    /// Runs so many programs one after the other, until one complains or hangs. `program` returns what was wrong.
    static func run(
        _ count: Int, location: Testing.SourceLocation = #_sourceLocation,
        _ program: @escaping @Sendable (inout SplitMix) -> String?
    ) {
        let first = only ?? .random(in: 0...(.max / 2))
        let last = first + UInt64(only == nil ? count * factor : 1)
        // The first program that has not ended, and what the one before had to say.
        let state = Guarded<(seed: UInt64, complaint: String?)>((first, nil))
        let step = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for seed in first..<last {
                if traces { FileHandle.standardError.write(Data("seed \(seed)\n".utf8)) }
                var random = SplitMix(seed)
                let complaint = program(&random)
                state.with { $0 = complaint == nil ? (seed + 1, nil) : (seed, complaint) }
                step.signal()
                if complaint != nil { return }
            }
        }
        while state.with({ $0.seed < last && $0.complaint == nil }) {
            // A hang is reported, and its thread left alone.
            if step.wait(timeout: .now() + 60) == .success { continue }
            let seed = state.with { $0.seed }
            Issue.record("the program of seed \(seed) hangs (the \(seed - first + 1)th)", sourceLocation: location)
            return
        }
        let (seed, complaint) = state.with { $0 }
        guard let complaint else { return }
        Issue.record("seed \(seed) (the \(seed - first + 1)th): \(complaint)", sourceLocation: location)
    }
}

/// A value that is larger than what fits into a future, and counted: a released one is seen.
struct Sheet: Sendable {
    /// What tells whether it was released.
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

    /// One of several.
    init(_ parts: [Sheet]) {
        text = "a text of more than fifteen bytes"
        ink = parts.first?.ink ?? Ink(Census().make())
        self.parts = parts
    }

    /// Whether it is what was stored. It looks at each part.
    var isWhole: Bool {
        ink.mark.load(ordering: .relaxed) == 0x5EED && check == 0x5EED
            && text.hasPrefix("a text of more than fifteen bytes") && parts.allSatisfy(\.isWhole)
    }
}

extension Future {
    /// Whether its result comes in time. No `wait`, which would do this thread's work meanwhile.
    func comes(within seconds: Double = 10) -> Bool {
        let done = DispatchSemaphore(value: 0)
        self.onResult(on: .immediate) { _ in done.signal() }
        return done.wait(timeout: .now() + seconds) == .success
    }
}
