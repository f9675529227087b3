// Addresses, dates, robots.txt, options and schedules.

import Foundation

func fuzzAddresses(_ input: FuzzInput) {
    let text = input.text
    for page in [webPage, filePage] {
        let target = LinkTarget(text, on: page)
        require(LinkTarget(text, on: page) == target, "two readings differ")
        if case .web(let address, _) = target { _ = Origin(address) }
    }
    let encoded = text.percentEncoded
    require(encoded.percentEncoded == encoded, "\(encoded) is encoded again")
    _ = text.decodingPercents()
}

func fuzzDates(_ input: FuzzInput) {
    let text = input.text
    let now = Date(timeIntervalSince1970: 784_111_777)
    if let delay = RetryAfter.delay(text, now: now) {
        require(delay >= .zero && delay <= .seconds(1_000_000), "a delay of \(delay)")
    }
    // Whoever reads both formats reads the same time, to the second.
    guard let date = Date(httpField: text), date.timeIntervalSince1970 < 32_503_680_000 else { return }
    require(date.timeIntervalSince1970 > -70_000_000_000, "a date of \(date.timeIntervalSince1970)")
    guard date.timeIntervalSince1970 >= 0 else { return }
    require(Date(httpField: HTTPDate.text(date)) == date, "\(date) is not read as written")
}

/// The first line is a path, and the others the file.
func fuzzRobots(_ input: FuzzInput) {
    let parts = input.text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let robots = Robots(parts.last ?? "")
    let path = "/" + parts[0]
    if robots.rules.allSatisfy(\.isAllowed) { require(robots.allows(path), "\(path) is forbidden by no rule") }
}

/// Each line is an argument.
func fuzzOptions(_ input: FuzzInput) {
    let lines = input.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    do {
        let arguments = try Arguments(lines, read: { $0 })
        require(arguments.options.limits.perHost > 0, "no request may be sent")
    } catch { require(!"\(error)".isEmpty, "an error without a message") }
}

func fuzzSchedules(_ input: FuzzInput) {
    // The numbers that a run has made: what users change by hand is checked by a trap.
    let schedule = Schedule(input.bytes.map(Int.init))
    require(Schedule(parsing: schedule.text).choices == schedule.choices, "\(schedule.text) is read as another one")
    guard let read = Schedule(readable: input.text) else { return }
    require(Schedule(parsing: read.text).choices == read.choices, "\(read.text) is read as another one")
}
