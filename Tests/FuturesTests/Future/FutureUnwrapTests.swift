// unwrap. Contract/Operators.md

import Futures
import Testing

@Suite struct FutureUnwrapTests {
    @Test func `unwrap fails with the given error for nil`() {
        #expect(Future(Int?.some(2)).unwrap(orThrow: Oops()).success == 2)
        #expect(Future(Int?.none).unwrap(orThrow: Oops(3)).error as? Oops == Oops(3))
        #expect(Future<Int?>(error: Oops(1)).unwrap(orThrow: Oops(2)).error as? Oops == Oops(1))
    }
}
