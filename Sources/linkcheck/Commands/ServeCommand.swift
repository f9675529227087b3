// ServeCommand: serves the embedded site until Ctrl-C.

import Foundation
import Futures

extension LinkCheck {
    static func serve() throws -> Int32 {
        let site = try EmbeddedSite()
        defer { site.stop() }
        try Output.standard.write(line: "The embedded site is at \(site.address) until Ctrl-C.")
        try StopSignal.future().wait()
        return 0
    }
}
