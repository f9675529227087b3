// Budget: how often an operation may allocate, and why.

/// How often an operation may allocate, and why.
///
/// The closures capture nothing and name a scheduler, unless the operation's name says otherwise: the captures of a
/// closure are its author's allocation.
struct Budget: Sendable {
    /// A number of allocations with one reason.
    struct Reason: Sendable {
        let count: Int
        let why: String

        init(_ count: Int, _ why: String) {
            self.count = count
            self.why = why
        }
    }

    /// The name of the operation.
    let operation: String
    /// The public functions that this budget covers. `.ci/api` finds functions without a budget.
    let functions: String
    /// The allocations, by reason.
    let reasons: [Reason]
    /// Runs the operation `times` times.
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

    /// The maximum number of allocations of one operation.
    var limit: Double { Double(reasons.reduce(0) { $0 + $1.count }) }
}
