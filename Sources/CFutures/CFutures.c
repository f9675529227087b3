// CFutures: the few things that Swift cannot say.
#if defined(__linux__)
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
#endif
#include <pthread.h>

#include "CFutures.h"

int cfutures_simulation_count = 0;

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
__attribute__((tls_model("initial-exec")))
#endif
static _Thread_local void *releases;

static pthread_key_t releases_key;
static pthread_once_t releases_once = PTHREAD_ONCE_INIT;
static void (*_Atomic destroy_releases)(void *);

static void end_releases(void *ended) {
    destroy_releases(ended);
    releases = 0;
}

static void make_releases_key(void) { pthread_key_create(&releases_key, end_releases); }

void *cfutures_thread_releases(void) { return releases; }

void cfutures_set_thread_releases(void *new_releases, void (*destroy)(void *)) {
    destroy_releases = destroy;
    pthread_once(&releases_once, make_releases_key);
    pthread_setspecific(releases_key, new_releases);
    releases = new_releases;
}

#if defined(__linux__)
bool cfutures_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }
#endif
