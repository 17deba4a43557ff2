// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `telegram_for TEMPLATE`: fills in a template with what footfall/link.h lists, so that other languages and the manual
// have the same bytes; scripts/telegram puts the results where they belong. A line of a template
//     @types TEXT   @head TEXT   @items TEXT   @interface TEXT
// stands for one line of TEXT for each type of telegram or field of a head, with {name}, {number}, {type}, {offset},
// {unit}, {help}, and the words of languages for the type: {py}, {lua}, {ts}; \n begins a new line. `telegram_for
// sample` prints a telegram as hexadecimal digits: readers in other languages are tried on it.
#include <footfall/link.h>

#include <stdio.h>
#include <string.h>

typedef struct row {
    const char *type, *name, *unit, *help;
    int number; // of a type of telegram
    int size;   // bytes of a field
} row;

#define TYPE(name, number, help)      {"", #name, "", help, number, 0},
#define FIELD(type, name, unit, help) {#type, #name, unit, help, 0, (int)sizeof(ff_wire_##type)},
static const row types[] = {FF_TELEGRAM_TYPES(TYPE){0}}, head[] = {FF_TELEGRAM_HEAD(FIELD){0}},
                 items[] = {FF_ITEMS_HEAD(FIELD){0}}, interface[] = {FF_INTERFACE_HEAD(FIELD){0}};
static const struct {
    const char *word;
    const row *rows;
} lists[] = {{"@types ", types}, {"@head ", head}, {"@items ", items}, {"@interface ", interface}};

static const char *const words[][4] = {{"u16", "H", "I2", "Uint16"},
                                       {"u32", "I", "I4", "Uint32"},
                                       {"u64", "Q", "I8", "BigUint64"},
                                       {"i64", "q", "i8", "BigInt64"},
                                       {"f64", "d", "d", "Float64"}};

static const char *word_of(const char *type, int language)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], type) == 0) return words[i][language];
    return "";
}

/// Prints what a word in braces stands for. @return false: it is none of ours
static bool print_word(const row *r, int offset, const char *word, size_t length)
{
    const struct {
        const char *word, *text;
    } texts[] = {{"name", r->name},          {"type", r->type},           {"unit", r->unit},
                 {"help", r->help},          {"py", word_of(r->type, 1)}, {"lua", word_of(r->type, 2)},
                 {"ts", word_of(r->type, 3)}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strlen(texts[i].word) == length && strncmp(texts[i].word, word, length) == 0) {
            fputs(texts[i].text, stdout);
            return true;
        }
    if (strncmp(word, "number", length) == 0)
        printf("%d", r->number);
    else if (strncmp(word, "offset", length) == 0)
        printf("%d", offset);
    else
        return false;
    return true;
}

static void print_row(const row *r, int offset, const char *text)
{
    for (; *text; text++) {
        const size_t length = *text == '{' ? strcspn(text, "}") : 0;
        if (text[0] == '\\' && text[1] == 'n') {
            putchar('\n');
            text++;
        } else if (length > 1 && print_word(r, offset, text + 1, length - 1))
            text += length;
        else
            putchar(*text);
    }
}

static void print_line(const char *line)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const size_t length = strlen(lists[i].word);
        if (strncmp(line, lists[i].word, length) != 0) continue;
        int offset = 0;
        for (const row *r = lists[i].rows; r->name; offset += r->size, r++) print_row(r, offset, line + length);
        return;
    }
    fputs(line, stdout);
}

static int print_sample(void)
{
    static unsigned char bytes[1000];
    static const ff_io_name names[3];
    union {
        ff_io_frame frame;
        unsigned char bytes[32 + 24 * 3];
    } f;
    const ff_io_layout layout = {FF_IO_SENSORS, 3, names, 0};
    const double signals[2] = {-0.5, 1e300};
    ff_io_init(&f.frame, &layout);
    f.frame.sequence = 12;
    f.frame.time_ns = 1500000000;
    ff_io_items(&f.frame)[0] = (ff_io_item){.value = 0.125, .time_ns = 1499500000, .valid = 1};
    ff_io_items(&f.frame)[2] = (ff_io_item){.value = -3.0, .time_ns = 1500000000, .valid = 1};
    const size_t payload =
        ff_items_pack(&f.frame, 6, signals, 2, bytes + FF_TELEGRAM_HEAD_SIZE, sizeof bytes - FF_TELEGRAM_HEAD_SIZE);
    ff_telegram h = {.type = FF_TELEGRAM_REFERENCES,
                     .sequence = 40,
                     .counter = 0xFFFFFFFF,
                     .interface = 0x8000000000000001,
                     .time = 1.5,
                     .sent = -7};
    const size_t size = ff_telegram_seal(&h, bytes, sizeof bytes, payload);
    for (size_t i = 0; i < size; i++) printf("%02x%s", bytes[i], i % 32 == 31 || i + 1 == size ? "\n" : "");
    return size > 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "sample") == 0) return print_sample();
    FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;
    char line[1000];
    if (!in) {
        fprintf(stderr, "use: telegram_for TEMPLATE, or telegram_for sample\n");
        return 1;
    }
    while (fgets(line, sizeof line, in)) print_line(line);
    fclose(in);
    return 0;
}
