// Pending: what messages say of futures that have not completed.

import Futures
import FuturesDiagnostics

/// What a message says of a future that has not completed: what it waits for, `hint`, its chain, and, while diagnosing
/// is on, everything that is pending.
func pending<Value>(_ future: Future<Value>, hint: String = "") -> String {
    let words = "the future is still pending. It waits for \(future.awaitedInWords).\(hint)"
    let chain = future.chain.split(separator: "\n").map { "\n  \($0)" }.joined()
    return words + "\nIts chain:" + chain + everythingPending
}

/// The report of everything that is pending, behind an empty line; while diagnosing is off, a line that says how to get
/// it.
var everythingPending: String {
    guard Diagnostics.isOn else {
        return "\nWith FUTURES_DIAGNOSE=1 in the environment, this lists everything that is pending."
    }
    return "\n\n" + Diagnostics.report()
}
