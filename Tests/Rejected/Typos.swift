// Misspelt names, missing labels and wrong types of arguments, as in the guide "When the compiler complains".
import Dispatch
import Futures

struct Page: Sendable {
    var title = ""
    var links: [Int] = []
}
struct Offline: Error {}
func page(_ number: Int) -> Future<Page> { .never }
func fetch() async throws -> Page { Page() }

func operatorInALongChain() -> Future<String> {
    page(1)
        .map { $0.links.count }
        .flatMap { page($0 + 1) }
        .onValue { print($0.title) }
        .map { $0.links }
        // error: value of type 'Future<[Int]>' has no member 'flatmap'
        // instead: .flatMap { links in join(links.map { page($0) }) }
        .flatmap { links in join(links.map { page($0) }) }
        .map { pages in pages.map { $0.title } }
        .onErrorRepeat(maxRepetitions: 3)
        .map { $0.joined() }
}

func mistakes(_ number: Future<Int>, _ page: Future<Page>) {
    // error: value of type 'Page' has no member 'titel'
    // instead: Future<Page> { try await fetch() }.onValue { print($0.title) }
    Future<Page> { try await fetch() }.onValue { print($0.titel) }
    // error: missing argument label 'by:' in call
    // instead: let _: Future<Int> = number.delay(by: .seconds(1))
    let _: Future<Int> = number.delay(.seconds(1))
    // error: missing argument label 'error:' in call
    // instead: let _: Future<Int> = Future(error: Offline())
    let _: Future<Int> = Future(Offline())
    // error: cannot convert value of type 'DispatchQueue' to expected argument type 'Scheduler'
    // instead: let _: Future<Int> = number.map(on: .main) { $0 + 1 }
    let _: Future<Int> = number.map(on: DispatchQueue.main) { $0 + 1 }
    // error: conflicting arguments to generic parameter
    // instead: _ = select(between: [number.map { "\($0)" }, page.map { $0.title }])
    _ = select(between: [number, page])
}

// The first closure's type is inferred: the compiler names the closure with the mistake, and others before it.
func memberBehindAnInferredClosure() {
    // error: cannot infer type of closure parameter 'wrong' without a type annotation
    // instead: Future { try await fetch() }.onValue { right in print(right.title) }
    Future { try await fetch() }.onValue { wrong in print(wrong.titel) }
}

// The compiler names the flatMap before the mistake, whose type it infers together with those that follow.
func memberBehindAFlatMap() -> Future<String> {
    page(1)
        // error: cannot convert value of type 'Future<Page>' to closure result type 'Future<T>'
        // instead: .flatMap { page($0.links.count) }
        .flatMap { page($0.links.count) }
        // error: cannot infer type of closure parameter '$0' without a type annotation
        // instead: .map { $0.title }
        .map { $0.titel }
}

func memberOfAStatedTypeBehindAFlatMap() -> Future<String> {
    page(1)
        .flatMap { page($0.links.count) }
        // error: value of type 'Page' has no member 'titel'
        // instead: .map { (page: Page) in page.title }
        .map { (page: Page) in page.titel }
}

func joinInAnArray(_ number: Future<Int>, _ page: Future<Page>) {
    // error: unavailable: write join(a, b) for futures of different types: in an array, all have one type
    // instead: let both = join(number, page)
    let both = join([number, page])
    _ = both
}

func settleInAnArray(_ number: Future<Int>, _ page: Future<Page>) {
    // error: unavailable: write Future.settle(a, b) for futures of different types: in an array, all have one type
    // instead: let both = Future.settle(number, page)
    let both = Future.settle([number, page])
    _ = both
}

#if !hasAttribute(nonexhaustive)
    #error("switch covers known cases only where the compiler knows the attribute: Swift 6.2.3 and later")
#endif

func switchWithoutDefault(over error: QueueError) -> String {
    // error: switch covers known cases, but 'QueueError' may have additional unknown values
    switch error {
    case .closed, .full: "try later"
    case .waitTimedOut, .runTimedOut: "too slow"
    // instead: case .deadlock, .tooHeavy: "a mistake"
    // instead: @unknown default: "unknown"
    case .deadlock, .tooHeavy: "a mistake"
    }
}
