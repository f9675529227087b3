// rejected: value of type 'Page' has no member 'titel'
import Futures

struct Page: Sendable { var title = "" }
func fetch() async throws -> Page { Page() }

func show() {
    Future<Page> { try await fetch() }.onValue { print($0.titel) }
}
