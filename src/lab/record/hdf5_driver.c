// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A driver of HDF5 (a "virtual file driver") for files that are only written. The library writes the structure of a
// file (dimensions of datasets, trees of chunks, the superblock) piece by piece, whenever its cache wants to: a program
// that is killed in between leaves a file that nobody can open, and one that cannot write ends in a crash of the
// library (1.10.8: H5Fclose fails, and the clean-up at exit uses what it freed). Here
//
// - numbers, and structure beyond the end of the last flushed state, are written at once: no reader refers to them yet;
// - changes of structure before that end stay in memory, in pages, until H5Fflush. They are first written together
//   beyond the end of the file, as a journal, then in place, and the journal is cut off. If the program is killed in
//   between, the journal remains and ff_hdf5_reopen reads its pages;
// - after the first failure nothing more is written, so that the disk keeps the last flushed state. HDF5 gets no error
//   and closes the file as usual; the writer checks the outcome.
#include "record/hdf5_driver.h"

#ifdef FF_WITH_HDF5

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <footfall/base.h>
#include <footfall/math.h>

// ------------------------------------------------------------------------------------------ access

#ifdef FF_WITH_THREADS
#include <pthread.h>
static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;
#endif

/// HDF5 keeps objects of a damaged file that it could not read, and would list them on stderr at the exit of the
/// process.
static void silence_hdf5(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

ff_hdf5_visit ff_hdf5_enter(void)
{
    static bool registered;
    ff_hdf5_visit visit = {0};
#ifdef FF_WITH_THREADS
    pthread_mutex_lock(&library_lock);
#endif
    H5Eget_auto2(H5E_DEFAULT, &visit.function, &visit.data);
    // HDF5 has registered its own exit handler by now; handlers that are registered later are called earlier.
    if (!registered) registered = atexit(silence_hdf5) == 0;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return visit;
}

void ff_hdf5_leave(ff_hdf5_visit visit)
{
    H5Eset_auto2(H5E_DEFAULT, visit.function, visit.data);
#ifdef FF_WITH_THREADS
    pthread_mutex_unlock(&library_lock);
#endif
}

// ------------------------------------------------------------------------------------------ files

enum { PAGE = 4096 };

/// A piece of the file with changes that are not written yet.
typedef struct page {
    haddr_t at; // a multiple of PAGE
    unsigned char *bytes;
} page;

typedef struct driver_file {
    H5FD_t head; // data of HDF5; must be the first member
    int fd;
    haddr_t allocated; // end of the addresses that HDF5 has allocated
    haddr_t written;   // end of the bytes written, to the disk or to pages
    haddr_t whole;     // end of the last flushed state; HADDR_MAX after a failure or for reading
    haddr_t kept;      // length to which the file is cut after a failure; 0: it is not cut
    bool placing;      // the journal is complete and its pages are being written in place: the file must not be cut
    page *pages;       // sorted by address
    int npage, capacity;
    ff_hdf5_outcome *outcome; // `initial`, until the creator has given its own
    ff_hdf5_outcome initial;
} driver_file;

// ------------------------------------------------------------------------------------------ disk

/// Reads bytes of the file; zeros beyond its end. @return false when the disk fails
static bool read_disk(const driver_file *f, haddr_t at, size_t size, unsigned char *bytes)
{
    while (size > 0) {
        const ssize_t n = pread(f->fd, bytes, size, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        if (n == 0) break;
        at += (haddr_t)n;
        bytes += n;
        size -= (size_t)n;
    }
    memset(bytes, 0, size);
    return true;
}

/// Stores the first failure. From now on structure that HDF5 writes goes to pages only. The page that contains the end
/// of the last flushed state gets the bytes that the disk has beyond that end.
static void fail(driver_file *f, int failure)
{
    if (f->outcome->failure) return;
    f->outcome->failure = failure ? failure : EIO;
    for (int i = 0; i < f->npage; i++) {
        const page *p = &f->pages[i];
        if (p->at > f->whole || p->at + PAGE <= f->whole) continue;
        const size_t known = (size_t)(f->whole - p->at);
        (void)read_disk(f, f->whole, PAGE - known, p->bytes + known);
    }
    if (!f->placing) f->kept = f->whole;
    f->whole = HADDR_MAX;
}

static void write_disk(driver_file *f, haddr_t at, size_t size, const unsigned char *bytes)
{
    while (size > 0 && f->outcome->failure == 0) {
        const ssize_t n = pwrite(f->fd, bytes, size, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            fail(f, n < 0 ? errno : ENOSPC);
            return;
        }
        at += (haddr_t)n;
        bytes += n;
        size -= (size_t)n;
    }
}

// ------------------------------------------------------------------------------------------ pages

/// Index of the first page at or after an address.
static int find_page(const driver_file *f, haddr_t at)
{
    int low = 0, high = f->npage;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (f->pages[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// The page at an address, read from the disk if it is new; NULL without memory.
static page *take_page(driver_file *f, haddr_t at)
{
    const int i = find_page(f, at);
    if (i < f->npage && f->pages[i].at == at) return &f->pages[i];
    unsigned char *bytes = malloc(PAGE);
    if (!bytes || !ff_array_grow(&f->pages, f->npage, &f->capacity, sizeof *f->pages) ||
        !read_disk(f, at, PAGE, bytes)) {
        free(bytes);
        return NULL;
    }
    memmove(f->pages + i + 1, f->pages + i, (size_t)(f->npage - i) * sizeof *f->pages);
    f->npage++;
    f->pages[i] = (page){at, bytes};
    return &f->pages[i];
}

static size_t within_page(haddr_t at, size_t size)
{
    const size_t left = PAGE - (size_t)(at % PAGE);
    return size < left ? size : left;
}

/// Writes bytes to pages. @return false without memory
static bool write_pages(driver_file *f, haddr_t at, size_t size, const unsigned char *bytes)
{
    while (size > 0) {
        const size_t n = within_page(at, size);
        page *p = take_page(f, at - at % PAGE);
        if (!p) return false;
        memcpy(p->bytes + at % PAGE, bytes, n);
        at += n;
        bytes += n;
        size -= n;
    }
    return true;
}

/// Copies numbers that were written to the disk into pages that contain them, since these are written later.
static void update_pages(driver_file *f, haddr_t at, size_t size, const unsigned char *bytes)
{
    for (int i = find_page(f, at - at % PAGE); i < f->npage && f->pages[i].at < at + size; i++) {
        const page *p = &f->pages[i];
        const haddr_t from = p->at > at ? p->at : at, to = p->at + PAGE < at + size ? p->at + PAGE : at + size;
        memcpy(p->bytes + (from - p->at), bytes + (from - at), (size_t)(to - from));
    }
}

/// Replaces bytes read from the disk by those of pages, up to the end of the last flushed state. Beyond it the disk is
/// newer.
static void read_pages(const driver_file *f, haddr_t at, size_t size, unsigned char *bytes)
{
    const haddr_t end = at + size < f->whole ? at + size : f->whole;
    for (int i = find_page(f, at - at % PAGE); i < f->npage && f->pages[i].at < end; i++) {
        const page *p = &f->pages[i];
        const haddr_t from = p->at > at ? p->at : at, to = p->at + PAGE < end ? p->at + PAGE : end;
        if (to > from) memcpy(bytes + (from - at), p->bytes + (from - p->at), (size_t)(to - from));
    }
}

static void drop_pages(driver_file *f)
{
    for (int i = 0; i < f->npage; i++) free(f->pages[i].bytes);
    f->npage = 0;
}

// ------------------------------------------------------------------------------------------ journal

/// A page in the journal.
typedef struct entry {
    uint64_t at, size; // its address in the file, and how many of its bytes count  [byte]
    unsigned char bytes[PAGE];
} entry;

/// The last bytes of a file that ends in a journal.
typedef struct trailer {
    char mark[8];
    uint64_t count; // number of entries before the trailer
    uint64_t hash;  // hash of these entries
} trailer;

static const char MARK[8] = {'f', 'f', 'p', 'a', 'g', 'e', 's', '1'};

static void write_journal(driver_file *f, haddr_t at)
{
    entry *entries = calloc((size_t)f->npage, sizeof *entries);
    if (!entries) {
        fail(f, ENOMEM);
        return;
    }
    for (int i = 0; i < f->npage; i++) {
        const page *p = &f->pages[i];
        entries[i] = (entry){.at = p->at, .size = p->at + PAGE < f->whole ? PAGE : f->whole - p->at};
        memcpy(entries[i].bytes, p->bytes, entries[i].size);
    }
    const size_t size = (size_t)f->npage * sizeof *entries;
    trailer last = {.count = (uint64_t)f->npage, .hash = ff_hash(entries, size, 0)};
    memcpy(last.mark, MARK, sizeof MARK);
    write_disk(f, at, size, (const unsigned char *)entries);
    write_disk(f, at + size, sizeof last, (const unsigned char *)&last);
    free(entries);
}

/// Reads the pages of the journal at the end of a file, if there is one.
static void read_journal(driver_file *f, haddr_t end)
{
    trailer last;
    if (end < sizeof last || !read_disk(f, end - sizeof last, sizeof last, (unsigned char *)&last)) return;
    if (memcmp(last.mark, MARK, sizeof MARK) != 0 || last.count > (end - sizeof last) / sizeof(entry)) return;
    const size_t size = (size_t)last.count * sizeof(entry);
    entry *entries = malloc(size + 1);
    bool ok = entries && read_disk(f, end - sizeof last - size, size, (unsigned char *)entries) &&
              ff_hash(entries, size, 0) == last.hash;
    for (uint64_t i = 0; ok && i < last.count; i++) {
        const entry *e = &entries[i];
        ok = e->size <= PAGE && e->at % PAGE == 0 && e->at < end && write_pages(f, e->at, e->size, e->bytes);
    }
    free(entries);
}

/// Makes the present contents the last flushed state.
static void commit(driver_file *f)
{
    const haddr_t end = f->written > f->allocated ? f->written : f->allocated;
    if (f->outcome->failure) return;
    if (f->npage > 0) write_journal(f, end);
    f->placing = true;
    for (int i = 0; i < f->npage && !f->outcome->failure; i++) {
        const page *p = &f->pages[i];
        write_disk(f, p->at, p->at + PAGE < f->whole ? PAGE : (size_t)(f->whole - p->at), p->bytes);
    }
    // HDF5 refuses to read a file that is shorter than its superblock says.
    if (!f->outcome->failure && ftruncate(f->fd, (off_t)end) != 0) fail(f, errno);
    if (f->outcome->failure) return;
    f->placing = false;
    drop_pages(f);
    f->whole = end;
}

// ------------------------------------------------------------------------------------------ what HDF5 calls

/// Prepares a file for reading: nothing is written, and pages of a journal replace the bytes of the file.
static void begin_reading(driver_file *f)
{
    struct stat info;
    if (fstat(f->fd, &info) == 0) f->written = (haddr_t)info.st_size;
    f->initial.failure = EROFS;
    f->whole = HADDR_MAX;
    read_journal(f, f->written);
}

static H5FD_t *open_file(const char *name, unsigned flags, hid_t plan, haddr_t most)
{
    (void)plan, (void)most;
    const bool reads = !(flags & H5F_ACC_RDWR);
    if (!reads && !(flags & H5F_ACC_CREAT)) return NULL; // HDF5 first tries to open an existing file
    const int fd = open(name, (reads ? O_RDONLY : O_RDWR | O_CREAT) | O_CLOEXEC, 0666);
    driver_file *f = fd >= 0 ? calloc(1, sizeof *f) : NULL;
    // A file that another program is writing is neither read nor overwritten. Some file systems have no locks.
    if (!f || (flock(fd, (reads ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 && errno == EWOULDBLOCK) ||
        (!reads && ftruncate(fd, 0) != 0)) {
        if (fd >= 0) close(fd);
        free(f);
        return NULL;
    }
    f->fd = fd;
    f->outcome = &f->initial;
    if (reads) begin_reading(f);
    return &f->head;
}

static herr_t close_file(H5FD_t *file)
{
    driver_file *f = (driver_file *)file;
    commit(f);
    if (!f->outcome->failure && ftruncate(f->fd, (off_t)f->allocated) != 0) fail(f, errno);
    // Bytes that no reader uses are cut off, which leaves space on a full disk for the summary of the run.
    if (f->kept > 0 && ftruncate(f->fd, (off_t)f->kept) != 0) fail(f, errno);
    if (close(f->fd) != 0) fail(f, errno);
    drop_pages(f);
    free(f->pages);
    free(f);
    return 0;
}

/// Lets HDF5 combine small pieces of structure, as it does for plain files.
static herr_t query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t get_allocated(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)file)->allocated;
}

static herr_t set_allocated(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((driver_file *)file)->allocated = end;
    return 0;
}

static haddr_t get_written(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)file)->written;
}

/// Gives the driver's own struct to ff_hdf5_create, not a file descriptor as other drivers do.
static herr_t get_handle(H5FD_t *file, hid_t plan, void **handle)
{
    (void)plan;
    *handle = file;
    return 0;
}

static herr_t read_bytes(H5FD_t *file, H5FD_mem_t type, hid_t plan, haddr_t at, size_t size, void *out)
{
    (void)type, (void)plan;
    if (!read_disk((driver_file *)file, at, size, out)) return -1;
    read_pages((driver_file *)file, at, size, out);
    return 0;
}

static herr_t write_bytes(H5FD_t *file, H5FD_mem_t type, hid_t plan, haddr_t at, size_t size, const void *in)
{
    driver_file *f = (driver_file *)file;
    const unsigned char *bytes = in;
    (void)plan;
    if (at + size > f->written) f->written = at + size;
    size_t kept = 0; // number of bytes that go to pages
    if (type != H5FD_MEM_DRAW && at < f->whole) kept = at + size < f->whole ? size : (size_t)(f->whole - at);
    if (!write_pages(f, at, kept, bytes)) {
        fail(f, ENOMEM);
        return -1;
    }
    write_disk(f, at + kept, size - kept, bytes + kept);
    if (type == H5FD_MEM_DRAW) update_pages(f, at, size, bytes);
    // HDF5 may read its structure again, so it is kept in pages even after the disk has failed.
    if (f->outcome->failure && type != H5FD_MEM_DRAW && !write_pages(f, at, size, bytes)) return -1;
    return 0;
}

static herr_t flush(H5FD_t *file, hid_t plan, hbool_t closing)
{
    (void)plan, (void)closing;
    commit((driver_file *)file);
    return 0;
}

static const H5FD_class_t DRIVER = {.name = "footfall",
                                    .maxaddr = ((haddr_t)1 << 62) - 1,
                                    .fc_degree = H5F_CLOSE_WEAK,
                                    .open = open_file,
                                    .close = close_file,
                                    .query = query,
                                    .get_eoa = get_allocated,
                                    .set_eoa = set_allocated,
                                    .get_eof = get_written,
                                    .get_handle = get_handle,
                                    .read = read_bytes,
                                    .write = write_bytes,
                                    .flush = flush,
                                    .fl_map = H5FD_FLMAP_DICHOTOMY}; // space of structure is never reused for numbers

/// Number of the driver, which is registered once for the process; between ff_hdf5_enter and ff_hdf5_leave. It is never
/// unregistered: H5FD_close of HDF5 1.10 reads the driver after it has released the file's reference to it, so a file
/// must not have the last reference.
static hid_t driver_number(void)
{
    static hid_t number = -1;
    if (number < 0 || H5Iget_type(number) != H5I_VFL) number = H5FDregister(&DRIVER); // again after H5close
    return number;
}

hid_t ff_hdf5_create(const char *path, hid_t plan, ff_hdf5_outcome *outcome)
{
    const hid_t driver = driver_number();
    hid_t file = -1;
    void *handle = NULL;
    *outcome = (ff_hdf5_outcome){0};
    if (driver >= 0 && H5Pset_driver(plan, driver, NULL) >= 0) file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, plan);
    if (file < 0) return file;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0) {
        H5Fclose(file);
        return -1;
    }
    driver_file *f = handle;
    *outcome = f->initial;
    f->outcome = outcome;
    return file;
}

bool ff_hdf5_is_busy(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool busy = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd >= 0) close(fd);
    return busy;
}

hid_t ff_hdf5_reopen(const char *path)
{
    const hid_t driver = driver_number(), plan = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (driver >= 0 && H5Pset_driver(plan, driver, NULL) >= 0) file = H5Fopen(path, H5F_ACC_RDONLY, plan);
    H5Pclose(plan);
    return file;
}

#else

/// ISO C requires at least one declaration in a file.
typedef int ff_hdf5_driver_is_empty;

#endif
