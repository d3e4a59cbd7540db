/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L

#include "host/matrix_market.h"

#include <errno.h>   /* errno */
#include <limits.h>  /* INT_MAX */
#include <math.h>    /* fabs, isfinite */
#include <stdio.h>   /* fprintf */
#include <stdlib.h>  /* calloc, free, malloc, qsort, strtod, strtol */
#include <string.h>  /* memset, strcspn, strspn, strlen */
#include <strings.h> /* strcasecmp */

enum field { FIELD_REAL, FIELD_INTEGER, FIELD_PATTERN };
enum symmetry { SYMMETRY_GENERAL, SYMMETRY_SYMMETRIC, SYMMETRY_SKEW };

enum { MAX_WORDS = 5 }; /* on a line that we understand: the banner has that many */

/* The file's text, which is cut into lines and words in place. */
struct text {
    const char *path;
    char *next;
    size_t line; /* the number of the line cut last */
    size_t size; /* of the file, in bytes */
    struct io_error *error;
};

/* The banner and the size line. */
struct header {
    enum field field;
    enum symmetry symmetry;
    int rows;
    int columns;
    int entries;
};

/* An entry before it has its place in the compressed rows. Indices begin at 0. */
struct entry {
    int row;
    int column;
    int position; /* in the file: the order of entries at the same place */
    double value;
};

/* The next line, without its newline; NULL at the end of the file. */
static char *cut_line(struct text *text)
{
    char *line = text->next;
    size_t length = strcspn(line, "\n");

    if (line[0] == '\0')
        return NULL;
    text->line++;
    text->next = line + length;
    if (*text->next == '\n')
        *text->next++ = '\0';
    return line;
}

/* Returns how many words the line has; the first MAX_WORDS of them go to `words`. */
static int cut_words(char *line, char *words[MAX_WORDS])
{
    static const char blanks[] = " \t\r\v\f";
    int count = 0;

    for (;;) {
        line += strspn(line, blanks);
        if (*line == '\0')
            return count;
        if (count < MAX_WORDS)
            words[count] = line;
        if (count < INT_MAX)
            count++;
        line += strcspn(line, blanks);
        if (*line != '\0')
            *line++ = '\0';
    }
}

/* The words of the next line that is neither blank nor a comment; 0 at the end of the file. */
static int next_words(struct text *text, char *words[MAX_WORDS])
{
    char *line;
    int count = 0;

    while (count == 0 && (line = cut_line(text)) != NULL) {
        if (line[0] != '%')
            count = cut_words(line, words);
    }
    return count;
}

static int read_banner(struct text *text, struct header *header)
{
    char *words[MAX_WORDS];
    char *line = cut_line(text);
    int count = line == NULL ? 0 : cut_words(line, words);

    if (count != MAX_WORDS || strcasecmp(words[0], "%%MatrixMarket") != 0)
        return io_fail(text->error,
                       "%s: line 1: expected the banner '%%%%MatrixMarket matrix coordinate FIELD "
                       "SYMMETRY'%s",
                       text->path, line == NULL ? ", found an empty file" : "");
    if (strcasecmp(words[1], "matrix") != 0)
        return io_fail(text->error, "%s: line 1: object '%s' is not supported, expected matrix",
                       text->path, words[1]);
    if (strcasecmp(words[2], "coordinate") != 0)
        return io_fail(text->error, "%s: line 1: format '%s' is not supported, expected coordinate",
                       text->path, words[2]);

    if (strcasecmp(words[3], "real") == 0)
        header->field = FIELD_REAL;
    else if (strcasecmp(words[3], "integer") == 0)
        header->field = FIELD_INTEGER;
    else if (strcasecmp(words[3], "pattern") == 0)
        header->field = FIELD_PATTERN;
    else
        return io_fail(text->error,
                       "%s: line 1: field '%s' is not supported, expected real, integer or pattern",
                       text->path, words[3]);

    if (strcasecmp(words[4], "general") == 0)
        header->symmetry = SYMMETRY_GENERAL;
    else if (strcasecmp(words[4], "symmetric") == 0)
        header->symmetry = SYMMETRY_SYMMETRIC;
    else if (strcasecmp(words[4], "skew-symmetric") == 0)
        header->symmetry = SYMMETRY_SKEW;
    else
        return io_fail(text->error,
                       "%s: line 1: symmetry '%s' is not supported, expected general, symmetric "
                       "or skew-symmetric",
                       text->path, words[4]);
    if (header->field == FIELD_PATTERN && header->symmetry == SYMMETRY_SKEW)
        return io_fail(text->error,
                       "%s: line 1: a pattern has no signs, expected general or symmetric, found "
                       "skew-symmetric",
                       text->path);
    return 0;
}

