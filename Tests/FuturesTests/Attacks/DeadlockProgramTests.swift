// Random programs of operations that wait for each other: every deadlock is found, and no other.

import Futures
import Testing

extension Attacks {
    @Suite struct Deadlocks {
        @Test func `under any race, exactly those operations fail that wait for others behind them`() {
            Attacks.run(isDebug ? 300 : 2000) { random in
                let (program, cleanups) = (DeadlockProgram(&random), AtomicCounter())
                let lines = Shared(program.lines.map { SerialLine($0, cleanups) })
                // They retain their lines.
                let drained = program.operations.map { operation in
                    operation.emptyLine.map { line in lines.change { $0[line].drained } }
                }
                let gates = program.operations.map { _ in (Promise<Void>(), Promise<Void>()) }
                let futures = Shared<[Future<Int>]>([])
                let wait: @Sendable (Int) -> Future<Int> = { index in
                    let operation = program.operations[index]
                    let way = DeadlockProgram.ways[operation.way]
                    if let drained = drained[index] { return way(drained().map(on: .immediate) { index }) }
                    guard let target = operation.target else { return Future(index) }
                    return way(futures.change { $0[target] })
                }
                // Made before, and outside of the operations that wait for them.
                let behind = gates.indices.map { index in
                    gates[index].1.future.flatMap(on: .immediate) { wait(index) }.map(on: .immediate) { $0 }
                }
                for (index, operation) in program.operations.enumerated() {
                    let gate = gates[index].0.future
                    let line = lines.change { $0[operation.line] }
                    let future = line.enqueue(operation.isInBackground ? .background : .immediate) {
                        switch operation.start {
                        case .atOnce: wait(index)
                        case .late: gate.flatMap(on: .immediate) { wait(index) }
                        case .behindAGate: gate.flatMap(on: .immediate) { behind[index] }
                        }
                    }
                    // Another listener: otherwise the end of a deadlocked operation would cancel the one behind it.
                    future.onResult(on: .immediate) { _ in }
                    futures.change { $0.append(future) }
                }
                let all = gates.flatMap { [$0.0, $0.1] }.shuffled(using: &random)
                let (releases, seed) = (random.oneIn(2), random.next())
                race(3) { thread in
                    var random = SplitMix(seed &+ UInt64(thread))
                    if thread == 0, releases { lines.value = [] }
                    for (index, gate) in all.enumerated() where index % 3 == thread {
                        if random.oneIn(4) { _ = try? Future(1).map(on: .background) { $0 }.wait() }
                        gate.succeed()
                    }
                }
                for (index, future) in futures.value.enumerated() {
                    let limit = ContinuousClock.now + testTimeout
                    while !future.isCompleted, ContinuousClock.now < limit {
                        Watchdog.real.look(always: true)
                        _ = try? future.wait(timeout: .milliseconds(1))
                    }
                    let value = future.success
                    guard future.isCompleted else { return "\(index) is pending in \(program)" }
                    guard value == program.value(index) else { return "\(index) is \(future.result!) in \(program)" }
                    if value == nil, !(future.error is QueueError) { return "\(index) is \(future.result!)" }
                }
                // Their closures refer to the list.
                futures.value = []
                let cleaned = program.operations.count { program.lines[$0.line] == .cleanedQueue }
                // A deadlocked operation fails at once; its cleanup may be on another thread.
                let areThere = happens { cleanups.value == cleaned }
                return areThere ? nil : "\(cleanups.value) of \(cleaned) cleanups in \(program)"
            }
        }
    }
}
