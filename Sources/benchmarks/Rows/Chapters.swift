// Chapters: all rows, in the order in which they are shown.

/// All rows by chapter.
let chapters = [
    Chapter("One step", createRows, promiseRows, mapRows, flatMapRows),
    Chapter("From thread to thread", blockRows, hopRows, raceRows, awaitRows),
    Chapter("Many", joinRows, queueRows, queueKindRows, listenerRows),
    Chapter("Time limits", timeoutRows),
    Chapter("Long", recursionRows, chainRows, retryRows, progressionRows),
    // At the end: they leave many free blocks, all of which are visited by each row that asks how much memory is in use.
    Chapter("A whole request", requestRows),
]
