/*
 * Counts the changes that a program and its children make, and lets one of them wait. Loaded into the job of a site on a lab host by
 * LD_PRELOAD: whatever the job does is found as it happens, not listed by somebody.
 *
 * A moment is: before a file is opened for writing, and after that created or emptied it; before a name is made, moved, linked or
 * removed; before an owner or a mode changes; before something is sent to systemd or MariaDB. FOLDER/state holds four numbers of 32 bits:
 * moments so far, the moment to stop at (0: none), 1 once a program stands there, 1 to let it go on. FOLDER/log has a line for each.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#define FOLDER "/run/gatehouse-stops"

static volatile uint32_t *state;

static int begins(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static int is_of_no_account(const char *path) {
  return begins(path, "/dev/") || begins(path, "/proc/") || begins(path, "/sys/") || begins(path, "/tmp/") || begins(path, FOLDER);
}

static void attach(void) {
  if (state) return;
  int fd = syscall(SYS_openat, AT_FDCWD, FOLDER "/state", O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (mapped != MAP_FAILED) state = mapped;
}

static void write_log(uint32_t number, const char *what, const char *path) {
  char line[600];
  int length = snprintf(line, sizeof line, "%u\t%s\t%s %.480s\n", number, program_invocation_short_name, what, path);
  int fd = syscall(SYS_openat, AT_FDCWD, FOLDER "/log", O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) return;
  syscall(SYS_write, fd, line, length);
  syscall(SYS_close, fd);
}

static void moment(const char *what, const char *path) {
  int kept = errno;
  if (path == NULL || is_of_no_account(path)) return;
  attach();
  if (state) {
    uint32_t number = __atomic_add_fetch(&state[0], 1, __ATOMIC_SEQ_CST);
    write_log(number, what, path);
    if (number == state[1]) {
      state[2] = 1;
      while (!state[3]) usleep(2000);
    }
  }
  errno = kept;
}

static int writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }
static int begins_file(int flags) { return (flags & (O_CREAT | O_TRUNC)) != 0; }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name, before, given, ...)                            \
  int name(before const char *path, int flags, ...) {             \
    va_list rest;                                                 \
    va_start(rest, flags);                                        \
    mode_t mode = va_arg(rest, mode_t);                           \
    va_end(rest);                                                 \
    if (writes(flags)) moment("open", path);                      \
    int fd = REAL(name)(given path, flags, mode);                 \
    if (fd >= 0 && writes(flags) && begins_file(flags)) moment("opened", path); \
    return fd;                                                    \
  }
#define COMMA ,
OPEN(open, , )
OPEN(open64, , )
OPEN(openat, int folder COMMA, folder COMMA)
OPEN(openat64, int folder COMMA, folder COMMA)

#define FOPEN(name)                                     \
  FILE *name(const char *path, const char *mode) {      \
    int changes = strpbrk(mode, "wa+") != NULL;         \
    if (changes) moment("open", path);                  \
    FILE *file = REAL(name)(path, mode);                \
    if (file && strchr(mode, 'w')) moment("opened", path); \
    return file;                                        \
  }
FOPEN(fopen)
FOPEN(fopen64)

/* CHANGE(NAME, PATH, PARAMETERS, ARGUMENTS) */
#define CHANGE(name, path, parameters, arguments) \
  int name parameters {                           \
    moment(#name, path);                          \
    return REAL(name) arguments;                  \
  }
CHANGE(creat, path, (const char *path, mode_t mode), (path, mode))
CHANGE(creat64, path, (const char *path, mode_t mode), (path, mode))
CHANGE(rename, to, (const char *from, const char *to), (from, to))
CHANGE(renameat, to, (int a, const char *from, int b, const char *to), (a, from, b, to))
CHANGE(renameat2, to, (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags))
CHANGE(unlink, path, (const char *path), (path))
CHANGE(unlinkat, path, (int folder, const char *path, int flags), (folder, path, flags))
CHANGE(remove, path, (const char *path), (path))
CHANGE(rmdir, path, (const char *path), (path))
CHANGE(mkdir, path, (const char *path, mode_t mode), (path, mode))
CHANGE(mkdirat, path, (int folder, const char *path, mode_t mode), (folder, path, mode))
CHANGE(link, to, (const char *from, const char *to), (from, to))
CHANGE(linkat, to, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags))
CHANGE(symlink, to, (const char *from, const char *to), (from, to))
CHANGE(symlinkat, to, (const char *from, int folder, const char *to), (from, folder, to))
CHANGE(chmod, path, (const char *path, mode_t mode), (path, mode))
CHANGE(fchmodat, path, (int folder, const char *path, mode_t mode, int flags), (folder, path, mode, flags))
CHANGE(chown, path, (const char *path, uid_t user, gid_t group), (path, user, group))
CHANGE(lchown, path, (const char *path, uid_t user, gid_t group), (path, user, group))
CHANGE(fchownat, path, (int folder, const char *path, uid_t user, gid_t group, int flags), (folder, path, user, group, flags))
CHANGE(truncate, path, (const char *path, off_t length), (path, length))

/* The path of the server that a socket leads to, if that is one that changes something. */
static const char *server_of(int socket, struct sockaddr_un *address) {
  socklen_t length = sizeof *address;
  memset(address, 0, sizeof *address);
  if (getpeername(socket, (struct sockaddr *)address, &length) != 0 || address->sun_family != AF_UNIX) return NULL;
  const char *path = address->sun_path;
  return strstr(path, "mysqld") || strstr(path, "dbus") || strcmp(path, "/run/systemd/private") == 0 ? path : NULL;
}

ssize_t send(int socket, const void *bytes, size_t length, int flags) {
  struct sockaddr_un address;
  moment("send", server_of(socket, &address));
  return REAL(send)(socket, bytes, length, flags);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  struct sockaddr_un address;
  moment("send", server_of(socket, &address));
  return REAL(sendmsg)(socket, message, flags);
}
