// Workshop: creates, checks and closes the tools of a pool under threads, and reports violations of the contract.

import Dispatch
import Futures

/// Creates, checks and closes tools, sometimes late or with an error, and reports violations of the contract.
final class Workshop: Sendable {
    /// A resource that records its uses.
    final class Tool: Sendable {
        let users = AtomicCounter()
        let closings = AtomicCounter()
        let faults = AtomicCounter()
        private let object: Census.Counted

        init(_ object: Census.Counted) { self.object = object }
    }

    private struct State {
        var random: SplitMix
        var alive = 0
        var tools: [Tool] = []
        var gates: [Promise<Void>] = []
        var complaints: [String] = []

        mutating func takeGates() -> [Promise<Void>] {
            defer { gates = [] }
            return gates
        }

        mutating func takeTools() -> [Tool] {
            defer { tools = [] }
            return tools
        }
    }

    let census = Census()
    private let limit: Int
    private let state: Guarded<State>

    init(limit: Int, seed: UInt64) {
        self.limit = limit
        state = Guarded(State(random: SplitMix(seed)))
    }

    /// The number of tools, including those that are being created or closed.
    var aliveCount: Int { state.with { $0.alive } }

    var complaint: String? { state.with { $0.complaints.first } }

    func complain(_ complaint: String) { state.with { $0.complaints.append(complaint) } }

    /// Reports tools that were not closed.
    func expectAllClosed() {
        let tools = state.with { $0.tools }
        if aliveCount != 0 || tools.contains(where: { $0.closings.value != 1 }) { complain("not all are closed") }
        if tools.contains(where: { $0.users.value != 0 }) { complain("one is in use at the end") }
    }

    /// Releases all tools.
    func forgetAll() {
        _ = state.with { $0.takeTools() }
    }

    /// Completes the pending gates: with a value, with an error, or by releasing their promise.
    func openGates() {
        for (index, gate) in state.with({ $0.takeGates() }).enumerated() where index % 3 != 2 {
            if index % 3 == 0 { gate.succeed() } else { gate.fail(Oops(7)) }
        }
    }

    private func chance(_ count: UInt64) -> Bool { state.with { $0.random.next() % count == 0 } }

    /// Returns a future of `body`'s result, and calls `body` now or later, on some thread.
    private func sometime<T>(_ body: @escaping @Sendable () throws -> T) throws -> Future<T> {
        switch state.with({ $0.random.next() % 6 }) {
        case 0, 1: return Future(try body())
        case 2: return Future().map(on: .immediate, body)
        case 3: return Future(on: .background, immediate: body)
        case 4:
            return Future(on: .immediate) { completion in
                DispatchQueue.global().async { completion(Result(catching: body)) }
                return Disposer {}
            }
        default:
            let gate = Promise<Void>()
            state.with { $0.gates.append(gate) }
            return gate.future.mapResult(on: .immediate) { _ in try body() }
        }
    }
}

// The closures of the pool.
extension Workshop {
    func create() throws -> Future<Tool> {
        let isTooMany = state.with { state in
            state.alive += 1
            return state.alive > limit
        }
        if isTooMany { complain("more are alive than allowed") }
        let (fails, making) = (chance(6), Guarded<Making>(.begun))
        return try sometime { [self] in
            let tool = making.with { making -> Tool? in
                guard case .begun = making, !fails else {
                    end(&making)
                    return nil
                }
                let tool = Tool(census.make())
                making = .made(tool)
                return tool
            }
            guard let tool else { throw Oops(1) }
            state.with { $0.tools.append(tool) }
            return tool
        }.onCancel(on: .immediate) { [self] in
            // What has come too late is closed here.
            making.with { making in
                if case .made(let tool) = making { tool.closings.up() }
                end(&making)
            }
        }
    }

    /// How far a creation is, so that it is counted once.
    private enum Making {
        case begun, made(Tool), over
    }

    private func end(_ making: inout Making) {
        if case .over = making { return }
        making = .over
        state.with { $0.alive -= 1 }
    }

    func check(_ tool: Tool) throws -> Future<Bool> {
        let use = begin(tool, "check")
        let (isFaulty, fails) = (chance(4), chance(2))
        return try sometime {
            if isFaulty { tool.faults.up() }
            use.end()
            if isFaulty && fails { throw Oops(2) }
            return !isFaulty
        }.onCancel(on: .immediate) { use.end() }
    }

    func close(_ tool: Tool) throws -> Future<Void> {
        let use = begin(tool, "closing")
        if tool.closings.up() > 1 { complain("one is closed twice") }
        let fails = chance(4)
        return try sometime { [state] in
            use.end()
            state.with { $0.alive -= 1 }
            if fails { throw Oops(3) }
        }.onCancel(on: .immediate) { self.complain("a closing was cancelled") }
    }

    /// Uses a tool until the returned object is called.
    private func begin(_ tool: Tool, _ purpose: String) -> Ending {
        if tool.users.up() > 1 { complain("one is with two: \(purpose)") }
        if tool.closings.value > 0 { complain("one that is closed is handed out: \(purpose)") }
        if purpose != "closing", tool.faults.value > 0 { complain("one that is faulty is handed out: \(purpose)") }
        return Ending { tool.users.down() }
    }
}

// The operations that use a tool.
extension Workshop {
    /// Stops using the tool when it is cancelled.
    func work(with tool: Tool) throws -> Future<Int> {
        let use = begin(tool, "operation")
        let fails = chance(4)
        return try sometime {
            use.end()
            if fails { throw Oops(4) }
            return 1
        }.onCancel(on: .immediate) { use.end() }
    }

    /// Uses the tool until it returns, even if it is cancelled.
    func task(with tool: Tool) async throws -> Int {
        let use = begin(tool, "task")
        defer { use.end() }
        await Task.yield()
        if chance(4) { throw Oops(5) }
        return 2
    }
}
