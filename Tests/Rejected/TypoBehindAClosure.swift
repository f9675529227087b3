// rejected: cannot infer type of closure parameter 'wrong' without a type annotation
import Futures

struct Page: Sendable { var title = "" }
func fetch() async throws -> Page { Page() }

// The first closure's type is inferred: the compiler names the closure with the mistake, and others before it.
func show() {
    Future { try await fetch() }.onValue { wrong in print(wrong.titel) }
}
