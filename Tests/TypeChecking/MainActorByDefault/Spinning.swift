// The examples of performWhile from the guides, in a program where all is on the main actor by default.

import Futures

struct Page: Sendable {}
func page() -> Future<Page> { .never }
func show(_ page: Page) {}

// Of the guide.
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

// Of the page about operators.
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
