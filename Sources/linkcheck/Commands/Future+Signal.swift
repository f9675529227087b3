// Future+Signal: makes a future of Ctrl-C.

@preconcurrency import Dispatch
import Foundation
import Futures

extension Future<Void> {
    /// Completes when the process gets the signal, which does nothing else meanwhile.
    ///
    /// Once the future has completed or is cancelled the signal does again what it always does: so a second Ctrl-C
    /// ends a program that does not end.
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
