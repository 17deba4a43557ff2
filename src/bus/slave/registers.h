// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Constants of EtherCAT, for slaves and for the master: commands, registers of a slave controller, layouts of frames,
// mailbox messages and EEPROMs, and codes with their texts. ETG.1000.4, ETG.1000.6, ETG.2010; section numbers of
// registers as in the Beckhoff ESC data sheets.
#ifndef FOOTFALL_SLAVE_REGISTERS_H
#define FOOTFALL_SLAVE_REGISTERS_H

typedef enum ff_ec_command {
    FF_EC_NOP,
    FF_EC_APRD,
    FF_EC_APWR,
    FF_EC_APRW,
    FF_EC_FPRD,
    FF_EC_FPWR,
    FF_EC_FPRW,
    FF_EC_BRD,
    FF_EC_BWR,
    FF_EC_BRW,
    FF_EC_LRD,
    FF_EC_LWR,
    FF_EC_LRW,
    FF_EC_ARMW,
    FF_EC_FRMW,
} ff_ec_command;

enum { // registers
    FF_EC_REG_TYPE = 0x0000,
    FF_EC_REG_PORTS = 0x0007,
    FF_EC_REG_FEATURES = 0x0008,
    FF_EC_REG_STATION = 0x0010,
    FF_EC_REG_ALIAS = 0x0012,
    FF_EC_REG_DL_CONTROL = 0x0100,
    FF_EC_REG_DL_STATUS = 0x0110,
    FF_EC_REG_AL_CONTROL = 0x0120,
    FF_EC_REG_AL_STATUS = 0x0130,
    FF_EC_REG_AL_CODE = 0x0134,
    FF_EC_REG_PDI = 0x0140,
    FF_EC_REG_EVENT_MASK = 0x0200,
    FF_EC_REG_EVENT = 0x0210,
    FF_EC_REG_RX_ERRORS = 0x0300,
    FF_EC_REG_LOST_LINK = 0x0310,
    FF_EC_REG_WD_DIVIDER = 0x0400,
    FF_EC_REG_WD_TIME = 0x0420,
    FF_EC_REG_WD_STATUS = 0x0440,
    FF_EC_REG_WD_COUNT = 0x0442,
    FF_EC_REG_SII_OWNER = 0x0500,
    FF_EC_REG_SII_CONTROL = 0x0502,
    FF_EC_REG_SII_ADDRESS = 0x0504,
    FF_EC_REG_SII_DATA = 0x0508,
    FF_EC_REG_FMMU = 0x0600,
    FF_EC_REG_SM = 0x0800,
    FF_EC_REG_DC_RECEIVED = 0x0900,
    FF_EC_REG_DC_TIME = 0x0910,
    FF_EC_REG_DC_UNIT = 0x0918,
    FF_EC_REG_DC_OFFSET = 0x0920,
    FF_EC_REG_DC_DELAY = 0x0928,
    FF_EC_REG_DC_DIFFERENCE = 0x092C,
    FF_EC_REG_DC_SPEED = 0x0930,
    FF_EC_REG_DC_CONTROL = 0x0980,
    FF_EC_REG_DC_ACTIVATION = 0x0981,
    FF_EC_REG_DC_START = 0x0990,
    FF_EC_REG_DC_CYCLE0 = 0x09A0,
    FF_EC_REG_END = 0x1000, // RAM begins
};

