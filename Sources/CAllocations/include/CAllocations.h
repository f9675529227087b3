// CAllocations: how often memory was asked for, a thread's processor time and its processors, for benchmarks and tests.
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

// Linked into an executable, this target defines malloc and its relatives, counts a call and forwards it to the C
// library. All that the process loads calls them, Swift's runtime and libdispatch included. Only `benchmarks` and the
// tests link it: a library has no business in its user's allocator.
//
// It counts on Linux with the GNU C library. It does not elsewhere, nor under a sanitizer, which has an allocator of
// its own: there every function below says ALLOCATIONS_UNAVAILABLE.

/// What the functions below return where nothing is counted.
#define ALLOCATIONS_UNAVAILABLE INT64_C(-1)

/// Whether allocations are counted here, so that a test can be skipped with the reason.
bool allocations_are_counted(void);

/// How often any thread of the process has allocated: for work that hops from thread to thread.
int64_t allocations_count(void);

/// How often the calling thread has allocated: a test that stays on its thread does not count what the tests beside
/// it allocate.
int64_t allocations_count_of_this_thread(void);

/// The bytes that the process has allocated and not freed, give or take some kilobytes that the C library keeps in
/// each thread for reuse. The C library knows it already: it costs nothing until it is asked, and then some
/// microseconds.
int64_t allocations_live_bytes(void);

/// Joins freed blocks to larger ones, as far as the C library can be asked to, so that the next who allocates finds a heap
/// as if the one before had never been there. (Else a benchmark with a thousand objects takes half as long again after one
/// with a hundred thousand, which leaves the heap in small pieces. And from then on what is freed is kept, and not given back
/// to the system and asked for again: a page costs more than the objects in it, and no server's heap goes up and down so.)
void allocations_tidy(void);

/// The processor time of the calling thread in nanoseconds. Here, because which module Swift says `timespec` belongs to
/// depends on what else is compiled.
int64_t processor_time_of_this_thread(void);

/// Restricts all threads of the process, and those that they start, to the processor of the calling one. Returns whether it
/// succeeded; always false except on Linux, and while the threads share one already. For one thread at a time. Declared in C,
/// because Swift does not import functions that the C library declares for GNU programs only.
bool processor_share(void);

/// Ends `processor_share`: all threads may use the processors that its caller had.
void processor_share_no_more(void);

/// The number of processors that the calling thread may use; 0 where that is not known.
int32_t processor_count(void);

#endif
