// Budget: how often an operation may allocate, and why.

/// The closures capture nothing and name a scheduler, unless the name of the operation says otherwise: the captures
/// of a closure are its author's allocation.
struct Budget: Sendable {
    struct Reason: Sendable {
        let count: Int
        let why: String

        init(_ count: Int, _ why: String) {
            self.count = count
            self.why = why
        }
    }

    let operation: String
    /// The public functions that this budget covers. `.ci/api` finds functions without a budget.
    let functions: String
    let reasons: [Reason]
    let run: @Sendable (_ times: Int) -> Void

    init(
        _ operation: String, of functions: String, _ reasons: [Reason],
        run: @escaping @Sendable (_ times: Int) -> Void
    ) {
        self.operation = operation
        self.functions = functions
        self.reasons = reasons
        self.run = run
    }

    var limit: Double { Double(reasons.reduce(0) { $0 + $1.count }) }
}
