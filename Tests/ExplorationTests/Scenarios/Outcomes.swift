// Outcomes: what may come of a scenario.

import Foundation
import Futures
import Synchronization
import Testing

struct Failed: Error, Equatable {}

/// The result of a future as a text: `pending`, the number of its value, or its error.
func outcome(_ future: Future<Tracked>) -> String { future.result.map(text) ?? "pending" }

/// A result as a text.
func text(_ result: Result<Tracked, any Error>) -> String {
    switch result {
    case .success(let value): "\(value.number)"
    case .failure(is CancellationError): "cancelled"
    case .failure(is Failed): "failed"
    case .failure(let error): "\(error)"
    }
}

func expect(_ outcomes: [String], among allowed: [[String]]) -> String? {
    allowed.contains(outcomes) ? nil : "\(outcomes) is none of \(allowed)"
}

/// One scenario at a time is explored: there is one explorer.
@Suite(.serialized) struct ExplorationTests {}

/// The names of those that `FUTURES_SCENARIO` allows.
func names(of scenarios: [Scenario]) -> [String] { scenarios.map(\.name).filter(Only.allows) }

/// With `FUTURES_STOPS`, says what is explored, and ends the process at the first failure, or when nothing goes on.
enum Progress {
    static let isWatched = ProcessInfo.processInfo.environment["FUTURES_STOPS"] != nil
    private static let count = Synchronization.Atomic<Int>(0)
    private static let watchdog: Void = Thread.detachNewThread {
        while true {
            let before = count.load(ordering: .relaxed)
            sleep(40)
            if count.load(ordering: .relaxed) == before { exit(2) }
        }
    }

    /// To be called before anything that can crash or hang.
    static func begins(_ name: String) {
        guard isWatched else { return }
        _ = watchdog
        count.add(1, ordering: .relaxed)
        print("exploring \(name)")
        fflush(nil)
    }
}

/// Explores one of these scenarios. `FUTURES_PREEMPTIONS` and `FUTURES_SCHEDULES` set other bounds than usual.
func check(_ name: String, _ scenarios: [Scenario], limit: Int = 2_000) {
    let environment = ProcessInfo.processInfo.environment
    Progress.begins(name)
    let scenario = scenarios.first { $0.name == name }!
    let exploration = scenario.explore(
        preemptions: environment["FUTURES_PREEMPTIONS"].flatMap(Int.init) ?? 3,
        limit: environment["FUTURES_SCHEDULES"].flatMap(Int.init) ?? max(limit, scenario.limit))
    print("\(name): \(exploration)")
    if exploration.failure != nil, Progress.isWatched { exit(1) }
    #expect(exploration.failure == nil)
}

/// A variable of a scenario.
final class Variable<Value: Sendable>: Sendable {
    private let stored: Mutex<Value?>

    init(_ value: Value? = nil) { stored = Mutex(value) }

    var value: Value? {
        get { stored.withLock { $0 } }
        set {
            let old = stored.withLock { value in
                defer { value = newValue }
                return value
            }
            withExtendedLifetime(old) {}
        }
    }
}
