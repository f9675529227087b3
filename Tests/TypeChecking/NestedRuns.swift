// nestedRuns: eleven nested asynchronous operations, whose type-checking must be fast.

import Futures

func elevenRun() async throws -> Int {
    try await jobs.run {
        let number = try await load(1).value
        return try await jobs.run {
            let number = try await load(2).value
            return try await jobs.run {
                let number = try await load(3).value
                return try await jobs.run {
                    let number = try await load(4).value
                    return try await jobs.run {
                        let number = try await load(5).value
                        return try await jobs.run {
                            let number = try await load(6).value
                            return try await jobs.run {
                                let number = try await load(7).value
                                return try await jobs.run {
                                    let number = try await load(8).value
                                    return try await jobs.run {
                                        let number = try await load(9).value
                                        return try await jobs.run {
                                            let number = try await load(10).value
                                            return try await jobs.run {
                                                let number = try await load(11).value
                                                return try await load(0).value + number
                                            }.value + number
                                        }.value + number
                                    }.value + number
                                }.value + number
                            }.value + number
                        }.value + number
                    }.value + number
                }.value + number
            }.value + number
        }.value + number
    }.value
}
