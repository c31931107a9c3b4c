#include "platform/save-storage.h"

#include "platform/windows/handles.h"

#include <errno.h>
#include <io.h>
#include <stdio.h>
#include <string.h>

#define BESIDE ".new"
/* A virus scanner or a backup has a file open for moments, after it was written. */
#define TRIES 8
#define PAUSE_MS 15

/* The names of the functions with W: a path that the system has given may be longer than those with A take. */
static bool wide(const char* path, wchar_t out[static PATH_MAX]) {
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, out, PATH_MAX) > 0 || handles_failed(GetLastError());
}

static bool is_held(DWORD error) {
    return error == ERROR_SHARING_VIOLATION || error == ERROR_LOCK_VIOLATION || error == ERROR_ACCESS_DENIED;
}

static HANDLE open_file(const wchar_t* path, DWORD share, DWORD how) {
    for (int tries = TRIES;; --tries) {
        HANDLE file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, share, NULL, how, FILE_ATTRIBUTE_NORMAL, NULL);
        if (file != INVALID_HANDLE_VALUE || !is_held(GetLastError()) || tries == 1) {
            return file;
        }
        Sleep(PAUSE_MS);
    }
}

/* Size and time of the last change, in the fields of stat(). */
static bool look_at(HANDLE file, struct stat* out) {
    BY_HANDLE_FILE_INFORMATION found;
    if (!GetFileInformationByHandle(file, &found)) {
        return handles_failed(GetLastError());
    }
    memset(out, 0, sizeof(*out));
    out->st_size = (off_t) found.nFileSizeLow;
    /* 100 ns since 1601, of which only the difference counts. */
    out->st_mtime = (time_t) ((uint64_t) found.ftLastWriteTime.dwHighDateTime << 32 | found.ftLastWriteTime.dwLowDateTime);
    return true;
}

static bool write_all(HANDLE file, const uint8_t* bytes, size_t size, size_t at) {
    LARGE_INTEGER place = { .QuadPart = (LONGLONG) at };
    DWORD written = 0;
    return (SetFilePointerEx(file, place, NULL, FILE_BEGIN) && WriteFile(file, bytes, (DWORD) size, &written, NULL) && written == size) ||
        handles_failed(GetLastError());
}

static bool cut(HANDLE file, size_t size) {
    LARGE_INTEGER place = { .QuadPart = (LONGLONG) size };
    return (SetFilePointerEx(file, place, NULL, FILE_BEGIN) && SetEndOfFile(file)) || handles_failed(GetLastError());
}

static bool flush(HANDLE file, const struct save_content* content) {
    return !content->sync || FlushFileBuffers(file) || handles_failed(GetLastError());
}

/* Into the file that is there: only what has changed, if nobody else has written it. It has its full length first, so that a full disk changes nothing. */
static bool overwrite(struct save_storage* storage, const struct save_content* content, HANDLE file, const struct stat* found) {
    bool unchanged = found->st_size == storage->known.st_size && found->st_mtime == storage->known.st_mtime;
    size_t from = unchanged ? content->from : 0;
    size_t to = unchanged ? content->to : content->size;
    return (found->st_size == (off_t) content->size || cut(file, content->size)) && write_all(file, content->bytes + from, to - from, from) && flush(file, content) &&
        look_at(file, &storage->known);
}

/* Windows replaces no file that another program has open, unless it was opened so that it may be deleted. */
static bool move_over(const wchar_t* from, const wchar_t* to) {
    for (int tries = TRIES;; --tries) {
        if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) {
            return true;
        }
        DWORD error = GetLastError();
        if (!is_held(error) || tries == 1) {
            return handles_failed(error);
        }
        Sleep(PAUSE_MS);
    }
}

/* Writes the whole file beside, and renames it: whatever happens, the file is the old or the new one. Nobody else opens the file beside meanwhile. */
static bool replace(struct save_storage* storage, const struct save_content* content, const wchar_t* path) {
    char name[PATH_MAX];
    wchar_t beside[PATH_MAX];
    if (snprintf(name, sizeof(name), "%s" BESIDE, storage->path) >= (int) sizeof(name)) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (!wide(name, beside)) {
        return false;
    }
    HANDLE file = open_file(beside, 0, CREATE_ALWAYS);
    if (file == INVALID_HANDLE_VALUE) {
        return handles_failed(GetLastError());
    }
    struct stat written;
    bool ok = write_all(file, content->bytes, content->size, 0) && flush(file, content) && look_at(file, &written);
    int reason = errno;
    (void) CloseHandle(file);
    if (ok) {
        ok = move_over(beside, path);
        reason = errno;
    }
    if (!ok) {
        (void) DeleteFileW(beside);
        errno = reason;
        return false;
    }
    storage->known = written;
    return true;
}

bool save_storage_write(struct save_storage* storage, const struct save_content* content) {
    wchar_t path[PATH_MAX];
    struct stat found;
    if (!wide(storage->path, path)) {
        return false;
    }
    HANDLE file = open_file(path, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, OPEN_EXISTING);
    if (file == INVALID_HANDLE_VALUE) {
        DWORD error = GetLastError();
        return error == ERROR_FILE_NOT_FOUND ? replace(storage, content, path) : handles_failed(error); /* somebody has deleted it */
    }
    bool ok = look_at(file, &found);
    bool in_place = ok && !content->sync && found.st_size == (off_t) content->size;
    if (in_place) {
        ok = overwrite(storage, content, file, &found);
    }
    int reason = errno;
    (void) CloseHandle(file);
    if (!ok || in_place) {
        errno = reason;
        return ok;
    }
    if (replace(storage, content, path)) {
        return true;
    }
    reason = errno;
    /* A program that keeps the save file open, or a folder in which no file can be made. */
    file = reason == EACCES ? open_file(path, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, OPEN_EXISTING) : INVALID_HANDLE_VALUE;
    if (file != INVALID_HANDLE_VALUE) {
        ok = look_at(file, &found) && overwrite(storage, content, file, &found);
        reason = errno;
        (void) CloseHandle(file);
    }
    errno = reason;
    return ok && file != INVALID_HANDLE_VALUE;
}

/* The name behind all links, without the prefix \\?\ of long paths. */
bool save_storage_find(int descriptor, struct save_storage* storage) {
    static const wchar_t prefix[] = L"\\\\?\\";
    wchar_t path[PATH_MAX];
    HANDLE file = (HANDLE) _get_osfhandle(descriptor);
    DWORD length = GetFinalPathNameByHandleW(file, path, PATH_MAX, FILE_NAME_NORMALIZED);
    if (!length || length >= PATH_MAX || GetFileType(file) != FILE_TYPE_DISK || !look_at(file, &storage->known)) {
        return false;
    }
    size_t skipped = wcsncmp(path, prefix, 4) == 0 && path[5] == L':' ? 4 : 0;
    return WideCharToMultiByte(CP_UTF8, 0, path + skipped, -1, storage->path, sizeof(storage->path), NULL, NULL) > 0;
}
