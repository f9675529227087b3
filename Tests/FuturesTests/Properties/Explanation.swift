// Explanation: whether the contract allows what the library did.

/// What came of a program on the library.
struct Observation {
    let log: [Entry]
    /// Whether all was released when the futures and promises were let go of.
    let isClean: Bool

    init(_ program: [Step]) {
        // Boxed, so that the closures of a leaked program do not write to a dead frame.
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

    private final class Recorder {
        var log: [Entry] = []
    }
}

/// Looks for choices with which the model does what the library did.
struct Explanation {
    enum Verdict: Equatable {
        case explained
        /// No choices lead to this log; at best they agree up to this entry.
        case refuted(at: Int, expected: Entry?)
        /// Given up: too many choices.
        case undecided
    }

    private(set) var verdict = Verdict.undecided
    private(set) var hasCycle = false
    private(set) var runCount = 0
    /// How often the model chose what a library without links would do.
    private(set) var choiceCount = 0

    init(of log: [Entry], in program: [Step], limit: Int = 20_000) {
        var choices: [(chosen: Int, of: Int)] = []
        var best = (agreed: -1, expected: Entry?.none)
        while runCount < limit {
            runCount += 1
            let run = Run(program, log, choices)
            hasCycle = hasCycle || run.hasCycle
            guard let disagreement = run.disagreement else {
                verdict = .explained
                choiceCount = run.choices.count { $0.chosen != 0 }
                return
            }
            if disagreement > best.agreed { best = (disagreement, run.expected) }
            // Only what was chosen before the first disagreement can mend it.
            choices = Array(run.choices.prefix(run.decisive))
            while let last = choices.last, last.chosen + 1 >= last.of { choices.removeLast() }
            guard !choices.isEmpty else {
                verdict = .refuted(at: best.agreed, expected: best.expected)
                return
            }
            choices[choices.count - 1].chosen += 1
        }
    }

    /// One run of the model, compared with the log as it goes.
    private final class Run {
        private let log: [Entry]
        private var count = 0
        private(set) var choices: [(chosen: Int, of: Int)]
        private var chosen = 0
        private(set) var disagreement: Int?
        private(set) var expected: Entry?
        private(set) var decisive = 0
        private(set) var hasCycle = false

        init(_ program: [Step], _ log: [Entry], _ choices: [(chosen: Int, of: Int)]) {
            self.log = log
            self.choices = choices
            let model = Model { [unowned self] in choose($0) }
            Interpreter(model) { [unowned self] in compare($0) }.run(program)
            if disagreement == nil && count < log.count { disagree(nil) }
            if disagreement == nil { decisive = self.choices.count }
            hasCycle = model.hasCycle
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
    /// What to print when the contract does not explain a program, or nil.
    static func complaint(about program: [Step], mayLeak: Bool = false) -> String? {
        let observation = Observation(program)
        let explanation = Explanation(of: observation.log, in: program)
        // Not made for the millions of programs about which there is nothing to say.
        var steps: String { program.map { "    \($0)" }.joined(separator: "\n") }
        switch explanation.verdict {
        case .explained where observation.isClean || explanation.hasCycle || mayLeak:
            return nil
        case .explained:
            return "not everything was released after\n\(steps)"
        case .undecided:
            return "too many choices in\n\(steps)"
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
