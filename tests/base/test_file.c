// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The file system: kinds of files are distinguished, and one file has one name.
#include "check.h"
#include "support/folder.h"

#include "base/file.h"

#include <errno.h>
#include <sys/stat.h>

TEST(files_folders_and_pipes_are_reported_apart)
{
    uint64_t size = 0;
    CHECK_INT(ff_file_kind_at(write_file("seven", "1234567"), &size), FF_FILE_REGULAR);
    CHECK_INT((int)size, 7);
    CHECK_INT(ff_file_kind_at(test_folder(), NULL), FF_FILE_FOLDER);
    CHECK_INT(mkfifo(in_folder("pipe"), 0600), 0);
    CHECK_INT(ff_file_kind_at(in_folder("pipe"), NULL), FF_FILE_OTHER);
    CHECK_INT(ff_file_kind_at(in_folder("nothing"), NULL), FF_FILE_UNKNOWN);
    CHECK_INT(errno, ENOENT);
}

TEST(a_file_has_one_name_however_it_is_reached)
{
    char *folder = ff_file_real(test_folder());
    write_file("one", "1");
    CHECK_INT(mkdir(in_folder("sub"), 0700), 0);
    CHECK_INT(symlink("../one", in_folder("sub/link")), 0);
    char *name = ff_file_real(in_folder("one")), *by_link = ff_file_real(in_folder("sub/link"));
    char *by_dots = ff_file_real(in_folder("sub/.././one"));
    CHECK(folder && name && by_link && by_dots);
    CHECK(strncmp(name, folder, strlen(folder)) == 0 && strcmp(name + strlen(folder), "/one") == 0);
    CHECK_TEXT(by_link, name);
    CHECK_TEXT(by_dots, name);
    CHECK(!ff_file_real(in_folder("nothing")));
    CHECK_INT(errno, ENOENT);
    free(folder), free(name), free(by_link), free(by_dots);
}
