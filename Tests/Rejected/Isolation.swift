// State of actors and objects that are not Sendable, in closures that run elsewhere.
import Futures

final class Counter {
    var count = 0
}

actor Visitors {
    var count = 0

    func watch(_ future: Future<Int>) {
        // error: actor-isolated property 'count' can not be mutated
        // instead: future.onValue { self.count += $0 }
        future.onValue(on: .background) { self.count += $0 }
    }

    func watch(_ future: Future<Int>, for other: Visitors) {
        // error: actor-isolated property 'count' can not be mutated
        // instead: future.onValue { number in Task { await other.add(number) } }
        future.onValue { other.count += $0 + self.count }
    }

    func begin() -> Future<Int> {
        // error: actor-isolated property 'count' can not be referenced from a Sendable closure
        // instead: Future { self.count }
        Future(on: .background, immediate: { self.count })
    }

    func add(_ number: Int) { count += number }
}

@MainActor final class Screen {
    var count = 0

    func show(_ number: Int) { count = number }

    func watch(_ future: Future<Int>) {
        // error: main actor-isolated property 'count' can not be mutated from a Sendable closure
        // instead: future.onValue { self.count += $0 }
        future.onValue(on: .background) { self.count += $0 }
    }

    func run(in queue: FutureQueue<Void>) {
        // error: main actor-isolated property 'count' can not be mutated from a Sendable closure
        // instead: _ = queue.run { self.count += 1 }
        queue.on(.background).run { self.count += 1 }
    }

    func load() {
        _ = Future(on: .background) { () -> Int in
            // error: call to main actor-isolated instance method 'show' in a synchronous nonisolated context
            // instead:
            self.show(1)
            return 1
        }
    }
}

func show(_ future: Future<Int>, on screen: Screen) {
    // error: main actor-isolated property 'count' can not be mutated
    // instead: future.onValue { number in Task { await screen.show(number) } }
    future.onValue { screen.count += $0 }
}

func count(_ future: Future<Int>, with counter: Counter) {
    // error: non-Sendable type 'Counter'
    // instead:
    future.onValue { counter.count += $0 }
}

func count(in queue: FutureQueue<Void>, with counter: Counter) {
    _ = queue.run {
        // error: non-Sendable type 'Counter'
        // instead: print("counts")
        counter.count += 1
    }
}

func add(_ futures: [Future<Int>]) -> Future<Int> {
    // instead:
    var sum = 0
    // error: mutation of captured var 'sum' in concurrently-executing code
    // instead:
    for future in futures { future.onValue { sum += $0 } }
    // instead: return join(futures).map { $0.reduce(0, +) }
    return Future(sum)
}

func map(_ text: Future<String>) -> Bool {
    // error: conform to the 'Sendable' protocol
    // instead: text.map { $0.count }.isCompleted
    text.map { _ in Counter() }.isCompleted
}

// error: does not conform to the 'Sendable' protocol
// instead: func load() -> Future<UncheckedSendable<Counter>> { .never }
func load() -> Future<Counter> { .never }

var topLevelCount = 0
// error: main actor-isolated var 'topLevelCount' can not be mutated from a nonisolated context
// instead: Future(1).onValue { topLevelCount += $0 }
Future(1).onValue(on: .background) { topLevelCount += $0 }
