// Option: the options of the command line and of config files, with their help.

/// An option.
struct Option: Sendable {
    /// The long name, without hyphens.
    let name: String
    let letter: Character?
    /// What the help calls the value, or nil if the option has none.
    let value: String?
    let help: String
    /// Changes the arguments. It is called with the value and with the name as written.
    let apply: @Sendable (inout Arguments, String, String) throws -> Void

    init(
        _ name: String, letter: Character? = nil, value: String? = nil, _ help: String,
        _ apply: @escaping @Sendable (inout Arguments, String, String) throws -> Void
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.help = help
        self.apply = apply
    }

    static func named(_ name: String) -> Option? {
        all.first { "--" + $0.name == name || $0.letter.map { "-\($0)" } == name }
    }

    static let all = groups.flatMap(\.options)

    static let groups: [(title: String, options: [Option])] = [
        ("What is checked", scope), ("How pages are read", crawling), ("Requests", requests), ("Reports", reports),
        ("Other", other),
    ]
}

extension Option {
    private static let scope = [
        Option("include", value: "regex", "check only links whose address or path matches") {
            $0.options.filter.include.append(try Values.pattern($1, for: $2))
        },
        Option("exclude", value: "regex", "ignore links whose address or path matches") {
            $0.options.filter.exclude.append(try Values.pattern($1, for: $2))
        },
        Option("internal", "ignore links to other sites") { arguments, _, _ in arguments.options.isInternal = true },
        Option("offline", "ignore links to the web") { arguments, _, _ in arguments.options.isOffline = true },
        Option("list", value: "file", "check the addresses and files that it lists, one a line; - is the input") {
            arguments, value, _ in arguments.lists.append(value)
        },
        Option("sitemap", "check the pages that the sitemaps of the site list, too") { arguments, _, _ in
            arguments.options.usesSitemaps = true
        },
        Option("root", value: "folder", "look up /paths of links in files there, too") { arguments, value, _ in
            arguments.options.roots.append(FilePath.normal(value))
        },
    ]

    private static let crawling = [
        Option("max-pages", value: "count", "read at most this many pages") {
            $0.options.maxPages = try Values.count($1, for: $2, 1...1_000_000_000)
        },
        Option("depth", value: "count", "read pages up to this many links away from the first") {
            $0.options.maxDepth = try Values.count($1, for: $2, 0...1_000_000)
        },
        Option("max-body", value: "size", "read pages of up to this size (10M); k, M and G are units") {
            $0.options.limits.maxBody = try Values.size($1, for: $2)
        },
        Option("ignore-robots", "read pages that robots.txt asks crawlers to leave out") { arguments, _, _ in
            arguments.options.honorsRobots = false
        },
    ]

    private static let requests = [
        Option("per-host", letter: "n", value: "count", "concurrent requests to one host (4)") {
            $0.options.limits.perHost = try Values.count($1, for: $2, 1...10_000)
        },
        Option("in-flight", value: "count", "concurrent requests in all (16)") {
            $0.options.limits.inFlight = try Values.count($1, for: $2, 1...10_000)
        },
        Option("rate", value: "count", "requests to one host in a second (no limit)") {
            $0.options.limits.rate = try Values.count($1, for: $2, 1...10_000)
        },
        Option("timeout", value: "seconds", "limit for each wait for a server (10)") {
            $0.options.limits.timeout = try Values.seconds($1, for: $2)
        },
        Option("total-timeout", value: "seconds", "limit for a whole response (60)") {
            $0.options.limits.totalTimeout = try Values.seconds($1, for: $2)
        },
        Option("retries", value: "count", "retries of requests that may succeed later (3)") {
            $0.options.limits.retries = try Values.count($1, for: $2, 0...10_000)
        },
        Option("max-pause", value: "seconds", "the longest pause that a host may ask for by Retry-After (60)") {
            $0.options.limits.maxPause = try Values.seconds($1, for: $2)
        },
        Option("redirects", value: "count", "redirects that are followed from one link (10)") {
            $0.options.limits.redirects = try Values.count($1, for: $2, 0...10_000)
        },
        Option("accept", value: "statuses", "statuses of good responses, such as 200-299,403") {
            $0.options.limits.accepted = try Values.statuses($1, for: $2)
        },
        Option("header", value: "field", "a field for requests to the checked sites, as 'Name: value'") {
            $0.options.identity.siteFields.append(try Values.field($1, for: $2))
        },
        Option("user-agent", value: "text", "the name in requests (linkcheck/\(LinkCheck.version))") {
            $0.options.identity.userAgent = try Values.fieldValue($1, for: $2)
        },
        Option("auth-file", value: "file", "lines of 'host user:password'; or set LINKCHECK_AUTH for the sites") {
            arguments, value, _ in arguments.files.credentials = value
        },
        Option("cache", value: "file", "do not repeat requests that were good, and remember those that are") {
            arguments, value, _ in arguments.files.cache = value
        },
        Option("cache-age", value: "seconds", "how long a good request is remembered (86400)") {
            $0.files.cacheAge = try Values.seconds($1, for: $2)
        },
    ]

    private static let reports = [
        Option("format", value: "name", "text, json, junit or github (annotations of a workflow)") {
            $0.reporting.format = try Values.choice($1, for: $2)
        },
        Option("color", value: "when", "auto, always or never") {
            $0.reporting.color = try Values.choice($1, for: $2)
        },
        Option("quiet", letter: "q", "write only the report, and only if a link is broken") { arguments, _, _ in
            arguments.reporting.isQuiet = true
        },
        Option("verbose", letter: "v", "write each request to the standard error") { arguments, _, _ in
            arguments.reporting.isVerbose = true
        },
        Option("diagnose", "write what is pending to the standard error: on Ctrl-\\ and at the end") {
            arguments, _, _ in arguments.reporting.isDiagnosing = true
        },
        Option("wait-graph", value: "file", "write the graph of waits then, for Graphviz") {
            arguments, value, _ in arguments.reporting.waitGraph = value
        },
    ]

    private static let other = [
        Option("config", value: "file", "read options: lines such as 'timeout 5', without the hyphens") { _, _, _ in },
        Option("serve", "serve the embedded site until Ctrl-C") { arguments, _, _ in
            if arguments.command == .demonstrate { arguments.command = .serve }
        },
        Option("version", "write the version") { arguments, _, _ in
            if arguments.command != .help { arguments.command = .version }
        },
        Option("help", letter: "h", "write this") { arguments, _, _ in arguments.command = .help },
    ]
}
