// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Codes in words: AL status codes (ETG.1000.6), abort codes of SDOs (CiA 301), error codes of emergencies (CiA 402).
#include <footfall/master.h>

typedef struct row {
    uint32_t code;
    const char *words;
} row;

static const row AL[] = {{FF_EC_AL_ROBOT_ENDED, "the robot has ended"},
                         {0x0000, "no error"},
                         {0x0001, "unspecified error"},
                         {0x0011, "this step between states is not allowed"},
                         {0x0012, "unknown state"},
                         {0x0013, "BOOT is not supported"},
                         {0x0016, "sync managers of the mailbox do not fit"},
                         {0x0017, "sync managers do not fit"},
                         {0x0018, "no valid inputs"},
                         {0x0019, "no valid outputs"},
                         {0x001A, "synchronisation lost"},
                         {0x001B, "process data watchdog"},
                         {0x001D, "sync manager of outputs does not fit"},
                         {0x001E, "sync manager of inputs does not fit"},
                         {0x001F, "watchdog is not configured"},
                         {0x0020, "needs a cold start"},
                         {0x0021, "needs INIT"},
                         {0x0022, "needs PRE-OP"},
                         {0x0023, "needs SAFE-OP"},
                         {0x0024, "mapping of inputs is not valid"},
                         {0x0025, "mapping of outputs is not valid"},
                         {0x0027, "free run is not supported"},
                         {0x0028, "synchronisation is not supported"},
                         {0x002C, "Sync0 or Sync1 lost"},
                         {0x002D, "no Sync0 came"},
                         {0x0030, "distributed clock is not configured rightly"},
                         {0x0032, "distributed clock is not locked"},
                         {0x0034, "Sync0 came too late"},
                         {0x0035, "cycle time is not possible"},
                         {0x0036, "Sync0 cycle time is not possible"},
                         {0x0051, "EEPROM error"}};

static const row ABORT[] = {{0x05030000, "toggle bit did not alternate"},
                            {0x05040000, "time-out"},
                            {0x05040001, "unknown command"},
                            {0x05040005, "out of memory"},
                            {0x06010000, "access is not supported"},
                            {0x06010001, "it can only be written"},
                            {0x06010002, "it can only be read"},
                            {0x06010003, "subindex 0 must be 0 before entries are written"},
                            {0x06010004, "complete access is not supported"},
                            {0x06010006, "process data write it"},
                            {0x06020000, "there is no such object"},
                            {0x06040041, "it cannot be mapped"},
                            {0x06040042, "process data would be too long"},
                            {0x06040043, "parameters do not agree"},
                            {0x06070010, "wrong length"},
                            {0x06070012, "too long"},
                            {0x06070013, "too short"},
                            {0x06090011, "there is no such subindex"},
                            {0x06090030, "value out of range"},
                            {0x06090031, "value too great"},
                            {0x06090032, "value too small"},
                            {0x08000000, "general error"},
                            {0x08000021, "local control forbids it"},
                            {0x08000022, "not in this state"}};

static const row EMERGENCY[] = {{0x0000, "error is gone"},
                                {0x2310, "over-current"},
                                {0x3210, "DC link over-voltage"},
                                {0x3220, "DC link under-voltage"},
                                {0x4310, "drive too hot"},
                                {0x7305, "encoder 1"},
                                {0x7306, "encoder 2"},
                                {0x8130, "bus lost"},
                                {0x8611, "following error"},
                                {0x8700, "synchronisation"},
                                {0xA000, "step from PRE-OP to SAFE-OP failed"},
                                {0xA001, "step from SAFE-OP to OP failed"},
                                {0xFF01, "a fault of the device itself"}};

static const row STATES[] = {{1, "INIT"}, {2, "PRE-OP"}, {3, "BOOT"}, {4, "SAFE-OP"}, {8, "OP"}};

static const char *find(const row *rows, size_t n, uint32_t code)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].code == code) return rows[i].words;
    return "unknown";
}
#define FIND(rows, code) find(rows, sizeof(rows) / sizeof *(rows), code)

const char *ff_ec_al_words(uint16_t code)
{
    return FIND(AL, code);
}

const char *ff_ec_abort_words(uint32_t code)
{
    return FIND(ABORT, code);
}

const char *ff_ec_emergency_words(uint16_t code)
{
    return FIND(EMERGENCY, code);
}

const char *ff_ec_state_words(unsigned state)
{
    return FIND(STATES, state & 0x0F);
}
