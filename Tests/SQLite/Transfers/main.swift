// Transfers: a thousand concurrent transfers for each form of exclusive use, which fail, are cancelled and aborted at
// random points. The sum of all accounts stays the same, no operation sees uncommitted rows of another one, and the
// journal has every success that was reported.
//
//     Transfers                  all forms; exits 1 if there was a fault
//     Transfers --without        operations without a cleanup; exits 1 if there was no fault
//     Transfers --seed 7         the random numbers of an earlier run, as far as threads allow

import Dispatch
import Foundation
import Futures
import Synchronization

/// A reproducible random generator.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Runs a thousand transfers from four threads, and returns the faults.
func run(_ form: Form, on bank: Bank, seed: UInt64) throws -> [String: Int] {
    let complaints = Complaints()
    let futures = Mutex<[Future<Int>]>([])
    let known = try bank.journal()
    let numbers = Atomic<Int>((known.max() ?? 0) + 1)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
        var random = SplitMix(seed &+ UInt64(thread))
        for _ in 0..<250 {
            let number = numbers.add(1, ordering: .relaxed).newValue
            let future = form.enqueue(Transfer(number, &random), complaints)
            futures.withLock { $0.append(future) }
            switch Int.random(in: 0..<40, using: &random) {
            case 0..<6: future.cancel()
            case 6..<20:
                let delay = Duration.microseconds(Int.random(in: 0..<1500, using: &random))
                Scheduler.background.async(after: delay) { future.cancel() }
            case 20: form.abort()
            default: break
            }
            // Limits how many operations wait: an abort ends all of them.
            if Int.random(in: 0..<3, using: &random) == 0 { _ = try? future.wait() }
        }
    }
    let all = futures.withLock { $0 }
    for future in all { _ = try? future.wait() }
    try form.close()

    if bank.isInTransaction { complaints.add("a transaction is open at the end") }
    if try bank.sum() != Bank.total { complaints.add("the sum has changed") }
    let journal = try bank.journal()
    var (succeeded, refused, cancelled) = (0, 0, 0)
    for future in all {
        switch future.result {
        case .success(let number):
            succeeded += 1
            if !journal.contains(number) { complaints.add("a success that was reported is lost") }
        case .failure(is Refused): refused += 1
        case .failure(is CancellationError): cancelled += 1
        case .failure(let error): complaints.add("\(error)")
        case nil: complaints.add("a future is pending")
        }
    }
    if succeeded == 0 || refused == 0 || cancelled == 0 { complaints.add("not everything was tried") }
    let name = form.name.padding(toLength: 28, withPad: " ", startingAt: 0)
    let unreported = journal.count - known.count - succeeded
    print("  \(name) \(succeeded) succeeded, \(refused) failed, \(cancelled) cancelled (\(unreported) when committed)")
    fflush(nil)
    return complaints.all
}

let arguments = CommandLine.arguments
let seed =
    arguments.firstIndex(of: "--seed").flatMap { UInt64(arguments[$0 + 1]) } ?? UInt64.random(in: 0..<1_000_000)
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Transfers-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let file = folder.appendingPathComponent("bank.db").path
let (memory, bank) = (try Bank(path: ":memory:"), try Bank(path: file))
try memory.create()
try bank.create()

print("seed \(seed)")
var complaints: [String: Int] = [:]
if arguments.contains("--without") {
    complaints = try run(.withoutCleanup(memory), on: memory, seed: seed)
} else {
    for form in Form.ofQueue(memory) {
        complaints.merge(try run(form, on: memory, seed: seed)) { $0 + $1 }
    }
    for form in Form.ofPool(file, count: 1) + Form.ofPool(file, count: 3) {
        complaints.merge(try run(form, on: bank, seed: seed)) { $0 + $1 }
    }
}
for (complaint, count) in complaints.sorted(by: { $0.key < $1.key }) { print("  \(count) times: \(complaint)") }
let isExpected = complaints.isEmpty != arguments.contains("--without")
print(complaints.isEmpty ? "Nothing was wrong." : "Something was wrong\(isExpected ? ", as expected" : "").")
try? FileManager.default.removeItem(at: folder)
exit(isExpected ? 0 : 1)