enum { // bits
    FF_EC_EVENT_DL = 1 << 2,
    FF_EC_EVENT_AL = 1 << 3,
    FF_EC_EVENT_SM = 1 << 4, // and those above it
    FF_EC_SM_MODE = 0x03,
    FF_EC_SM_MAILBOX = 0x02,
    FF_EC_SM_MASTER_WRITES = 0x04,
    FF_EC_SM_WATCHDOG = 0x40,
    FF_EC_SM_STATUS_WRITTEN = 0x01,
    FF_EC_SM_STATUS_READ = 0x02,
    FF_EC_SM_STATUS_FULL = 0x08,
    FF_EC_SM_ENABLE = 0x01,
    FF_EC_SM_REPEAT = 0x02, // of activate and of PDI control
    FF_EC_FMMU_READ = 1,
    FF_EC_FMMU_WRITE = 2,
    FF_EC_AL_ERROR = 0x10,
    FF_EC_AL_ID = 0x20,
    FF_EC_DC_ON = 1, // of the activation
    FF_EC_DC_SYNC0 = 2,
    FF_EC_DC_SYNC1 = 4,
    FF_EC_SII_WRITE_ENABLE = 0x0001,
    FF_EC_SII_READS_8 = 0x0040,
    FF_EC_SII_READ = 0x0100,
    FF_EC_SII_WRITE = 0x0200,
    FF_EC_SII_RELOAD = 0x0400,
    FF_EC_SII_CHECKSUM_ERROR = 0x0800,
    FF_EC_SII_COMMAND_ERROR = 0x2000,
    FF_EC_SII_ENABLE_ERROR = 0x4000,
    FF_EC_SII_BUSY = 0x8000,
};

// Codes: name, number, text. The enumerators and the texts (master/codes.c) are made from these lists.

/// AL status codes.
#define FF_EC_AL_CODES(X)                                                                                              \
    X(FINE, 0x0000, "no error")                                                                                        \
    X(UNSPECIFIED, 0x0001, "unspecified error")                                                                        \
    X(INVALID_CHANGE, 0x0011, "invalid requested state change")                                                        \
    X(UNKNOWN_STATE, 0x0012, "unknown requested state")                                                                \
    X(NO_BOOT, 0x0013, "BOOT is not supported")                                                                        \
    X(MAILBOX, 0x0016, "invalid mailbox configuration")                                                                \
    X(SM, 0x0017, "invalid sync manager configuration")                                                                \
    X(NO_INPUTS, 0x0018, "no valid inputs")                                                                            \
    X(NO_OUTPUTS, 0x0019, "no valid outputs")                                                                          \
    X(SYNC_ERROR, 0x001A, "synchronisation error")                                                                     \
    X(WATCHDOG, 0x001B, "process data watchdog")                                                                       \
    X(SM_OUT, 0x001D, "invalid sync manager configuration of outputs")                                                 \
    X(SM_IN, 0x001E, "invalid sync manager configuration of inputs")                                                   \
    X(WATCHDOG_CONFIG, 0x001F, "invalid watchdog configuration")                                                       \
    X(COLD_START, 0x0020, "slave needs a cold start")                                                                  \
    X(NEEDS_INIT, 0x0021, "slave needs INIT")                                                                          \
    X(NEEDS_PREOP, 0x0022, "slave needs PRE-OP")                                                                       \
    X(NEEDS_SAFEOP, 0x0023, "slave needs SAFE-OP")                                                                     \
    X(INPUT_MAPPING, 0x0024, "invalid input mapping")                                                                  \
    X(OUTPUT_MAPPING, 0x0025, "invalid output mapping")                                                                \
    X(NO_FREE_RUN, 0x0027, "free run is not supported")                                                                \
    X(NO_SYNC, 0x0028, "synchronisation is not supported")                                                             \
    X(SYNC_LOST, 0x002C, "fatal synchronisation error: Sync0 or Sync1 lost")                                           \
    X(NO_SYNC0, 0x002D, "no Sync0 received")                                                                           \
    X(DC_CONFIG, 0x0030, "invalid DC synchronisation configuration")                                                   \
    X(DC_UNLOCKED, 0x0032, "DC PLL is not synchronised")                                                               \
    X(DC_LATE, 0x0034, "DC PLL synchronisation error: Sync0 came too late")                                            \
    X(DC_TIME, 0x0035, "invalid DC cycle time")                                                                        \
    X(DC_CYCLE, 0x0036, "invalid DC Sync0 cycle time")                                                                 \
    X(EEPROM, 0x0051, "EEPROM error")                                                                                  \
    X(ENDED, 0x8001, "the robot has shut down") // FF_EC_AL_ROBOT_ENDED

