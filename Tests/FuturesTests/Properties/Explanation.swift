// Explanation: whether the contract allows what the library did.

/// The behavior of a program on the library.
struct Observation {
    let log: [Entry]
    /// Whether everything was released when the references to the futures and promises were.
    let isClean: Bool

    init(_ program: [Step]) {
        // Boxed, so that the closures of a leaked program do not write to a stack frame that no longer exists.
        let recorder = Recorder()
        weak var leaked: Interpreter<Library>?
        do {
            let interpreter = Interpreter(Library()) { recorder.log.append($0) }
            interpreter.run(program)
            log = recorder.log
            interpreter.clear()
            leaked = interpreter
        }
        isClean = leaked == nil
    }

    private final class Recorder { var log: [Entry] = [] }
}

/// Searches for choices with which the model behaves like the library did.
struct Explanation {
    enum Verdict: Equatable {
        case explained
        /// No choices lead to this log; the closest ones agree up to this entry.
        case refuted(at: Int, expected: Entry?)
        case undecided
    }

    private(set) var verdict = Verdict.undecided
    private(set) var hasCycle = false
    /// Whether there is a future that never completes: what waits for it is deallocated when it is cancelled.
    private(set) var usesNever = false
    private(set) var runCount = 0
    /// The number of choices that differ from those of a library without links.
    private(set) var choiceCount = 0

    init(of log: [Entry], in program: [Step], limit: Int = 20_000) {
        var choices: [(chosen: Int, of: Int)] = []
        var best = (agreed: -1, expected: Entry?.none)
        while runCount < limit {
            runCount += 1
            let run = Run(program, log, choices)
            hasCycle = hasCycle || run.hasCycle
            usesNever = usesNever || run.usesNever
            guard let disagreement = run.disagreement else {
                verdict = .explained
                choiceCount = run.choices.count { $0.chosen != 0 }
                return
            }
            if disagreement > best.agreed { best = (disagreement, run.expected) }
            // Only choices made before the first disagreement can resolve it.
            choices = Array(run.choices.prefix(run.decisive))
            while let last = choices.last, last.chosen + 1 >= last.of { choices.removeLast() }
            guard !choices.isEmpty else {
                verdict = .refuted(at: best.agreed, expected: best.expected)
                return
            }
            choices[choices.count - 1].chosen += 1
        }
    }

    /// One run of the model, whose entries are compared with the log as they are added.
    private final class Run {
        private let log: [Entry]
        private var count = 0
        private(set) var choices: [(chosen: Int, of: Int)]
        private var chosen = 0
        private(set) var disagreement: Int?
        private(set) var expected: Entry?
        private(set) var decisive = 0
        private(set) var hasCycle = false
        private(set) var usesNever = false

        init(_ program: [Step], _ log: [Entry], _ choices: [(chosen: Int, of: Int)]) {
            self.log = log
            self.choices = choices
            let model = Model { [unowned self] in choose($0) }
            Interpreter(model) { [unowned self] in compare($0) }.run(program)
            if disagreement == nil && count < log.count { disagree(nil) }
            if disagreement == nil { decisive = self.choices.count }
            hasCycle = model.hasCycle
            usesNever = model.usesNever
            model.clear()
        }

        private func choose(_ count: Int) -> Int {
            defer { chosen += 1 }
            if chosen == choices.count { choices.append((0, count)) }
            return choices[chosen].chosen
        }

        private func compare(_ entry: Entry) {
            guard disagreement == nil else { return }
            if count >= log.count || log[count] != entry { disagree(entry) } else { count += 1 }
        }

        private func disagree(_ entry: Entry?) {
            disagreement = count
            expected = entry
            decisive = chosen
        }
    }
}

extension Explanation {
    /// Returns a message if the contract does not explain the behavior of a program, or nil.
    static func complaint(about program: [Step]) -> String? {
        let observation = Observation(program)
        let explanation = Explanation(of: observation.log, in: program)
        // Computed lazily, as the explanation succeeds for almost all of millions of programs.
        var steps: String { program.map { "    \($0)" }.joined(separator: "\n") }
        switch explanation.verdict {
        case .explained where observation.isClean || explanation.hasCycle || explanation.usesNever: return nil
        case .explained: return "not everything was released after\n\(steps)"
        case .undecided: return "too many choices in\n\(steps)"
        case .refuted(let count, let expected):
            let log = observation.log.prefix(count + 1).suffix(6).map { "    \($0)" }.joined(separator: "\n")
            return """
                the contract does not allow the last of these entries:
                \(log)
                where it asks for \(expected.map { "\($0)" } ?? "nothing more")
                in\n\(steps)
                """
        }
    }
}
