// rejected: does not conform to the 'Sendable' protocol
import Futures

final class Page {
    var text = ""
}

func load() -> Future<Page> { .never }
