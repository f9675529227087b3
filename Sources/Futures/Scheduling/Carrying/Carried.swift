// Carried: the task-local values that a callback is called with.

/// Captured values of the task-local variables that `propagating` names.
///
///     propagating(…) { ─► `current`, which tasks inherit ─► a node captures it where it is attached or starts
///                             ▲                                          │
///                             └── bound while the node's job runs ◄──────┘ in its scheduler (`Scheduler.carrying`)
final class Carried: Sendable {
    /// What code in a `propagating`, and in the callbacks of futures made there, passes on. The values may be older than
    /// those that the variables have here.
    @TaskLocal static var current: Carried?

    private let values: [any CarriedValue]

    private init(_ values: [any CarriedValue]) { self.values = values }

    /// What a node captures that is made here.
    static var here: Carried? { current?.updated }

    /// The same for what is no node; without a look at the variable unless the program carries values.
    static var ifAny: Carried? { Recording.isCarrying ? here : nil }

    /// What is current here and `added`, with the values that the variables have here.
    static func here(adding added: [any CarriedValue]) -> Carried {
        Recording.startCarrying()
        // Of the few that there are, without a set, which would be compiled for this type.
        var values = added
        for value in current?.values ?? [] where !added.contains(where: { $0.variable == value.variable }) {
            values.append(value.updated)
        }
        return Carried(values)
    }

    /// These variables, with the values that they have here.
    private var updated: Carried { isUpToDate ? self : Carried(values.map(\.updated)) }

    private var isUpToDate: Bool { values.allSatisfy(\.isCurrent) }

    /// Whether code here that captures `current` gets these variables and values.
    func isSame(as current: Carried) -> Bool {
        isUpToDate
            && (self === current
                || values.count == current.values.count
                    && zip(values, current.values).allSatisfy { $0.variable == $1.variable })
    }
}

extension Carried {
    /// Calls `body` with the values of `carried` bound; without any to pass on if that is nil.
    static func with(_ carried: Carried?, _ body: () -> Void) {
        let current = current
        guard let carried else {
            return current == nil ? body() : $current.withValue(nil, operation: body)
        }
        if carried === current, carried.isUpToDate { return body() }
        $current.withValue(carried) { carried.bind(from: 0, body) }
    }

    private func bind(from index: Int, _ body: () -> Void) {
        guard index < values.count else { return body() }
        values[index].bind { bind(from: index + 1, body) }
    }

    /// Has `work` called with the values that are captured here.
    @inline(never)
    static func capture(in work: inout (@Sendable () -> Void)?) {
        if let here, let body = work { work = { with(here, body) } }
    }
}