/// Abort codes of SDO transfers (CiA 301).
#define FF_EC_ABORTS(X)                                                                                                \
    X(TOGGLE, 0x05030000, "toggle bit did not alternate")                                                              \
    X(TIMEOUT, 0x05040000, "time-out")                                                                                 \
    X(COMMAND, 0x05040001, "unknown command")                                                                          \
    X(MEMORY, 0x05040005, "out of memory")                                                                             \
    X(ACCESS, 0x06010000, "unsupported access")                                                                        \
    X(WRITE_ONLY, 0x06010001, "attempt to read a write-only object")                                                   \
    X(READ_ONLY, 0x06010002, "attempt to write a read-only object")                                                    \
    X(SUB0, 0x06010003, "subindex 0 must be 0 before entries are written")                                             \
    X(NO_COMPLETE, 0x06010004, "complete access is not supported")                                                     \
    X(MAPPED, 0x06010006, "object is mapped to a receive PDO, SDO download is blocked")                                \
    X(NO_OBJECT, 0x06020000, "object does not exist")                                                                  \
    X(NOT_MAPPABLE, 0x06040041, "object cannot be mapped")                                                             \
    X(PDO_LENGTH, 0x06040042, "mapped objects exceed the PDO length")                                                  \
    X(PARAMETER, 0x06040043, "incompatible parameters")                                                                \
    X(LENGTH, 0x06070010, "wrong length")                                                                              \
    X(TOO_LONG, 0x06070012, "too long")                                                                                \
    X(TOO_SHORT, 0x06070013, "too short")                                                                              \
    X(NO_SUB, 0x06090011, "subindex does not exist")                                                                   \
    X(RANGE, 0x06090030, "value out of range")                                                                         \
    X(HIGH, 0x06090031, "value too high")                                                                              \
    X(LOW, 0x06090032, "value too low")                                                                                \
    X(GENERAL, 0x08000000, "general error")                                                                            \
    X(LOCAL, 0x08000021, "local control prevents the transfer")                                                        \
    X(STATE, 0x08000022, "not possible in the present device state")

/// Error codes of emergencies (CiA 402).
#define FF_EC_EMERGENCIES(X)                                                                                           \
    X(NONE, 0x0000, "error reset")                                                                                     \
    X(OVER_CURRENT, 0x2310, "over-current")                                                                            \
    X(OVER_VOLTAGE, 0x3210, "DC link over-voltage")                                                                    \
    X(UNDER_VOLTAGE, 0x3220, "DC link under-voltage")                                                                  \
    X(TEMPERATURE, 0x4310, "drive temperature too high")                                                               \
    X(ENCODER_1, 0x7305, "fault of encoder 1")                                                                         \
    X(ENCODER_2, 0x7306, "fault of encoder 2")                                                                         \
    X(BUS_LOST, 0x8130, "communication lost")                                                                          \
    X(FOLLOWING, 0x8611, "following error")                                                                            \
    X(SYNC, 0x8700, "synchronisation")                                                                                 \
    X(NO_SAFEOP, 0xA000, "transition from PRE-OP to SAFE-OP failed")                                                   \
    X(NO_OP, 0xA001, "transition from SAFE-OP to OP failed")                                                           \
    X(DEVICE, 0xFF01, "device-specific fault")

#define FF_EC_CODE(name, number, text) FF_EC_AL_##name = (number),
typedef enum ff_ec_al_code { FF_EC_AL_CODES(FF_EC_CODE) } ff_ec_al_code;
#undef FF_EC_CODE
#define FF_EC_CODE(name, number, text) FF_EC_ABORT_##name = (number),
typedef enum ff_ec_abort { FF_EC_ABORT_NONE, FF_EC_ABORTS(FF_EC_CODE) } ff_ec_abort;
#undef FF_EC_CODE
#define FF_EC_CODE(name, number, text) FF_EC_EMERGENCY_##name = (number),
enum { FF_EC_EMERGENCIES(FF_EC_CODE) };
#undef FF_EC_CODE

enum { // bits of the error register, object 0x1001
    FF_EC_ERROR_GENERIC = 0x01,
    FF_EC_ERROR_COMMUNICATION = 0x10,
};

