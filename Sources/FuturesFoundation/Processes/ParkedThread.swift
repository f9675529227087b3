// ParkedThread: a thread that exists before there is work for it.

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)

    import Dispatch
    import Foundation
    import Futures

    /// A thread that waits for its only work.
    ///
    /// What must not be left half done, such as a program whose end a thread has to wait for, is begun when its threads
    /// exist. The system may have none left; `Thread` of Foundation does not say so.
    final class ParkedThread: Sendable {
        private final class Work: Sendable {
            let body = Locked<Body?>(nil)
            let isThere = DispatchSemaphore(value: 0)
        }

        /// A struct, because of what `Locked` does to closures.
        private struct Body {
            let call: @Sendable () -> Void
        }

        /// The value of `errno` if there is no thread.
        struct Unavailable: Error { let code: Int32 }

        private let work = Work()

        /// Creates the thread.
        init() throws(Unavailable) {
            #if canImport(Darwin)
                var thread: pthread_t?
            #else
                var thread = pthread_t()
            #endif
            // The thread takes this reference. Tested by `CommandTests`, under the thread sanitizer.
            let reference = Unmanaged.passRetained(work)
            let code = pthread_create(&thread, nil, Self.main, reference.toOpaque())
            guard code == 0 else {
                reference.release()
                throw Unavailable(code: code)
            }
            #if canImport(Darwin)
                pthread_detach(thread!)
            #else
                pthread_detach(thread)
            #endif
        }

        /// The thread ends without work.
        deinit { work.isThere.signal() }

        /// Gives the thread its work.
        func run(_ body: @escaping @Sendable () -> Void) {
            work.body.withLock { $0 = Body(call: body) }
            work.isThere.signal()
        }

        #if canImport(Darwin)
            private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { work($0) }
        #else
            private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
                work($0!)
            }
        #endif

        private static func work(_ reference: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
            let work = Unmanaged<Work>.fromOpaque(reference).takeRetainedValue()
            work.isThere.wait()
            work.body.withLock { $0.take() }?.call()
            return nil
        }
    }

#endif
