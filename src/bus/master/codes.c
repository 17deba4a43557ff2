// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts of AL status codes (ETG.1000.6), SDO abort codes (CiA 301) and error codes of emergencies (CiA 402).
#include <footfall/master.h>

typedef struct row {
    uint32_t code;
    const char *words;
} row;

static const row AL[] = {{FF_EC_AL_ROBOT_ENDED, "the robot has shut down"},
                         {0x0000, "no error"},
                         {0x0001, "unspecified error"},
                         {0x0011, "invalid requested state change"},
                         {0x0012, "unknown requested state"},
                         {0x0013, "BOOT is not supported"},
                         {0x0016, "invalid mailbox configuration"},
                         {0x0017, "invalid sync manager configuration"},
                         {0x0018, "no valid inputs"},
                         {0x0019, "no valid outputs"},
                         {0x001A, "synchronisation error"},
                         {0x001B, "process data watchdog"},
                         {0x001D, "invalid sync manager configuration of outputs"},
                         {0x001E, "invalid sync manager configuration of inputs"},
                         {0x001F, "invalid watchdog configuration"},
                         {0x0020, "slave needs a cold start"},
                         {0x0021, "slave needs INIT"},
                         {0x0022, "slave needs PRE-OP"},
                         {0x0023, "slave needs SAFE-OP"},
                         {0x0024, "invalid input mapping"},
                         {0x0025, "invalid output mapping"},
                         {0x0027, "free run is not supported"},
                         {0x0028, "synchronisation is not supported"},
                         {0x002C, "fatal synchronisation error: Sync0 or Sync1 lost"},
                         {0x002D, "no Sync0 received"},
                         {0x0030, "invalid DC synchronisation configuration"},
                         {0x0032, "DC PLL is not synchronised"},
                         {0x0034, "DC PLL synchronisation error: Sync0 came too late"},
                         {0x0035, "invalid DC cycle time"},
                         {0x0036, "invalid DC Sync0 cycle time"},
                         {0x0051, "EEPROM error"}};

static const row ABORT[] = {{0x05030000, "toggle bit did not alternate"},
                            {0x05040000, "time-out"},
                            {0x05040001, "unknown command"},
                            {0x05040005, "out of memory"},
                            {0x06010000, "unsupported access"},
                            {0x06010001, "attempt to read a write-only object"},
                            {0x06010002, "attempt to write a read-only object"},
                            {0x06010003, "subindex 0 must be 0 before entries are written"},
                            {0x06010004, "complete access is not supported"},
                            {0x06010006, "object is mapped to a receive PDO, SDO download is blocked"},
                            {0x06020000, "object does not exist"},
                            {0x06040041, "object cannot be mapped"},
                            {0x06040042, "mapped objects exceed the PDO length"},
                            {0x06040043, "incompatible parameters"},
                            {0x06070010, "wrong length"},
                            {0x06070012, "too long"},
                            {0x06070013, "too short"},
                            {0x06090011, "subindex does not exist"},
                            {0x06090030, "value out of range"},
                            {0x06090031, "value too high"},
                            {0x06090032, "value too low"},
                            {0x08000000, "general error"},
                            {0x08000021, "local control prevents the transfer"},
                            {0x08000022, "not possible in the present device state"}};

static const row EMERGENCY[] = {{0x0000, "error reset"},
                                {0x2310, "over-current"},
                                {0x3210, "DC link over-voltage"},
                                {0x3220, "DC link under-voltage"},
                                {0x4310, "drive temperature too high"},
                                {0x7305, "fault of encoder 1"},
                                {0x7306, "fault of encoder 2"},
                                {0x8130, "communication lost"},
                                {0x8611, "following error"},
                                {0x8700, "synchronisation"},
                                {0xA000, "transition from PRE-OP to SAFE-OP failed"},
                                {0xA001, "transition from SAFE-OP to OP failed"},
                                {0xFF01, "device-specific fault"}};

static const row STATES[] = {{1, "INIT"}, {2, "PRE-OP"}, {3, "BOOT"}, {4, "SAFE-OP"}, {8, "OP"}};

static const char *find(const row *rows, size_t n, uint32_t code)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].code == code) return rows[i].words;
    return "unknown";
}
#define FIND(rows, code) find(rows, sizeof(rows) / sizeof *(rows), code)

const char *ff_ec_al_status_text(uint16_t code)
{
    return FIND(AL, code);
}

const char *ff_ec_abort_text(uint32_t code)
{
    return FIND(ABORT, code);
}

const char *ff_ec_emergency_text(uint16_t code)
{
    return FIND(EMERGENCY, code);
}

const char *ff_ec_state_text(unsigned state)
{
    return FIND(STATES, state & 0x0F);
}
