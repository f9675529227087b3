// Census: counts how many objects live, to see what a future keeps.

import Testing

/// Counts the objects that it makes: how many live, and how many lived at most.
final class Census: Sendable {
    private let counts = Shared((alive: 0, peak: 0))

    var alive: Int { counts.value.alive }
    var peak: Int { counts.value.peak }

    /// Makes an object that counts while it lives, and calls `farewell` when it goes.
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

        /// Passes on a value, for a closure to capture this.
        func pass<T>(_ value: T) -> T { value }

        /// Something to do with it, for a closure to capture this.
        func touch() {}
    }
}

extension Census {
    /// Expects that soon none lives; calls `body` meanwhile.
    func expectNone(_ body: () -> Void = {}, sourceLocation: Testing.SourceLocation = #_sourceLocation) async {
        #expect(await comesTrue(while: body) { alive == 0 }, sourceLocation: sourceLocation)
    }
}
