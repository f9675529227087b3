// rejected: conform to the 'Sendable' protocol
import Futures

final class Page {
    var text = ""
}

func load(_ text: Future<String>) -> Bool {
    text.map { _ in Page() }.isCompleted
}
