// Checker+Starts: where a check begins: a site with its rules and sitemaps, a folder, or a file.

import Foundation
import Futures

extension Checker {
    func check(_ start: Start) -> Future<Void> {
        switch start {
        case .site(let address): check(site: address)
        case .folder(let folder): check(folder: folder)
        case .file(let file): check([file.path(percentEncoded: false)], roots: [FilePath.normal(".")])
        }
    }

    private func check(site address: URL) -> Future<Void> {
        rules(of: address).flatMap { robots in
            self.addSite(of: address, robots: robots)
            let sitemaps = self.sitemaps(of: address, robots)
            return join(([address] + sitemaps).map { self.follow(.web($0, fragment: nil), at: [.commandLine]) })
                .asVoid()
        }
    }

    /// Returns a future of what the site's robots.txt says. A site without that file has no rules.
    private func rules(of address: URL) -> Future<Robots> {
        guard options.honorsRobots || options.usesSitemaps,
            let file = URL(string: "/robots.txt", relativeTo: address)?.address
        else { return Future(Robots()) }
        return fetcher.fetch(file, body: .any)
            .map { Robots($0.body.text($0.body.indices)) }
            .mapError { error in
                if error is CancellationError { throw error }
                return Robots()
            }
    }

    private func sitemaps(of address: URL, _ robots: Robots) -> [URL] {
        guard options.usesSitemaps else { return [] }
        let texts = robots.sitemaps.isEmpty ? ["/sitemap.xml"] : robots.sitemaps
        return texts.compactMap { URL(string: $0, relativeTo: address)?.address }
    }

    private func check(folder: URL) -> Future<Void> {
        library.documents(in: folder).flatMap { found in
            for problem in found.problems { self.note(problem, about: problem.path, at: [.commandLine]) }
            let roots = [folder.path(percentEncoded: false), FilePath.normal(".")]
            return self.check(found.documents.map { $0.path(percentEncoded: false) }, roots: roots)
        }
    }

    private func check(_ paths: [String], roots: [String]) -> Future<Void> {
        addDocuments(paths, roots: roots)
        return join(paths.map { follow(.file([$0], fragment: nil), at: [.commandLine]) }).asVoid()
    }
}
