// nestedElevenEnqueues: eleven nested operations that return futures.

import Futures

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

func elevenEnqueuedForKeys() -> Future<Int> {
    sites["1"].enqueue {
        load(1).flatMap { _ in
            sites["2"].enqueue {
                load(2).flatMap { _ in
                    sites["3"].enqueue {
                        load(3).flatMap { _ in
                            sites["4"].enqueue {
                                load(4).flatMap { _ in
                                    sites["5"].enqueue {
                                        load(5).flatMap { _ in
                                            sites["6"].enqueue {
                                                load(6).flatMap { _ in
                                                    sites["7"].enqueue {
                                                        load(7).flatMap { _ in
                                                            sites["8"].enqueue {
                                                                load(8).flatMap { _ in
                                                                    sites["9"].enqueue {
                                                                        load(9).flatMap { _ in
                                                                            sites["10"].enqueue {
                                                                                load(10).flatMap { _ in
                                                                                    sites["11"].enqueue {
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

func elevenLocked() -> Future<Int> {
    mutex.enqueue {
        load(1).flatMap { _ in
            mutex.enqueue {
                load(2).flatMap { _ in
                    mutex.enqueue {
                        load(3).flatMap { _ in
                            mutex.enqueue {
                                load(4).flatMap { _ in
                                    mutex.enqueue {
                                        load(5).flatMap { _ in
                                            mutex.enqueue {
                                                load(6).flatMap { _ in
                                                    mutex.enqueue {
                                                        load(7).flatMap { _ in
                                                            mutex.enqueue {
                                                                load(8).flatMap { _ in
                                                                    mutex.enqueue {
                                                                        load(9).flatMap { _ in
                                                                            mutex.enqueue {
                                                                                load(10).flatMap { _ in
                                                                                    mutex.enqueue {
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
