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
            let permit = Shared(mutex.lock().success)
            // Released with its last reference.
            return ({ permit.value = nil }, mutex.lock().asVoid())
        },
        {
            let lock = FutureReadWriteLock()
            let permit = lock.lockForWriting().success!
            _ = lock.lockForReading()
            return ({ permit.dispose() }, lock.lockForReading().asVoid())
        },
        {
            let queue = FutureQueue()
            let running = queue.enqueue(on: .immediate) { stoppable {} }
            return ({ running.cancel() }, queue.runSync(on: .background) {})
        },
        {
            let queue = FutureQueue()
            let batch = queue.enqueueBatch(on: .immediate) { _ in stoppable {} }
            return ({ batch.cancel() }, queue.runSync(on: .background) {})
        },
        {
            let pool = ResourcePool(maxCount: 1) { Future(1) }
            let running = pool.enqueue(on: .immediate) { _ in stoppable {} }
            return ({ running.cancel() }, pool.enqueue(on: .background) { _ in Future() })
        },
        {
            let queue = KeyedFutureQueue<Int>()
            let running = queue.enqueue(on: .immediate, for: 1) { stoppable {} }
            return ({ running.cancel() }, queue.enqueue(on: .background, for: 1) { Future() })
        },
        {
            let queue = FutureQueue()
            let (running, began) = (Promise<Int>(), Signal())
            queue.enqueue(on: .background) {
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
                let batch = queue.enqueueBatch(on: scheduler) { inner in
                    inner.enqueue(on: .background) {
                        began.send()
                        #expect(gate.comes())
                        return Future(1)
                    }
                }
                let signal = Signal()
                queue.runSync(on: .background) { signal.send() }
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

    @Test func `a queue that is released cleans up what can never complete before it calls what it resumes`() {
        let (other, cleaned, isInTime) = (Scheduler(label: "other"), Signal(), Shared(false))
        let queue = Shared<FutureQueue<Void>?>(FutureQueue(maxConcurrentCount: 2))
        queue.value?.enqueue(on: other) {
            Future<Int>.never
        } finally: { _ in
            Future(cleaned.send())
        }
        // By now, the operation's closure has returned.
        other.sync {}
        queue.value?.pause()
        let resumed = queue.value?.runSync(on: .immediate) { isInTime.value = cleaned.comes() }
        queue.value = nil
        #expect(isInTime.value)
        #expect(resumed?.isCompleted == true)
    }

    @Test func `a queue that is released starts what it resumes before it calls the cleanups of what it ends`() {
        let (began, isInTime) = (Signal(), Shared(false))
        let queue = Shared<FutureQueue<Void>?>(FutureQueue(maxConcurrentCount: 2))
        queue.value?.enqueue(on: .immediate) {
            Future<Int>.never
        } finally: { _ in
            isInTime.value = began.comes()
            return Future()
        }
        queue.value?.pause()
        let resumed = queue.value?.runSync(on: .background) { began.send() }
        queue.value = nil
        #expect(isInTime.value)
        _ = try? resumed?.wait()
    }

    @Test func `a producer that waits for capacity does not wait for an operation that starts in place`() {
        let isInTime = Shared(false)
        onAnotherThread {
            let (queue, signal) = (FutureQueue(maxWaitingCount: 1), Signal())
            queue.pause()
            queue.runSync(on: .immediate) { isInTime.value = signal.comes() }
            let room = queue.capacityAvailable().onValue(on: .background) { signal.send() }
            queue.resume()
            _ = try? room.wait()
        }
        #expect(isInTime.value)
    }
}
