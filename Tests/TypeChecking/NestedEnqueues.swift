// nestedEnqueues: eleven nested operations that return futures.

import Futures

let jobs = FutureQueue()
func load(_ number: Int) -> Future<Int> { .never }
func twice(_ number: Int) -> Int { 2 * number }

func elevenEnqueued() -> Future<Int> {
    jobs.enqueue {
        load(1).flatMap { _ in
            jobs.enqueue {
                load(2).flatMap { _ in
                    jobs.enqueue {
                        load(3).flatMap { _ in
                            jobs.enqueue {
                                load(4).flatMap { _ in
                                    jobs.enqueue {
                                        load(5).flatMap { _ in
                                            jobs.enqueue {
                                                load(6).flatMap { _ in
                                                    jobs.enqueue {
                                                        load(7).flatMap { _ in
                                                            jobs.enqueue {
                                                                load(8).flatMap { _ in
                                                                    jobs.enqueue {
                                                                        load(9).flatMap { _ in
                                                                            jobs.enqueue {
                                                                                load(10).flatMap { _ in
                                                                                    jobs.enqueue {
                                                                                        load(11).flatMap { _ in load(0)
                                                                                        }
                                                                                    }
                                                                                }
                                                                            }
                                                                        }
                                                                    }
                                                                }
                                                            }
                                                        }
                                                    }
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
