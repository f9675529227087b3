// progressions: Deferreds of twelve steps, and composed stages, whose type-checking must be fast.

import Futures

func words(_ number: Int) -> Deferred<[String]> { Deferred { Array(repeating: "word", count: number) } }

/// Closures whose types the compiler must infer. (An operator such as `+` within a closure whose type depends on that
/// of an outer closure takes it seconds, even if only the operator is overloaded. Name the type there.)
func described() -> Deferred<String> {
    Deferred { [1, 2, 3] }
        .map { $0.count }
        .flatMap { words($0 + 1) }
        .map { ($0.count, $0) }
        .flatMap { count, words in words.map { word in Deferred<String> { word + "\(count)" } }.joined() }
        .flatMapError { error in Deferred<[String]> { ["\(error)"] } }
        .and(Deferred { 2 })
        .map { words, count in words.prefix(count) }
        .flatMap { words in Deferred.future { resolve in resolve { words.joined() } } }
        .map { "\($0.count) letters" }
}

enum Reading: Progression {
    case open(String)
    case parse([String])
    case success((count: Int, text: String))

    func next() -> Deferred<Reading> {
        Deferred {
            switch self {
            case .open(let path): .parse(path.split(separator: "/").map { String($0) })
            case .parse(let lines): .success((count: lines.count, text: lines.map { $0 + "\n" }.joined()))
            case .success: completedStage(self)
            }
        }
    }

    var result: (count: Int, text: String)? {
        guard case .success(let result) = self else { return nil }
        return result
    }
}

enum Sending: Progression {
    case reading(Reading, Int)
    case counting(Reading, Int)
    case success(String)

    /// Uses both overloads of `transformResult`.
    func next() -> Deferred<Sending> {
        switch self {
        case .reading(let stage, let number):
            stage.compose(
                transformNext: { .reading($0, number) },
                transformResult: { result in Deferred { .counting(.open(result.text), number + result.count) } })
        case .counting(let stage, let number):
            stage.compose(
                transformNext: { .counting($0, number) },
                transformResult: { result in
                    let (count, text) = result
                    switch count {
                    case 0: throw FutureError.noFutures
                    case 1: return .success(text)
                    default: return .counting(.open(text), number - 1)
                    }
                })
        case .success: completedStage(self)
        }
    }

    var result: String? {
        guard case .success(let text) = self else { return nil }
        return text
    }
}

func mapped() -> Future<Int> {
    Reading.open("a/b").map { $0.count + 1 }.flatMap { Sending.reading(.open("a"), $0) }.map { $0.count }.run()
}
