// Diagnosis: what --diagnose and --wait-graph write.

import Foundation
import Futures
import FuturesDiagnostics
import FuturesFoundation

/// Writes what is pending, and why: on Ctrl-\, on a signal that ends the check, and at its end.
@MainActor
final class Diagnosis {
    private let isReporting: Bool
    private let graphFile: String?
    private let bag = DisposeBag()

    /// Turns on diagnosing for what is made from now on; nil if neither option is given.
    init?(_ options: ReportingOptions) {
        guard options.isDiagnosing || options.waitGraph != nil else { return nil }
        isReporting = options.isDiagnosing
        graphFile = options.waitGraph
        Diagnostics.isOn = true
        bag +=
            ProcessSignal(SIGQUIT).future().onValue { [weak self] _ in self?.write() }
            .onValueRepeat { _ in true }.disposable
    }

    func write() {
        if isReporting { Diagnostics.dump() }
        guard let graphFile else { return }
        do {
            try Diagnostics.waitGraph(.dot).write(toFile: graphFile, atomically: true, encoding: .utf8)
        } catch {
            LinkCheck.say("linkcheck: cannot write \(graphFile): \(error.localizedDescription)")
        }
    }
}