enum { // memory of a device and its mailboxes: the project's choice
    FF_EC_MAILBOX_OUT = 0x1000,
    FF_EC_MAILBOX_IN = 0x1080,
    FF_EC_MAILBOX_SIZE = 128,
    FF_EC_PDI_CONTROL = 0x0C08, // type of the process data interface; its value has no effect
    FF_EC_CONTROL_MAILBOX_OUT = 0x26,
    FF_EC_CONTROL_MAILBOX_IN = 0x22,
    FF_EC_CONTROL_OUTPUTS = 0x64,
    FF_EC_CONTROL_INPUTS = 0x20,
};

enum {                         // frames
    FF_EC_ETHERNET_HEAD = 14,  // bytes; the EtherCAT header follows: length, type
    FF_EC_FRAME_HEAD = 16,     // both headers; datagrams follow
    FF_EC_DATAGRAM_HEAD = 10,  // bytes before the data
    FF_EC_DATAGRAM_EXTRA = 12, // header and working counter
    FF_EC_LENGTH_BITS = 0x07FF,
    FF_EC_MORE = 0x8000, // another datagram follows
};

enum {                       // mailbox
    FF_EC_MAILBOX_HEAD = 6,  // bytes: length, address, channel, type and counter
    FF_EC_MAILBOX_ERROR = 0, // types
    FF_EC_MAILBOX_COE = 3,
    FF_EC_MAILBOX_PROTOCOL = 2, // codes of error replies
    FF_EC_MAILBOX_SERVICE = 4,
    FF_EC_MAILBOX_SHORT = 6,
    FF_EC_MAILBOX_TOO_LONG = 8,
};

enum {                       // CANopen over EtherCAT (CoE). Offsets count from the start of the mailbox.
    FF_EC_COE_EMERGENCY = 1, // services
    FF_EC_COE_REQUEST = 2,
    FF_EC_COE_RESPONSE = 3,
    FF_EC_COE_INFORMATION = 8,
    FF_EC_AT_SERVICE = 6, // its number << 12
    FF_EC_AT_COMMAND = 8,
    FF_EC_AT_INDEX = 9,
    FF_EC_AT_SEGMENT = 9, // data of a segment
    FF_EC_AT_SUB = 11,
    FF_EC_AT_DATA = 12,     // up to 4 bytes, or the length of an object
    FF_EC_AT_NORMAL = 16,   // data behind that length
    FF_EC_SDO_LENGTH = 10,  // of messages without more data, from the service on
    FF_EC_SDO_SIZED = 0x01, // bits of the command
    FF_EC_SDO_EXPEDITED = 0x02,
    FF_EC_SDO_COMPLETE = 0x10,
    FF_EC_SDO_TOGGLE = 0x10,
    FF_EC_SDO_LAST = 0x01,
    FF_EC_SDO_COMMAND = 0xE0, // and its values in requests
    FF_EC_SDO_DOWNLOAD_SEGMENT = 0x00,
    FF_EC_SDO_DOWNLOAD = 0x20,
    FF_EC_SDO_UPLOAD = 0x40,
    FF_EC_SDO_UPLOAD_SEGMENT = 0x60,
    FF_EC_SDO_ABORT = 0x80,
    FF_EC_SDO_DOWNLOADED_SEGMENT = 0x20, // in responses
    FF_EC_SDO_UPLOADED = 0x40,
    FF_EC_SDO_DOWNLOADED = 0x60,
};

enum { // EEPROM: addresses in words, and types of categories
    FF_SII_ALIAS = 0x04,
    FF_SII_CHECKSUM = 0x07,
    FF_SII_VENDOR = 0x08,  // product, revision, serial number follow
    FF_SII_MAILBOX = 0x18, // start and size for requests, for responses; protocols
    FF_SII_PROTOCOLS = 0x1C,
    FF_SII_SIZE = 0x3E,
    FF_SII_CATEGORIES = 0x40,
    FF_SII_STRINGS = 10,
    FF_SII_GENERAL = 30,
    FF_SII_FMMUS = 40,
    FF_SII_SYNC_MANAGERS = 41,
    FF_SII_INPUTS = 50,
    FF_SII_OUTPUTS = 51,
    FF_SII_CLOCKS = 60,
    FF_SII_COE = 4, // protocol
};

#endif
