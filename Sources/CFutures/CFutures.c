// CFutures: the few things that Swift cannot say.
#if defined(__linux__)
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "CFutures.h"

bool cfutures_find_image(unsigned long address, const char **file, unsigned long *base, const char **function) {
    Dl_info info;
    if (!dladdr((void *)address, &info)) return false;
    *file = info.dli_fname;
    *base = (unsigned long)info.dli_fbase;
    *function = info.dli_sname;
    return true;
}

int cfutures_simulation_count = 0;

int cfutures_extras = 0;

__attribute__((constructor)) static void read_environment(void) {
    const char *value = getenv("FUTURES_DIAGNOSE");
    if (value && *value && strcmp(value, "0") != 0) cfutures_change_extras(1, true);
}

// The end of the calling thread's stack, where it began; 0 if that is not known.
static uintptr_t stack_end(void) {
    static _Thread_local uintptr_t end;
    if (end) return end;
#if defined(__linux__)
    pthread_attr_t attributes;
    void *start;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    if (pthread_attr_getstack(&attributes, &start, &size) == 0) end = (uintptr_t)start + size;
    pthread_attr_destroy(&attributes);
#elif defined(__APPLE__)
    end = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
#endif
    return end;
}

// It reads frames that are not its own, which the address sanitizer would report.
__attribute__((noinline, no_sanitize("address", "thread")))
long cfutures_return_addresses(unsigned long *addresses, long limit) {
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0), end = stack_end();
    long count = 0;
    // A function without a frame pointer may have left any number in the register: the next frame has to be further out, and
    // in the same stack.
    while (count < limit && frame % sizeof(void *) == 0 && frame + 2 * sizeof(void *) <= end) {
        const uintptr_t *words = (const uintptr_t *)frame;
        if (!words[1]) break;
        addresses[count++] = words[1];
        // Bit 60 marks the frame of an asynchronous function.
        uintptr_t next = words[0] & ~((uintptr_t)1 << 60);
        if (next <= frame) break;
        frame = next;
    }
    return count;
}

#if defined(__linux__)
// A fixed place: no call to __tls_get_addr. Also for libraries loaded later, as one word is within the reserve.
__attribute__((tls_model("initial-exec")))
#endif
static _Thread_local void *state;

// The variable has no destructor; a key's value has, and is set only once for each thread.
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void (*_Atomic destroy_state)(void *);

static void destroy(void *ended) {
    destroy_state(ended);
    state = 0;
}

static void make_key(void) { pthread_key_create(&key, destroy); }

void *cfutures_thread_state(void) { return state; }

void cfutures_set_thread_state(void *new_state, void (*destroy)(void *)) {
    destroy_state = destroy;
    pthread_once(&once, make_key);
    pthread_setspecific(key, new_state);
    state = new_state;
}

#if defined(__linux__)
bool cfutures_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }
#endif
