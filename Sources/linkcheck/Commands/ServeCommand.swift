// ServeCommand: serves the embedded site until Ctrl-C.

import Foundation
import Futures

extension LinkCheck {
    static func serve() throws -> Int32 {
        let site = try EmbeddedSite()
        defer { site.stop() }
        print("The embedded site is at \(site.address) until Ctrl-C.")
        fflush(nil)
        try Future.signal(SIGINT).wait()
        return 0
    }
}
