// WaitingJobs: the jobs of one scheduler of a simulation.

import Futures

/// Jobs in the order in which they were enqueued. Any of them is removed in O(log *n*), except that of those of one
/// strand only the first is there.
struct WaitingJobs {
    private struct Waiting {
        let job: Job
        let number: Int
        let strand: UInt?
    }

    /// Those that were removed are nil.
    private var places: [Waiting?] = []
    /// The number of jobs at each place: one or none.
    private var tree = CountTree()
    /// The strands that have a job above, and their other jobs.
    private var strands: [UInt: ArraySlice<Waiting>] = [:]

    var count: Int { tree.total }
    var isEmpty: Bool { count == 0 }

    /// The numbers of the jobs.
    var numbers: [Int] { places.compactMap { $0?.number } }

    mutating func append(_ job: Job, number: Int, in strand: UInt?) {
        let waiting = Waiting(job: job, number: number, strand: strand)
        if let strand {
            if strands[strand]?.append(waiting) != nil { return }
            strands[strand] = []
        }
        add(waiting)
    }

    private mutating func add(_ waiting: Waiting) {
        places.append(waiting)
        tree.append(1)
    }

    /// Removes and returns the job at `index`.
    mutating func remove(at index: Int) -> Job {
        let place = tree.find(index).index
        let waiting = places[place].take()!
        tree.add(-1, at: place)
        if let strand = waiting.strand {
            if let next = strands[strand]!.popFirst() { add(next) } else { strands[strand] = nil }
        }
        // Each removal pays for one place.
        if places.count > 2 * count + 16 { removeEmptyPlaces() }
        return waiting.job
    }

    private mutating func removeEmptyPlaces() {
        places.removeAll { $0 == nil }
        tree = CountTree()
        for _ in places { tree.append(1) }
    }
}
