// RepeatedProgram: a tree of combinations whose repetitions must behave like its first run.

import Futures
import FuturesTesting
import Testing

extension Attacks {
    @Suite struct Repetitions {
        @Test func `repetitions of random combinations do what their first run did, also in a callback`() {
            Attacks.run(isDebug ? 1000 : 20_000) { random in RepeatedRun(RepeatedProgram(&random)).complaint() }
        }
    }
}

/// A random tree of combinations on one thread, which logs starts, callbacks in their order, and the result.
struct RepeatedProgram: Sendable {
    indirect enum Tree: Sendable {
        case value(Int), failure(Int)
        /// A completed future with a callback of its own.
        case mapped(Int), failing(Int)
        case operation(Int, completes: Bool, fails: Bool)
        /// An operation whose closure takes `begins` to return, and that completes `ends` after it was called.
        case slow(Int, begins: Duration, ends: Duration)
        case queued(Int)
        case join([Tree]), pair(Tree, Tree), settle([Tree]), first(Int, [Tree]), firstSuccess([Tree])
        case select([Tree]), either(Tree, Tree), timeout(Tree, after: Duration)
        case flatMap(Int, Tree, Tree), observed(Int, Tree), performWhile(Int, Tree), again(Tree)

        /// Whether the first operation of the chain is one of a queue.
        var isQueued: Bool {
            switch self {
            case .queued: true
            case .timeout(let source, _), .flatMap(_, let source, _), .observed(_, let source), .again(let source):
                source.isQueued
            default: false
            }
        }
    }

    private(set) var tree = Tree.value(0)
    let repetitions: Int
    let inCallback: Bool
    /// Whether operations may take time to start. In a callback, the next run would start meanwhile.
    var beginsSlowly: Bool { !makesInCallbacks && !repeatsInCallbacks }
    private var makesInCallbacks = false
    private var repeatsInCallbacks = false
    private var count = 0

    init(_ random: inout SplitMix) {
        repetitions = random.pick([1, 2, 3, 13, 14, 15, 16, 17, 20, 40])
        inCallback = random.oneIn(2)
        tree = tree(&random, Int.random(in: 1...3, using: &random))
    }

    private mutating func number() -> Int {
        count += 1
        return count
    }

    private mutating func tree(_ random: inout SplitMix, _ height: Int) -> Tree {
        guard height > 0, !random.oneIn(6) else { return leaf(&random) }
        let all = (0..<Int.random(in: 2...3, using: &random)).map { _ in tree(&random, height - 1) }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .join(all)
        case 1: return .pair(all[0], all[1])
        case 2: return .settle(all)
        case 3: return .first(Int.random(in: 1...all.count, using: &random), all)
        case 4: return .firstSuccess(all)
        case 5: return .select(all)
        case 6: return .either(all[0], all[1])
        case 7: return .timeout(all[0], after: limit(&random))
        case 8:
            // Created when the source has its value, so its operations start in each run.
            makesInCallbacks = true
            return .flatMap(number(), all[0], tree(&random, height - 1))
        // Of an operation in a queue, the work may begin in a repetition although the operation completes at once.
        case 9: return all[0].isQueued ? all[0] : .performWhile(number(), all[0])
        case 10:
            repeatsInCallbacks = true
            return .again(all[0])
        default: return .observed(number(), all[0])
        }
    }

    private func limit(_ random: inout SplitMix) -> Duration {
        random.pick([.seconds(1000), .seconds(1), .seconds(2), .seconds(3)])
    }

    private mutating func leaf(_ random: inout SplitMix) -> Tree {
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: return .value(number())
        case 2: return .failure(number())
        case 3, 4: return .mapped(number())
        case 5: return .failing(number())
        case 6: return .queued(number())
        case 7, 8:
            return .slow(number(), begins: random.pick([.zero, .seconds(2)]), ends: random.pick([.zero, .seconds(2)]))
        default: return .operation(number(), completes: random.oneIn(2), fails: random.oneIn(4))
        }
    }
}

/// One run of a program, and its repetitions.
// Safe to share: everything happens on one thread.
final class RepeatedRun: @unchecked Sendable {
    private let program: RepeatedProgram
    private var runs: [[String]] = [[]]
    private let time = VirtualTime()
    /// The completions of operations that have started, by number.
    private var pending: [Int: Future<String>.Completion] = [:]

    init(_ program: RepeatedProgram) { self.program = program }

