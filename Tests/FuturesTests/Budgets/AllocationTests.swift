// Allocation tests: no operation allocates more often than its budget says.

import CAllocations
import Dispatch
import Futures
import Testing

/// Runs in release mode only: see `Documentation/Maintainers/Measurements.md`.
@Suite(
    .serialized,
    .enabled(if: !isDebug, "Debug builds allocate more: closures, boxes and generics are not specialised."),
    .enabled(if: isFiltered, "Other tests allocate meanwhile: --filter Allocation keeps them away."),
    .enabled(if: allocations_are_counted(), "Allocations are counted with the GNU C library, without sanitizers."))
struct AllocationTests {
    @Test(arguments: Budget.inPlace)
    func `an operation that stays on its thread keeps its budget`(_ budget: Budget) {
        let excess = budget.excess(.thread)
        #expect(excess == nil, "\(excess ?? "")")
    }

    // In a process of its own, as the allocations of other tests could not be told apart.
    @Test func `operations that hop between threads keep their budgets`() async {
        await #expect(processExitsWith: .success) {
            let excesses = await withCheckedContinuation { continuation in
                // Not on this thread: the measurement blocks, and tasks need this thread.
                DispatchQueue.global().async {
                    continuation.resume(returning: Budget.acrossThreads.compactMap { $0.excess(.process) })
                }
            }
            #expect(excesses.isEmpty, "\(excesses.joined(separator: "\n"))")
        }
    }

    // Those of a pending one are in the budgets of tasks.
    @Test func `awaiting a completed future allocates nothing`() async throws {
        let future = Future(1)
        var least = Int64.max
        for _ in 0..<10 {
            let start = allocations_count_of_this_thread()
            for _ in 0..<100 { _ = try await future.value }
            least = min(least, allocations_count_of_this_thread() - start)
        }
        #expect(least == 0)
    }
}
