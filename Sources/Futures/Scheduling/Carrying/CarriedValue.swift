// CarriedValue: a task-local variable that is carried, and the value that was captured of it.

/// A value of a task-local variable, which can be bound again.
protocol CarriedValue: Sendable {
    /// The identity of the variable.
    var variable: ObjectIdentifier { get }

    /// Whether the variable has this value here. It may be false for an equal value that is another object.
    var isCurrent: Bool { get }

    /// The value that the variable has here.
    var updated: any CarriedValue { get }

    /// Calls `body` with the value bound.
    func bind(_ body: () -> Void)
}

struct CarriedLocal<Value: Sendable>: CarriedValue {
    private let local: TaskLocal<Value>
    private let value: Value

    init(_ local: TaskLocal<Value>) {
        self.local = local
        value = local.get()
    }

    var variable: ObjectIdentifier { ObjectIdentifier(local) }

    // By its bytes: values need not be equatable. This one is alive, so no other object has the address of one in it.
    var isCurrent: Bool {
        withUnsafeBytes(of: value) { known in
            withUnsafeBytes(of: local.get()) { known.elementsEqual($0) }
        }
    }

    var updated: any CarriedValue { CarriedLocal(local) }

    func bind(_ body: () -> Void) { local.withValue(value, operation: body) }
}
