// nestedRunSync: nested synchronous operations, whose type-checking must be fast.

import Futures

func elevenRunSync() -> Future<Int> {
    jobs.run { twice(1) }.flatMap { _ in
        jobs.run { twice(2) }.flatMap { _ in
            jobs.run { twice(3) }.flatMap { _ in
                jobs.run { twice(4) }.flatMap { _ in
                    jobs.run { twice(5) }.flatMap { _ in
                        jobs.run { twice(6) }.flatMap { _ in
                            jobs.run { twice(7) }.flatMap { _ in
                                jobs.run { twice(8) }.flatMap { _ in
                                    jobs.run { twice(9) }.flatMap { _ in
                                        jobs.run { twice(10) }.flatMap { _ in
                                            jobs.run { twice(11) }.flatMap { _ in load(0) }
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

func elevenRunSyncWithResource() -> Future<Int> {
    numbers.run { twice($0) }.flatMap { _ in
        numbers.run { twice($0) }.flatMap { _ in
            numbers.run { twice($0) }.flatMap { _ in
                numbers.run { twice($0) }.flatMap { _ in
                    numbers.run { twice($0) }.flatMap { _ in
                        numbers.run { twice($0) }.flatMap { _ in
                            numbers.run { twice($0) }.flatMap { _ in
                                numbers.run { twice($0) }.flatMap { _ in
                                    numbers.run { twice($0) }.flatMap { _ in
                                        numbers.run { twice($0) }.flatMap { _ in
                                            numbers.run { twice($0) }.flatMap { _ in load(0) }
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
