// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads EtherCAT network information (ENI, ETG.2100) as plans: EtherCATConfig/Config/Slave with Info, ProcessData and
// Mailbox/CoE/InitCmds. Numbers are decimal, or hexadecimal after #x; data are pairs of hexadecimal digits. Elements
// that the master does not use are ignored.
#include "text/xml.h"

#include <footfall/master.h>
#include <footfall/text.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 16 << 20, SLAVES_MOST = 256 };

// ------------------------------------------------------------------------------------------ values

static const ff_xml *need_child(const ff_xml *node, const char *name, ff_report *report)
{
    const ff_xml *child = ff_xml_child(node, name);
    if (!child) ff_report_add(report, FF_ERROR, node->place, "<%s> has no <%s>", node->name, name);
    return child;
}

/// Text of a child as a number; 0 with a report if it is invalid.
static unsigned long need_number(const ff_xml *node, const char *name, unsigned long most, ff_report *report)
{
    const ff_xml *child = node ? need_child(node, name, report) : NULL;
    if (!child) return 0;
    const bool hex = strncmp(child->text, "#x", 2) == 0;
    const char *digits = child->text + (hex ? 2 : 0);
    char *end;
    const unsigned long long value = strtoull(digits, &end, hex ? 16 : 10);
    if (!isxdigit((unsigned char)*digits) || *end || value > most) {
        ff_report_add(report, FF_ERROR, child->place, "<%s> is '%.40s': expected a number from 0 to %lu", name,
                      child->text, most);
        return 0;
    }
    return (unsigned long)value;
}

static int digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

static void read_data(const ff_xml *node, ff_ec_init_command *to, ff_report *report)
{
    const ff_xml *child = ff_xml_child(node, "Data");
    const size_t length = strlen(child->text);
    bool complete = length > 0 && length % 2 == 0 && length / 2 <= sizeof to->data;
    for (size_t i = 0; i < length && complete; i++) complete = digit(child->text[i]) >= 0;
    if (!complete) {
        ff_report_add(report, FF_ERROR, child->place,
                      "<Data> is '%.40s': expected 1 to %zu bytes, two hexadecimal digits each", child->text,
                      sizeof to->data);
        return;
    }
    to->n = (int)(length / 2);
    for (int i = 0; i < to->n; i++)
        to->data[i] = (unsigned char)(digit(child->text[2 * i]) << 4 | digit(child->text[2 * i + 1]));
}

// ------------------------------------------------------------------------------------------ slaves

/// Is the command executed before process data are configured, from INIT to PRE-OP or from PRE-OP to SAFE-OP?
static bool is_in_preop(const ff_xml *command)
{
    for (const ff_xml *t = ff_xml_child(command, "Transition"); t; t = ff_xml_next(t))
        if (strcmp(t->text, "IP") == 0 || strcmp(t->text, "PS") == 0) return true;
    return false;
}

static void read_setting(const ff_xml *command, ff_ec_slave_config *slave, ff_report *report)
{
    if (!is_in_preop(command) || !ff_xml_child(command, "Data"))
        return; // a command without data reads an object, which is not needed here
    if (slave->ninit_command == FF_EC_INIT_COMMANDS_MAX) {
        ff_report_add(report, FF_ERROR, command->place,
                      "'%s' has more than %d InitCmds, which this master does not support", slave->name,
                      FF_EC_INIT_COMMANDS_MAX);
        return;
    }
    ff_ec_init_command *s = &slave->init_commands[slave->ninit_command++];
    const char *complete = ff_xml_peek(command, "CompleteAccess");
    s->index = (uint16_t)need_number(command, "Index", 0xFFFF, report);
    s->sub = (uint8_t)need_number(command, "SubIndex", 0xFF, report);
    s->complete = complete && (strcmp(complete, "1") == 0 || strcmp(complete, "true") == 0);
    read_data(command, s, report);
}

static void read_settings(const ff_xml *node, ff_ec_slave_config *slave, ff_report *report)
{
    const ff_xml *mailbox = ff_xml_child(node, "Mailbox");
    const ff_xml *coe = mailbox ? ff_xml_child(mailbox, "CoE") : NULL;
    const ff_xml *list = coe ? ff_xml_child(coe, "InitCmds") : NULL;
    for (const ff_xml *c = list ? ff_xml_child(list, "InitCmd") : NULL; c; c = ff_xml_next(c))
        read_setting(c, slave, report);
}

