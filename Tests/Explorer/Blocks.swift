// Blocks: those that were submitted to dispatch queues, and the time for which the timers are set.

import Futures

/// Stands for Dispatch: the blocks of serial and concurrent queues that have not run yet, and one timer.
struct Blocks {
    typealias Block = @Sendable () -> Void

    struct Waiting {
        let block: Block
        /// The queue, if it is serial.
        let queue: ObjectIdentifier?
        /// What happens before the block.
        var clock: Clock
    }

    private var waiting: [Waiting] = []
    /// The serial queues of which a block is running.
    private var busy: Set<ObjectIdentifier> = []
    /// What happens before the next blocks of serial queues.
    private var ended: [ObjectIdentifier: Clock] = [:]
    private(set) var runningCount = 0
    private(set) var time = Duration.zero
    private var timer: Duration?

    var isEmpty: Bool { waiting.isEmpty && runningCount == 0 }

    /// Whether a thread could run a block now.
    var canRun: Bool { waiting.contains { !isBusy($0) } }

    private func isBusy(_ waiting: Waiting) -> Bool { waiting.queue.map(busy.contains) ?? false }

    mutating func add(_ block: @escaping Block, to queue: ObjectIdentifier, isSerial: Bool, _ clock: Clock = Clock()) {
        waiting.append(Waiting(block: block, queue: isSerial ? queue : nil, clock: clock))
    }

    /// Takes the first block that may run. When it has run, `end` has to be called.
    mutating func take() -> Waiting? {
        guard let index = waiting.firstIndex(where: { !isBusy($0) }) else { return nil }
        var first = waiting.remove(at: index)
        if let queue = first.queue {
            busy.insert(queue)
            if let clock = ended[queue] { first.clock.join(clock) }
        }
        runningCount += 1
        return first
    }

    mutating func end(_ waiting: Waiting, _ clock: Clock = Clock()) {
        if let queue = waiting.queue {
            busy.remove(queue)
            ended[queue] = clock
        }
        runningCount -= 1
    }

    /// Forgets the clocks of another run.
    mutating func begin() {
        ended = [:]
        for index in waiting.indices { waiting[index].clock = Clock() }
    }

    mutating func setTimer(for time: Duration) { timer = time }

    /// Lets time pass until the timers fire, if they are set for a time before `limit`. Adds the block that does so.
    mutating func passTime(until limit: Duration = .longest) -> Bool {
        guard let timer, timer <= limit else { return false }
        time = max(time, timer)
        self.timer = nil
        add({ Timers.shared.fire() }, to: ObjectIdentifier(Baton.self), isSerial: true)
        return true
    }
}