    func complaint() -> String? {
        let root = make(program.tree)
        let first = root.onResult(on: .immediate) { self.log("result \(self.name(of: $0))") }
        drive()
        guard first.isCompleted else { return "the first run is pending" }
        let end = Shared<Future<String>?>(nil)
        call(inCallback: program.inCallback) {
            end.value = root.onResultRepeat(on: .immediate, maxRepetitions: self.program.repetitions) {
                if self.runs.count > 1 { self.log("result \(self.name(of: $0))") }
                self.runs.append([])
                return true
            }
        }
        drive()
        // No predicate is called with the last result.
        if let result = end.value?.result { log("result \(name(of: result))") }
        guard end.value?.isCompleted == true, runs.count == program.repetitions + 1 else {
            return "the repetitions end after \(runs.count - 1) of \(program.repetitions): \(program)"
        }
        for index in runs.indices where runs[index] != runs[0] {
            return "run \(index) was \(runs[index]), and not as the first: \(runs[0]) in \(program)"
        }
        return nil
    }

    private func log(_ entry: String) { runs[runs.count - 1].append(entry) }

    private func name(of result: Result<String, any Error>) -> String {
        switch result {
        case .success(let value): value
        case .failure(let error as TooFewSuccessesError): "too few \(error.errors.map { "\($0)" })"
        case .failure(let error): "\(error)"
        }
    }

    /// Completes pending operations, the lowest number first, and advances the time when none is pending.
    private func drive() {
        while true {
            if let number = pending.keys.min() {
                let completion = pending.removeValue(forKey: number)!
                log("end \(number)")
                completion(.success("operation \(number)"))
            } else if time.pendingCount > 0 {
                try? time.runToEnd(limit: 1)
            } else {
                return
            }
        }
    }

    private func slow(_ number: Int, begins: Duration, ends: Duration) -> Future<String> {
        Future(on: .immediate) { [time] completion in
            self.log("begin \(number)")
            let timer = time.scheduler.async(after: ends) { completion(.success("slow \(number)")) }
            if self.program.beginsSlowly { time.advance(by: begins) }
            self.log("begun \(number)")
            return Disposer {
                self.log("dispose \(number)")
                timer.dispose()
            }
        }
    }

    private func operation(_ number: Int, completes: Bool, fails: Bool) -> Future<String> {
        Future(on: .immediate) { completion in
            self.log("begin \(number)")
            if fails {
                completion(.failure(Oops(number)))
            } else if completes {
                completion(.success("operation \(number)"))
            } else {
                self.pending[number] = completion
            }
            return Disposer {
                self.log("dispose \(number)")
                self.pending[number] = nil
            }
        }
    }

    private func make(_ tree: RepeatedProgram.Tree) -> Future<String> {
        switch tree {
        case .value(let number): Future("value \(number)")
        case .failure(let number): Future(error: Oops(number))
        case .mapped(let number): observed(number, Future("mapped \(number)"))
        case .failing(let number): observed(number, Future("")).map(on: .immediate) { _ in throw Oops(number) }
        case .operation(let number, let completes, let fails): operation(number, completes: completes, fails: fails)
        case .queued(let number):
            FutureQueue().on(.immediate).enqueue { self.operation(number, completes: true, fails: false) }
        case .slow(let number, let begins, let ends): slow(number, begins: begins, ends: ends)
        case .join(let trees): join(trees.map(make)).map(on: .immediate) { "\($0)" }
        case .pair(let a, let b): join(make(a), make(b)).map(on: .immediate) { "\($0)" }
        case .settle(let trees):
            Future.settle(trees.map(make)).map(on: .immediate) { "\($0.map { self.name(of: $0) })" }
        case .first(let count, let trees): Future.first(count, of: trees.map(make)).map(on: .immediate) { "\($0)" }
        case .firstSuccess(let trees): Future.firstSuccess(of: trees.map(make))
        case .select(let trees): Futures.select(between: trees.map(make))
        case .either(let a, let b): Futures.select(make(a), or: make(b)).map(on: .immediate) { "\($0)" }
        case .timeout(let a, let limit): make(a).timeout(after: limit, on: time.scheduler)
        case .flatMap(let number, let a, let b):
            make(a).flatMap(on: .immediate) { value in
                self.log("flatMap \(number) \(value)")
                return self.make(b)
            }
        case .observed(let number, let a): observed(number, make(a))
        case .performWhile(let number, let a):
            make(a).performWhile(on: .immediate) {
                self.log("work \(number)")
                return Disposer { self.log("stop \(number)") }
            }
        case .again(let a): make(a).onErrorRepeat(on: .immediate, maxRepetitions: 1)
        }
    }

    private func observed(_ number: Int, _ future: Future<String>) -> Future<String> {
        future.map(on: .immediate) { value in
            self.log("hear \(number) \(value)")
            return value
        }
    }
}
