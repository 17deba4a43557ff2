-- SPDX-FileCopyrightText: 2026 The Footfall authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Made from src/bus/link/telegram.lua.in by scripts/telegram: change that.
-- Telegrams between a robot and its controller: docs/link.md describes every byte. Needs Lua 5.3 or later.
local telegram = {
    HELLO = 1, -- the controller requests the interface of the robot; no payload
    INTERFACE = 2, -- the robot's answer: period, clock, names and units of the items of both frames
    SENSORS = 3, -- the robot's sensors
    REFERENCES = 4, -- the controller's answer to the sensors whose counter it carries, and its signals
    BYE = 5, -- the sender ends; the payload says why, as UTF-8; the controller answers it by its own
}

local MAGIC, VERSION = 0x4B4C4646, 1

local HEAD = "<"
    .. "I4" -- magic: `FFLK`
    .. "I2" -- version: 1
    .. "I2" -- type: what it is for, above
    .. "I4" -- length: of the whole telegram, head and checksum included
    .. "I4" -- sequence: number of the sender's telegrams, sent again or not
    .. "I4" -- counter: working counter: the robot counts its cycles, an answer copies it
    .. "I4" -- form: of items: 0, or 1 for the short form; an answer copies it
    .. "I8" -- interface: hash of names and units of both frames; 0 in `HELLO` of one that does not know it
    .. "d" -- time: of the robot's clock at the cycle
    .. "i8" -- sent: the sender's own clock, to measure round trips; an answer copies that of the robot
local HEAD_NAMES = {
    "magic",
    "version",
    "type",
    "length",
    "sequence",
    "counter",
    "form",
    "interface",
    "time",
    "sent",
}
local ITEMS = "<"
    .. "I4" -- count: items of the frame
    .. "I4" -- signals: numbers of the controller that the robot records; 0 from the robot
    .. "I4" -- sequence: number of the frame
    .. "I4" -- conditions: that the controller meets, a bit each; 0 from the robot
    .. "i8" -- time: of the frame
local INTERFACE = "<"
    .. "d" -- period: between two cycles
    .. "I4" -- lockstep: 1: the robot waits for each answer; 0: it runs in real time
    .. "I4" -- sensors: items of a frame of sensors
    .. "I4" -- references: items of a frame of references
    .. "I4" -- signals: numbers of the controller that the robot records

--- CRC-32 of IEEE 802.3.
local function sum(text)
    local crc = 0xFFFFFFFF
    for i = 1, #text do
        crc = crc ~ text:byte(i)
        for _ = 1, 8 do crc = crc >> 1 ~ (0xEDB88320 & -(crc & 1)) end
    end
    return ~crc & 0xFFFFFFFF
end

--- The bytes of a telegram. `fields`: sequence, counter, form, interface, time [s], sent [ns]; 0 where it has none.
function telegram.seal(kind, payload, fields)
    local f = fields or {}
    local length = string.packsize(HEAD) + #payload + 4
    local text = string.pack(HEAD, MAGIC, VERSION, kind, length, f.sequence or 0, f.counter or 0, f.form or 0,
        f.interface or 0, f.time or 0.0, f.sent or 0) .. payload
    return text .. string.pack("<I4", sum(text))
end

--- Head (a table) and payload of a telegram; nil and the reason where it is damaged.
function telegram.unseal(text)
    local size = string.packsize(HEAD)
    if #text < size + 4 then return nil, "too short for a telegram" end
    local numbers, head = { string.unpack(HEAD, text) }, {}
    for i, name in ipairs(HEAD_NAMES) do head[name] = numbers[i] end
    if head.magic ~= MAGIC or head.version ~= VERSION or head.length ~= #text then
        return nil, "no telegram of this version"
    end
    if sum(text:sub(1, -5)) ~= string.unpack("<I4", text, #text - 3) then return nil, "wrong checksum" end
    return head, text:sub(size + 1, -5)
end

local function fill(text)
    return text .. ("\0"):rep(-#text % 8)
end

--- The payload of sensors or references. `values`: numbers, false where there is no value. `fields`: sequence,
--- conditions, time [ns], signals, ages [ns].
function telegram.pack_items(values, fields)
    local f = fields or {}
    local signals, ages, bits, body = f.signals or {}, {}, {}, {}
    for i = 1, (#values + 7) // 8 do bits[i] = 0 end
    for i, value in ipairs(values) do
        local byte = (i - 1) // 8 + 1
        if value then bits[byte] = bits[byte] | 1 << (i - 1) % 8 end
        ages[i] = string.pack("<I4", f.ages and f.ages[i] or 0)
        body[i] = string.pack("<d", value or 0.0)
    end
    for _, signal in ipairs(signals) do body[#body + 1] = string.pack("<d", signal) end
    return string.pack(ITEMS, #values, #signals, f.sequence or 0, f.conditions or 0, f.time or 0)
        .. fill(string.char(table.unpack(bits))) .. fill(table.concat(ages)) .. table.concat(body)
end

--- A table with sequence, conditions, time [ns], values (false: no value), ages [ns], signals.
function telegram.unpack_items(payload)
    local count, nsignal, sequence, conditions, time = string.unpack(ITEMS, payload)
    local bits = string.packsize(ITEMS) + 1
    local ages = bits + ((count + 7) // 8 + 7) // 8 * 8
    local values = ages + (4 * count + 7) // 8 * 8
    local out = { sequence = sequence, conditions = conditions, time = time, values = {}, ages = {}, signals = {} }
    for i = 0, count - 1 do
        local known = payload:byte(bits + i // 8) >> i % 8 & 1 == 1
        out.values[i + 1] = known and string.unpack("<d", payload, values + 8 * i)
        out.ages[i + 1] = string.unpack("<I4", payload, ages + 4 * i)
    end
    for i = 0, nsignal - 1 do out.signals[i + 1] = string.unpack("<d", payload, values + 8 * (count + i)) end
    return out
end

--- The short form of a payload (form 1): values alone, false where there is none.
function telegram.pack_short(values)
    local bits, body = {}, {}
    for i = 1, (#values + 7) // 8 do bits[i] = 0 end
    for i, value in ipairs(values) do
        local byte = (i - 1) // 8 + 1
        if value then
            bits[byte] = bits[byte] | 1 << (i - 1) % 8
            body[#body + 1] = string.pack("<f", value)
        end
    end
    return string.char(table.unpack(bits)) .. table.concat(body)
end

--- The values of the short form of a frame of `count` items, false where there is none.
function telegram.unpack_short(payload, count)
    local at, values = (count + 7) // 8 + 1, {}
    for i = 0, count - 1 do
        values[i + 1] = false
        if payload:byte(i // 8 + 1) >> i % 8 & 1 == 1 then values[i + 1], at = string.unpack("<f", payload, at) end
    end
    return values
end

--- A table with period [s], lockstep, and sensors, references, signals: lists of {name, unit}.
function telegram.unpack_interface(payload)
    local period, lockstep, sensors, references, signals, at = string.unpack(INTERFACE, payload)
    local out = { period = period, lockstep = lockstep ~= 0 }
    for _, list in ipairs({ { "sensors", sensors }, { "references", references }, { "signals", signals } }) do
        local rows = {}
        for i = 1, list[2] do
            local name, unit
            name, unit, at = string.unpack("<s1s1", payload, at)
            rows[i] = { name, unit }
        end
        out[list[1]] = rows
    end
    return out
end

return telegram
