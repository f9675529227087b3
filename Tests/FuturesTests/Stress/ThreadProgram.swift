// Thread programs: random things that several threads do to something, again and again, until one complains.

import Testing

/// What four threads do to something, and what was wrong then.
protocol ThreadProgram: Sendable {
    func run(thread: Int)
    /// Waits for the end, and looks whether nothing is left.
    func finish() async
    /// What was wrong first.
    var complaint: String? { get }
}

/// Runs so many programs, one after the other, until one complains.
func runPrograms(
    _ count: Int, location: Testing.SourceLocation = #_sourceLocation, _ make: (inout SplitMix) -> some ThreadProgram
) async {
    var random = SplitMix(.random(in: 0...(.max / 2)))
    for _ in 0..<count {
        let program = make(&random)
        race { program.run(thread: $0) }
        await program.finish()
        guard let complaint = program.complaint else { continue }
        Issue.record("\(complaint)", sourceLocation: location)
        return
    }
}

/// What is done once, though two may end it: a cancel in one thread, and the result in another one.
final class Ending: Sendable {
    private let isOver = Guarded(false)
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Whoever ends it second goes on when the first one has.
    @Sendable func end() {
        isOver.with { isOver in
            if !isOver { body() }
            isOver = true
        }
    }
}
