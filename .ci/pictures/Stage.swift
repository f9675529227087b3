// Stage: operations on virtual time, and what a picture shows of them.

import Futures
import FuturesTesting
import Synchronization

/// A line of a timeline: what happened to one operation or future, and when, in seconds.
struct Track {
    enum Kind { case waiting, running, result }
    enum End { case value(String), failure, cancelled }
    struct Span {
        let kind: Kind
        let start: Double
        var stop: Double?
        var end: End?
    }

    let label: String
    var spans: [Span] = []
}

/// Runs operations on virtual time, and records their tracks.
final class Stage: Sendable {
    struct Failure: Error {}

    let time = VirtualTime()
    private let recorded = Mutex<[Track]>([])

    var tracks: [Track] { recorded.withLock { $0 } }

    /// Adds a track, and returns its index.
    func track(_ label: String) -> Int {
        recorded.withLock {
            $0.append(Track(label: label))
            return $0.count - 1
        }
    }

    /// Records that something begins now. What the track had before, ends.
    func begin(_ kind: Track.Kind, on track: Int) {
        let now = seconds
        recorded.withLock {
            if let last = $0[track].spans.indices.last, $0[track].spans[last].stop == nil {
                $0[track].spans[last].stop = now
            }
            $0[track].spans.append(Track.Span(kind: kind, start: now))
        }
    }

    /// Records the end of what is in progress on a track, if anything is.
    func end(_ track: Int, _ end: Track.End) {
        let now = seconds
        recorded.withLock {
            guard let last = $0[track].spans.indices.last, $0[track].spans[last].stop == nil else { return }
            $0[track].spans[last].stop = now
            $0[track].spans[last].end = end
        }
    }

    /// Records the failure of an operation, which may have been cancelled just before.
    func fail(_ track: Int) {
        end(track, .failure)
        recorded.withLock { $0[track].spans[$0[track].spans.count - 1].end = .failure }
    }

    /// Returns a future whose first run takes the first number of seconds and ends with the first value (nil: it
    /// fails), and so on; further runs are as the last one. It shows its runs on the track, or each on one of its own.
    func operation(on tracks: Int..., runs: (seconds: Double, value: String?)...) -> Future<String> {
        let count = Mutex(0)
        return Future(on: time.scheduler) { [self] completion in
            let number = count.withLock {
                $0 += 1
                return $0 - 1
            }
            let (track, run) = (tracks[min(number, tracks.count - 1)], runs[min(number, runs.count - 1)])
            begin(.running, on: track)
            let result = Future(on: .immediate) { () throws in
                guard let value = run.value else { throw Failure() }
                return value
            }
            let end = result.delay(by: .milliseconds(Int(run.seconds * 1000)), on: time.scheduler).onResult(
                on: .immediate
            ) {
                self.end(track, Self.end(of: $0))
                completion($0)
            }
            return Disposer {
                self.end(track, .cancelled)
                end.cancel()
            }
        }
    }

    /// Shows a future on a track of its own, from now until it completes.
    func show<Value: Sendable>(_ label: String, _ future: Future<Value>) {
        let track = track(label)
        begin(.result, on: track)
        future.onResult(on: .immediate) { [self] in end(track, Self.end(of: $0)) }
    }

    private var seconds: Double { time.now / .seconds(1) }

    private static func end<Value>(of result: Result<Value, any Error>) -> Track.End {
        switch result {
        case .success(let value): .value("\(value)".replacing("\"", with: ""))
        case .failure(is CancellationError): .cancelled
        case .failure: .failure
        }
    }
}
