// libpq, of the system.
#include <libpq-fe.h>
