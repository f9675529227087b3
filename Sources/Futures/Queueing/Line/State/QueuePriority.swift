// QueuePriority: which of the waiting operations of a queue start first.

/// How urgent an operation is.
public enum QueuePriority: Sendable {
    /// Before all others that wait.
    case high
    /// In the order in which they came.
    case normal
    /// Behind all others that wait.
    case low
}

extension QueuePriority {
    init(_ traits: Traits) {
        self = traits.contains(.urgent) ? .high : traits.contains(.patient) ? .low : .normal
    }

    @inlinable
    var traits: Traits {
        switch self {
        case .high: .urgent
        case .normal: []
        case .low: .patient
        }
    }
}
