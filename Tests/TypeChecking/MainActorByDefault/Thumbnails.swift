// The guide's example of work elsewhere, in a program where everything is on the main actor by default.

import Futures

nonisolated struct Image: Sendable {}

nonisolated func image(at address: String) -> Future<Image> { .never }

final class Gallery {
    private var thumbnails: [Thumbnail] = []

    func load(_ address: String) {
        thumbnail(at: address).onValue { self.thumbnails.append($0) }
    }
}

// The example of the page Schedulers.md.
nonisolated struct Thumbnail: Sendable {
    static func make(of image: Image) -> Thumbnail { Thumbnail() }
}

nonisolated func thumbnail(at address: String) -> Future<Thumbnail> {
    image(at: address).map(on: .background) { Thumbnail.make(of: $0) }
}
