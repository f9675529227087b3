// nestedEnqueueFinally: nested operations that return futures, with a cleanup, whose type-checking must be fast.

import Futures

func tidy() -> Future<Void> { .never }

func threeEnqueuedFinally() -> Future<Int> {
    jobs.enqueue {
        load(3).flatMap { _ in
            jobs.enqueue {
                load(2).flatMap { _ in
                    jobs.enqueue {
                        load(1).flatMap { _ in
                            load(0)
                        }
                    } finally: { _, _ in
                        tidy()
                    }
                }
            } finally: { _, _ in
                tidy()
            }
        }
    } finally: { _, _ in
        tidy()
    }
}

func threeEnqueuedWithResourceFinally() -> Future<Int> {
    numbers.enqueue { _ in
        load(3).flatMap { _ in
            numbers.enqueue { _ in
                load(2).flatMap { _ in
                    numbers.enqueue { _ in
                        load(1).flatMap { _ in
                            load(0)
                        }
                    } finally: { _, _ in
                        tidy()
                    }
                }
            } finally: { _, _ in
                tidy()
            }
        }
    } finally: { _, _ in
        tidy()
    }
}

func threeEnqueuedForKeysFinally() -> Future<Int> {
    sites["3"].enqueue {
        load(3).flatMap { _ in
            sites["2"].enqueue {
                load(2).flatMap { _ in
                    sites["1"].enqueue {
                        load(1).flatMap { _ in
                            load(0)
                        }
                    } finally: { _, _ in
                        tidy()
                    }
                }
            } finally: { _, _ in
                tidy()
            }
        }
    } finally: { _, _ in
        tidy()
    }
}

func threeEnqueuedWithLockFinally() -> Future<Int> {
    mutex.enqueue {
        load(3).flatMap { _ in
            mutex.enqueue {
                load(2).flatMap { _ in
                    mutex.enqueue {
                        load(1).flatMap { _ in
                            load(0)
                        }
                    } finally: { _, _ in
                        tidy()
                    }
                }
            } finally: { _, _ in
                tidy()
            }
        }
    } finally: { _, _ in
        tidy()
    }
}

func threeEnqueuedBatchesFinally() -> Future<Int> {
    jobs.batch.enqueue { _ in
        load(3).flatMap { _ in
            jobs.batch.enqueue { _ in
                load(2).flatMap { _ in
                    jobs.batch.enqueue { _ in
                        load(1).flatMap { _ in
                            load(0)
                        }
                    } finally: { _, _ in
                        tidy()
                    }
                }
            } finally: { _, _ in
                tidy()
            }
        }
    } finally: { _, _ in
        tidy()
    }
}

func fiveEnqueuedFinally() -> Future<Int> {
    jobs.enqueue {
        load(5).flatMap { _ in
            jobs.enqueue {
                load(4).flatMap { _ in
                    jobs.enqueue {
                        load(3).flatMap { _ in
                            jobs.enqueue {
                                load(2).flatMap { _ in
                                    jobs.enqueue {
                                        load(1).flatMap { _ in
                                            load(0)
                                        }
                                    } finally: { _, _ in
                                        tidy()
                                    }
                                }
                            } finally: { _, _ in
                                tidy()
                            }
                        }
                    } finally: { _, _ in
                        tidy()
                    }
                }
            } finally: { _, _ in
                tidy()
            }
        }
    } finally: { _, _ in
        tidy()
    }
}

func fiveEnqueuedWithResourceFinally() -> Future<Int> {
    numbers.enqueue { _ in
        load(5).flatMap { _ in
            numbers.enqueue { _ in
                load(4).flatMap { _ in
                    numbers.enqueue { _ in
                        load(3).flatMap { _ in
                            numbers.enqueue { _ in
                                load(2).flatMap { _ in
                                    numbers.enqueue { _ in
                                        load(1).flatMap { _ in
                                            load(0)
                                        }
                                    } finally: { _, _ in
                                        tidy()
                                    }
                                }
                            } finally: { _, _ in
                                tidy()
                            }
                        }
                    } finally: { _, _ in
                        tidy()
                    }
                }
            } finally: { _, _ in
                tidy()
            }
        }
    } finally: { _, _ in
        tidy()
    }
}

func fiveEnqueuedForKeysFinally() -> Future<Int> {
    sites["5"].enqueue {
        load(5).flatMap { _ in
            sites["4"].enqueue {
                load(4).flatMap { _ in
                    sites["3"].enqueue {
                        load(3).flatMap { _ in
                            sites["2"].enqueue {
                                load(2).flatMap { _ in
                                    sites["1"].enqueue {
                                        load(1).flatMap { _ in
                                            load(0)
                                        }
                                    } finally: { _, _ in
                                        tidy()
                                    }
                                }
                            } finally: { _, _ in
                                tidy()
                            }
                        }
                    } finally: { _, _ in
                        tidy()
                    }
                }
            } finally: { _, _ in
                tidy()
            }
        }
    } finally: { _, _ in
        tidy()
    }
}

func fiveEnqueuedWithLockFinally() -> Future<Int> {
    mutex.enqueue {
        load(5).flatMap { _ in
            mutex.enqueue {
                load(4).flatMap { _ in
                    mutex.enqueue {
                        load(3).flatMap { _ in
                            mutex.enqueue {
                                load(2).flatMap { _ in
                                    mutex.enqueue {
                                        load(1).flatMap { _ in
                                            load(0)
                                        }
                                    } finally: { _, _ in
                                        tidy()
                                    }
                                }
                            } finally: { _, _ in
                                tidy()
                            }
                        }
                    } finally: { _, _ in
                        tidy()
                    }
                }
            } finally: { _, _ in
                tidy()
            }
        }
    } finally: { _, _ in
        tidy()
    }
}

func fiveEnqueuedBatchesFinally() -> Future<Int> {
    jobs.batch.enqueue { _ in
        load(5).flatMap { _ in
            jobs.batch.enqueue { _ in
                load(4).flatMap { _ in
                    jobs.batch.enqueue { _ in
                        load(3).flatMap { _ in
                            jobs.batch.enqueue { _ in
                                load(2).flatMap { _ in
                                    jobs.batch.enqueue { _ in
                                        load(1).flatMap { _ in
                                            load(0)
                                        }
                                    } finally: { _, _ in
                                        tidy()
                                    }
                                }
                            } finally: { _, _ in
                                tidy()
                            }
                        }
                    } finally: { _, _ in
                        tidy()
                    }
                }
            } finally: { _, _ in
                tidy()
            }
        }
    } finally: { _, _ in
        tidy()
    }
}
