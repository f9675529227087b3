// nestedRunSync: nested synchronous operations, whose type-checking must be fast.

import Futures

func threeRunSync() -> Future<Int> {
    jobs.runSync { twice(1) }.flatMap { _ in
        jobs.runSync { twice(2) }.flatMap { _ in jobs.runSync { twice(3) }.flatMap { _ in load(0) } }
    }
}

func threeRunSyncWithResource() -> Future<Int> {
    numbers.runSync { twice($0) }.flatMap { _ in
        numbers.runSync { twice($0) }.flatMap { _ in numbers.runSync { twice($0) }.flatMap { _ in load(0) } }
    }
}

func threeRunSyncForKeys() -> Future<Int> {
    sites.runSync(for: "1") { twice(1) }.flatMap { _ in
        sites.runSync(for: "2") { twice(2) }.flatMap { _ in
            sites.runSync(for: "3") { twice(3) }.flatMap { _ in load(0) }
        }
    }
}

func fiveRunSync() -> Future<Int> {
    jobs.runSync { twice(1) }.flatMap { _ in
        jobs.runSync { twice(2) }.flatMap { _ in
            jobs.runSync { twice(3) }.flatMap { _ in
                jobs.runSync { twice(4) }.flatMap { _ in jobs.runSync { twice(5) }.flatMap { _ in load(0) } }
            }
        }
    }
}

func fiveRunSyncWithResource() -> Future<Int> {
    numbers.runSync { twice($0) }.flatMap { _ in
        numbers.runSync { twice($0) }.flatMap { _ in
            numbers.runSync { twice($0) }.flatMap { _ in
                numbers.runSync { twice($0) }.flatMap { _ in numbers.runSync { twice($0) }.flatMap { _ in load(0) } }
            }
        }
    }
}

func fiveRunSyncForKeys() -> Future<Int> {
    sites.runSync(for: "1") { twice(1) }.flatMap { _ in
        sites.runSync(for: "2") { twice(2) }.flatMap { _ in
            sites.runSync(for: "3") { twice(3) }.flatMap { _ in
                sites.runSync(for: "4") { twice(4) }.flatMap { _ in
                    sites.runSync(for: "5") { twice(5) }.flatMap { _ in load(0) }
                }
            }
        }
    }
}

func elevenRunSync() -> Future<Int> {
    jobs.runSync { twice(1) }.flatMap { _ in
        jobs.runSync { twice(2) }.flatMap { _ in
            jobs.runSync { twice(3) }.flatMap { _ in
                jobs.runSync { twice(4) }.flatMap { _ in
                    jobs.runSync { twice(5) }.flatMap { _ in
                        jobs.runSync { twice(6) }.flatMap { _ in
                            jobs.runSync { twice(7) }.flatMap { _ in
                                jobs.runSync { twice(8) }.flatMap { _ in
                                    jobs.runSync { twice(9) }.flatMap { _ in
                                        jobs.runSync { twice(10) }.flatMap { _ in
                                            jobs.runSync { twice(11) }.flatMap { _ in load(0) }
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
    numbers.runSync { twice($0) }.flatMap { _ in
        numbers.runSync { twice($0) }.flatMap { _ in
            numbers.runSync { twice($0) }.flatMap { _ in
                numbers.runSync { twice($0) }.flatMap { _ in
                    numbers.runSync { twice($0) }.flatMap { _ in
                        numbers.runSync { twice($0) }.flatMap { _ in
                            numbers.runSync { twice($0) }.flatMap { _ in
                                numbers.runSync { twice($0) }.flatMap { _ in
                                    numbers.runSync { twice($0) }.flatMap { _ in
                                        numbers.runSync { twice($0) }.flatMap { _ in
                                            numbers.runSync { twice($0) }.flatMap { _ in load(0) }
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
    sites.runSync(for: "1") { twice(1) }.flatMap { _ in
        sites.runSync(for: "2") { twice(2) }.flatMap { _ in
            sites.runSync(for: "3") { twice(3) }.flatMap { _ in
                sites.runSync(for: "4") { twice(4) }.flatMap { _ in
                    sites.runSync(for: "5") { twice(5) }.flatMap { _ in
                        sites.runSync(for: "6") { twice(6) }.flatMap { _ in
                            sites.runSync(for: "7") { twice(7) }.flatMap { _ in
                                sites.runSync(for: "8") { twice(8) }.flatMap { _ in
                                    sites.runSync(for: "9") { twice(9) }.flatMap { _ in
                                        sites.runSync(for: "10") { twice(10) }.flatMap { _ in
                                            sites.runSync(for: "11") { twice(11) }.flatMap { _ in load(0) }
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
