// The program of Documentation/Guides/Foundation.md, which the tests run against a hostile server.
import Foundation
import Futures
import FuturesFoundation

let addresses = CommandLine.arguments.dropFirst().compactMap { URL(string: $0) }
let (client, start, pages) = (HTTPClient(), ContinuousClock.now, ProgressCounter(total: Int64(addresses.count)))
let hosts = KeyedFutureQueue<String?>(maxConcurrentCountPerKey: 4)
let results = addresses.mapToFuture(maxConcurrentCount: 32) { address in
    hosts[address.host].enqueue {
        client.download(from: address, to: URL(fileURLWithPath: address.lastPathComponent))
    }
    .retry(.http()).timeout(at: start + .seconds(60)).counted(by: pages).mapResult { $0 }
}
let all = results.abort(forFutures: [ProcessSignal.interrupt.future()])
do {
    for (address, result) in zip(addresses, try all.showing(ProgressLine("pages", pages)).wait()) {
        if case .failure(let error) = result { print("\(address): \(error.localizedDescription)") }
    }
} catch { exit(error is CancellationError ? 130 : 1) }
