// The heap of timers, compared with a sorted array.

import Futures
import Testing

@Suite struct TimerHeapTests {
    /// The specification of the heap: the jobs in the order of their deadlines, and then of their insertion.
    private struct Model {
        private(set) var jobs: [(deadline: Int, job: DelayedJob)] = []

        mutating func insert(_ job: DelayedJob, at deadline: Int) {
            let index = jobs.firstIndex { $0.deadline > deadline } ?? jobs.count
            jobs.insert((deadline, job), at: index)
        }

        mutating func remove(at index: Int) -> DelayedJob { jobs.remove(at: index).job }

        mutating func popFirst(until end: Int) -> DelayedJob? {
            guard let first = jobs.first, first.deadline <= end else { return nil }
            return remove(at: 0)
        }
    }

    private func instant(_ deadline: Int) -> Duration { .nanoseconds(deadline) }

    @Test(arguments: [3, 40, 100_000]) func `a heap of timers behaves like a sorted array`(deadlineCount: Int) {
        for seed in 0..<60 {
            var random = SplitMix(UInt64(seed))
            var (heap, model, gone) = (TimerHeap(), Model(), [DelayedJob]())
            // The heap grows and shrinks in phases.
            for step in 0..<1500 {
                let growth: UInt64 = (step / 300) % 2 == 0 ? 6 : 2
                switch random.next() % 8 {
                case 0..<growth:
                    let (job, deadline) = (DelayedJob {}, Int.random(in: 0..<deadlineCount, using: &random))
                    heap.insert(job, at: instant(deadline))
                    model.insert(job, at: deadline)
                case growth where !model.jobs.isEmpty:
                    let job = model.remove(at: .random(in: 0..<model.jobs.count, using: &random))
                    let isRemoved = heap.remove(job)
                    #expect(isRemoved)
                    gone.append(job)
                default:
                    let end = Int.random(in: -1..<deadlineCount, using: &random)
                    let popped = heap.popFirst(until: instant(end))
                    let expected = model.popFirst(until: end)
                    #expect(popped === expected)
                    if let popped { gone.append(popped) }
                }
                #expect(heap.count == model.jobs.count)
                #expect(heap.firstDeadline == model.jobs.first.map { instant($0.deadline) })
                let isStillThere = gone.last.map { heap.remove($0) } ?? false
                #expect(!isStillThere)
            }
            while let job = heap.popFirst(until: instant(deadlineCount)) {
                let expected = model.popFirst(until: deadlineCount)
                #expect(job === expected)
            }
            #expect(heap.count == 0 && model.jobs.isEmpty)
        }
    }
}
