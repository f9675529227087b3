// nestedEnqueues: eleven nested operations that return futures.

import Futures

let jobs = FutureQueue()
let numbers = FutureQueue(resource: 1)

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

func elevenEnqueuedWithResource() -> Future<Int> {
    numbers.enqueue {
        load($0).flatMap { _ in
            numbers.enqueue {
                load($0).flatMap { _ in
                    numbers.enqueue {
                        load($0).flatMap { _ in
                            numbers.enqueue {
                                load($0).flatMap { _ in
                                    numbers.enqueue {
                                        load($0).flatMap { _ in
                                            numbers.enqueue {
                                                load($0).flatMap { _ in
                                                    numbers.enqueue {
                                                        load($0).flatMap { _ in
                                                            numbers.enqueue {
                                                                load($0).flatMap { _ in
                                                                    numbers.enqueue {
                                                                        load($0).flatMap { _ in
                                                                            numbers.enqueue {
                                                                                load($0).flatMap { _ in
                                                                                    numbers.enqueue {
                                                                                        load($0).flatMap { _ in load(0)
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

func elevenBatches() -> Future<Int> {
    jobs.batch.enqueue { b1 in
        load(1).flatMap { _ in
            jobs.batch.enqueue { b2 in
                load(2).flatMap { _ in
                    jobs.batch.enqueue { b3 in
                        load(3).flatMap { _ in
                            jobs.batch.enqueue { b4 in
                                load(4).flatMap { _ in
                                    jobs.batch.enqueue { b5 in
                                        load(5).flatMap { _ in
                                            jobs.batch.enqueue { b6 in
                                                load(6).flatMap { _ in
                                                    jobs.batch.enqueue { b7 in
                                                        load(7).flatMap { _ in
                                                            jobs.batch.enqueue { b8 in
                                                                load(8).flatMap { _ in
                                                                    jobs.batch.enqueue { b9 in
                                                                        load(9).flatMap { _ in
                                                                            jobs.batch.enqueue { b10 in
                                                                                load(10).flatMap { _ in
                                                                                    jobs.batch.enqueue { b11 in
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
