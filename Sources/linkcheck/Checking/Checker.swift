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
        /// Whether addresses on the web are ignored.
        var isOffline = false
    }

    private let options: Options
    private let names: Names
    private let fetcher: Fetcher
    private let library = Library()
    private var found = Report()

    private var targets: [String: Target] = [:]
    /// The sites whose pages are read. Of other sites, only the existence of the linked pages is checked.
    private var sites: Set<Origin> = []
    /// The files whose links are checked, with the folders to which `/…` in them is relative.
    private var documents: [String: [String]] = [:]
    private var pagesRead: Set<URL> = []

    /// Called for each broken link when it is found, with the first of its places.
    var onFinding: (_ target: String, _ reason: String, Place) -> Void = { _, _, _ in }

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
        join(starts.map(check)).asVoid()
    }
}

extension Checker {
    private func check(_ start: Start) -> Future<Void> {
        switch start {
        case .site(let address): check(site: address)
        case .folder(let folder): check(folder: folder)
        case .file(let file): check([file], roots: [FilePath.normal(".")])
        }
    }

    private func check(site address: URL) -> Future<Void> {
        addSite(of: address)
        return follow(.web(address, fragment: nil), writtenAs: "", at: [.commandLine], isStart: true)
    }

    private func check(folder: URL) -> Future<Void> {
        library.documents(in: folder).flatMap { found in
            for problem in found.problems { self.note(problem, about: problem.path, at: [.commandLine]) }
            let path = folder.path(percentEncoded: false)
            return self.check(found.documents, roots: [path, FilePath.normal(".")])
        }
    }

    private func check(_ files: [URL], roots: [String]) -> Future<Void> {
        let paths = files.map { $0.path(percentEncoded: false) }
        for path in paths { documents[path] = documents[path] ?? roots }
        return join(paths.map { follow(.file([$0], fragment: nil), writtenAs: "", at: [.commandLine]) }).asVoid()
    }
}

extension Checker {
    /// Checks the links of a page. The returned future completes when all that they lead to has been checked.
    private func checkLinks(of visit: Visit) -> Future<Void> {
        guard pagesRead.insert(visit.address).inserted else { return Future() }
        if visit.document?.kind.isPage == true { found.pages += 1 }
        let base = visit.base(roots: documents[visit.address.path(percentEncoded: false)] ?? [])
        let page = names.name(of: visit.address.name)
        let links = visit.takeLinks()
        found.links += links.count
        // Many pages link to the same address many times.
        let places = Dictionary(grouping: links, by: \.target).mapValues { links in
            links.map { Place(page: page, line: $0.line) }
        }
        return join(
            places.compactMap { text, places in
                follow(LinkTarget(text, on: base), writtenAs: text, at: places)
            }
        ).asVoid()
    }

    /// Checks the links at `places`, and all that they lead to, unless other links have led there before.
    private func follow(
        _ link: LinkTarget, writtenAs text: String, at places: [Place], isStart: Bool = false
    ) -> Future<Void> {
        switch link {
        case .unusable(let reason):
            add(target: text, reason: reason, at: places)
            return Future()
        case .file(let paths, let fragment):
            return visit(paths[0], Target.Mention(fragment: fragment, places: places)) { self.library.read(paths) }
        case .web(let address, let fragment) where !options.isOffline:
            return visit(address.absoluteString, Target.Mention(fragment: fragment, places: places)) {
                self.visit(address, isStart: isStart)
            }
        case .ignored, .web:
            found.ignored += places.count
            return Future()
        }
    }

    /// Adds a link to its target. If it is the first, visits the target and checks the links of the page there.
    private func visit(
        _ address: String, _ mention: Target.Mention, by visit: () -> Future<Visit>
    ) -> Future<Void> {
        if let target = targets[address] {
            target.add(mention)
            return Future()
        }
        let target = Target(address) { self.check($0, $1, $2) }
        targets[address] = target
        target.add(mention)
        return visit()
            .onResult { target.complete($0) }
            .flatMap { self.isRead($0) ? self.checkLinks(of: $0) : Future() }
            .mapError { _ in }
    }

    /// Adds a finding if the target of a link is broken.
    private func check(_ target: Target, _ result: Result<Visit, any Error>, _ mention: Target.Mention) {
        switch result {
        case .failure(let error): note(error, about: target.address, at: mention.places)
        case .success(let visit):
            // Pages of other sites are not read, so that their fragments cannot be checked.
            guard let fragment = mention.fragment, let document = visit.document, isOnSite(visit.address) else {
                return
            }
            if !document.hasAnchor(fragment) {
                note(NoSuchAnchor(), about: target.address, fragment: fragment, at: mention.places)
            }
        }
    }
}

extension Checker {
    private func visit(_ address: URL, isStart: Bool) -> Future<Visit> {
        let isPage = isOnSite(address) && address.looksLikePage
        let response = isPage ? fetcher.fetch(address) : look(at: address)
        // A site may redirect to another host, for example from example.org to www.example.org.
        return
            response
            .onValue { if isStart { self.addSite(of: $0.address) } }
            .flatMap { self.library.read($0) }
    }

    /// Requests an address without the body, because loading an image would be a waste. If the response is a page to be
    /// read, requests it again with the body.
    private func look(at address: URL) -> Future<Response> {
        fetcher.probe(address).flatMap { response in
            let isPage = response.body.isEmpty && response.kind != nil && self.isOnSite(response.address)
            return isPage ? self.fetcher.fetch(response.address) : Future(response)
        }
    }

    private func addSite(of address: URL) {
        if let origin = Origin(address) { sites.insert(origin) }
    }

    private func isOnSite(_ address: URL) -> Bool {
        address.isFileURL || Origin(address).map(sites.contains) ?? false
    }

    /// Returns whether the links of a page are checked.
    private func isRead(_ visit: Visit) -> Bool {
        guard visit.document != nil else { return false }
        return visit.address.isFileURL
            ? documents[visit.address.path(percentEncoded: false)] != nil : isOnSite(visit.address)
    }
}

extension Checker {
    private func note(_ error: any Error, about address: String, fragment: String? = nil, at places: [Place]) {
        let target = names.name(of: address) + (fragment.map { "#" + $0 } ?? "")
        let failure = error as? FetchFailure
        var reason = "\(failure?.error ?? error)"
        if let failure, failure.address.absoluteString != address {
            reason += " (redirected to \(names.name(of: failure.address.absoluteString)))"
        }
        add(target: target, reason: reason, at: places)
    }

    private func add(target: String, reason: String, at places: [Place]) {
        for place in places where found.add(target: target, reason: reason, place: place) {
            onFinding(target, reason, place)
        }
    }
}
