// Closing: how a line refuses and aborts operations.

extension LineState {
    /// Takes out the waiting operations, to be failed, and returns them with the running ones; in one lane, or in all
    /// if that is nil. If there are any, `endAbort` has to be called then.
    mutating func abort(_ lane: Lane?) -> (waiting: [LineNode], running: [LineNode]) {
        var (waiting, running) = ([LineNode](), [LineNode]())
        for lane in lanes(lane) {
            running += self[lane].running()
            // Its operations retain the lane. One that its rate keeps is not updated, which could release it here.
            guard self[lane].isWaiting else { continue }
            change(lane) { $0.takeAll(into: &waiting) }
            update(lane)
        }
        waitingCount -= waiting.count
        if !waiting.isEmpty || !running.isEmpty { abortCount += 1 }
        return (waiting, running)
    }

    /// The operations that an abort has taken out have failed, and their callbacks have been called.
    mutating func endAbort() -> JobList {
        abortCount -= 1
        return goOn()
    }
}
