// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// MJCF reader: any bytes give a robot or a message.
#include "fuzz_loader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_loader("mjcf", bytes, size, "fuzz.xml");
    return 0;
}
