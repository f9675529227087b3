// Core: where to begin reading, what this folder needs from outside, and where its main questions are answered.

// A way to read the core, from what all else needs to what few need. The glossary, the states, and who guards which
// property are at the top of `Node`.
//
//     0. what users see      Future, Promise, FutureError, Reflection, Create, Step, Shapes (in the folder Future)
//     1. a step              Node, Word, Listeners, Traits, Progress, Node+Settle, Node+Listen, Node+Listener
//     2. what it holds       Payload, Slot, Closure, Kept
//     3. a result's end      Node+Read, Node+ReleaseResults
//     4. a root              Node+Root, Node+Operation, Combination, Node+Rerun
//     5. a cancel            Unfinished, Node+Cancel
//     6. constant memory     Node+TearDown, Node+HandOver, LinkCell
//     7. queues              QueuedNode
//     8. searches            Node+Dependencies, Walk
//
// Steps 1 to 5 are enough for most changes. Recording and Propagating are folders of their own: nothing in them runs
// unless a program asks for it.
//
// From outside of this folder it needs `Job` and its lists, `ThreadState` (see `Node`, "What the core expects of the
// thread"), `Scheduler`, `Disposer`, `DelayedJob`, `Locked` and `DeferredReleases`: what is added in a `collect` is
// released when the outermost one returns.
// `Atomic` is the standard library's; where orders of threads are explored, another one.
//
// Questions, and where they are answered:
//
//     Which thread calls a listener that is attached while its source        `Node.add`: the one that takes the lock
//     settles?                                                               first
//     When may a result be released, and who may read it until then?         Node+ReleaseResults, at the top
//     A combination is cancelled while it reads its children's results?      `Node.readChildren`
//     What keeps the stack small, whatever calls what?                       `Node`, "What the core expects of the thread"
//     What does a repetition share with the run before it?                   Node+Rerun: the recipe, and nothing else
//     How is a chain of a million nodes released?                            `Node.releaseSources`, a loop
//     When does a turn end?                                                  `QueuedNode.endTurn`: when all that was
//                                                                            stopped has ended (`Unfinished`)
//     What ensures that it ends only once?                                   `QueuedNode.ended`: the core may call it
//                                                                            again, and the queue ignores repeats
