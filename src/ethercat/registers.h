// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers of EtherCAT: commands, registers of a slave controller, codes of the application layer, abort codes.
// ETG.1000.4 and ETG.1000.6; section numbers of registers as in the Beckhoff ESC data sheets.
#ifndef FOOTFALL_ETHERCAT_REGISTERS_H
#define FOOTFALL_ETHERCAT_REGISTERS_H

typedef enum ec_command {
    EC_NOP,
    EC_APRD,
    EC_APWR,
    EC_APRW,
    EC_FPRD,
    EC_FPWR,
    EC_FPRW,
    EC_BRD,
    EC_BWR,
    EC_BRW,
    EC_LRD,
    EC_LWR,
    EC_LRW,
    EC_ARMW,
    EC_FRMW,
} ec_command;

enum { // registers
    EC_REG_TYPE = 0x0000,
    EC_REG_PORTS = 0x0007,
    EC_REG_STATION = 0x0010,
    EC_REG_ALIAS = 0x0012,
    EC_REG_DL_CONTROL = 0x0100,
    EC_REG_DL_STATUS = 0x0110,
    EC_REG_AL_CONTROL = 0x0120,
    EC_REG_AL_STATUS = 0x0130,
    EC_REG_AL_CODE = 0x0134,
    EC_REG_PDI = 0x0140,
    EC_REG_EVENT_MASK = 0x0200,
    EC_REG_EVENT = 0x0210,
    EC_REG_RX_ERRORS = 0x0300,
    EC_REG_LOST_LINK = 0x0310,
    EC_REG_WD_DIVIDER = 0x0400,
    EC_REG_WD_TIME = 0x0420,
    EC_REG_WD_STATUS = 0x0440,
    EC_REG_WD_COUNT = 0x0442,
    EC_REG_SII_OWNER = 0x0500,
    EC_REG_SII_CONTROL = 0x0502,
    EC_REG_SII_ADDRESS = 0x0504,
    EC_REG_SII_DATA = 0x0508,
    EC_REG_FMMU = 0x0600,
    EC_REG_SM = 0x0800,
    EC_REG_DC_RECEIVED = 0x0900,
    EC_REG_DC_TIME = 0x0910,
    EC_REG_DC_UNIT = 0x0918,
    EC_REG_DC_OFFSET = 0x0920,
    EC_REG_DC_DELAY = 0x0928,
    EC_REG_DC_DIFFERENCE = 0x092C,
    EC_REG_DC_SPEED = 0x0930,
    EC_REG_DC_CONTROL = 0x0980,
    EC_REG_DC_ACTIVATION = 0x0981,
    EC_REG_DC_START = 0x0990,
    EC_REG_DC_CYCLE0 = 0x09A0,
    EC_REG_END = 0x1000, // RAM begins
};

enum { // bits
    EC_EVENT_DL = 1 << 2,
    EC_EVENT_AL = 1 << 3,
    EC_EVENT_SM = 1 << 4, // and those above it
    EC_SM_MODE = 0x03,
    EC_SM_MAILBOX = 0x02,
    EC_SM_MASTER_WRITES = 0x04,
    EC_SM_WATCHDOG = 0x40,
    EC_SM_STATUS_WRITTEN = 0x01,
    EC_SM_STATUS_READ = 0x02,
    EC_SM_STATUS_FULL = 0x08,
    EC_SM_ENABLE = 0x01,
    EC_SM_REPEAT = 0x02, // of activate and of PDI control
    EC_FMMU_READ = 1,
    EC_FMMU_WRITE = 2,
    EC_AL_ERROR = 0x10,
    EC_AL_ID = 0x20,
    EC_DC_ON = 1, // of the activation
    EC_DC_SYNC0 = 2,
    EC_DC_SYNC1 = 4,
    EC_SII_WRITE_ENABLE = 0x0001,
    EC_SII_READS_8 = 0x0040,
    EC_SII_READ = 0x0100,
    EC_SII_WRITE = 0x0200,
    EC_SII_RELOAD = 0x0400,
    EC_SII_CHECKSUM_ERROR = 0x0800,
    EC_SII_COMMAND_ERROR = 0x2000,
    EC_SII_ENABLE_ERROR = 0x4000,
    EC_SII_BUSY = 0x8000,
};

