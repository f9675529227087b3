// Budgets of progressions: for each stage, as a run has many.

import Futures

extension Budget {
    static let progressing = [
        Budget("run, 1 stage", of: "Progression.run", stage) { times in
            precondition(Countdown(left: times).run(on: .immediate).isCompleted)
        },
        each("execute of the last stage", of: "Progression.execute", run + end) {
            Countdown(left: 0).execute(on: .immediate) { _ = try $0() }
        },
        each("deferred of a stage", of: "Progression.deferred", describing + run) {
            escape(Countdown(left: 0).deferred.start(on: .immediate))
        },
        Budget("next of map, 1 stage", of: "Progression.map", stage + mapped) { times in
            precondition(Countdown(left: times).map { $0 }.run(on: .immediate).isCompleted)
        },
        Budget("next of flatMap, 1 stage", of: "Progression.flatMap", stage + mapped) { times in
            precondition(Countdown(left: times).flatMap { Countdown(left: $0) }.run(on: .immediate).isCompleted)
        },
        each("compose", of: "Progression.compose", described) { [stage = Outer.running(Countdown(left: 3))] in
            escape(stage.next())
        },
    ]

    private static let run = [
        Reason(1, "what it follows: the first stage's turn on the scheduler"),
        Reason(3, "the node that continues from that stage; its closure; its types"),
    ]
    private static let end = [step("the node of the handler")]
    private static let describing = [Reason(3, "the description: its recipe and its closures")]
    private static let described = [
        Reason(3, "what the inner stage describes, which is its user's: a recipe and its closures"),
        Reason(4, "the continuation: a recipe, its closures, its lock on the one before"),
    ]
    private static let stage = [
        Reason(3, "what the stage describes, which is its user's: a recipe and its closures"),
        Reason(1, "its run"),
        Reason(1, "the node that continues from its result"), Reason(1, "its closure, with the run's terms"),
    ]
    private static let mapped = [
        Reason(2, "the closures that put a stage into this progression's case"),
        Reason(4, "what describes that: a recipe, its closures, its lock on the one before"),
        Reason(1, "the array of the two steps"),
        Reason(2, "the node of the second one, and its types"),
        Reason(1, "a box for the stage, too large for the node"),
    ]
}

private enum Outer: Progression {
    case running(Countdown)
    case end

    func next() -> Deferred<Outer> {
        switch self {
        case .running(let stage): stage.compose(transformNext: { .running($0) }, transformResult: { _ in .end })
        case .end: completedStage(self)
        }
    }

    var result: Int? {
        if case .end = self { 0 } else { nil }
    }
}

private struct Countdown: Progression {
    var left: Int

    func next() -> Deferred<Countdown> {
        Deferred { Countdown(left: left - 1) }
    }

    var result: Int? { left == 0 ? 0 : nil }
}
