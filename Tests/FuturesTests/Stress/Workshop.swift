// Workshop: creates, checks and closes the tools of a pool under threads, and reports violations of the contract.

import Futures

final class Workshop: Sendable {
    /// A resource that records its uses.
    final class Tool: Sendable {
        let users = AtomicCounter(), closings = AtomicCounter(), faults = AtomicCounter()
        private let object: Census.Counted

        init(_ object: Census.Counted) { self.object = object }
    }

    let witness: Witness
    private let limit: Int
    private let random: Shared<SplitMix>
    /// The number of tools, including those that are being created or closed.
    private let alive = AtomicCounter()
    private let tools = Shared<[Tool]>([])

    init(_ witness: Witness, limit: Int, seed: UInt64) {
        self.witness = witness
        self.limit = limit
        random = Shared(SplitMix(seed))
    }

    var areAllClosed: Bool { alive.value == 0 }

    /// Reports tools that were not closed, and releases all.
    func checkTools() {
        let tools = tools.takeAll()
        if !areAllClosed || tools.contains(where: { $0.closings.value != 1 }) { witness.complain("not all are closed") }
        if tools.contains(where: { $0.users.value != 0 }) { witness.complain("one is in use at the end") }
    }

    private func oneIn(_ count: Int) -> Bool { random.change { $0.oneIn(count) } }

    /// Returns a future of `body`'s result, and calls `body` now or later, on some thread.
    private func sometime<T>(_ body: @escaping @Sendable () throws -> T) throws -> Future<T> {
        let course = random.change { $0.pick(Witness.Course.allCases) }
        if course == .throwing { return Future(try body()) }
        return try witness.work(course) {}.mapResult(on: .immediate) { _ in try body() }
    }
}

// The closures of the pool.
extension Workshop {
    func create() throws -> Future<Tool> {
        if alive.up() > limit { witness.complain("more are alive than allowed") }
        let (fails, made) = (oneIn(6), Shared<(tool: Tool?, isTooLate: Bool)>((nil, false)))
        let end = Ending { [alive] in alive.down() }
        return try sometime { [self] in
            if fails {
                end.end()
                throw Oops(1)
            }
            let tool = Tool(witness.census.make())
            tools.change { $0.append(tool) }
            // This closure may be running when its future is cancelled.
            made.change {
                $0.tool = tool
                if $0.isTooLate { tool.closings.up() }
            }
            return tool
        }.onCancel(on: .immediate) {
            // What has come too late is closed here.
            made.change {
                $0.isTooLate = true
                $0.tool?.closings.up()
            }
            end.end()
        }
    }

    func check(_ tool: Tool) throws -> Future<Bool> {
        let use = begin(tool, "check")
        let (isFaulty, fails) = (oneIn(4), oneIn(2))
        return try sometime {
            if isFaulty { tool.faults.up() }
            use.end()
            if isFaulty && fails { throw Oops(2) }
            return !isFaulty
        }.onCancel(on: .immediate) { use.end() }
    }

    func close(_ tool: Tool) throws -> Future<Void> {
        let use = begin(tool, "closing")
        if tool.closings.up() > 1 { witness.complain("one is closed twice") }
        let fails = oneIn(4)
        return try sometime { [alive] in
            use.end()
            alive.down()
            if fails { throw Oops(3) }
        }.onCancel(on: .immediate) { self.witness.complain("a closing was cancelled") }
    }

    /// Uses a tool until the returned object is called.
    private func begin(_ tool: Tool, _ purpose: String) -> Ending {
        if tool.users.up() > 1 { witness.complain("one is with two: \(purpose)") }
        if tool.closings.value > 0 { witness.complain("one that is closed is handed out: \(purpose)") }
        if purpose != "closing", tool.faults.value > 0 {
            witness.complain("one that is faulty is handed out: \(purpose)")
        }
        return Ending { tool.users.down() }
    }

    /// Stops using the tool when it is cancelled.
    func work(with tool: Tool) throws -> Future<Int> {
        let use = begin(tool, "operation")
        return try witness.work(random.change { $0.pick(Witness.Course.allCases) }, use.end)
    }

    /// Uses the tool until it returns, even if it is cancelled.
    func task(with tool: Tool) async throws -> Int {
        let use = begin(tool, "task")
        return try await witness.task(random.change { $0.pick(Witness.Course.allCases) }, use.end)
    }
}
