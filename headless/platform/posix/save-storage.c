#include "platform/save-storage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define BESIDE ".new"

static bool write_all(int file, const uint8_t* bytes, size_t size, off_t at) {
    while (size > 0) {
        ssize_t count = pwrite(file, bytes, size, at);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            errno = count == 0 ? ENOSPC : errno;
            return false;
        }
        bytes += count;
        size -= (size_t) count;
        at += count;
    }
    return true;
}

/* False when the disk has no room for all of the file. A file system that cannot reserve finds that out when it is written. */
static bool reserve(int file, size_t size) {
    return fallocate(file, 0, 0, (off_t) size) == 0 || errno == EOPNOTSUPP || errno == ENOSYS;
}

static bool is_same_file(const struct stat* one, const struct stat* other) {
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Whether nobody else has written it since. */
static bool is_unchanged(const struct stat* one, const struct stat* other) {
    return is_same_file(one, other) && one->st_size == other->st_size && one->st_mtim.tv_sec == other->st_mtim.tv_sec &&
        one->st_mtim.tv_nsec == other->st_mtim.tv_nsec;
}

/* Into the file that is there: only what has changed, if nobody else has written it. Its blocks are reserved first, so that a full disk changes nothing. */
static bool overwrite(struct save_storage* storage, const struct save_content* content, int file, const struct stat* found) {
    bool unchanged = is_unchanged(found, &storage->known);
    size_t from = unchanged ? content->from : 0;
    size_t to = unchanged ? content->to : content->size;
    if (!(unchanged && storage->reserved) && !reserve(file, content->size)) {
        int reason = errno;
        /* A part of it may be reserved, into which nothing was written; if it cannot be given back, the file is longer than it was. */
        errno = ftruncate(file, found->st_size) == 0 ? reason : errno;
        return false;
    }
    storage->reserved = true;
    return write_all(file, content->bytes + from, to - from, (off_t) from) &&
        (found->st_size <= (off_t) content->size || ftruncate(file, (off_t) content->size) == 0) && (!content->sync || fsync(file) == 0) &&
        fstat(file, &storage->known) == 0;
}

static void sync_directory(const char* path) {
    char directory[PATH_MAX];
    const char* slash = strrchr(path, '/');
    (void) snprintf(directory, sizeof(directory), "%.*s", slash && slash > path ? (int) (slash - path) : 1, path);
    int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void) fsync(descriptor); /* not all file systems can */
        (void) close(descriptor);
    }
}

/* Makes the new file like the one before: a save file that others may read stays one. */
static bool has_owner_and_mode(int file, const struct stat* before) {
    return (before->st_uid == geteuid() || fchown(file, before->st_uid, before->st_gid) == 0) && fchmod(file, before->st_mode & 07777) == 0;
}

/* Whether a file can be made beside, which is not the case in a folder of others, or for a file that is mounted by itself. */
static bool is_refused(int reason) {
    return reason == EACCES || reason == EPERM || reason == EROFS || reason == EBUSY || reason == EXDEV || reason == ENAMETOOLONG || reason == EWOULDBLOCK ||
        reason == ELOOP || reason == EEXIST;
}

/* Nobody else writes the file beside: a lock keeps another emulator away, and what others have put there is not used. */
static bool is_ours(int file) {
    struct stat status;
    return flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &status) == 0 &&
        ((S_ISREG(status.st_mode) && status.st_nlink == 1 && status.st_uid == geteuid()) || (errno = EPERM, false));
}

/* Writes the whole file beside, and renames it: whatever happens, the file is the old or the new one. */
static bool replace(struct save_storage* storage, const struct save_content* content, const struct stat* found) {
    char beside[PATH_MAX];
    if (snprintf(beside, sizeof(beside), "%s" BESIDE, storage->path) >= (int) sizeof(beside)) {
        errno = ENAMETOOLONG;
        return false;
    }
    int file = open(beside, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file < 0) {
        return false;
    }
    if (!is_ours(file)) {
        int reason = errno;
        (void) close(file);
        errno = reason;
        return false;
    }
    struct stat written;
    bool ok = ftruncate(file, 0) == 0 && (!found || has_owner_and_mode(file, found)) && reserve(file, content->size) &&
        write_all(file, content->bytes, content->size, 0) && (!content->sync || fsync(file) == 0) && fstat(file, &written) == 0 && rename(beside, storage->path) == 0;
    int reason = errno;
    if (!ok) {
        (void) unlink(beside);
    }
    (void) close(file); /* it was written: what a close can report, fsync reported where it counts */
    errno = reason;
    if (ok) {
        storage->known = written;
        storage->reserved = true;
        if (content->sync) {
            sync_directory(storage->path);
        }
    }
    return ok;
}

bool save_storage_write(struct save_storage* storage, const struct save_content* content) {
    struct stat found;
    int file = open(storage->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return errno == ENOENT && replace(storage, content, NULL); /* somebody has deleted it */
    }
    bool ok = fstat(file, &found) == 0 && (S_ISREG(found.st_mode) || (errno = EPERM, false));
    if (ok) {
        /* To replace a file that has further names would take them from it. */
        bool in_place = found.st_nlink > 1 || (!content->sync && found.st_size == (off_t) content->size);
        ok = !in_place && replace(storage, content, &found);
        if (!ok && (in_place || is_refused(errno))) {
            ok = overwrite(storage, content, file, &found);
        }
    }
    int reason = errno;
    (void) close(file);
    errno = reason;
    return ok;
}

bool save_storage_find(int descriptor, struct save_storage* storage) {
    char link[64];
    struct stat there;
    (void) snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, storage->path, sizeof(storage->path) - 1);
    if (length <= 0 || fstat(descriptor, &storage->known)) {
        return false;
    }
    /* The name behind all links, so that a file that replaces it leaves them as they are. */
    storage->path[length] = '\0';
    return S_ISREG(storage->known.st_mode) && lstat(storage->path, &there) == 0 && is_same_file(&there, &storage->known);
}