/// A slave without process data in a direction may omit the element.
static int read_bits(const ff_xml *node, const char *direction, ff_report *report)
{
    const ff_xml *data = ff_xml_child(node, "ProcessData");
    const ff_xml *part = data ? ff_xml_child(data, direction) : NULL;
    return part ? (int)need_number(part, "BitLength", 1 << 16, report) : 0;
}

static void read_slave(const ff_xml *node, ff_ec_slave_config *slave, ff_report *report)
{
    const ff_xml *info = need_child(node, "Info", report);
    const ff_xml *name = info ? need_child(info, "Name", report) : NULL;
    if (!name) return;
    snprintf(slave->name, sizeof slave->name, "%s", name->text);
    if (strlen(name->text) >= sizeof slave->name)
        ff_report_add(report, FF_ERROR, name->place, "the name is longer than %zu characters", sizeof slave->name - 1);
    slave->vendor = (uint32_t)need_number(info, "VendorId", UINT32_MAX, report);
    slave->product = (uint32_t)need_number(info, "ProductCode", UINT32_MAX, report);
    slave->revision = (uint32_t)need_number(info, "RevisionNo", UINT32_MAX, report);
    slave->out_bits = read_bits(node, "Send", report);
    slave->in_bits = read_bits(node, "Recv", report);
    read_settings(node, slave, report);
}

static void read_slaves(ff_ec_plan *plan, const ff_xml *root, ff_report *report)
{
    const ff_xml *config = NULL;
    if (strcmp(root->name, "EtherCATConfig") != 0)
        ff_report_add(report, FF_ERROR, root->place, "the root element is <%s>; an ENI file has <EtherCATConfig>",
                      root->name);
    else
        config = need_child(root, "Config", report);
    if (!config) return;
    int n = 0;
    for (const ff_xml *slave = ff_xml_child(config, "Slave"); slave; slave = ff_xml_next(slave)) n++;
    if (n < 1 || n > SLAVES_MOST) {
        ff_report_add(report, FF_ERROR, config->place, "%d slaves: 1 to %d are possible", n, SLAVES_MOST);
        return;
    }
    plan->slaves = calloc((size_t)n, sizeof *plan->slaves);
    if (!plan->slaves) {
        ff_report_add(report, FF_ERROR, config->place, "%s", ff_status_text(FF_NO_MEMORY));
        return;
    }
    for (const ff_xml *s = ff_xml_child(config, "Slave"); s; s = ff_xml_next(s))
        read_slave(s, &plan->slaves[plan->count++], report);
}

// ------------------------------------------------------------------------------------------ files

ff_ec_plan *ff_ec_plan_parse(const char *text, size_t length, const char *file, ff_report *report)
{
    ff_arena arena = {.limit = 16 * (size_t)FILE_MOST};
    ff_report transfer = {0}, *all = report ? report : &transfer;
    const int errors = all->errors;
    ff_ec_plan *plan = NULL;
    if (!ff_xml_available())
        ff_report_add(all, FF_ERROR, (ff_place){file, 0, 0}, "%s (libxml2)", ff_status_text(FF_NOT_BUILT));
    const ff_xml *root = ff_xml_available() ? ff_xml_parse(&arena, text, length, file, all) : NULL;
    if (root) plan = calloc(1, sizeof *plan);
    if (root && !plan) ff_report_add(all, FF_ERROR, root->place, "%s", ff_status_text(FF_NO_MEMORY));
    if (plan) read_slaves(plan, root, all);
    if (all->errors > errors) {
        ff_ec_plan_destroy(plan);
        plan = NULL;
    }
    ff_arena_clear(&arena);
    ff_report_clear(&transfer);
    return plan;
}

ff_ec_plan *ff_ec_plan_load(const char *path, ff_report *report)
{
    size_t length = 0;
    char *text = ff_text_load(path, FILE_MOST, &length, (ff_place){path, 0, 0}, report);
    ff_ec_plan *plan = text ? ff_ec_plan_parse(text, length, path, report) : NULL;
    free(text);
    return plan;
}

void ff_ec_plan_destroy(ff_ec_plan *plan)
{
    if (!plan) return;
    free(plan->slaves);
    free(plan);
}
