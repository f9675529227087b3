// CFutures: the few things that Swift cannot say.
#ifndef CFUTURES_H
#define CFUTURES_H

#include <stdbool.h>

// A C thread-local variable: 1 ns, against 2 for pthread_getspecific, of which a chain makes several for each step.

/// What the library keeps for this thread; null at first.
void *cfutures_thread_state(void);

/// Sets it, and has `destroy` called with it when the thread ends.
void cfutures_set_thread_state(void *state, void (*destroy)(void *));

// How many simulations are in progress in this process. Here, because a global variable of Swift is checked for its first
// use at each access, and every hop reads this.
extern int cfutures_simulation_count;

static inline bool cfutures_is_simulating(void) {
    return __atomic_load_n(&cfutures_simulation_count, __ATOMIC_RELAXED) != 0;
}

static inline void cfutures_count_simulation(int change) {
    __atomic_fetch_add(&cfutures_simulation_count, change, __ATOMIC_RELAXED);
}

// What nodes do besides (`Recording.swift`): whether futures note where and when they were made, which is on from the start of
// the process if the environment variable FUTURES_DIAGNOSE is set, and not to 0; and whether any carry task-local values. Here,
// because each step of a chain reads it, and in one word, because that is all that a step reads.
extern int cfutures_extras;

static inline int cfutures_get_extras(void) { return __atomic_load_n(&cfutures_extras, __ATOMIC_RELAXED); }

static inline void cfutures_change_extras(int bit, bool is_set) {
    if (is_set) __atomic_fetch_or(&cfutures_extras, bit, __ATOMIC_RELAXED);
    else __atomic_fetch_and(&cfutures_extras, ~bit, __ATOMIC_RELAXED);
}

/// Stores the return addresses of the calling functions, the innermost first, and returns how many there are: up to `limit`.
/// It follows the frame pointers, within the stack of the calling thread: 2 ns a frame.
long cfutures_return_addresses(unsigned long *addresses, long limit);

/// The program or library that has the code at `address`: its file, where it is loaded, and the exported function there, if there
/// is one. Returns false if there is no such code.
bool cfutures_find_image(unsigned long address, const char **file, unsigned long *base, const char **function);

/// The runtime's function that makes a readable name of a mangled one, in memory to be freed; null if it is none.
char *swift_demangle(const char *name, unsigned long length, char *buffer, unsigned long *size, unsigned int flags);

#if defined(__linux__)
// libdispatch's two entry points by which CoreFoundation's run loop serves the main queue; its headers do not declare
// them. Swift could name them by @_silgen_name, which is not made for C functions. They are what `wait` on the main
// thread is built on: without them a program at top level could not wait for anything that needs the main queue.

/// A file descriptor that becomes readable when the main queue has work.
int _dispatch_get_main_queue_handle_4CF(void);

/// Runs what the main queue has to run. On the main thread only; inside of a main-queue block it does nothing.
void _dispatch_main_queue_callback_4CF(void *unused);

/// Whether this is the process's first thread.
bool cfutures_is_main_thread(void);
#endif

#endif
