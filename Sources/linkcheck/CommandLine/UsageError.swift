// UsageError: the errors of the command line, with advice on how to fix them.

/// An invalid command line.
enum UsageError: Error, Equatable {
    case unknownOption(String)
    case missingValue(String)
    case needlessValue(String)
    case badValue(String, for: String, String)
    case nothingToServe(String)
    case noSuchFile(String)
    case noDocument(String)
    case badAddress(String)
    case unknownScheme(String)
    case offlineAddress(String)
    case passwordInAddress
    case unreadable(String)
    case badCredentials(String)
}

extension UsageError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownOption(let option): "there is no option \(option). linkcheck --help lists them."
        case .missingValue(let option): "\(option) needs a value after it."
        case .needlessValue(let option): "\(option) takes no value."
        case .badValue(let text, let option, let wanted): "\(option) needs \(wanted), not \"\(text)\"."
        case .nothingToServe(let text): "--serve serves the embedded site only. Leave out \"\(text)\"."
        case .noSuchFile(let path):
            "there is no file or folder \"\(path)\". To check a site, begin its address with http:// or https://."
        case .noDocument(let path):
            "\"\(path)\" is not a document. Give a .md, .markdown, .html or .htm file, or a folder of them."
        case .badAddress(let text): "\"\(text)\" is not a valid address. One looks like https://example.org/."
        case .unknownScheme(let text): "\"\(text)\" cannot be checked. linkcheck speaks http and https."
        case .offlineAddress(let text):
            "\"\(text)\" is on the web, which --offline leaves alone. Leave out one of them."
        case .passwordInAddress:
            "others can see passwords on the command line. Set LINKCHECK_AUTH to user:password, or use --auth-file."
        case .unreadable(let path): "the file \"\(path)\" cannot be read. Check its name and its permissions."
        case .badCredentials(let place):
            "\(place) has no credentials. In --auth-file, write 'host user:password'; in LINKCHECK_AUTH, 'user:password'."
        }
    }
}
