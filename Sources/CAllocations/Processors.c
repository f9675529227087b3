// Processors: restricts the process to a single one.
#define _GNU_SOURCE
#include "CAllocations.h"

#if defined(__linux__)

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>

static cpu_set_t before;
static bool shares;

/// Restricts every thread of the process, and returns whether this has succeeded for the calling one.
///
/// A thread that starts afterwards has the processors of the thread that starts it. Therefore this repeats until no thread
/// has other processors.
static bool allow(const cpu_set_t *processors) {
    if (sched_setaffinity(0, sizeof *processors, processors) != 0) return false;
    bool changed = true;
    for (int pass = 0; changed && pass < 100; pass++) {
        changed = false;
        DIR *threads = opendir("/proc/self/task");
        if (!threads) return true;
        for (struct dirent *entry; (entry = readdir(threads));) {
            int thread = atoi(entry->d_name);
            cpu_set_t present;
            if (thread <= 0 || sched_getaffinity(thread, sizeof present, &present) != 0) continue;
            if (!CPU_EQUAL(&present, processors) && sched_setaffinity(thread, sizeof *processors, processors) == 0) {
                changed = true;
            }
        }
        closedir(threads);
    }
    return true;
}

bool processor_share(void) {
    int current = sched_getcpu();
    if (shares || current < 0 || current >= CPU_SETSIZE) return false;
    if (sched_getaffinity(0, sizeof before, &before) != 0) return false;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(current, &one);
    shares = allow(&one);
    return shares;
}

void processor_share_no_more(void) {
    allow(&before);
    shares = false;
}

int32_t processor_count(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

#else

bool processor_share(void) { return false; }
void processor_share_no_more(void) {}
int32_t processor_count(void) { return 0; }

#endif
