// A process among several that take leases of the same names, and are killed at any moment.

import Foundation
import Futures
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder of the leases, the log, and how many turns this process takes.
let (folder, log, count) = (CommandLine.arguments[1], CommandLine.arguments[2], Int(CommandLine.arguments[3])!)
let descriptor = open(log, O_WRONLY | O_APPEND | O_CREAT, 0o666)
let queue = KeyedFutureQueue<Int>()

/// After how many lines this process kills itself, if at all, and how many microseconds later.
let lines = CommandLine.arguments.count > 4 ? Int(CommandLine.arguments[4])! : nil
let written = Atomic(0)

@Sendable func killSoon() {
    let time = useconds_t(CommandLine.arguments[5])!
    Thread.detachNewThread {
        usleep(time)
        kill(getpid(), SIGKILL)
    }
}

/// Adds a line to the log, in one call, so that no other process writes within it.
///
/// A kill may cut the line short, where a page of the file ends. So each begins on a line of its own, and has an end.
@Sendable func note(_ text: String) {
    let line = Array("\n\(text) .".utf8)
    guard write(descriptor, line, line.count) == line.count else { fatalError("The log cannot be written.") }
    if written.add(1, ordering: .relaxed).newValue == lines { killSoon() }
}

@Sendable func turn(_ number: Int) -> Future<Void> {
    let key = number % 3
    return queue[key].on(.immediate).enqueue {
        leases("\(folder)/key \(key)").on(.immediate).enqueue { lease in
            note("begin \(key) \(lease.token)")
            return Future().delay(by: .microseconds(number * 37 % 500)).map(on: .immediate) {
                note("end \(key) \(lease.token)")
            }
        }
    }
}

if lines == 0 { killSoon() }
try Scheduler.background.perform { (0..<count).mapToFuture(maxConcurrentCount: 6) { turn($0) } }.asVoid().wait()
