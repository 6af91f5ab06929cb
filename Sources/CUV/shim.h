#include <malloc.h>
#include <uv.h>

/* Not in the Glibc module: needs _GNU_SOURCE before the first include. pthread_setname_np(3). */
extern int pthread_setname_np(pthread_t thread, const char *name);
