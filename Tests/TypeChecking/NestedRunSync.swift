// nestedRunSync: nested synchronous operations, whose type-checking must be fast.

import Futures

func threeRunSync() -> Future<Int> {
    jobs.run { twice(1) }.flatMap { _ in
        jobs.run { twice(2) }.flatMap { _ in jobs.run { twice(3) }.flatMap { _ in load(0) } }
    }
}

func threeRunSyncWithResource() -> Future<Int> {
    numbers.run { twice($0) }.flatMap { _ in
        numbers.run { twice($0) }.flatMap { _ in numbers.run { twice($0) }.flatMap { _ in load(0) } }
    }
}

func threeRunSyncForKeys() -> Future<Int> {
    sites["1"].run { twice(1) }.flatMap { _ in
        sites["2"].run { twice(2) }.flatMap { _ in
            sites["3"].run { twice(3) }.flatMap { _ in load(0) }
        }
    }
}

func fiveRunSync() -> Future<Int> {
    jobs.run { twice(1) }.flatMap { _ in
        jobs.run { twice(2) }.flatMap { _ in
            jobs.run { twice(3) }.flatMap { _ in
                jobs.run { twice(4) }.flatMap { _ in jobs.run { twice(5) }.flatMap { _ in load(0) } }
            }
        }
    }
}

func fiveRunSyncWithResource() -> Future<Int> {
    numbers.run { twice($0) }.flatMap { _ in
        numbers.run { twice($0) }.flatMap { _ in
            numbers.run { twice($0) }.flatMap { _ in
                numbers.run { twice($0) }.flatMap { _ in numbers.run { twice($0) }.flatMap { _ in load(0) } }
            }
        }
    }
}

func fiveRunSyncForKeys() -> Future<Int> {
    sites["1"].run { twice(1) }.flatMap { _ in
        sites["2"].run { twice(2) }.flatMap { _ in
            sites["3"].run { twice(3) }.flatMap { _ in
                sites["4"].run { twice(4) }.flatMap { _ in
                    sites["5"].run { twice(5) }.flatMap { _ in load(0) }
                }
            }
        }
    }
}

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

func elevenRunSyncForKeys() -> Future<Int> {
    sites["1"].run { twice(1) }.flatMap { _ in
        sites["2"].run { twice(2) }.flatMap { _ in
            sites["3"].run { twice(3) }.flatMap { _ in
                sites["4"].run { twice(4) }.flatMap { _ in
                    sites["5"].run { twice(5) }.flatMap { _ in
                        sites["6"].run { twice(6) }.flatMap { _ in
                            sites["7"].run { twice(7) }.flatMap { _ in
                                sites["8"].run { twice(8) }.flatMap { _ in
                                    sites["9"].run { twice(9) }.flatMap { _ in
                                        sites["10"].run { twice(10) }.flatMap { _ in
                                            sites["11"].run { twice(11) }.flatMap { _ in load(0) }
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
