// progressions: Deferreds of twelve steps, whose type-checking must be fast.

import Futures

func words(_ number: Int) -> Deferred<[String]> { Deferred { Array(repeating: "word", count: number) } }

/// Closures whose types the compiler must infer. (An operator such as `+` within a closure whose type depends on that
/// of an outer closure takes it seconds, even if only the operator is overloaded. Name the type there.)
func described() -> Deferred<String> {
    Deferred { [1, 2, 3] }
        .map { $0.count }
        .flatMap { words($0 + 1) }
        .map { ($0.count, $0) }
        .flatMap { count, words in Deferred<[String]> { words.map { word in word + "\(count)" } } }
        .flatMap { texts in Deferred<[String]> { texts.reversed() } }
        .map { words in words.prefix(2) }
        .flatMap { words in Deferred.future { resolve in resolve { words.joined() } } }
        .map { "\($0.count) letters" }
}
