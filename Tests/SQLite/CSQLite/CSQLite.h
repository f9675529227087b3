// SQLite, of the system.
#include <sqlite3.h>
