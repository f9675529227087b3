// twelve steps: chains as long as those of real programs, whose type-checking must be fast.

import Dispatch
import Futures

struct Page: Sendable {
    var title = ""
    var links: [Int] = []
}

func page(_ number: Int) -> Future<Page> { .never }
func report(_ error: any Error) {}

/// Closures whose types the compiler must infer.
func inferred() -> Future<String> {
    page(1)
        .map { $0.links.count }
        .flatMap { page($0 + 1) }
        .onValue { print($0.title) }
        .map { ($0.title, $0.links) }
        .flatMap { title, links in join(links.map { page($0) }).map { pages in (title, pages.map { $0.title }) } }
        .onErrorRepeat(maxRepetitions: 3)
        .map { title, titles in titles.joined(separator: title) }
        .flatMapError { error in Future("\(error)") }
        .mapResult { result in if case .success(let text) = result { text } else { "nothing" } }
        .onError { report($0) }
        .map { $0.count }
        .map { "\($0) links" }
}

/// The same chain with the scheduler named.
func scheduled(on scheduler: Scheduler) -> Future<String> {
    page(1)
        .map(on: scheduler) { $0.links.count }
        .flatMap(on: scheduler) { page($0 + 1) }
        .onValue(on: scheduler) { print($0.title) }
        .map(on: scheduler) { ($0.title, $0.links) }
        .flatMap(on: scheduler) { title, links in
            join(links.map { page($0) }).map(on: scheduler) { pages in (title, pages.map { $0.title }) }
        }
        .onErrorRepeat(maxRepetitions: 3) { error in error is CancellationError }
        .map(on: scheduler) { title, titles in titles.joined(separator: title) }
        .flatMapError(on: scheduler) { error in Future("\(error)") }
        .mapResult(on: scheduler) { result in if case .success(let text) = result { text } else { "nothing" } }
        .onError(on: scheduler) { report($0) }
        .map(on: scheduler) { $0.count }
        .map(on: scheduler) { "\($0) links" }
}

/// Closures that are isolated to the main actor.
@MainActor final class Reader {
    var titles: [String] = []
    let bag = DisposeBag()

    func read() {
        bag += page(1)
            .onValue { self.titles.append($0.title) }
            .map { $0.links.map { $0 + 1 } }
            .flatMap { links in join(links.map { page($0) }) }
            .onValue { self.titles += $0.map { $0.title } }
            .map { pages in pages.filter { !self.titles.contains($0.title) } }
            .delay(by: .milliseconds(20))
            .flatMap { pages in select(between: pages.map { page($0.links.count) }) }
            .onErrorRepeat(delayBetweenRepetitions: .seconds(1), maxRepetitions: 3)
            .recover { _ in Page(title: self.titles[0]) }
            .onCancel { self.titles = [] }
            .onResult { result in if case .failure(let error) = result { report(error) } }
            .always { self.titles.append("end") }
    }
}
