// Reflection: a future in a debugger's dump or a failed test.

import Dispatch
import Futures
import Testing

@Suite struct ReflectionTests {
    @Test func `a future's dump shows its result, and not its implementation`() {
        let promise = Promise<Int>()
        let future = promise.future.map(on: .immediate) { $0 + 1 }
        #expect(dumped(future).contains("result: nil"))
        promise.succeed(1)
        #expect(dumped(future).contains("success: 2"))
        #expect(!dumped(future).contains("word"))
        #expect(!dumped(promise).contains("word"))
    }

    @Test func `a scheduler's dump shows its label`() {
        let schedulers: [Scheduler] = [
            .main, .background, .concurrentBackground, .immediate, Scheduler(label: "mine"),
            Scheduler(label: "mine", attributes: .concurrent),
        ]
        for scheduler in schedulers { #expect(dumped(scheduler).contains(scheduler.description)) }
    }

    private func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }
}
