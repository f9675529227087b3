// Random programs of queues behave like the sequential model, also within operations.

import Foundation
import Futures
import Testing

@Suite struct QueueProgramTests {
    @Test func `random programs of queues behave like the sequential model`() {
        checkPrograms(isDebug ? 10_000 : 100_000) { random in
            var generator = QueueProgramGenerator(random)
            return generator.program()
        } complaint: {
            complaint(about: $0)
        }
    }

    private func complaint(about program: [QueueStep]) -> String? {
        let library = QueueInterpreter(QueueLibrary())
        library.run(program)
        let log = library.log
        library.end()
        let model = QueueInterpreter(QueueModel())
        model.run(program)
        guard log != model.log else { return nil }
        let index = zip(log, model.log).enumerated().first { $1.0 != $1.1 }?.offset
        let agreed = index ?? min(log.count, model.log.count)
        func show(_ log: [QueueEntry]) -> String {
            log.dropFirst(max(0, agreed - 6)).prefix(9).map { "    \($0)" }.joined(separator: "\n")
        }
        let steps = program.map { "  \($0)" }.joined(separator: "\n")
        return "\(steps)\ndiffers from entry \(agreed) on; library:\n\(show(log))\nmodel:\n\(show(model.log))"
            .replacingOccurrences(of: "FuturesTests.", with: "").replacingOccurrences(of: "Futures.", with: "")
    }
}

struct QueueProgramGenerator {
    private var random: SplitMix
    /// The number of callbacks with actions that may be added: each multiplies the orders that a program can have.
    private var busyCallbacks = 4

    init(_ random: SplitMix) { self.random = random }

    mutating func program() -> [QueueStep] { (0..<Int.random(in: 4..<24, using: &random)).map { _ in step(2) } }

    private mutating func step(_ nesting: Int) -> QueueStep {
        switch Int.random(in: 0..<22, using: &random) {
        case 0: .promise
        case 1...5: .complete(promise: index(), outcome())
        case 6...8: .cancel(index())
        case 9: .abort(queue: index(), closes: Int.random(in: 0..<4, using: &random) == 0)
        case 10: Int.random(in: 0..<4, using: &random) == 0 ? .close(queue: index()) : .resume(queue: index())
        case 11: .pause(queue: index())
        case 12: .resume(queue: index())
        case 13: .drained(queue: index(), steps(nesting))
        default: .enqueue(queue: index(), priority(), weight: weight(), repeats: repeats(), body(nesting))
        }
    }

    private mutating func index() -> Int { Int.random(in: 0..<12, using: &random) }

    private mutating func repeats() -> Int { max(0, Int.random(in: -4..<3, using: &random)) }

    private mutating func weight() -> Int { [1, 1, 1, 1, 2, 3].randomElement(using: &random)! }

    private mutating func priority() -> QueuePriority {
        Bool.random(using: &random) ? .normal : [.high, .normal, .low].randomElement(using: &random)!
    }

    private mutating func outcome() -> Outcome {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: .error(1000)
        case 2: .cancelled
        default: .value(Int.random(in: 0..<100, using: &random))
        }
    }

    private mutating func body(_ nesting: Int) -> QueueBody {
        let endings: [QueueBody.Ending] = [
            .value, .value, .error, .thrown, .never, .promise(index()), .promise(index()), .promise(index()),
        ]
        return QueueBody(
            steps: steps(nesting), ending: endings.randomElement(using: &random)!,
            heard: Bool.random(using: &random) ? nil : steps(nesting))
    }

    private mutating func steps(_ nesting: Int) -> [QueueStep] {
        guard nesting > 0, busyCallbacks > 0, Int.random(in: 0..<3, using: &random) == 0 else { return [] }
        busyCallbacks -= 1
        return (0..<Int.random(in: 1..<4, using: &random)).map { _ in step(nesting - 1) }
    }
}

extension QueueStep: ProgramStep {
    var smaller: [QueueStep] {
        switch self {
        case .enqueue(let queue, let priority, let weight, let repeats, let body):
            body.smaller.map { .enqueue(queue: queue, priority, weight: weight, repeats: repeats, $0) }
                + (repeats > 0
                    ? [.enqueue(queue: queue, priority, weight: weight, repeats: repeats - 1, body)] : [])
                + (priority != .normal
                    ? [.enqueue(queue: queue, .normal, weight: weight, repeats: repeats, body)] : [])
                + (weight > 1 ? [.enqueue(queue: queue, priority, weight: 1, repeats: repeats, body)] : [])
        case .drained(let queue, let steps): steps.smaller.map { .drained(queue: queue, $0) }
        default: []
        }
    }
}

extension QueueBody {
    fileprivate var smaller: [QueueBody] {
        let smallerHeard: [[QueueStep]?] =
            if let heard { heard.isEmpty ? [nil] : heard.smaller } else { [] }
        return steps.smaller.map { QueueBody(steps: $0, ending: ending, heard: heard) }
            + smallerHeard.map { QueueBody(steps: steps, ending: ending, heard: $0) }
    }
}
