// guessed: a chain that makes the compiler try many types, whose type-checking must still be fast.

import Futures

/// Twelve steps, with `??` beside a literal after nested closures. Without one of these, it takes a fifth.
func guessed() -> Future<String> {
    page(1)
        .map { $0.links.count }
        .flatMap { page($0 + 1) }
        .onValue { print($0.title) }
        .map { ($0.title, $0.links) }
        .flatMap { title, links in join(links.map { page($0) }).map { pages in (title, pages.map { $0.title }) } }
        .onErrorRepeat(maxRepetitions: 3)
        .map { title, titles in titles.joined(separator: title) }
        .flatMapError { error in Future("\(error)") }
        .mapResult { result in (try? result.get()) ?? "nothing" }
        .onError { report($0) }
        .map { $0.count }
        .map { "\($0) links" }
}
