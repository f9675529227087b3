// nestedEnqueueFinally: nested operations that return futures, with a cleanup, whose type-checking must be fast.

import Futures

func tidy() -> Future<Void> { .never }

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
