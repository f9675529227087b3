// Checker: checks all links of a page, and of the pages of the same site that it links to.

import Foundation
import Futures

/// Checks sites, folders and files. Its `report` contains the findings so far.
///
/// It is isolated to the main actor, whose work `wait()` runs when it is called at the top level of a program.
@MainActor
final class Checker {
    struct Options: Equatable, Sendable {
        var limits = Fetcher.Limits()
        /// Whether addresses on the web are skipped.
        var isOffline = false
    }

    private let options: Options
    private let names: Names
    private let fetcher: Fetcher
    private let disk = FutureQueue(maxConcurrentCount: 8)
    private var found = Report()

    /// The visits by address. Each address is visited once, because a future caches its result.
    private var visits: [URL: Future<Visit>] = [:]
    /// The sites whose pages are read. Of other sites, only the existence of the linked pages is checked.
    private var sites: Set<Origin> = []
    private var pagesRead: Set<URL> = []

    init(options: Options = Options(), names: Names = Names(), log: @escaping (String) -> Void = { _ in }) {
        self.options = options
        self.names = names
        fetcher = Fetcher(limits: options.limits, log: log)
    }

    /// The findings so far.
    var report: Report {
        var report = found
        report.retries = fetcher.retries
        report.redirects = fetcher.redirects
        return report
    }

    /// Checks all of `starts`. The returned future completes when there is nothing left to check, and never fails.
    func check(_ starts: [Start]) -> Future<Void> {
        join(starts.map(check)).map { _ in }
    }
}

extension Checker {
    private func check(_ start: Start) -> Future<Void> {
        switch start {
        case .site(let address): check(site: address)
        case .folder(let folder): check(folder: folder)
        case .file(let file): check(file: file, roots: [])
        }
    }

    private func check(site address: URL) -> Future<Void> {
        addSite(of: address)
        return visit(address)
            // A site may redirect to another host, for example from example.org to www.example.org.
            .onValue { self.addSite(of: $0.address) }
            .onError { self.note($0, about: address, at: .commandLine) }
            .flatMap { self.checkLinks(of: $0) }
            .mapError { _ in }
    }

    private func check(folder: URL) -> Future<Void> {
        Future(on: .concurrentBackground, immediate: { Files.documents(in: folder) }).flatMap { found in
            for problem in found.problems { self.note(problem, about: problem.file, at: .commandLine) }
            return join(found.documents.map { self.check(file: $0, roots: [folder]) }).map { _ in }
        }
    }

    private func check(file: URL, roots: [URL]) -> Future<Void> {
        visit([file])
            .onError { self.note($0, about: file, at: .commandLine) }
            .flatMap { self.checkLinks(of: $0, roots: roots + [.file(".")]) }
            .mapError { _ in }
    }
}

extension Checker {
    /// Checks the links of a page, unless they have already been checked.
    private func checkLinks(of visit: Visit, roots: [URL] = []) -> Future<Void> {
        guard let document = visit.document, pagesRead.insert(visit.address).inserted else { return Future() }
        found.pages += 1
        let base = document.base.flatMap { URL(string: $0, relativeTo: visit.address)?.absoluteURL } ?? visit.address
        let page = names.name(of: visit.address)
        return join(
            document.links.map { link in
                found.links += 1
                let target = LinkTarget(link.target, on: base, roots: roots)
                return check(target, writtenAs: link.target, at: Place(page: page, line: link.line))
            }
        ).map { _ in }
    }

    private func check(_ target: LinkTarget, writtenAs text: String, at place: Place) -> Future<Void> {
        switch target {
        case .skipped:
            found.skipped += 1
            return Future()
        case .unusable(let reason):
            found.findings.append(Finding(target: text, reason: reason, place: place))
            return Future()
        case .file(let places, let fragment):
            return check(visit(places), of: places[0], fragment: fragment, at: place).mapResult { _ in }
        case .web where options.isOffline:
            found.skipped += 1
            return Future()
        case .web(let address, let fragment):
            return check(visit(address), of: address, fragment: fragment, at: place)
                .flatMap { self.isOnSite($0.address) ? self.checkLinks(of: $0) : Future() }
                .mapError { _ in }
        }
    }

    /// Adds a finding if the target of a link is broken. Returns a future of the visit.
    private func check(_ visit: Future<Visit>, of address: URL, fragment: String?, at place: Place) -> Future<Visit> {
        visit
            .onError { self.note($0, about: address, fragment: fragment, at: place) }
            .onValue { visit in
                // Pages of other sites are not read, so that their fragments cannot be checked.
                guard let fragment, let document = visit.document, self.isOnSite(visit.address) else { return }
                if !document.hasAnchor(fragment) {
                    self.note(NoSuchAnchor(), about: address, fragment: fragment, at: place)
                }
            }
    }
}

extension Checker {
    private func visit(_ address: URL) -> Future<Visit> {
        cached(address) {
            let isPage = isOnSite(address) && address.looksLikePage
            return (isPage ? fetcher.fetch(address) : look(at: address))
                .map(on: .concurrentBackground) { Visit(address: $0.address, document: $0.document) }
        }
    }

    /// Requests an address without the body, because loading an image would be a waste. If the response is a page to be
    /// read, requests it again with the body.
    private func look(at address: URL) -> Future<Response> {
        fetcher.probe(address).flatMap { response in
            let isPage = response.body.isEmpty && response.document != nil && self.isOnSite(response.address)
            return isPage ? self.fetcher.fetch(response.address) : Future(response)
        }
    }

    private func visit(_ places: [URL]) -> Future<Visit> {
        cached(places[0]) {
            disk.enqueue(on: .concurrentBackground) {
                Future(on: .concurrentBackground, immediate: { try Files.visit(places) })
            }
        }
    }

    private func cached(_ address: URL, _ visit: () -> Future<Visit>) -> Future<Visit> {
        if let visit = visits[address] { return visit }
        let visit = visit()
        visits[address] = visit
        return visit
    }

    private func addSite(of address: URL) {
        if let origin = Origin(address) { sites.insert(origin) }
    }

    private func isOnSite(_ address: URL) -> Bool {
        address.isFileURL || Origin(address).map(sites.contains) ?? false
    }

    private func note(_ error: any Error, about address: URL, fragment: String? = nil, at place: Place) {
        let target = names.name(of: address) + (fragment.map { "#" + $0 } ?? "")
        let failure = error as? FetchFailure
        var reason = "\(failure?.error ?? error)"
        if let failure, failure.address != address { reason += " (redirected to \(names.name(of: failure.address)))" }
        found.findings.append(Finding(target: target, reason: reason, place: place))
    }
}
