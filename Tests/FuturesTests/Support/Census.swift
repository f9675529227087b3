// Census: counts living objects, to detect what a future retains.

import Testing

/// Counts the objects that it creates: how many are alive, and their peak number.
final class Census: Sendable {
    private let counts = Shared((alive: 0, peak: 0))

    var alive: Int { counts.value.alive }
    var peak: Int { counts.value.peak }

    /// Creates an object that is counted while it is alive, and that calls `farewell` when it is deallocated.
    func make(farewell: @escaping @Sendable () -> Void = {}) -> Counted {
        counts.change {
            $0.alive += 1
            $0.peak = max($0.peak, $0.alive)
        }
        return Counted(self, farewell)
    }

    final class Counted: Sendable {
        private let census: Census
        private let farewell: @Sendable () -> Void

        fileprivate init(_ census: Census, _ farewell: @escaping @Sendable () -> Void) {
            self.census = census
            self.farewell = farewell
        }

        deinit {
            census.counts.change { $0.alive -= 1 }
            farewell()
        }

        /// Returns `value`. Called by closures that are to capture this object.
        func pass<T>(_ value: T) -> T { value }

        func touch() {}
    }
}

extension Census {
    /// Expects that no object is alive soon, and calls `body` meanwhile.
    func expectNone(_ body: () -> Void = {}, sourceLocation: Testing.SourceLocation = #_sourceLocation) async {
        #expect(await comesTrue(while: body) { alive == 0 }, sourceLocation: sourceLocation)
    }
}
