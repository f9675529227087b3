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

func awaitOfAResult(_ page: Future<Page>) async -> Result<Page, any Error> {
    // error: expression is 'async' but is not marked with 'await'
    // instead: await page.getResult()
    page.getResult()
}

func awaitInAFuture() -> Future<Page> {
    // error: 'async' call in a function that does not support concurrency
    // instead: Future { try await fetch() }
    Future { try fetch() }
}

func tryOfAValue(_ page: Future<Page>) async throws -> Page {
    // error: property access can throw but is not marked with 'try'
    // instead: try await page.value
    await page.value
}

func tryOfWait(_ page: Future<Page>) throws -> Page {
    // error: call can throw but is not marked with 'try'
    // instead: try page.wait()
    page.wait()
}

func valueOfAnAwaitedFuture(_ page: Future<Page>) async throws -> Page {
    // error: cannot convert return expression of type 'Future<Page>' to return type 'Page'
    // instead: try await page.value
    try await page
}

func valueOfAnAwaitedOperation(_ queue: FutureQueue<Void>) async throws -> Page {
    // error: cannot convert return expression of type 'Future<Page>' to return type 'Page'
    // instead: try await queue.run { try await fetch() }.value
    try await queue.run { try await fetch() }
}

func valueOfAFuture(_ number: Future<Int>) -> Future<Int> {
    // error: cannot convert value of type 'Future<Int>' to expected argument type 'Int'
    // instead: number.map { $0 + 1 }
    Future(number + 1)
}

func waitInAsynchronousCode(_ number: Future<Int>) async throws -> Int {
    // error: instance method 'wait' is unavailable from asynchronous contexts; Write try await future.value
    // instead: try await number.value
    try number.wait()
}

func taskForAFuture() -> Future<Page> {
    // error: cannot convert return expression of type 'Task<Page, any Error>' to return type 'Future<Page>'
    // instead: Future { try await fetch() }
    Task { try await fetch() }
}
