// Options: the command line.

import Testing

@testable import benchmarks

struct OptionsTests {
    private static func names(_ options: Options) -> [String] {
        options.selected(from: chapters).flatMap(\.rows).map(\.name)
    }

    @Test func `without arguments all rows are measured for long`() throws {
        let options = try #require(try Options([]))
        #expect(options.effort.name == "full")
        #expect(Self.names(options).count == chapters.flatMap(\.rows).count)
    }

    @Test func `arguments may come in any order`() throws {
        let options = try #require(
            try Options(["--check", "--json", "a.json", "--filter", "map", "--quick", "--plot", "--markdown", "b.md"]))
        #expect(options.checks && options.plots && options.isQuick)
        #expect(options.filter == "map")
        #expect(options.json == "a.json")
        #expect(options.markdown == "b.md")
        #expect(options.passes == nil)
    }

    @Test func `quick omits slow rows, and a filter omits rows without its text`() throws {
        let options = try #require(try Options(["--quick", "--filter", "FLATMAP"]))
        let rows = Self.names(options)
        #expect(rows.contains("10 flatMaps to completed, per step"))
        #expect(rows.contains("recursive flatMap, 1 M immediate steps"))
        #expect(!rows.contains("recursive flatMap, 10 M immediate steps"))
        #expect(!rows.contains("10 maps pending, per map"))
    }

    @Test func `the full name of a row selects only that row, even a slow one`() throws {
        let name = "recursive flatMap, 1 M immediate steps"
        #expect(Self.names(try #require(try Options(["--filter", name]))) == [name])
        let long = "recursive flatMap, 10 M immediate steps"
        #expect(Self.names(try #require(try Options(["--quick", "--filter", long]))) == [long])
        #expect(Self.names(try #require(try Options(["--filter", "no such row"]))).isEmpty)
    }

    @Test func `help returns no options`() throws {
        #expect(try Options(["--quick", "-h"]) == nil)
        #expect(try Options(["--help"]) == nil)
    }

    @Test(arguments: [
        (["--fast"], "There is no option --fast."), (["--json"], "--json needs a file."),
        (["--passes", "0"], "--passes needs a number, and 0 is none."), (["--passes"], "--passes needs a number."),
        (["quick"], "There is no option quick."),
    ])
    func `invalid arguments are named`(_ arguments: [String], _ text: String) {
        #expect(throws: UsageError(text: text)) { try Options(arguments) }
    }

    @Test func `passes can be run by another side`() throws {
        let options = try #require(try Options(["--passes", "12", "--side", "CB+remove"]))
        #expect(options.passes == 12)
        #expect(options.side == Side.removingCallback.name)
    }
}
