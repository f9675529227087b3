// rejected: caller isolation inheriting-isolated property 'value' cannot be accessed from outside of the actor
// The compiler of Swift 6.3 means that `await` is missing: the comment of `value` says so.
import Futures

func title(_ page: Future<String>) async throws -> String {
    try page.value
}
