// Random programs of futures, also in callbacks: the contract explains their results.

import Futures
import Testing

@Suite struct RandomProgramTests {
    @Test(arguments: [false, true])
    func `random programs, also of only flatMaps, follow the contract`(linksMostly: Bool) {
        checkPrograms(isDebug ? 6000 : 150_000) { random in
            var generator = ProgramGenerator(random, linksMostly: linksMostly)
            return generator.program()
        } complaint: {
            Explanation.complaint(about: $0)
        }
    }
}

private struct ProgramGenerator {
    private var random: SplitMix
    /// The number of callbacks with actions that may be added: each multiplies the orders that a program can have.
    private var busyCallbacks = 7
    private let linksMostly: Bool
    private let usesNever: Bool

    init(_ random: SplitMix, linksMostly: Bool) {
        self.random = random
        self.linksMostly = linksMostly
        usesNever = Bool.random(using: &self.random)
    }

    mutating func program() -> [Step] {
        let length = Int.random(in: linksMostly ? 8..<20 : 4..<18, using: &random)
        return [.promise, .promise] + (0..<length).map { _ in step(linksMostly ? 1 : 2) }
    }

    private mutating func step(_ nesting: Int) -> Step {
        let kinds = linksMostly ? [0, 0, 2, 2, 2, 4, 5, 5, 5, 7, 7, 7, 7, 7, 7, 8, 8, 17] : Array(0..<18)
        switch kinds.randomElement(using: &random)! {
        case 0: return .promise
        case 1: return .operation(steps(nesting))
        case 2: return .complete(promise: index(), outcome())
        case 3: return .drop(promise: index())
        case 4: return .dropFuture(index())
        case 5, 16: return .cancel(index())
        case 6: return .map(index(), wants(), body(nesting))
        case 7, 15: return .flatMap(index(), wants(), body(nesting), returning: index())
        case 8, 14: return .observe(index(), wants(), body(nesting))
        case 9: return .onCancel(index(), steps(nesting))
        case 10: return .always(index(), steps(nesting))
        case 11: return .join(indices(), cancelNonCompleted: Bool.random(using: &random))
        case 12: return .select(indices())
        case 17: return usesNever ? .never : .promise
        default: return .complete(promise: index(), outcome())
        }
    }

    private mutating func index() -> Int { Int.random(in: 0..<12, using: &random) }

    private mutating func indices() -> [Int] { (0..<Int.random(in: 0..<4, using: &random)).map { _ in index() } }

    private mutating func outcome() -> Outcome {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .error(1000)
        case 1: .cancelled
        default: .value(Int.random(in: 0..<100, using: &random))
        }
    }

    private mutating func wants() -> Wants {
        Bool.random(using: &random) ? .values : Wants.allCases.randomElement(using: &random)!
    }

    private mutating func body(_ nesting: Int) -> Body {
        Body(steps: steps(nesting), fails: Int.random(in: 0..<8, using: &random) == 0)
    }

    private mutating func steps(_ nesting: Int) -> [Step] {
        guard nesting > 0, busyCallbacks > 0, Int.random(in: 0..<3, using: &random) == 0 else { return [] }
        busyCallbacks -= 1
        return (0..<Int.random(in: 1..<4, using: &random)).map { _ in step(nesting - 1) }
    }
}

extension Step: ProgramStep {
    var smaller: [Step] {
        switch self {
        case .operation(let steps): steps.smaller.map { .operation($0) }
        case .map(let index, let wants, let body): body.smaller.map { .map(index, wants, $0) }
        case .flatMap(let index, let wants, let body, let returned):
            body.smaller.map { .flatMap(index, wants, $0, returning: returned) }
        case .observe(let index, let wants, let body): body.smaller.map { .observe(index, wants, $0) }
        case .onCancel(let index, let steps): steps.smaller.map { .onCancel(index, $0) }
        case .always(let index, let steps): steps.smaller.map { .always(index, $0) }
        case .join(let indices, let cancels):
            indices.indices.map { index in
                var other = indices
                other.remove(at: index)
                return .join(other, cancelNonCompleted: cancels)
            }
        default: []
        }
    }
}

extension Body {
    fileprivate var smaller: [Body] {
        steps.smaller.map { Body(steps: $0, fails: fails) } + (fails ? [Body(steps: steps)] : [])
    }
}
