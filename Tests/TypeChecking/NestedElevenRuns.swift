// nestedElevenRuns: eleven nested asynchronous operations, whose type-checking must be fast.

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

func elevenRunWithResource() async throws -> Int {
    try await numbers.run { _ in
        let number = try await load(1).value
        return try await numbers.run { _ in
            let number = try await load(2).value
            return try await numbers.run { _ in
                let number = try await load(3).value
                return try await numbers.run { _ in
                    let number = try await load(4).value
                    return try await numbers.run { _ in
                        let number = try await load(5).value
                        return try await numbers.run { _ in
                            let number = try await load(6).value
                            return try await numbers.run { _ in
                                let number = try await load(7).value
                                return try await numbers.run { _ in
                                    let number = try await load(8).value
                                    return try await numbers.run { _ in
                                        let number = try await load(9).value
                                        return try await numbers.run { _ in
                                            let number = try await load(10).value
                                            return try await numbers.run { _ in
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

func elevenRunForKeys() async throws -> Int {
    try await sites["1"].run {
        let number = try await load(1).value
        return try await sites["2"].run {
            let number = try await load(2).value
            return try await sites["3"].run {
                let number = try await load(3).value
                return try await sites["4"].run {
                    let number = try await load(4).value
                    return try await sites["5"].run {
                        let number = try await load(5).value
                        return try await sites["6"].run {
                            let number = try await load(6).value
                            return try await sites["7"].run {
                                let number = try await load(7).value
                                return try await sites["8"].run {
                                    let number = try await load(8).value
                                    return try await sites["9"].run {
                                        let number = try await load(9).value
                                        return try await sites["10"].run {
                                            let number = try await load(10).value
                                            return try await sites["11"].run {
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

func elevenWithLock() async throws -> Int {
    try await mutex.run {
        let number = try await load(1).value
        return try await mutex.run {
            let number = try await load(2).value
            return try await mutex.run {
                let number = try await load(3).value
                return try await mutex.run {
                    let number = try await load(4).value
                    return try await mutex.run {
                        let number = try await load(5).value
                        return try await mutex.run {
                            let number = try await load(6).value
                            return try await mutex.run {
                                let number = try await load(7).value
                                return try await mutex.run {
                                    let number = try await load(8).value
                                    return try await mutex.run {
                                        let number = try await load(9).value
                                        return try await mutex.run {
                                            let number = try await load(10).value
                                            return try await mutex.run {
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

func elevenRunBatch() async throws -> Int {
    try await jobs.batch.run { _ in
        let number = try await load(1).value
        return try await jobs.batch.run { _ in
            let number = try await load(2).value
            return try await jobs.batch.run { _ in
                let number = try await load(3).value
                return try await jobs.batch.run { _ in
                    let number = try await load(4).value
                    return try await jobs.batch.run { _ in
                        let number = try await load(5).value
                        return try await jobs.batch.run { _ in
                            let number = try await load(6).value
                            return try await jobs.batch.run { _ in
                                let number = try await load(7).value
                                return try await jobs.batch.run { _ in
                                    let number = try await load(8).value
                                    return try await jobs.batch.run { _ in
                                        let number = try await load(9).value
                                        return try await jobs.batch.run { _ in
                                            let number = try await load(10).value
                                            return try await jobs.batch.run { _ in
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

func elevenTasks() async throws -> Int {
    try await Future {
        let number = try await load(1).value
        return try await Future {
            let number = try await load(2).value
            return try await Future {
                let number = try await load(3).value
                return try await Future {
                    let number = try await load(4).value
                    return try await Future {
                        let number = try await load(5).value
                        return try await Future {
                            let number = try await load(6).value
                            return try await Future {
                                let number = try await load(7).value
                                return try await Future {
                                    let number = try await load(8).value
                                    return try await Future {
                                        let number = try await load(9).value
                                        return try await Future {
                                            let number = try await load(10).value
                                            return try await Future {
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
