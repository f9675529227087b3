// A process among several that take leases of the same names; the tests kill it at any moment.

import Foundation
import Futures
import FuturesFoundation

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
let queue = KeyedFutureQueue<Int>(leasesFrom: FileLeases(in: URL(fileURLWithPath: folder)), named: { "key \($0)" })

/// Adds a line to the log, in one call: so lines are whole, even if the process is killed.
@Sendable func note(_ text: String) {
    let line = Array("\(text)\n".utf8)
    guard write(descriptor, line, line.count) == line.count else { fatalError("The log cannot be written.") }
}

@Sendable func turn(_ number: Int) -> Future<Void> {
    let key = number % 3
    return queue.enqueue(on: .immediate, for: key) {
        let token = queue.lease(for: key)!.token
        note("begin \(key) \(token)")
        return Future().delay(by: .microseconds(number * 37 % 500), on: .background).map(on: .immediate) {
            note("end \(key) \(token)")
        }
    }
}

try (0..<count).mapToFuture(on: .background, maxConcurrentCount: 6) { turn($0) }.asVoid().wait()
