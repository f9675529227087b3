// What the compiler finds after it has checked all types: missing returns and data races.
import Futures

struct Page: Sendable {}
func page(_ number: Int) -> Future<Page> { .never }

func returnOfAFlatMap(_ number: Future<Int>) -> Future<Page> {
    number.flatMap { number in
        print(number)
        // error: missing return in closure expected to return 'Future<Page>'
        // instead: return page(number)
        page(number)
    }
}

final class Counter {
    var count = 0
}

func useOfABoxedObject() -> Future<UncheckedSendable<Counter>> {
    let counter = Counter()
    // error: risks causing data races
    // instead: let future = Future(UncheckedSendable(counter))
    let future = Future(UncheckedSendable(counter))
    // instead:
    counter.count += 1
    return future
}
