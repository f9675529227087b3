// nestedRunFinally: nested asynchronous operations with a cleanup, whose type-checking must be fast.

import Futures

func threeRunFinally() async throws -> Int {
    let result = try await jobs.run {
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
    return result
}

func threeRunWithResourceFinally() async throws -> Int {
    let result = try await numbers.run { _ in
        try await numbers.run { _ in
            try await numbers.run { _ in
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
    return result
}

func threeRunForKeysFinally() async throws -> Int {
    let result = try await sites["3"].run {
        try await sites["2"].run {
            try await sites["1"].run {
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
    return result
}

func threeWithLockFinally() async throws -> Int {
    let result = try await mutex.run {
        try await mutex.run {
            try await mutex.run {
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
    return result
}

func threeRunBatchFinally() async throws -> Int {
    let result = try await jobs.batch.run { _ in
        try await jobs.batch.run { _ in
            try await jobs.batch.run { _ in
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
    return result
}

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

func fiveRunWithResourceFinally() async throws -> Int {
    let result = try await numbers.run { _ in
        try await numbers.run { _ in
            try await numbers.run { _ in
                try await numbers.run { _ in
                    try await numbers.run { _ in
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

func fiveRunForKeysFinally() async throws -> Int {
    let result = try await sites["5"].run {
        try await sites["4"].run {
            try await sites["3"].run {
                try await sites["2"].run {
                    try await sites["1"].run {
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

func fiveWithLockFinally() async throws -> Int {
    let result = try await mutex.run {
        try await mutex.run {
            try await mutex.run {
                try await mutex.run {
                    try await mutex.run {
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

func fiveRunBatchFinally() async throws -> Int {
    let result = try await jobs.batch.run { _ in
        try await jobs.batch.run { _ in
            try await jobs.batch.run { _ in
                try await jobs.batch.run { _ in
                    try await jobs.batch.run { _ in
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
