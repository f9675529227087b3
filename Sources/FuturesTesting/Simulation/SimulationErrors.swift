// The errors of simulations.

import Futures

extension Simulation {
    /// Nothing more can run, and a `wait` would never return.
    public struct Stuck: Error, CustomStringConvertible {
        /// What was waited for, and which callbacks cannot run.
        public let description: String

        init(_ awaited: String, blocked: [String]) {
            let blocked = blocked.isEmpty ? "" : " Blocked: " + blocked.joined(separator: "; ") + "."
            description =
                "Nothing more can run in this simulation, and the code still waits for \(awaited).\(blocked) What a thread "
                + "outside of the simulation completes never comes: replace that in tests."
        }
    }

    /// More jobs have run than the simulation allows, most likely because of an endless repetition.
    package struct Endless: Error, CustomStringConvertible {
        /// A sentence that says what happened.
        package var description: String {
            "The simulation has run as many jobs as maxStepCount allows, and there are more. If it is no endless loop, allow "
                + "more, or stop what repeats at the end of the test."
        }
    }

    /// Work has left the simulation for another thread, so that the next run would be another one.
    public struct Escaped: Error, CustomStringConvertible {
        /// What happened, and what to do.
        public let description: String

        init() {
            description =
                "Another thread has resumed a task of this simulation: by Task.sleep, by an actor with an executor of its own or "
                + "that other threads use, by code of the main actor, or by another library. Use Future.delay and the like, or "
                + "replace that in tests."
        }

        init(_ work: String) {
            description =
                "This simulation has led to \(work), and does not run on the main thread. Run it there: mark the test @MainActor."
        }
    }

    /// Something that a run asserts by ``check(_:_:file:line:)`` is not so.
    package struct CheckFailed: Error, CustomStringConvertible {
        /// Where it was checked, and the comment.
        package let description: String
    }

    /// Throws an error with the place and `comment` if `condition` is false. In an ``explore(runs:seed:file:line:_:)-swift.type.method``, use it
    /// instead of `#expect` and `#require`, which would record an issue for each run that fails while the order is made
    /// shorter.
    ///
    /// - Parameters:
    ///   - condition: What has to be true.
    ///   - comment: What it means if it is false.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    public static func check(
        _ condition: Bool, _ comment: String = "", file: StaticString = #fileID, line: UInt = #line
    ) throws {
        if condition { return }
        throw CheckFailed(description: "The check at \(file):\(line) failed" + (comment.isEmpty ? "" : ": \(comment)"))
    }

    /// A run that ``explore(runs:seed:file:line:_:)-swift.type.method`` found to fail, in the shortest order that it found.
    public struct Failure: Error, CustomStringConvertible {
        /// The error of the run.
        public let error: any Error
        /// The order of the run, for ``replay(_:seed:file:line:_:)``.
        public let schedule: String
        /// The seed of the random numbers in the run.
        public let seed: UInt64
        /// How many runs came before, this one included.
        public let runCount: Int
        let steps: [SimulationStep]

        /// The error, the steps of the run, and the line that replays it.
        public var description: String {
            let shown = steps.prefix(100).enumerated().map { number, step in "\n  \(number + 1). \(step)" }.joined()
            let rest = steps.count > 100 ? "\n  and \(steps.count - 100) more" : ""
            return "In run \(runCount): \(error)\nThe jobs ran in this order:\(shown)\(rest)\n"
                + "Replay it with: try Simulation.replay(\"\(schedule)\", seed: \(seed)) { … }"
        }
    }
}

/// A job that has run, or a fault that was injected.
struct SimulationStep: Sendable, CustomStringConvertible {
    enum Event: Sendable {
        case job(Scheduler)
        case fault(Fault, _ point: String)
    }

    let time: Duration
    let event: Event
    /// The number of jobs that could run, or of faults with none.
    let choiceCount: Int

    var description: String {
        switch event {
        case .job(let scheduler): "\(scheduler)" + (choiceCount > 1 ? ", one of \(choiceCount)" : "") + ", at \(time)"
        case .fault(let fault, let point): "Fault at \"\(point)\": \(fault), at \(time)"
        }
    }
}