static int read_int(const struct text *text, const char *word, const char *what, int minimum,
                    int maximum, int *value)
{
    char *end;
    long number;

    errno = 0;
    number = strtol(word, &end, 10);
    if (errno != 0 || *end != '\0' || number < minimum || number > maximum)
        return io_fail(text->error, "%s: line %zu: expected %s, from %d to %d, found '%s'",
                       text->path, text->line, what, minimum, maximum, word);
    *value = (int)number;
    return 0;
}

/* strtod also knows hexadecimal numbers, infinities and NaN: the letters keep those out. */
static int read_value(const struct text *text, const char *word, enum field field, double *value)
{
    const char *letters = field == FIELD_INTEGER ? "+-0123456789" : "+-0123456789.eE";
    char *end;

    *value = strtod(word, &end);
    if (strspn(word, letters) != strlen(word) || *end != '\0' || !isfinite(*value))
        return io_fail(text->error, "%s: line %zu: expected a finite %s number, found '%s'",
                       text->path, text->line, field == FIELD_INTEGER ? "integer" : "decimal",
                       word);
    if (field == FIELD_INTEGER && fabs(*value) >= 9007199254740992.0)
        return io_fail(text->error, "%s: line %zu: expected an integer below 2^53, found '%s'",
                       text->path, text->line, word);
    return 0;
}

static int refuse_claim(const struct text *text, const char *what, int claimed)
{
    const size_t limit = text->size + MATRIX_MARKET_FREE_LINES;

    if ((size_t)claimed <= limit)
        return 0;
    return io_fail(text->error,
                   "%s: line %zu: expected at most %zu %s in a file of %zu bytes, found %d",
                   text->path, text->line, limit, what, text->size, claimed);
}

static int read_size(struct text *text, struct header *header)
{
    char *words[MAX_WORDS];
    int count = next_words(text, words);

    if (count != 3)
        return io_fail(text->error,
                       "%s: line %zu: expected the numbers of rows, columns and entries, found %d "
                       "words",
                       text->path, text->line, count);
    /* One below INT_MAX, so that a loop over the rows may count up to their number plus one. */
    if (read_int(text, words[0], "the number of rows", 0, INT_MAX - 1, &header->rows) != 0 ||
        read_int(text, words[1], "the number of columns", 0, INT_MAX - 1, &header->columns) != 0 ||
        read_int(text, words[2], "the number of entries", 0, INT_MAX, &header->entries) != 0)
        return IO_BAD;
    if (refuse_claim(text, "rows", header->rows) != 0 ||
        refuse_claim(text, "columns", header->columns) != 0)
        return IO_BAD;
    if (header->symmetry != SYMMETRY_GENERAL && header->rows != header->columns)
        return io_fail(text->error,
                       "%s: line %zu: expected as many columns as rows in a symmetric matrix, "
                       "found %d x %d",
                       text->path, text->line, header->rows, header->columns);
    return 0;
}

/* Reads the words of one line. */
static int read_entry(const struct text *text, char *words[MAX_WORDS], int count,
                      const struct header *header, struct entry *entry)
{
    int expected = header->field == FIELD_PATTERN ? 2 : 3;

    if (count != expected)
        return io_fail(text->error, "%s: line %zu: expected %s, found %d words", text->path,
                       text->line,
                       expected == 2 ? "a row and a column" : "a row, a column and a value", count);
    entry->value = 1.0;
    if (read_int(text, words[0], "a row", 1, header->rows, &entry->row) != 0 ||
        read_int(text, words[1], "a column", 1, header->columns, &entry->column) != 0 ||
        (expected == 3 && read_value(text, words[2], header->field, &entry->value) != 0))
        return IO_BAD;
    if (header->symmetry != SYMMETRY_GENERAL && entry->row < entry->column)
        return io_fail(text->error,
                       "%s: line %zu: expected the lower triangle of a symmetric matrix, found row "
                       "%d, column %d above the diagonal",
                       text->path, text->line, entry->row, entry->column);
    if (header->symmetry == SYMMETRY_SKEW && entry->row == entry->column && entry->value != 0.0)
        return io_fail(text->error,
                       "%s: line %zu: expected a diagonal of zeros in a skew-symmetric matrix, "
                       "found %s",
                       text->path, text->line, words[2]);
    entry->row--;
    entry->column--;
    return 0;
}

