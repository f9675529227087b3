// Future+Signal: turns a signal such as Ctrl-C into a future.

@preconcurrency import Dispatch
import Foundation
import Futures

extension Future<Void> {
    /// Returns a future that completes when the process receives the signal. Until then, the signal has no other
    /// effect.
    ///
    /// Once the future has completed or is cancelled, the signal has its default effect again. A second Ctrl-C
    /// therefore terminates a program that hangs.
    static func signal(_ number: Int32) -> Future<Void> {
        Future(on: .immediate) { completion in
            Foundation.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { completion(.success(())) }
            source.resume()
            return Disposer {
                source.cancel()
                Foundation.signal(number, SIG_DFL)
            }
        }
    }
}