typedef enum ec_al_code {
    EC_AL_FINE = 0,
    EC_AL_INVALID_CHANGE = 0x0011,
    EC_AL_UNKNOWN_STATE = 0x0012,
    EC_AL_NO_BOOT = 0x0013,
    EC_AL_MAILBOX = 0x0016,
    EC_AL_NO_OUTPUTS = 0x0019,
    EC_AL_SYNC_ERROR = 0x001A,
    EC_AL_WATCHDOG = 0x001B,
    EC_AL_SM_OUT = 0x001D,
    EC_AL_SM_IN = 0x001E,
    EC_AL_WATCHDOG_CONFIG = 0x001F,
    EC_AL_INPUT_MAPPING = 0x0024,
    EC_AL_OUTPUT_MAPPING = 0x0025,
    EC_AL_DC_CONFIG = 0x0030,
    EC_AL_DC_UNLOCKED = 0x0032,
    EC_AL_DC_CYCLE = 0x0036,
} ec_al_code;

typedef enum ec_abort {
    EC_ABORT_NONE = 0,
    EC_ABORT_TOGGLE = 0x05030000,
    EC_ABORT_COMMAND = 0x05040001,
    EC_ABORT_MEMORY = 0x05040005,
    EC_ABORT_ACCESS = 0x06010000,
    EC_ABORT_WRITE_ONLY = 0x06010001,
    EC_ABORT_READ_ONLY = 0x06010002,
    EC_ABORT_SUB0 = 0x06010003,
    EC_ABORT_NO_COMPLETE = 0x06010004,
    EC_ABORT_MAPPED = 0x06010006,
    EC_ABORT_NO_OBJECT = 0x06020000,
    EC_ABORT_NOT_MAPPABLE = 0x06040041,
    EC_ABORT_PDO_LENGTH = 0x06040042,
    EC_ABORT_PARAMETER = 0x06040043,
    EC_ABORT_LENGTH = 0x06070010,
    EC_ABORT_TOO_LONG = 0x06070012,
    EC_ABORT_TOO_SHORT = 0x06070013,
    EC_ABORT_NO_SUB = 0x06090011,
    EC_ABORT_RANGE = 0x06090030,
    EC_ABORT_HIGH = 0x06090031,
    EC_ABORT_LOW = 0x06090032,
    EC_ABORT_STATE = 0x08000022,
} ec_abort;

enum { // memory of a device and its mailboxes: the project's choice
    EC_MAILBOX_OUT = 0x1000,
    EC_MAILBOX_IN = 0x1080,
    EC_MAILBOX_SIZE = 128,
    EC_OUTPUTS = 0x1100,
    EC_INPUTS = 0x1200,
    EC_PROCESS_MOST = 0x100 / 3, // bytes of one direction: three buffers
    EC_PDI_CONTROL = 0x0C08,     // a processor interface; any number would do
    EC_CONTROL_MAILBOX_OUT = 0x26,
    EC_CONTROL_MAILBOX_IN = 0x22,
    EC_CONTROL_OUTPUTS = 0x64,
    EC_CONTROL_INPUTS = 0x20,
};

enum { // mailbox and CoE
    EC_MAILBOX_HEAD = 6,
    EC_MAILBOX_ERROR = 0,
    EC_MAILBOX_COE = 3,
    EC_MAILBOX_PROTOCOL = 2, // codes of error replies
    EC_MAILBOX_SERVICE = 4,
    EC_MAILBOX_SHORT = 6,
    EC_MAILBOX_TOO_LONG = 8,
    EC_COE_EMERGENCY = 1,
    EC_COE_REQUEST = 2,
    EC_COE_RESPONSE = 3,
    EC_COE_INFORMATION = 8,
};

#endif
