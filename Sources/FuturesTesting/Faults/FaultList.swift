// FaultList: the faults that are yet to be injected.

import Futures

/// The faults of one virtual time, one simulation, or the process, in the order in which they were added.
final class FaultList: FaultSource {
    struct Entry: Sendable {
        let number: Int
        let point: String
        let fault: Fault
        var timesLeft: Int
        var isUsed = false
    }

    private struct State {
        var entries: [Entry] = []
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// Returns the number of the entry.
    func add(_ fault: Fault, at point: String, _ times: Int, _ file: StaticString, _ line: UInt) -> Int {
        guard times > 0 else {
            fatalError("inject(times: \(times)) would inject nothing. Pass a positive number.", file: file, line: line)
        }
        return state.withLock { state in
            state.lastNumber += 1
            state.entries.append(Entry(number: state.lastNumber, point: point, fault: fault, timesLeft: times))
            return state.lastNumber
        }
    }

    func remove(_ number: Int) {
        // Released outside of the lock: an error may be an object with a deinit of the user's.
        let removed = state.withLock { state in
            state.entries.firstIndex { $0.number == number }.map { state.entries.remove(at: $0) }
        }
        withExtendedLifetime(removed) {}
    }

    /// The faults that may be injected at `point`.
    func entries(at point: String) -> [Entry] {
        state.withLock { $0.entries.filter { $0.point == point } }
    }

    /// The faults that were never injected, as their points were never reached: a name may be misspelt.
    var unused: [Entry] { state.withLock { $0.entries.filter { !$0.isUsed } } }

    /// Returns the fault of this number, and counts it as injected once more.
    func takeFault(number: Int) -> InjectedFault? { takeFirst { $0.number == number } }

    func takeFault(at point: String) -> InjectedFault? { takeFirst { $0.point == point } }

    private func takeFirst(where isMeant: (Entry) -> Bool) -> InjectedFault? {
        let (fault, usedUp) = state.withLock { state -> (InjectedFault?, Entry?) in
            guard let index = state.entries.firstIndex(where: isMeant) else { return (nil, nil) }
            state.entries[index].timesLeft -= 1
            state.entries[index].isUsed = true
            let fault = state.entries[index].fault.injected
            return (fault, state.entries[index].timesLeft == 0 ? state.entries.remove(at: index) : nil)
        }
        // Released outside of the lock, as in `remove`.
        withExtendedLifetime(usedUp) {}
        return fault
    }
}
