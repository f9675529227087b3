// Futures and their steps: complete, fail, abandon, attach, cancel, release, read.

import Dispatch
import Futures

/// The actions on a promise, an operation's completion, or what else completes a future.
struct Source {
    let promise = Variable(Promise<Tracked>())
    private let number: Int

    init(_ number: Int = 1) { self.number = number }

    /// A failed one if the promise has been released.
    var future: Future<Tracked> { promise.value?.future ?? Future(error: Failed()) }

    var complete: @Sendable () -> Void { { [promise, number] in promise.value?.succeed(Tracked(number)) } }
    var fail: @Sendable () -> Void { { [promise] in promise.value?.fail(Failed()) } }
    var abandon: @Sendable () -> Void { { [promise] in promise.value = nil } }

    /// What has become of it before it ends.
    var summary: String { promise.value.map { outcome($0.future) } ?? "abandoned" }

    /// Completes it, unless that has been done, and releases it.
    func end() {
        complete()
        abandon()
    }
}

/// The actions of the consumers of a future.
struct Consumed {
    let future: Variable<Future<Tracked>>
    private let notes = Notes()
    private let group = DispatchGroup()

    init(_ future: Future<Tracked>) { self.future = Variable(future) }

    var attach: @Sendable () -> Void {
        { [future, notes] in
            future.value?.onResult(on: .immediate) { result in notes.add("called with \(text(result))") }
        }
    }
    /// Attaches a listener that does not prevent a cancel.
    var watch: @Sendable () -> Void {
        { [future, group] in
            guard let future = future.value else { return }
            group.enter()
            future.watch { group.leave() }
        }
    }
    /// Attaches a step, and cancels it: the future must not remember it.
    var visit: @Sendable () -> Void { { [future] in _ = future.value?.map(on: .immediate) { $0 }.cancel() } }
    var cancel: @Sendable () -> Void { { [future] in future.value?.cancel() } }
    var release: @Sendable () -> Void { { [future] in future.value = nil } }
    var read: @Sendable () -> Void {
        { [future, notes] in if let future = future.value { notes.add(outcome(future)) } }
    }

    /// What has become of it, and what its consumers were told.
    var summary: String {
        let state = future.value.map { outcome($0) } ?? "released"
        let watched = group.wait(timeout: .now()) == .success ? [] : ["still watched"]
        return ([state] + notes.all.sorted() + watched).joined(separator: ", ")
    }
}

extension Subject.Instance {
    /// The outcome is what has become of these consumers when the sources have ended.
    init(actions: KeyValuePairs<String, @Sendable () -> Void>, ending sources: [Source], _ consumed: Consumed...) {
        self.init(actions: actions) {
            for source in sources { source.end() }
            return consumed.map(\.summary)
        }
    }
}

/// A future of the first source. When it is run again, it is one of the second.
func firstRun(of sources: [Source]) -> Future<Tracked> {
    let runs = Notes()
    return Future<Tracked>(on: .immediate, immediate: { Tracked(0) }).flatMap(on: .immediate) { _ in
        runs.add("run")
        return sources[min(runs.all.count, 2) - 1].future
    }
}

let futureSubjects = [
    Subject("a promise") {
        let source = Source()
        let future = Consumed(source.future)
        return .init(
            actions: [
                "complete": source.complete, "fail": source.fail, "abandon": source.abandon, "attach": future.attach,
                "cancel": future.cancel, "release": future.release, "read": future.read, "watch": future.watch,
            ],
            ending: [source], future)
    },
    Subject("a step") {
        let (source, notes) = (Source(), Notes())
        let other = Consumed(source.future.map(on: .immediate) { Tracked($0.number + 20) })
        let step = Consumed(
            source.future.map(on: .immediate) {
                notes.add("transformed")
                return Tracked($0.number + 10)
            })
        return .init(
            actions: [
                "complete": source.complete, "fail": source.fail, "abandon": source.abandon, "attach": step.attach,
                "cancel": step.cancel, "release": step.release, "read": step.read, "watch": step.watch,
                "visit": step.visit, "cancel another one": other.cancel, "release another one": other.release,
            ],
            outcome: {
                let state = source.summary
                source.end()
                return [state, step.summary, other.summary, notes.count(of: "transformed")]
            })
    },
    Subject("a recovering step") {
        let (source, notes) = (Source(), Notes())
        let step = Consumed(
            source.future.always(on: .immediate) { notes.add("always") }
                .recover(on: .immediate) { error in
                    notes.add("recovered")
                    throw error
                }.onCancel(on: .immediate) { notes.add("onCancel") })
        return .init(
            actions: [
                "complete": source.complete, "fail": source.fail, "abandon": source.abandon, "attach": step.attach,
                "cancel": step.cancel, "release": step.release,
            ],
            outcome: {
                source.end()
                return [step.summary] + ["always", "recovered", "onCancel"].map { notes.count(of: $0) }
            })
    },
    Subject("an operation") {
        let (notes, kept) = (Notes(), Variable<Future<Tracked>.Completion>())
        let future = Consumed(
            Future(on: .immediate) { completion in
                kept.value = completion
                return Disposer { notes.add("disposed") }
            })
        return .init(
            actions: [
                "complete": { kept.value?(.success(Tracked(1))) }, "abandon": { kept.value = nil },
                "attach": future.attach, "cancel": future.cancel, "release": future.release, "read": future.read,
            ],
            outcome: {
                kept.value?(.success(Tracked(1)))
                kept.value = nil
                return [future.summary, notes.count(of: "disposed")]
            })
    },
    Subject("a repetition") {
        let sources = [Source(1), Source(2)]
        let future = Consumed(firstRun(of: sources).repeatedInPlace(maxRepetitions: 1))
        return .init(
            actions: [
                "complete": sources[0].complete, "fail": sources[0].fail,
                "complete the repetition": sources[1].complete,
                "attach": future.attach, "cancel": future.cancel, "release": future.release,
            ],
            ending: sources, future)
    },
]
