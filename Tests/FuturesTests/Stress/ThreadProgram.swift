// Thread programs: random actions of several threads on one object, repeated until one program reports a fault.

import Testing

/// The actions of four threads on one object.
protocol ThreadProgram: Sendable {
    var witness: Witness { get }
    func run(thread: Int, _ random: inout SplitMix)
    /// Waits until everything has completed, and checks that nothing is left.
    func finish() async
}

/// Runs `count` programs in sequence until one reports a fault.
func runPrograms(
    _ count: Int, location: Testing.SourceLocation = #_sourceLocation, _ make: (inout SplitMix) -> some ThreadProgram
) async {
    var random = SplitMix(.random(in: 0...(.max / 2)))
    for _ in 0..<count {
        let (program, seed) = (make(&random), random.next())
        race { thread in
            var random = SplitMix(seed &+ UInt64(thread))
            program.run(thread: thread, &random)
        }
        await program.finish()
        await program.witness.expect("something is kept") { program.witness.census.alive == 0 }
        guard let complaint = program.witness.complaint else { continue }
        Issue.record("\(complaint)", sourceLocation: location)
        return
    }
}

/// An action that happens once, though two threads may call it: one by a cancel, and one by a result.
final class Ending: Sendable {
    private let isOver = Shared(false)
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// The second caller continues when the first one has finished.
    @Sendable func end() {
        isOver.change { isOver in
            if !isOver { body() }
            isOver = true
        }
    }
}
