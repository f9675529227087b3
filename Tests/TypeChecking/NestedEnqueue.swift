// nestedEnqueue: nested operations that return futures, whose type-checking must be fast.

import Futures

let jobs = FutureQueue()
let numbers = FutureQueue(resource: 1)
let sites = KeyedFutureQueue<String>()
let mutex = FutureMutex()
let semaphore = FutureSemaphore(count: 1)
let lock = FutureReadWriteLock()

func load(_ number: Int) -> Future<Int> { .never }
func twice(_ number: Int) -> Int { 2 * number }

func threeEnqueued() -> Future<Int> {
    jobs.enqueue {
        load(1).flatMap { _ in
            jobs.enqueue { load(2).flatMap { _ in jobs.enqueue { load(3).flatMap { _ in load(0) } } } }
        }
    }
}

func threeEnqueuedWithResource() -> Future<Int> {
    numbers.enqueue {
        load($0).flatMap { _ in
            numbers.enqueue { load($0).flatMap { _ in numbers.enqueue { load($0).flatMap { _ in load(0) } } } }
        }
    }
}

func threeEnqueuedForKeys() -> Future<Int> {
    sites["1"].enqueue {
        load(1).flatMap { _ in
            sites["2"].enqueue {
                load(2).flatMap { _ in sites["3"].enqueue { load(3).flatMap { _ in load(0) } } }
            }
        }
    }
}

func threeBatches() -> Future<Int> {
    jobs.batch.enqueue { b1 in
        load(1).flatMap { _ in
            jobs.batch.enqueue { b2 in
                load(2).flatMap { _ in jobs.batch.enqueue { b3 in load(3).flatMap { _ in load(0) } } }
            }
        }
    }
}

func threeLocked() -> Future<Int> {
    mutex.enqueue {
        load(1).flatMap { _ in
            mutex.enqueue { load(2).flatMap { _ in mutex.enqueue { load(3).flatMap { _ in load(0) } } } }
        }
    }
}

func fiveEnqueued() -> Future<Int> {
    jobs.enqueue {
        load(1).flatMap { _ in
            jobs.enqueue {
                load(2).flatMap { _ in
                    jobs.enqueue {
                        load(3).flatMap { _ in
                            jobs.enqueue { load(4).flatMap { _ in jobs.enqueue { load(5).flatMap { _ in load(0) } } } }
                        }
                    }
                }
            }
        }
    }
}

func fiveEnqueuedWithResource() -> Future<Int> {
    numbers.enqueue {
        load($0).flatMap { _ in
            numbers.enqueue {
                load($0).flatMap { _ in
                    numbers.enqueue {
                        load($0).flatMap { _ in
                            numbers.enqueue {
                                load($0).flatMap { _ in numbers.enqueue { load($0).flatMap { _ in load(0) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

func fiveEnqueuedForKeys() -> Future<Int> {
    sites["1"].enqueue {
        load(1).flatMap { _ in
            sites["2"].enqueue {
                load(2).flatMap { _ in
                    sites["3"].enqueue {
                        load(3).flatMap { _ in
                            sites["4"].enqueue {
                                load(4).flatMap { _ in sites["5"].enqueue { load(5).flatMap { _ in load(0) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

func fiveBatches() -> Future<Int> {
    jobs.batch.enqueue { b1 in
        load(1).flatMap { _ in
            jobs.batch.enqueue { b2 in
                load(2).flatMap { _ in
                    jobs.batch.enqueue { b3 in
                        load(3).flatMap { _ in
                            jobs.batch.enqueue { b4 in
                                load(4).flatMap { _ in jobs.batch.enqueue { b5 in load(5).flatMap { _ in load(0) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

func fiveLocked() -> Future<Int> {
    mutex.enqueue {
        load(1).flatMap { _ in
            mutex.enqueue {
                load(2).flatMap { _ in
                    mutex.enqueue {
                        load(3).flatMap { _ in
                            mutex.enqueue {
                                load(4).flatMap { _ in mutex.enqueue { load(5).flatMap { _ in load(0) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}
