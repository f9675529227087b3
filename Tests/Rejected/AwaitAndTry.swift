// A forgotten await, try or value.
import Futures

struct Page: Sendable { var title = "" }
func fetch() async throws -> Page { Page() }

// The compiler of Swift 6.3 means that `await` is missing: the comment of `value` says so.
func awaitOfAValue(_ page: Future<Page>) async throws -> Page {
    // error: caller isolation inheriting-isolated property 'value' cannot be accessed from outside of the actor
    // instead: try await page.value
    try page.value
}

func awaitInAFuture() -> Future<Page> {
    // error: 'async' call in a function that does not support concurrency
    // instead: Future { try await fetch() }
    Future { try fetch() }
}

func valueOfAnAwaitedFuture(_ page: Future<Page>) async throws -> Page {
    // error: cannot convert return expression of type 'Future<Page>' to return type 'Page'
    // instead: try await page.value
    try await page
}

func waitInAsynchronousCode(_ number: Future<Int>) async throws -> Int {
    // error: instance method 'wait' is unavailable from asynchronous contexts; Write try await future.value
    // instead: try await number.value
    try number.wait()
}
