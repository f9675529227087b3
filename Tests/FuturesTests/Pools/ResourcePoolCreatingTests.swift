// Pools: which resource an operation gets, and what is cancelled or takes too long. Contract/Pools.md

import Futures
import FuturesTesting
import Testing

/// A pool whose resources are created, checked and closed when a test says so, also for the first time.
private struct Workbench {
    let time = VirtualTime()
    let created = Log<Promise<Int>>()
    let checked = Log<Promise<Bool>>()
    let closed = Log<Int>()
    let got = Log<String>()
    let pool: ResourcePool<Int>

    init(
        _ maxCount: Int, isChecked: Bool = false, callTimeout: Duration = .seconds(10), idleTimeout: Duration? = nil,
        maxWaitingCount: Int = .max, close: Future<Void> = Future()
    ) {
        let (created, checked, closed) = (created, checked, closed)
        let check: @Sendable (Int) -> Future<Bool> = { _ in
            checked.add(Promise(), returning: checked.entries.last!.future)
        }
        pool = ResourcePool(
            maxCount: maxCount, callTimeout: callTimeout, idleTimeout: idleTimeout,
            maxWaitingCount: maxWaitingCount, on: time.scheduler,
            create: { created.add(Promise(), returning: created.entries.last!.future) }, check: isChecked ? check : nil,
            close: { closed.add($0, returning: close) })
    }

    /// Adds an operation that logs its name and resource.
    @discardableResult
    func enqueue(_ name: String, waitTimeout: Duration? = nil, until end: Future<Void> = Future()) -> Future<Void> {
        let got = got
        let future = pool.on(time.scheduler).enqueue(with: .waitTimeout(waitTimeout)) { resource in
            got.add("\(name) \(resource)", returning: end)
        }
        time.run()
        return future
    }

    func create(_ index: Int, _ resource: Int) {
        created.entries[index].succeed(resource)
        time.run()
    }

    func isCancelled(_ index: Int) -> Bool { created.entries[index].future.isCancelled }
}

extension ResourcePoolTests {
    @Test func `an operation gets the first resource: one that is given back, or any that is created`() {
        let bench = Workbench(3)
        let (first, second) = (Promise<Void>(), Promise<Void>())
        bench.enqueue("a", until: first.future)
        bench.enqueue("b", until: second.future)
        bench.enqueue("c", until: .never)
        // The creation that b has caused.
        bench.create(1, 2)
        #expect(bench.got.entries == ["a 2"])
        first.succeed()
        bench.time.run()
        bench.create(0, 1)
        #expect(bench.got.entries == ["a 2", "b 2", "c 1"])
        // The last one is not needed immediately, and is kept.
        bench.create(2, 3)
        #expect([bench.pool.idleCount, bench.created.count] == [1, 3])
    }

    @Test(arguments: [true, false])
    func `an operation that waits for a resource to be closed gets one that is given back before`(_ isChecked: Bool) {
        let (closed, users) = (Promise<Void>(), [Promise<Void>(), Promise<Void>()])
        let bench = Workbench(
            2, isChecked: isChecked, callTimeout: testTimeout, idleTimeout: .seconds(10), close: closed.future)
        for (index, user) in users.enumerated() {
            bench.enqueue("user", until: user.future)
            bench.create(index, index + 1)
        }
        users[0].succeed()
        bench.time.run()
        // Without a check, the resource expires.
        if !isChecked { bench.time.advance(by: .seconds(20)) }
        bench.enqueue("first", until: .never)
        if isChecked { bench.checked.entries[0].succeed(false) }
        bench.time.run()
        #expect(bench.closed.entries == [1])
        users[1].succeed()
        bench.time.run()
        if isChecked { bench.checked.entries[1].succeed(true) }
        bench.time.run()
        #expect(bench.got.entries.last == "first 2")
        // The place of the closed resource is free again.
        closed.succeed()
        bench.enqueue("second")
        bench.create(2, 3)
        #expect(bench.got.entries.last == "second 3")
    }

    @Test func `operations get the resources that are given back in the order in which they wait`() {
        let (bench, users) = (Workbench(2), [Promise<Void>(), Promise<Void>()])
        for (index, user) in users.enumerated() {
            bench.enqueue("user", until: user.future)
            bench.create(index, index + 1)
        }
        bench.enqueue("first", until: .never)
        bench.enqueue("second", until: .never)
        for user in users.reversed() {
            user.succeed()
            bench.time.run()
        }
        #expect(bench.got.entries.suffix(2) == ["first 2", "second 1"])
    }

