// Budget: how often an operation may allocate, and why.

/// How often an operation may allocate, and why.
///
/// Closures here capture nothing and name a scheduler, unless the operation's name says otherwise: what a closure
/// captures is its writer's allocation.
struct Budget: Sendable {
    /// So many allocations for this reason.
    struct Reason: Sendable {
        let count: Int
        let why: String

        init(_ count: Int, _ why: String) {
            self.count = count
            self.why = why
        }
    }

    /// What is done.
    let operation: String
    /// The public functions whose budget this is. `.ci/budgets` finds those that have none.
    let functions: String
    /// Each allocation.
    let reasons: [Reason]
    /// Does it so many times.
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

    /// The allocations of one operation.
    var limit: Double { Double(reasons.reduce(0) { $0 + $1.count }) }
}
