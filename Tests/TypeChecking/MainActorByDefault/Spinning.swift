// The guides' examples of performWhile, in a program where everything is on the main actor by default.

import Futures

struct Page: Sendable {}
func page() -> Future<Page> { .never }
func show(_ page: Page) {}

// The example of the page Schedulers.md.
func startSpinning() {}
func stopSpinning() {}

func load() {
    page()
        .performWhile(delayBy: .milliseconds(200)) {
            startSpinning()
            return Disposer { MainActor.assumeIsolated { stopSpinning() } }
        }
        .onValue { show($0) }
}

// The example of the page Time.md.
final class Spinner {
    func start() {}
    func stop() {}
}

@MainActor func load(_ spinner: Spinner) -> Future<Page> {
    page().performWhile(delayBy: .milliseconds(200)) {
        spinner.start()
        return Disposer { MainActor.assumeIsolated { spinner.stop() } }
    }
}
