// WaitingJobs: the jobs of one scheduler of a simulation.

internal import Futures

/// Jobs in the order in which they were enqueued. Any of them is removed in O(log *n*).
struct WaitingJobs {
    private struct Waiting {
        let job: Job
        let number: Int
    }

    /// Those that were removed are nil.
    private var places: [Waiting?] = []
    /// The number of jobs at each place: one or none.
    private var tree = CountTree()

    var count: Int { tree.total }
    var isEmpty: Bool { count == 0 }

    /// The numbers of the jobs.
    var numbers: [Int] { places.compactMap { $0?.number } }

    mutating func append(_ job: Job, number: Int) {
        places.append(Waiting(job: job, number: number))
        tree.append(1)
    }

    /// Removes and returns the job at `index`.
    mutating func remove(at index: Int) -> Job {
        let place = tree.find(index).index
        let job = places[place].take()!.job
        tree.add(-1, at: place)
        // Each removal pays for one place.
        if places.count > 2 * count + 16 { removeEmptyPlaces() }
        return job
    }

    private mutating func removeEmptyPlaces() {
        places.removeAll { $0 == nil }
        tree = CountTree()
        for _ in places { tree.append(1) }
    }
}
