// nestedRunFinally: nested asynchronous operations with a cleanup, whose type-checking must be fast.

import Futures

func fiveRunFinally() async throws -> Int {
    let result = try await jobs.run {
        try await jobs.run {
            try await jobs.run {
                try await jobs.run {
                    try await jobs.run {
                        try await load(0).value
                    } finally: { _, _ in
                        try await tidy().value
                    }.value
                } finally: { _, _ in
                    try await tidy().value
                }.value
            } finally: { _, _ in
                try await tidy().value
            }.value
        } finally: { _, _ in
            try await tidy().value
        }.value
    } finally: { _, _ in
        try await tidy().value
    }.value
    return result
}
