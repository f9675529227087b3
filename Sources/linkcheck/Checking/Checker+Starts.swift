// Checker+Starts: where a check starts: a site with its rules and sitemaps, a folder, or a file.

import Foundation
import Futures

extension Checker {
    /// Checks all of `starts`. The returned future completes when there is nothing left to check, and never fails.
    func check(_ starts: [Start]) -> Future<Void> {
        // All starts are prepared first: what a link leads to is only read if it is known to belong to one of them.
        join(starts.map(prepare))
            .flatMap { targets in
                join(targets.joined().map { self.follow($0, at: [.commandLine]) })
            }
            .asVoid()
    }

    /// Returns a future of the first targets to visit.
    private func prepare(_ start: Start) -> Future<[LinkTarget]> {
        switch start {
        case .site(let address): prepare(site: address)
        case .folder(let folder): prepare(folder: folder.path(percentEncoded: false))
        case .file(let file): Future(add([file.path(percentEncoded: false)], roots: []))
        }
    }

    private func prepare(site address: URL) -> Future<[LinkTarget]> {
        addSite(of: address)
            .map { robots in ([address] + self.sitemaps(of: address, robots)).map { .web($0, fragment: nil) } }
            .recover { error in
                guard let failure = error as? FetchFailure else { throw error }
                self.note(failure.error, about: failure.address.absoluteString, at: [.commandLine])
                return []
            }
    }

    /// Adds the site of a page, and returns a future of what its robots.txt says. A site without that file has no rules.
    /// If the file cannot be read for another reason, no page of the site may be (RFC 9309, 2.3.1).
    func addSite(of address: URL) -> Future<Robots> {
        let file = URL(string: "/robots.txt", relativeTo: address)?.address
        guard options.honorsRobots || options.usesSitemaps, let file else {
            addSite(of: address, robots: Robots())
            return Future(Robots())
        }
        return fetcher.fetch(file, body: .any)
            .map { Robots($0.body.text($0.body.indices)) }
            .recover { error in
                let failure = (error as? FetchFailure)?.error
                guard let failure, failure.isUnavailable || !self.options.honorsRobots else { throw error }
                return Robots()
            }
            .onValue { self.addSite(of: address, robots: $0) }
    }

    private func sitemaps(of address: URL, _ robots: Robots) -> [URL] {
        guard options.usesSitemaps else { return [] }
        let texts = robots.sitemaps.isEmpty ? ["/sitemap.xml"] : robots.sitemaps
        return texts.compactMap { URL(string: $0, relativeTo: address)?.address }
    }

    private func prepare(folder: String) -> Future<[LinkTarget]> {
        library.documents(in: folder).map { found in
            for problem in found.problems { self.note(problem, about: problem.path, at: [.commandLine]) }
            return self.add(found.documents, roots: [folder])
        }
    }

    private func add(_ paths: [String], roots: [String]) -> [LinkTarget] {
        addDocuments(paths, roots: roots + [FilePath.normal(".")])
        return paths.map { .file([$0], fragment: nil) }
    }
}
