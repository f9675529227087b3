// Request rows: a whole request of a server, from its key's queue to the reply.

import Dispatch
import Synchronization

/// A whole request: it waits for its turn in the queue of its key, asks the backend, maps the answer where it works,
/// asks again, recovers from an error, asks for three things at the same time, and sends a reply, all within a minute.
///
/// A request has five answers of the backend, each from another thread, and four hops to the thread on which it works.
let requestRows = [false, true].flatMap { isOnTheClock in
    [
        requestRow("whole request, 1 k in flight", atOnce: 1000, isOnTheClock),
        requestRow("whole request, 20 k at once", atOnce: 20_000, isOnTheClock),
    ]
}

/// Returns a row of requests of which at most `atOnce` are in progress: each reply starts another one.
///
/// The processor time of all threads is measured, or the time that the clock on the wall shows.
private func requestRow(_ name: String, atOnce: Int, _ isOnTheClock: Bool) -> Row {
    let count = 20_000
    let clock: Clock = isOnTheClock ? .wall : .process
    func contestant(_ side: Side, _ makeServer: @escaping @Sendable () -> any RequestServer) -> Contestant {
        .preparing(side, clock: clock) { _ in
            let server = makeServer()
            return { Load(count: count, atOnce: atOnce, server).run() }
        }
    }
    return Row(
        name: isOnTheClock ? name + ", on the clock" : name, operations: count, isOnePass: true,
        isLong: isOnTheClock || atOnce > 1000,
        contestants: [
            contestant(.futures) { FutureServer() },
            contestant(.dispatch) { DispatchServer() },
            contestant(.concurrency) { TaskServer() },
        ])
}

/// What answers requests.
protocol RequestServer: Sendable {
    /// Starts a request, and calls `reply` with its result.
    func request(_ id: Int, _ reply: @escaping @Sendable (Int) -> Void)
}

extension RequestServer {
    /// The queue in which a request waits: requests of the same user, say, come one after the other.
    func key(_ id: Int) -> Int { id & 0xFF }
}

/// Sends requests to a server, and waits for the replies.
private final class Load: Sendable {
    private let count: Int
    private let atOnce: Int
    private let server: any RequestServer
    private let sent = Atomic<Int>(0)
    private let answered = Atomic<Int>(0)
    private let done = DispatchSemaphore(value: 0)

    init(count: Int, atOnce: Int, _ server: any RequestServer) {
        self.count = count
        self.atOnce = atOnce
        self.server = server
    }

    func run() {
        for _ in 0..<atOnce { send() }
        Held.look()
        done.wait()
    }

    private func send() {
        let id = sent.wrappingAdd(1, ordering: .relaxed).oldValue
        guard id < count else { return }
        server.request(id) { [self] _ in
            if answered.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == count { done.signal() }
            send()
        }
    }
}

let requestTimeout = Duration.seconds(60)
