// Fault: what a test injects at a fault point.

import Futures

/// A failure, a delay or a cancel that a test injects at a point of the code under test.
///
/// The code names the point by `Future.faultPoint(_:)`:
///
///     func page() -> Future<Page> {
///         request().faultPoint("client.page").retry(policy)
///     }
///
/// and the test injects, by virtual time, in a simulation, or on real threads:
///
///     let time = VirtualTime()
///     time.inject(.failure(Offline()), at: "client.page", times: 2)
///     Simulation.inject(.delay(.seconds(5)), at: "client.page")
///     let injection = Fault.inject(.cancel, at: "client.page")
///
/// Several faults at one point are used in the order in which they were injected.
public struct Fault: Sendable, CustomStringConvertible {
    let injected: InjectedFault

    /// A text such as `failure(Offline())`.
    public let description: String

    /// Returns a fault by which the future at the point fails with `error` instead of its value.
    public static func failure(_ error: any Error) -> Fault {
        Fault(injected: .failure(error), description: "failure(\(error))")
    }

    /// Returns a fault by which the future at the point completes after `delay`, on the clock of the point's scheduler.
    public static func delay(_ delay: Duration) -> Fault {
        Fault(injected: .delay(delay), description: "delay(\(delay))")
    }

    /// The future at the point is cancelled: it fails with a `CancellationError`.
    public static let cancel = Fault(injected: .failure(CancellationError()), description: "cancel")
}

extension Fault {
    private static let ofProcess = FaultList()

    /// Injects a fault in the whole process, at points of schedulers that are neither virtual nor simulated.
    ///
    /// All tests that run at the same time have the fault, so their points should have different names, or the tests be
    /// `.serialized`. Prefer virtual time and simulations, which have faults of their own.
    ///
    /// - Parameters:
    ///   - fault: The fault to inject.
    ///   - point: The name of the point.
    ///   - times: How often to inject it: the next times that the point is reached, in futures made from now on.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Returns: A disposable that ends the injection, when it is disposed or released.
    /// - Precondition: `times` is positive.
    public static func inject(
        _ fault: Fault, at point: String, times: Int = 1, file: StaticString = #fileID, line: UInt = #line
    ) -> Disposer {
        let number = ofProcess.add(fault, at: point, times, file, line)
        Worlds.processFaults.withLock { $0 = ofProcess }
        Worlds.change(by: 1)
        return Disposer {
            Worlds.change(by: -1)
            ofProcess.remove(number)
        }
    }
}

extension VirtualTime {
    /// Injects a fault at points whose scheduler is this virtual time's.
    ///
    /// - Parameters:
    ///   - fault: The fault to inject.
    ///   - point: The name of the point.
    ///   - times: How often to inject it: the next times that the point is reached.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Precondition: `times` is positive.
    public func inject(
        _ fault: Fault, at point: String, times: Int = 1, file: StaticString = #fileID, line: UInt = #line
    ) {
        _ = clock.faultList.add(fault, at: point, times, file, line)
    }
}

extension Simulation {
    /// Allows the simulation that the calling thread runs to inject a fault. Each time that the point is reached, the
    /// simulation chooses whether it does, as it chooses which job runs next: by its seed, and in an
    /// ``explore(runs:seed:file:line:_:)-swift.type.method``, in every way. So the shortest run that fails has only the faults
    /// that it needs, and names them.
    ///
    /// - Parameters:
    ///   - fault: The fault to inject.
    ///   - point: The name of the point.
    ///   - times: How often to inject it, at most. If that is unlimited, code that retries until it succeeds may never
    ///     end.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    /// - Precondition: The calling thread runs a simulation, and `times` is positive.
    public static func inject(
        _ fault: Fault, at point: String, times: Int = 1, file: StaticString = #fileID, line: UInt = #line
    ) {
        guard let world = Worlds.here as? SimulatedWorld else {
            fatalError(
                "Simulation.inject was called outside of a simulation. Call it in the closure of run or explore.",
                file: file, line: line)
        }
        _ = world.faults.add(fault, at: point, times, file, line)
    }
}