/* Reads the lines after the size line into `entries`, which has room for both triangles. */
static int read_entries(struct text *text, const struct header *header, struct entry *entries,
                        size_t *count)
{
    char *words[MAX_WORDS];

    *count = 0;
    for (int k = 0; k < header->entries; k++) {
        struct entry *entry = &entries[(*count)++];
        int word_count = next_words(text, words);

        if (word_count == 0)
            return io_fail(text->error,
                           "%s: line %zu: expected %d entries, found %d before the end of the file",
                           text->path, text->line, header->entries, k);
        if (read_entry(text, words, word_count, header, entry) != 0)
            return IO_BAD;
        entry->position = k;
        if (header->symmetry != SYMMETRY_GENERAL && entry->row != entry->column) {
            struct entry *mirrored = &entries[(*count)++];

            mirrored->row = entry->column;
            mirrored->column = entry->row;
            mirrored->position = k;
            mirrored->value = header->symmetry == SYMMETRY_SKEW ? -entry->value : entry->value;
        }
    }
    if (next_words(text, words) != 0)
        return io_fail(text->error,
                       "%s: line %zu: expected the end of the file after %d entries, found '%s'",
                       text->path, text->line, header->entries, words[0]);
    return 0;
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = (const struct entry *)left;
    const struct entry *b = (const struct entry *)right;

    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return (a->position > b->position) - (a->position < b->position);
}

/* Sorts the entries into compressed rows. */
static int compress(const struct text *text, const struct header *header, struct entry *entries,
                    size_t count, struct csr_matrix *matrix)
{
    size_t room = count > 0 ? count : 1; /* malloc(0) may return NULL */

    if (count > INT_MAX)
        return io_fail(text->error, "%s: expected at most %d entries in both triangles, found %zu",
                       text->path, INT_MAX, count);
    qsort(entries, count, sizeof *entries, compare_entries);
    matrix->rows = header->rows;
    matrix->columns = header->columns;
    matrix->nonzeros = (int)count;
    matrix->row_offsets = (int *)calloc((size_t)header->rows + 1, sizeof *matrix->row_offsets);
    matrix->column_indices = (int *)malloc(room * sizeof *matrix->column_indices);
    matrix->values = (double *)malloc(room * sizeof *matrix->values);
    if (matrix->row_offsets == NULL || matrix->column_indices == NULL || matrix->values == NULL) {
        csr_free(matrix);
        return io_fail(text->error, "%s: not enough memory for %d rows and %zu entries", text->path,
                       header->rows, count);
    }
    for (size_t k = 0; k < count; k++) {
        matrix->row_offsets[entries[k].row + 1]++;
        matrix->column_indices[k] = entries[k].column;
        matrix->values[k] = entries[k].value;
    }
    for (int r = 0; r < matrix->rows; r++)
        matrix->row_offsets[r + 1] += matrix->row_offsets[r];
    return 0;
}

static int parse(struct text *text, struct csr_matrix *matrix)
{
    struct header header;
    struct entry *entries;
    size_t room, count;
    int result;

    memset(&header, 0, sizeof header);
    if (read_banner(text, &header) != 0 || read_size(text, &header) != 0)
        return IO_BAD;
    /*
     * A number of entries that the file cannot hold gets no memory: the shortest line is "1 1",
     * four bytes with its newline. Reading will find that the entries are missing.
     */
    room = strlen(text->next) / 4 + 1;
    if (room > (size_t)header.entries)
        room = (size_t)header.entries;
    entries = (struct entry *)malloc((2 * room + 1) * sizeof *entries);
    if (entries == NULL)
        return io_fail(text->error, "%s: not enough memory for %zu entries", text->path, room);
    result = read_entries(text, &header, entries, &count);
    if (result == 0)
        result = compress(text, &header, entries, count, matrix);
    free(entries);
    return result;
}

int matrix_market_read(const char *path, struct csr_matrix *matrix, struct io_error *error)
{
    struct text text;
    char *data;
    int result;

    memset(matrix, 0, sizeof *matrix);
    if (io_read_text(path, &data, &text.size, error) != 0)
        return IO_BAD;
    text.path = path;
    text.next = data;
    text.line = 0;
    text.error = error;
    result = parse(&text, matrix);
    free(data);
    return result;
}

int matrix_market_write(const char *path, const struct csr_matrix *matrix, struct io_error *error)
{
    struct io_writer writer;

    for (int k = 0; k < matrix->nonzeros; k++) {
        if (!isfinite(matrix->values[k]))
            return io_fail(error, "%s: cannot write: expected finite values, found %g at entry %d",
                           path, matrix->values[k], k);
    }
    if (io_write_begin(&writer, path, error) != 0)
        return IO_BAD;
    fprintf(writer.stream, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n",
            matrix->rows, matrix->columns, matrix->nonzeros);
    for (int r = 0; r < matrix->rows; r++) {
        for (int k = matrix->row_offsets[r]; k < matrix->row_offsets[r + 1]; k++)
            fprintf(writer.stream, "%d %d %.17g\n", r + 1, matrix->column_indices[k] + 1,
                    matrix->values[k]);
    }
    return io_write_commit(&writer, error);
}

void csr_free(struct csr_matrix *matrix)
{
    free(matrix->row_offsets);
    free(matrix->column_indices);
    free(matrix->values);
    memset(matrix, 0, sizeof *matrix);
}
