// Future+Outcome: lets a test await a future.

import Futures

extension Future {
    func outcome() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            onResult(on: .immediate) { continuation.resume(with: $0) }
        }
    }
}
