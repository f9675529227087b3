// Allocation tests: no operation allocates more often than its budget says.

import CAllocations
import Testing

/// No operation allocates more often than its budget says.
///
/// To be run in release mode: `Documentation/Performance.md` says how.
@Suite(
    .serialized,
    .enabled(
        if: isOptimized, "Debug builds allocate more: closures, boxes and generics are not specialised."),
    .enabled(
        if: allocations_are_counted(), "Allocations are counted with the GNU C library, without sanitizers."))
struct AllocationTests {
    @Test(arguments: Budget.inPlace + Budget.queues)
    func `an operation that stays on its thread keeps its budget`(_ budget: Budget) {
        budget.check(.thread)
    }

    // In a process of its own: what other tests allocate meanwhile cannot be told apart.
    @Test func `operations that hop keep their budgets`() async {
        await #expect(processExitsWith: .success) {
            for budget in Budget.hopping { budget.check(.process, times: 1000) }
        }
    }
}

private let isOptimized: Bool = {
    #if DEBUG
        false
    #else
        true
    #endif
}()
