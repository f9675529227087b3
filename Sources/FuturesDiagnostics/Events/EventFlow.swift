// EventFlow: passes events on, one at a time, to a handler that may block.

import Futures

/// A bounded list of events, which one block at a time passes on.
///
/// A handler that blocks, or a standard error that is not read, occupies one thread, and memory for `limit` events.
enum EventFlow {
    private enum Item: Sendable {
        /// Described when it is passed on, as this reads the symbols of the program.
        case recorded(RecordedEvent)
        case found(Diagnostics.Event)
    }

    private struct State {
        /// In their order, from `first` on; nil before. An item is never released in here: the deinit of an error is
        /// the user's, and may make another event.
        var items: [Item?] = []
        var first = 0
        /// How many were left out since the last one that was passed on.
        var leftOutCount = 0
        /// Whether a block passes events on.
        var isRunning = false

        var count: Int { items.count - first }

        /// Adds an event, or leaves it out if there are too many. Returns whether a block has to be started.
        mutating func add(_ item: Item) -> Bool {
            if count < limit { items.append(item) } else { leftOutCount += 1 }
            defer { isRunning = true }
            return !isRunning
        }

        /// Takes the next event; nil if there is none, and the block ends.
        mutating func next() -> Item? {
            if leftOutCount > 0 {
                defer { leftOutCount = 0 }
                return .found(.leftOut(leftOutCount))
            }
            guard first < items.count else {
                (items, first, isRunning) = ([], 0, false)
                return nil
            }
            // The memory of those before it.
            if first == limit {
                items.removeFirst(first)
                first = 0
            }
            defer { first += 1 }
            return items[first].take()
        }
    }

    /// The maximum number of events that wait.
    static let limit = 1000

    private static let state = Locked(State())

    /// Whether events have not been passed on yet, or the handler has not returned.
    static var isBusy: Bool { state.withLock { $0.isRunning } }

    /// Passes an event on, later. Safe wherever the library may be.
    static func add(_ event: RecordedEvent) { add(.recorded(event)) }

    static func add(_ event: Diagnostics.Event) { add(.found(event)) }

    private static func add(_ item: Item) {
        guard state.withLock({ $0.add(item) }) else { return }
        Scheduler.unblocked.async {
            while let item = state.withLock({ $0.next() }) {
                switch item {
                case .recorded(let event): Diagnostics.tell(Diagnostics.Event(event))
                case .found(let event): Diagnostics.tell(event)
                }
            }
        }
    }
}

extension Diagnostics.Event {
    fileprivate static func leftOut(_ count: Int) -> Self {
        Self(
            .leftOut, "events", count: count,
            "\(count) events were left out, because the handler of events had not returned from earlier ones.")
    }
}
