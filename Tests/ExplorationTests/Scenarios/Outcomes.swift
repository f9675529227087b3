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

/// Explores one of these scenarios. `FUTURES_PREEMPTIONS` and `FUTURES_SCHEDULES` set other bounds than usual; with
/// `FUTURES_STOPS`, the first failure ends the process.
func check(_ name: String, _ scenarios: [Scenario], limit: Int = 2_000) {
    let environment = ProcessInfo.processInfo.environment
    if environment["FUTURES_STOPS"] != nil {
        // Before it can crash.
        print("exploring \(name)")
        fflush(nil)
    }
    let exploration = scenarios.first { $0.name == name }!.explore(
        preemptions: environment["FUTURES_PREEMPTIONS"].flatMap(Int.init) ?? 3,
        limit: environment["FUTURES_SCHEDULES"].flatMap(Int.init) ?? limit)
    print("\(name): \(exploration)")
    if exploration.failure != nil, environment["FUTURES_STOPS"] != nil { exit(1) }
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
