// SpawnOptions: the attributes and file actions of posix_spawn.

#if canImport(Glibc) || canImport(Musl) || canImport(Bionic) || canImport(Darwin)

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Bionic)
        import Bionic
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// What a program inherits: only the files that it is given, and no blocked or ignored signals.
    final class SpawnOptions {
        #if canImport(Glibc) || canImport(Musl)
            private var actions = posix_spawn_file_actions_t()
            private var attributes = posix_spawnattr_t()
        #else
            private var actions: posix_spawn_file_actions_t?
            private var attributes: posix_spawnattr_t?
        #endif

        init(createsGroup: Bool) {
            posix_spawn_file_actions_init(&actions)
            posix_spawnattr_init(&attributes)
            var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
            // The threads of Dispatch block signals, and a program that inherits that cannot be terminated.
            var signals = sigset_t()
            sigemptyset(&signals)
            posix_spawnattr_setsigmask(&attributes, &signals)
            sigfillset(&signals)
            posix_spawnattr_setsigdefault(&attributes, &signals)
            if createsGroup {
                flags |= POSIX_SPAWN_SETPGROUP
                posix_spawnattr_setpgroup(&attributes, 0)
            }
            #if canImport(Darwin)
                flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
            #endif
            posix_spawnattr_setflags(&attributes, Int16(flags))
        }

        deinit {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }

        /// Gives the program a file, as one of its standard files.
        func use(_ descriptor: Int32, as standard: Int32) {
            posix_spawn_file_actions_adddup2(&actions, descriptor, standard)
        }

        /// Closes all other files in the program. Otherwise it would keep sockets of URLSession open, for instance,
        /// which were then closed 20 seconds late. Where the C library cannot do so, they stay open.
        func closeOthers() {
            #if !canImport(Darwin)
                typealias Function = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
                guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
                _ = unsafeBitCast(symbol, to: Function.self)(&actions, 3)
            #endif
        }

        /// Sets the working directory of the program. Returns the error's code, or 0.
        func change(to directory: String) -> Int32 {
            #if canImport(Darwin)
                return posix_spawn_file_actions_addchdir_np(&actions, directory)
            #else
                // Swift's modules of the C libraries do not have it.
                typealias Function =
                    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) -> Int32
                guard let symbol = dlsym(nil, "posix_spawn_file_actions_addchdir_np") else { return ENOSYS }
                return unsafeBitCast(symbol, to: Function.self)(&actions, directory)
            #endif
        }

        /// Starts a program, sets its number, and returns the error's code, or 0.
        func spawn(_ id: inout pid_t, _ arguments: [String], _ environment: [String]) -> Int32 {
            withStrings(arguments) { arguments in
                withStrings(environment) { environment in
                    posix_spawnp(&id, arguments[0]!, &actions, &attributes, arguments, environment)
                }
            }
        }

        private func withStrings<T>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> T) -> T {
            let copies = texts.map { strdup($0) }
            defer { for copy in copies { free(copy) } }
            return body(copies + [nil])
        }
    }

#endif
