// data, upload, download: the requests of an HTTPClient.

import Foundation
import Futures

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPClient {
    /// Requests an address with GET, and returns a future of the reply.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - progress: A counter of the body's bytes; nil for none.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    ///   - options: The options of this request; nil for the client's.
    public func data(
        from url: URL, progress: ProgressCounter? = nil, options: HTTPOptions? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<HTTPResponse> {
        data(for: URLRequest(url: url), progress: progress, options: options, file: file, line: line)
    }

    /// Sends a request, and returns a future of the reply.
    ///
    /// - Parameters:
    ///   - request: The request. Its timeout is not used: see `options`.
    ///   - progress: A counter of the body's bytes; nil for none.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    ///   - options: The options of this request; nil for the client's.
    public func data(
        for request: URLRequest, progress: ProgressCounter? = nil, options: HTTPOptions? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<HTTPResponse> {
        let limit = (options ?? self.options).maxBodySize
        return send(request, progress: progress, options: options, file, line) { MemorySink(maxSize: limit) }
    }

    /// Sends a request with a body, and returns a future of the reply.
    ///
    /// - Parameters:
    ///   - request: The request, with its method. Its timeout is not used: see `options`.
    ///   - body: The request's body.
    ///   - progress: A counter of the request's bytes that were sent; nil for none.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    ///   - options: The options of this request; nil for the client's.
    public func upload(
        for request: URLRequest, from body: Data, progress: ProgressCounter? = nil, options: HTTPOptions? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<HTTPResponse> {
        let limit = (options ?? self.options).maxBodySize
        return send(request, body: .data(body), progress: progress, options: options, file, line) {
            MemorySink(maxSize: limit)
        }
    }

    /// Sends a request with the contents of a file as its body, and returns a future of the reply.
    ///
    /// The file is read while it is sent. A file that cannot be read fails the future with a `CocoaError`; a folder, a
    /// device or a pipe with a ``FileError``.
    ///
    /// - Parameters:
    ///   - request: The request, with its method. Its timeout is not used: see `options`.
    ///   - body: The file.
    ///   - progress: A counter of the request's bytes that were sent; nil for none.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    ///   - options: The options of this request; nil for the client's.
    public func upload(
        for request: URLRequest, fromFile body: URL, progress: ProgressCounter? = nil, options: HTTPOptions? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<HTTPResponse> {
        let limit = (options ?? self.options).maxBodySize
        // URLSession on Linux traps if the file is not readable, and waits for what a folder or a pipe does not have.
        let check = Future(
            on: .background,
            immediate: {
                try OpenFile.checkIsRegular(body.filePath, for: "upload")
                try FileHandle(forReadingFrom: body).close()
            })
        return check.flatMap(on: .immediate) { [self] in
            send(request, body: .file(body), progress: progress, options: options, file, line) {
                MemorySink(maxSize: limit)
            }
        }
        .named(Self.name(of: request))
    }

    /// Sends a value as JSON, and returns a future of the reply.
    ///
    /// - Parameters:
    ///   - request: The request, with its method. `Content-Type` is set to `application/json`.
    ///   - value: The value. An error of the encoder fails the future.
    ///   - encoder: The encoder. It must not be changed any more.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    ///   - options: The options of this request; nil for the client's.
    public func upload(
        for request: URLRequest, json value: some Encodable, encoder: JSONEncoder = JSONEncoder(),
        options: HTTPOptions? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Future<HTTPResponse> {
        var request = request
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        do {
            return upload(for: request, from: try encoder.encode(value), options: options, file: file, line: line)
        } catch {
            return Future(error: error)
        }
    }

    /// Downloads an address to a file, and returns a future of the reply, whose body is empty.
    ///
    /// The body is received in a temporary file beside `target`, which replaces `target` once it is complete. So `target` is
    /// never incomplete. It is left alone if the download fails or is cancelled, and the temporary file is removed.
    /// Once the file is being replaced, no time limit ends the download, and a cancel comes too late.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - target: The file, which need not exist; its folder must. Folders, devices and pipes are not replaced.
    ///   - progress: A counter of the body's bytes; nil for none.
    ///   - file: The file in errors and reports.
    ///   - line: The line in errors and reports.
    ///   - options: The options of this request; nil for the client's.
    public func download(
        from url: URL, to target: URL, progress: ProgressCounter? = nil, options: HTTPOptions? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<HTTPResponse> {
        download(
            for: URLRequest(url: url), to: target, progress: progress, options: options, file: file, line: line)
    }

    /// Sends a request, whose timeout is not used, and downloads the reply's body to a file: see
    /// ``download(from:to:progress:options:file:line:)``.
    public func download(
        for request: URLRequest, to target: URL, progress: ProgressCounter? = nil, options: HTTPOptions? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<HTTPResponse> {
        let limit = (options ?? self.options).maxBodySize
        return send(request, progress: progress, options: options, file, line) { FileSink(target, maxSize: limit) }
    }
}
