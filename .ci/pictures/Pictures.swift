// Draws the pictures of the guides into a folder: `pictures FOLDER`.

import Foundation

@main
enum Pictures {
    static func main() throws {
        let folder = URL(fileURLWithPath: CommandLine.arguments[1])
        let drawings = [
            "combining": Timelines.drawing(title: "Combinations of three futures", Scene.combining),
            "deadlock": Deadlock.drawing,
            "queues": Timelines.drawing(title: "Operations of 1.5 seconds in queues", Scene.queues),
            "repeating": Timelines.drawing(title: "An operation that is repeated", Scene.repeating),
            "states": States.drawing,
        ]
        for (name, drawing) in drawings {
            try Data(drawing.document.utf8).write(to: folder.appendingPathComponent("\(name).svg"))
        }
    }
}
