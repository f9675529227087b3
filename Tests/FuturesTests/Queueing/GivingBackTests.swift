// Turns that are released in callbacks. Contract/GivingBack.md

import Futures
import FuturesTesting
import Testing

@Suite struct GivingBackTests {
    /// A closure that releases a turn, and a future that waits for the turn.
    private typealias Way = @Sendable () -> (giveBack: @Sendable () -> Void, next: Future<Void>)

    private static let ways: [Way] = [
        {
            let semaphore = FutureSemaphore(count: 1)
            let permit = semaphore.acquire().success!
            return ({ permit.release() }, semaphore.acquire().asVoid())
        },
        {
            let mutex = FutureMutex()
            let permit = Shared(mutex.acquire().success)
            // Released with its last reference.
            return ({ permit.value = nil }, mutex.acquire().asVoid())
        },
        {
            let lock = FutureReadWriteLock()
            let permit = lock.writing.acquire().success!
            _ = lock.reading.acquire()
            return ({ permit.dispose() }, lock.reading.acquire().asVoid())
        },
        {
            let queue = FutureQueue()
            let running = queue.on(.immediate).enqueue { stoppable {} }
            return ({ running.cancel() }, queue.on(.background).run {})
        },
        {
            let queue = FutureQueue()
            let batch = queue.on(.immediate).batch().enqueue { _ in stoppable {} }
            return ({ batch.cancel() }, queue.on(.background).run {})
        },
        {
            let pool = ResourcePool(maxCount: 1, callTimeout: testTimeout) { Future(1) }
            let running = pool.on(.immediate).enqueue { _ in stoppable {} }
            return ({ running.cancel() }, pool.on(.background).enqueue { _ in Future() })
        },
        {
            let queue = KeyedFutureQueue<Int>()
            let running = queue[1].on(.immediate).enqueue { stoppable {} }
            return ({ running.cancel() }, queue[1].on(.background).enqueue { Future() })
        },
        {
            let queue = FutureQueue()
            let (running, began) = (Promise<Int>(), Signal())
            queue.on(.background).enqueue {
                began.send()
                return running.future
            }
            #expect(began.comes())
            return ({ running.succeed(1) }, queue.drained())
        },
    ]

    @Test(arguments: [0] + nestings)
    func `a turn that is released in a callback is passed on before the callback returns`(depth: Int) {
        let heard = Log<Int>()
        for (index, way) in Self.ways.enumerated() {
            onAnotherThread {
                Scheduler(label: "mine").sync {
                    nest(depth) {
                        let (giveBack, next) = way()
                        let signal = Signal()
                        next.onValue(on: .background) { signal.send() }
                        giveBack()
                        if signal.comes() { heard.add(index) }
                    }
                }
            }
        }
        #expect(heard.entries == Array(Self.ways.indices))
    }

    @Test(arguments: [0] + nestings)
    func `the turn of a batch that was cancelled in a callback is passed on once its operations are over`(depth: Int) {
        let heard = Shared(false)
        onAnotherThread {
            nest(depth) {
                let queue = FutureQueue()
                let (began, gate) = (Signal(), Signal())
                let scheduler = Scheduler(label: "batch")
                let batch = queue.on(scheduler).batch().enqueue { inner in
                    inner.on(.background).enqueue {
                        began.send()
                        #expect(gate.comes())
                        return Future(1)
                    }
                }
                let signal = Signal()
                queue.on(.background).run { signal.send() }
                #expect(began.comes())
                // By now, the batch's closure has returned.
                scheduler.sync {}
                batch.cancel()
                gate.send()
                heard.value = signal.comes()
            }
        }
        #expect(heard.value)
    }

    @Test func `a producer that waits for capacity does not wait for an operation that starts in place`() {
        let isInTime = Shared(false)
        onAnotherThread {
            let (queue, signal) = (FutureQueue(maxWaitingCount: 1), Signal())
            queue.isPaused = true
            queue.on(.immediate).run { isInTime.value = signal.comes() }
            let room = queue.capacityAvailable().onValue(on: .background) { signal.send() }
            queue.isPaused = false
            _ = try? room.wait()
        }
        #expect(isInTime.value)
    }
}