    @Test(arguments: [false, true])
    func `the waiting time of an operation covers the creation and the check of its resource`(isChecked: Bool) {
        let bench = Workbench(1, isChecked: isChecked)
        if isChecked {
            bench.enqueue("a")
            bench.create(0, 1)
        }
        let late = bench.enqueue("late", waitTimeout: .seconds(1))
        bench.time.advance(by: .milliseconds(999))
        #expect(!late.isCompleted)
        bench.time.advance(by: .milliseconds(1))
        #expect(late.error as? QueueError == .waitTimedOut(after: .seconds(1)))
        #expect([bench.pool.runningCount, bench.pool.waitingCount] == [0, 0])
    }

    @Test func `a creation is cancelled when an operation is, and no other one waits for a resource`() {
        let bench = Workbench(2)
        let (first, second) = (bench.enqueue("a"), bench.enqueue("b"))
        first.cancel()
        bench.time.run()
        #expect((0...1).map(bench.isCancelled) == [false, true])
        second.cancel()
        bench.time.run()
        #expect(bench.isCancelled(0))
        // Its place is free.
        bench.enqueue("c")
        bench.enqueue("d")
        bench.create(2, 3)
        #expect(bench.got.entries == ["c 3", "d 3"])
    }

    @Test func `a check is cancelled when an operation is, and its resource is closed`() {
        let bench = Workbench(1, isChecked: true)
        bench.enqueue("a")
        bench.create(0, 1)
        bench.enqueue("b").cancel()
        bench.time.run()
        #expect(bench.checked.entries[0].future.isCancelled)
        #expect(bench.closed.entries == [1])
        bench.enqueue("c")
        bench.create(1, 2)
        #expect(bench.got.entries == ["a 1", "c 2"])
    }

    @Test func `creating, checking and closing a resource take at most callTimeout`() {
        let bench = Workbench(1, isChecked: true, close: .never)
        let late = bench.enqueue("a")
        bench.time.advance(by: .seconds(10))
        #expect(late.error?.timeLimit == .seconds(10))
        bench.enqueue("b")
        bench.create(1, 1)
        bench.enqueue("c")
        // The check takes too long, and then the closing.
        bench.time.advance(by: .seconds(10))
        #expect(bench.closed.entries == [1])
        #expect(bench.created.count == 2)
        bench.time.advance(by: .seconds(10))
        bench.create(2, 2)
        #expect(bench.got.entries == ["b 1", "c 2"])
        let end = bench.pool.close()
        bench.time.advance(by: .seconds(10))
        #expect(end.isCompleted)
        #expect(bench.closed.entries == [1, 2])
    }

    @Test func `a creation that fails fails an operation only if no other resource can serve it`() {
        let (bench, gate) = (Workbench(3), Promise<Void>())
        bench.enqueue("a", until: gate.future)
        bench.enqueue("b")
        bench.created.entries[1].fail(Oops(1))
        bench.time.run()
        // The other one may serve both.
        bench.create(0, 1)
        #expect(bench.got.entries == ["a 1"])
        // That causes another creation, as this one has succeeded.
        #expect(bench.created.count == 3)
        bench.created.entries[2].fail(Oops(2))
        bench.time.run()
        gate.succeed()
        bench.time.run()
        #expect(bench.got.entries == ["a 1", "b 1"])
    }

    @Test func `if no creation succeeds, the first operation fails, and resources are created for the others`() {
        let bench = Workbench(2)
        let futures = ["a", "b", "c", "d"].map { bench.enqueue($0) }
        for index in 0..<2 { bench.created.entries[index].fail(Oops(index)) }
        bench.time.run()
        #expect(futures.map { $0.error as? Oops } == [Oops(1), nil, nil, nil])
        #expect(bench.created.count == 4)
        bench.create(2, 7)
        #expect(bench.got.entries == ["b 7", "c 7", "d 7"])
    }

    @Test func `an operation that a new resource can serve does not count toward maxWaitingCount`() {
        let bench = Workbench(2, maxWaitingCount: 0)
        #expect(bench.pool.capacityAvailable().isCompleted)
        bench.enqueue("a", until: .never)
        bench.enqueue("b", until: .never)
        #expect(bench.enqueue("c").error as? QueueError == .full(maxWaitingCount: 0))
        bench.create(0, 1)
        bench.create(1, 2)
        #expect(bench.got.entries == ["a 1", "b 2"])
    }
}
