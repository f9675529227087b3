// CAllocations: counts the calls that allocate, and forwards them.
#define _GNU_SOURCE
#include "CAllocations.h"

#include <time.h>

#include <stddef.h>
#include <stdlib.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif

#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define COUNTS 0
#elif defined(__linux__) && defined(__GLIBC__)
#define COUNTS 1
#else
#define COUNTS 0
#endif

#if COUNTS

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdatomic.h>

// Under these names the C library has its allocator a second time, for whoever defines the first names himself.
// Hooks that are function pointers, set at run time, crash a Swift 6.3 program; definitions do not.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// A counter for each thread, on a cache line of its own: a counter shared by all would cost an atomic addition per
// allocation (5 ns, and many times that between two threads), and benchmarks would measure it. The last one is shared
// by the threads that come when the others are taken: threads that end do not give theirs back, which would need a
// callback at their end.
enum { COUNTERS = 256 };
typedef struct {
    _Alignas(64) _Atomic int64_t count;
} counter;
static counter counters[COUNTERS];
static atomic_int taken;

// Of the initial-exec kind: the first use of any other may itself allocate.
static __thread counter *mine __attribute__((tls_model("initial-exec")));

/// This thread's counter. Its first call takes one.
static counter *my_counter(void) {
    if (!mine) {
        int index = atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed);
        mine = &counters[index < COUNTERS - 1 ? index : COUNTERS - 1];
    }
    return mine;
}

/// Counts one call.
static void count(void) {
    counter *c = my_counter();
    if (c == &counters[COUNTERS - 1]) {
        atomic_fetch_add_explicit(&c->count, 1, memory_order_relaxed);
    } else {
        // Nobody else writes it, so the addition need not be atomic: 1 ns instead of 5.
        int64_t old = atomic_load_explicit(&c->count, memory_order_relaxed);
        atomic_store_explicit(&c->count, old + 1, memory_order_relaxed);
    }
}

/// What Swift's `swift_slowAlloc` calls for objects, and everybody for everything.
void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

/// What libdispatch calls for its objects, and Swift for metadata.
void *calloc(size_t n, size_t size) {
    count();
    return __libc_calloc(n, size);
}

/// Growing a block counts like making one: it may well be.
void *realloc(void *block, size_t size) {
    count();
    return __libc_realloc(block, size);
}

/// What Swift's runtime calls for what wants more than 16 bytes' alignment; the C library has no second name for it.
int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    count();
    void *made = __libc_memalign(alignment, size);
    if (!made) return ENOMEM;
    *block = made;
    return 0;
}

/// The same in C11's words.
void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

/// The same in older words.
void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

bool allocations_are_counted(void) { return true; }

int64_t allocations_count(void) {
    int64_t sum = 0;
    for (int i = 0; i < COUNTERS; i++) sum += atomic_load_explicit(&counters[i].count, memory_order_relaxed);
    return sum;
}

int64_t allocations_count_of_this_thread(void) {
    return atomic_load_explicit(&my_counter()->count, memory_order_relaxed);
}

int64_t allocations_live_bytes(void) {
#if __GLIBC_PREREQ(2, 33)
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
#else
    return ALLOCATIONS_UNAVAILABLE;  // The older mallinfo counts in 32 bits.
#endif
}

void allocations_tidy(void) {
    // Whatever it is asked to set, it joins the freed blocks first.
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
}

#else

void allocations_tidy(void) {}
bool allocations_are_counted(void) { return false; }
int64_t allocations_count(void) { return ALLOCATIONS_UNAVAILABLE; }
int64_t allocations_count_of_this_thread(void) { return ALLOCATIONS_UNAVAILABLE; }
int64_t allocations_live_bytes(void) { return ALLOCATIONS_UNAVAILABLE; }

#endif

int64_t processor_time_of_this_thread(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
