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
        Reason(3, "what it follows: the first stage, in its turn on the scheduler; the closures that have it"),
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
        Reason(3, "its run, the node that continues from its result, and its closure, with the run's terms"),
    ]
    private static let mapped = [
        Reason(6, "the closures that put a stage into this progression's case, and what describes that"),
        Reason(4, "the second step, its types, the array of the two, and a box for the stage"),
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

    func next() -> Deferred<Countdown> { Deferred { Countdown(left: left - 1) } }

    var result: Int? { left == 0 ? 0 : nil }
}
