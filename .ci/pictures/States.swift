// States: what a future waits for, and how it completes.

/// Draws the states of a future.
enum States {
    static var drawing: SVG {
        var boxes = Boxes(title: "The states of a future", width: 900, height: 352)
        let promise = boxes.box(["pending", "a promise or an operation"], at: (20, 58), width: 190)
        let waiting = boxes.box(
            ["pending", "waits for its source, the", "future that it transforms"], at: (20, 145), width: 190)
        let running = boxes.box(["pending", "its closure runs", "(map, flatMap, …)"], at: (330, 145), width: 170)
        let inner = boxes.box(
            ["pending", "waits for the inner future,", "which the closure returned"], at: (330, 250), width: 170)
        let completed = boxes.box(
            [
                "completed", "", "succeeded:", "a value", "", "failed:", "an error", "", "cancelled:",
                "failed with a", "CancellationError", "", "",
            ], at: (750, 58), width: 130)
        boxes.arrow(
            from: (promise, .right()),
            to: (completed, .left((promise.y + promise.height / 2 - completed.y) / completed.height)),
            ["it is completed; or nothing is left that could complete it: abandoned"])
        boxes.arrow(from: (waiting, .right()), to: (running, .left()), ["the source", "completes"])
        boxes.arrow(
            from: (running, .right()),
            to: (completed, .left((running.y + running.height / 2 - completed.y) / completed.height)),
            ["the closure returns a value, or throws"])
        boxes.arrow(from: (running, .bottom()), to: (inner, .top()), ["the closure returns a future"])
        boxes.arrow(
            from: (inner, .right()),
            to: (completed, .left((inner.y + inner.height / 2 - completed.y) / completed.height)),
            ["the inner future completes: its result"])
        return boxes.drawing(
            caption: "cancel() completes a pending future at any of these points, unless it has listeners.")
    }
}
