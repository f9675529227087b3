// Trace: what each thread of an exploration has done, as a text for a failure.

import Futures

/// The steps of the threads, if they are to be printed.
struct Trace {
    private var lines: [String] = []
    private var names: [UnsafeRawPointer: String] = [:]
    private let isKept: Bool

    init(isKept: Bool) { self.isKept = isKept }

    var text: String { isKept ? "\n" + lines.joined(separator: "\n") : "" }

    mutating func add(_ access: ExploredAccess, of memory: UnsafeRawPointer, by thread: Int) {
        if isKept { lines.append("\(thread): \(access) \(name(memory))") }
    }

    /// The load before has returned what was stored some time before.
    mutating func addStaleLoad(age: Int, by thread: Int) {
        if isKept { lines.append("\(thread): that value is \(age) older than the last one") }
    }

    mutating func add(_ point: ExplorationPoint, by thread: Int) {
        guard isKept else { return }
        let text =
            switch point {
            case .load(let atomic, _): "loads \(name(atomic))"
            case .store(let atomic, _): "stores \(name(atomic))"
            case .update(let atomic, _, _): "updates \(name(atomic))"
            case .exchange(let atomic): "exchanges \(name(atomic))"
            case .fence: "fence"
            case .lock(let lock): "locks \(name(lock))"
            case .unlock(let lock): "unlocks \(name(lock))"
            case .askUnique: "asks for the only reference"
            case .wait: "waits"
            }
        lines.append("\(thread): \(text)")
    }

    private mutating func name(_ address: UnsafeRawPointer) -> String {
        if let name = names[address] { return name }
        let name = "#\(names.count)"
        names[address] = name
        return name
    }
}
