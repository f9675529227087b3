// Stages: composed and mapped progressions.

import Futures
import Testing

@Suite struct ProgressionStageTests {
    @Test func `observers are called for the stages of a mapped progression too`() {
        let results = Log<Int?>()
        let end = Walk(limit: 1).map { $0 * 10 }.flatMap { Walk(number: $0, limit: 11) }
            .run(on: .immediate) { stage in
                results.add(stage.result)
                return true
            }
        #expect(end.success == 11)
        // Two stages of the first walk, the mapped result, and two stages of the second walk.
        #expect(results.entries == [nil, nil, nil, nil, 11])
    }
}
