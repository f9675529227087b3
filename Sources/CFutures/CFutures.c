// CFutures: the few things that Swift cannot say.
#include "CFutures.h"

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

bool cfutures_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }
#endif
