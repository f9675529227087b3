// Carried: the task-local values that a callback is called with.

/// Captured values of the task-local variables that `propagating` names.
///
///     propagating(…) { ─► `current`, which tasks inherit ─► a node captures it where it is attached or starts
///                             ▲                                          │
///                             └── bound by the node's operation ◄────────┘ which is wrapped (`Node.capture`)
final class Carried: Sendable {
    /// What code in a `propagating`, and in the callbacks of futures made there, passes on. The values may be older
    /// than those that the variables have here.
    @TaskLocal static var current: Carried?

    private let values: [CarriedValue]

    private init(_ values: [CarriedValue]) { self.values = values }

    /// What a node captures that is made here.
    static var here: Carried? { current?.updated }

    /// The same for what is no node; without a look at the variable unless the program carries values.
    static var ifAny: Carried? { Recording.isCarrying ? here : nil }

    /// These variables and those that are current, with the values that they have here.
    static func here<each Value: Sendable>(adding locals: repeat TaskLocal<each Value>) -> Carried {
        Recording.startCarrying()
        // Of the few that there are, without a set, which would be compiled for this type.
        var values: [CarriedValue] = []
        for local in repeat each locals { values.append(CarriedValue(of: local)) }
        for value in current?.values ?? [] where !values.contains(where: { $0.variable == value.variable }) {
            values.append(value.updated())
        }
        return Carried(values)
    }

    /// These variables, with the values that they have here.
    private var updated: Carried { isUpToDate ? self : Carried(values.map { $0.updated() }) }

    private var isUpToDate: Bool { values.allSatisfy { $0.isCurrent() } }
}

/// A value that was captured of a task-local variable of any type.
struct CarriedValue: Sendable {
    /// The identity of the variable.
    let variable: ObjectIdentifier
    /// Whether the variable has this value here. It may be false for an equal value that is another object.
    let isCurrent: @Sendable () -> Bool
    /// Captures the value that the variable has here.
    let updated: @Sendable () -> CarriedValue
    /// Calls a closure with the value bound.
    let bind: @Sendable (() -> Void) -> Void

    init(of local: TaskLocal<some Sendable>) {
        let value = local.get()
        variable = ObjectIdentifier(local)
        // By its bytes: values need not be equatable. This one is alive, so no other object has the address of one in
        // it.
        isCurrent = {
            withUnsafeBytes(of: value) { known in withUnsafeBytes(of: local.get()) { known.elementsEqual($0) } }
        }
        updated = { CarriedValue(of: local) }
        bind = { local.withValue(value, operation: $0) }
    }
}

extension Carried {
    /// Calls `body` with the values of `carried` bound; without any to pass on if that is nil.
    static func with(_ carried: Carried?, _ body: () -> Void) {
        if carried === current, carried?.isUpToDate ?? true { return body() }
        $current.withValue(carried) { bind(carried?.values[...] ?? [], body) }
    }

    private static func bind(_ values: ArraySlice<CarriedValue>, _ body: () -> Void) {
        guard let first = values.first else { return body() }
        first.bind { bind(values.dropFirst(), body) }
    }

    /// Returns `work`, to be called with the values that are captured here, if there are any.
    static func captured(in work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let carried = ifAny else { return work }
        return { with(carried, work) }
    }
}

extension Node {
    /// Prepares this node, which is about to be attached to its source, to start, or to be enqueued.
    @inline(never)
    func prepareToStart() {
        if Recording.isCarrying { capture() }
        Recording.recorderIfOn?.made(self)
    }

    @inline(never)
    func prepareToAttach() {
        if Recording.isCarrying { capture() }
        Recording.recorderIfOn?.attached(self)
    }

    /// For a step of the library that a transform returns: the node that waits for it is recorded instead.
    @inline(never)
    func prepareToServeNext() {
        if Recording.isCarrying { capture() }
        if Recording.isOn { source!.takeUnretainedValue().resolved.marks.insert(Marks.observed) }
    }

    /// Has the operation called with the values that are carried here, in this run and in repetitions. Once: a node
    /// that other threads know captures nothing else.
    private func capture() {
        guard marks.insert(Marks.hasCaptured), let here = Carried.here else { return }
        let operation = operationSlot.take(as: OperationBox.self).call
        operationSlot.store(OperationBox { node, event in Carried.with(here) { operation(node, event) } })
    }

    /// Has this node, which repeats `other`, call its closure with the same values, and capture no others.
    func carryLike(_ other: Node) {
        guard Recording.isCarrying, marks.insert(Marks.hasCaptured) else { return }
        _ = operationSlot.take(as: OperationBox.self)
        operationSlot.store(OperationBox(other.operation))
    }
}
