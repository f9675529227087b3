// Measuring: memory and processor time, for the scale tests.

import CAllocations
import Testing

@Suite(
    .serialized,
    .enabled(if: isDebug || isFiltered, "Other tests allocate meanwhile: --filter Scale keeps them away."))
enum ScaleTests {}

extension ScaleTests {
    enum Order: CaseIterable {
        case forward, backward, random

        func arrange<T>(_ elements: [T]) -> [T] {
            var random = SplitMix(7)
            return switch self {
            case .forward: elements
            case .backward: elements.reversed()
            case .random: elements.shuffled(using: &random)
            }
        }
    }
}

#if DEBUG
    let isDebug = true
#else
    let isDebug = false
#endif

/// Whether only some of the tests run. Measurements need that, as other tests would allocate meanwhile.
let isFiltered = CommandLine.arguments.contains("--filter")

/// Returns `count` in release mode, and a hundredth of it in debug mode, where everything is slow.
func scaled(_ count: Int) -> Int { isDebug ? count / 100 : count }

/// Returns by how many bytes `body` increases the memory in use, after it or when it calls `sample`: what is allocated
/// and not freed. Returns zero in debug mode, where other tests run meanwhile and allocations are not counted.
func growth(_ body: (_ sample: () -> Void) throws -> Void) rethrows -> Int {
    let before = Int(allocations_live_bytes())
    var most = before
    try body { most = max(most, Int(allocations_live_bytes())) }
    most = max(most, Int(allocations_live_bytes()))
    return isDebug ? 0 : most - before
}

/// Returns the processor time of `body` on this thread, which a busy machine does not increase.
func time(_ body: () throws -> Void) rethrows -> Duration {
    let start = processor_time_of_this_thread()
    try body()
    return .nanoseconds(processor_time_of_this_thread() - start)
}

/// Returns how many times longer one item takes if there are ten times as many: about 1 for constant time. What is not
/// flat is measured again, as it may be due to a noisy machine.
func slowdown(ofTenTimes count: Int, _ body: (Int) throws -> Duration) rethrows -> Double {
    var small = Duration.seconds(3600)
    for _ in 0..<5 { small = min(small, try body(count)) }
    let slowdown = try body(count * 10) / small / 10
    return slowdown < flat ? slowdown : min(slowdown, try body(count * 10) / small / 10)
}

/// Tolerates caches and a noisy machine, but is far from the factor 10 of a quadratic algorithm.
let flat = 4.0

/// Expects that `body` takes the same time for each item if there are ten times as many.
func expectConstantTime(
    _ count: Int = scaled(10_000), location: Testing.SourceLocation = #_sourceLocation, _ body: (Int) throws -> Void
) rethrows {
    let slowdown = try slowdown(ofTenTimes: count) { count in try time { try body(count) } }
    #expect(slowdown < flat, sourceLocation: location)
}
