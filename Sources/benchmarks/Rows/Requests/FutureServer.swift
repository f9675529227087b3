// FutureServer: the request by this package.

import Futures

/// The request by this package.
struct FutureServer: RequestServer {
    private let queue = KeyedFutureQueue<Int>()
    private let work = Scheduler(label: "work")

    func request(_ id: Int, _ reply: @escaping @Sendable (Int) -> Void) {
        queue[key(id)].on(work).enqueue { [work] in
            ask(id)
                .map(on: work) { $0 &+ 1 }
                .flatMap(on: work) { ask($0) }
                .recover(on: work) { error in
                    guard error is BackendError else { throw error }
                    return 0
                }
                .flatMap(on: work) { join([ask($0), ask($0 &+ 1), ask($0 &+ 2)]) }
                .map(on: work) { $0[0] &+ $0[1] &+ $0[2] }
                .timeout(after: requestTimeout, on: work)
        }.onValue(on: work, reply)
    }

}

private func ask(_ number: Int) -> Future<Int> {
    Future(on: .immediate) { completion in
        Backend.ask(number) { completion(.success($0)) }
        return NilDisposer()
    }
}
