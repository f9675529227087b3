// Processors: restricts the process to a single one.
#define _GNU_SOURCE
#include "CAllocations.h"

#if defined(__linux__)

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>

static cpu_set_t before;

/// Restricts every thread of the process. A thread that starts afterwards has the processors of the one that starts it.
static void allow(const cpu_set_t *processors) {
    DIR *threads = opendir("/proc/self/task");
    if (!threads) return;
    for (struct dirent *entry; (entry = readdir(threads));) {
        int thread = atoi(entry->d_name);
        if (thread > 0) sched_setaffinity(thread, sizeof *processors, processors);
    }
    closedir(threads);
}

bool processor_share(void) {
    int current = sched_getcpu();
    if (current < 0 || current >= CPU_SETSIZE || sched_getaffinity(0, sizeof before, &before) != 0) return false;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(current, &one);
    allow(&one);
    return true;
}

void processor_share_no_more(void) {
    allow(&before);
    // Again, for threads that others have started meanwhile.
    allow(&before);
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
