// ResultCache: good results of earlier runs, in a file.

import Foundation
import Futures

/// Remembers the addresses that were good, so that the next run need not request them.
///
/// The file is replaced as a whole. A queue writes it, so that two writes never overlap, and an older one is never the
/// last.
@MainActor
final class ResultCache {
    private let file: URL
    private let age: Duration
    private let now: () -> Date
    /// The times until which addresses are good, in seconds since 1970.
    private var good: [String: Int] = [:]
    private var newCount = 0
    private let writes = FutureQueue(maxConcurrentCount: 1)

    private static let countBetweenWrites = 200

    /// Reads the file. One that is missing or malformed is an empty cache.
    init(file: String, age: Duration, now: @escaping () -> Date = { Date() }) {
        self.file = URL(filePath: file)
        self.age = age
        self.now = now
        guard let data = try? Data(contentsOf: self.file),
            let entries = try? JSONDecoder().decode([String: Int].self, from: data)
        else { return }
        let time = Int(now().timeIntervalSince1970)
        good = entries.filter { $0.value > time && $0.value <= time + Int(age.components.seconds) }
    }

    func isGood(_ address: URL) -> Bool { good[address.absoluteString] != nil }

    func add(_ address: URL) {
        good[address.absoluteString] = Int(now().timeIntervalSince1970) + Int(age.components.seconds)
        newCount += 1
        if newCount.isMultiple(of: Self.countBetweenWrites) { save() }
    }

    /// Writes the file, after earlier writes. Fails if that is not possible.
    @discardableResult
    func save() -> Future<Void> {
        let (file, good) = (file, good)
        return writes.on(.background).run {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            do {
                try encoder.encode(good).write(to: file, options: .atomic)
            } catch {
                throw CacheError(path: file.path(percentEncoded: false), reason: error.localizedDescription)
            }
        }
    }
}

/// The cache could not be written.
struct CacheError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "cannot write the cache \"\(path)\": \(reason)" }
}
