// nestedRun: nested asynchronous operations, whose type-checking must be fast.

import Futures

func threeRun() async throws -> Int {
    let result = try await jobs.run {
        try await jobs.run { try await jobs.run { try await load(0).value }.value }.value
    }.value
    return result
}

func threeRunWithResource() async throws -> Int {
    let result = try await numbers.run { _ in
        try await numbers.run { _ in try await numbers.run { _ in try await load(0).value }.value }.value
    }.value
    return result
}

func threeRunForKeys() async throws -> Int {
    let result = try await sites["1"].run {
        try await sites["2"].run { try await sites["3"].run { try await load(0).value }.value }.value
    }.value
    return result
}

func threeWithLock() async throws -> Int {
    let result = try await mutex.run {
        try await mutex.run { try await mutex.run { try await load(0).value }.value }.value
    }.value
    return result
}

func threeRunBatch() async throws -> Int {
    let result = try await jobs.batch.run { _ in
        try await jobs.batch.run { _ in try await jobs.batch.run { _ in try await load(0).value }.value }.value
    }.value
    return result
}

func threeTasks() async throws -> Int {
    let result = try await Future { try await Future { try await Future { try await load(0).value }.value }.value }
        .value
    return result
}

func fiveRun() async throws -> Int {
    let result = try await jobs.run {
        try await jobs.run {
            try await jobs.run { try await jobs.run { try await jobs.run { try await load(0).value }.value }.value }
                .value
        }.value
    }.value
    return result
}

func fiveRunWithResource() async throws -> Int {
    let result = try await numbers.run { _ in
        try await numbers.run { _ in
            try await numbers.run { _ in
                try await numbers.run { _ in try await numbers.run { _ in try await load(0).value }.value }.value
            }.value
        }.value
    }.value
    return result
}

func fiveRunForKeys() async throws -> Int {
    let result = try await sites["1"].run {
        try await sites["2"].run {
            try await sites["3"].run {
                try await sites["4"].run { try await sites["5"].run { try await load(0).value }.value }.value
            }.value
        }.value
    }.value
    return result
}

func fiveWithLock() async throws -> Int {
    let result = try await mutex.run {
        try await mutex.run {
            try await mutex.run {
                try await mutex.run { try await mutex.run { try await load(0).value }.value }.value
            }.value
        }.value
    }.value
    return result
}

func fiveRunBatch() async throws -> Int {
    let result = try await jobs.batch.run { _ in
        try await jobs.batch.run { _ in
            try await jobs.batch.run { _ in
                try await jobs.batch.run { _ in try await jobs.batch.run { _ in try await load(0).value }.value }.value
            }.value
        }.value
    }.value
    return result
}

func fiveTasks() async throws -> Int {
    let result = try await Future {
        try await Future {
            try await Future { try await Future { try await Future { try await load(0).value }.value }.value }.value
        }.value
    }.value
    return result
}
