/* What a C programmer would write with MPack, timed by the rule of the harness; the control for the way through Rust.
   Usage: native parse|serialize|stats|read CPU WARM_UP_MS SAMPLES BATCH FILE...
   Prints one line of JSON per file. */
#define _GNU_SOURCE
#include "mpack.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum operation { PARSE, SERIALIZE, STATS, READ, OPERATIONS } operation;

typedef struct stats {
    uint64_t maps, arrays, strings, binaries, extensions, numbers, booleans, nils;
} stats;

typedef struct sums {
    uint64_t integers, float_bits, bytes;
} sums;

/* What one call of an operation leaves behind; the clock has stopped before any of it is freed. */
typedef struct result {
    mpack_tree_t tree;
    char *data;
    size_t size;
    stats counted;
    sums summed;
} result;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "error: %s: %s\n", what, why);
    exit(1);
}

static void parse(mpack_tree_t *tree, const char *input, size_t length) {
    mpack_tree_init_data(tree, input, length);
    mpack_tree_parse(tree);
    if (mpack_tree_error(tree) != mpack_ok)
        fail("parse", mpack_error_to_string(mpack_tree_error(tree)));
    if (mpack_tree_size(tree) != length)
        fail("parse", "bytes after the end of the message");
}

static void write_node(mpack_writer_t *writer, mpack_node_t node) {
    switch (mpack_node_type(node)) {
    case mpack_type_nil: mpack_write_nil(writer); break;
    case mpack_type_bool: mpack_write_bool(writer, mpack_node_bool(node)); break;
    case mpack_type_int: mpack_write_i64(writer, mpack_node_i64(node)); break;
    case mpack_type_uint: mpack_write_u64(writer, mpack_node_u64(node)); break;
    case mpack_type_float: mpack_write_float(writer, mpack_node_float(node)); break;
    case mpack_type_double: mpack_write_double(writer, mpack_node_double(node)); break;
    case mpack_type_str: mpack_write_str(writer, mpack_node_data(node), mpack_node_data_len(node)); break;
    case mpack_type_bin: mpack_write_bin(writer, mpack_node_data(node), mpack_node_data_len(node)); break;
    case mpack_type_ext: mpack_write_ext(writer, mpack_node_exttype(node), mpack_node_data(node), mpack_node_data_len(node)); break;
    case mpack_type_array: {
        size_t count = mpack_node_array_length(node);
        mpack_start_array(writer, (uint32_t)count);
        for (size_t i = 0; i < count; i++)
            write_node(writer, mpack_node_array_at(node, i));
        mpack_finish_array(writer);
        break;
    }
    case mpack_type_map: {
        size_t count = mpack_node_map_count(node);
        mpack_start_map(writer, (uint32_t)count);
        for (size_t i = 0; i < count; i++) {
            write_node(writer, mpack_node_map_key_at(node, i));
            write_node(writer, mpack_node_map_value_at(node, i));
        }
        mpack_finish_map(writer);
        break;
    }
    default: break;
    }
}

static void serialize(result *into, mpack_tree_t *tree) {
    mpack_writer_t writer;
    mpack_writer_init_growable(&writer, &into->data, &into->size);
    write_node(&writer, mpack_tree_root(tree));
    mpack_error_t error = mpack_writer_destroy(&writer);
    if (error != mpack_ok)
        fail("serialize", mpack_error_to_string(error));
}

static void count_node(stats *stats, mpack_node_t node) {
    switch (mpack_node_type(node)) {
    case mpack_type_nil: stats->nils++; break;
    case mpack_type_bool: stats->booleans++; break;
    case mpack_type_str: stats->strings++; break;
    case mpack_type_bin: stats->binaries++; break;
    case mpack_type_ext: stats->extensions++; break;
    case mpack_type_array:
        stats->arrays++;
        for (size_t i = 0, count = mpack_node_array_length(node); i < count; i++)
            count_node(stats, mpack_node_array_at(node, i));
        break;
    case mpack_type_map:
        stats->maps++;
        for (size_t i = 0, count = mpack_node_map_count(node); i < count; i++) {
            count_node(stats, mpack_node_map_key_at(node, i));
            count_node(stats, mpack_node_map_value_at(node, i));
        }
        break;
    default: stats->numbers++; break;
    }
}

static void sum_node(sums *sums, mpack_node_t node) {
    switch (mpack_node_type(node)) {
    case mpack_type_int: sums->integers += (uint64_t)mpack_node_i64(node); break;
    case mpack_type_uint: sums->integers += mpack_node_u64(node); break;
    case mpack_type_float:
    case mpack_type_double: {
        double value = mpack_node_double(node);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        sums->float_bits += bits;
        break;
    }
    case mpack_type_str:
    case mpack_type_bin:
    case mpack_type_ext: {
        const unsigned char *data = (const unsigned char *)mpack_node_data(node);
        for (size_t i = 0, length = mpack_node_data_len(node); i < length; i++)
            sums->bytes += data[i];
        break;
    }
    case mpack_type_array:
        for (size_t i = 0, count = mpack_node_array_length(node); i < count; i++)
            sum_node(sums, mpack_node_array_at(node, i));
        break;
    case mpack_type_map:
        for (size_t i = 0, count = mpack_node_map_count(node); i < count; i++) {
            sum_node(sums, mpack_node_map_key_at(node, i));
            sum_node(sums, mpack_node_map_value_at(node, i));
        }
        break;
    default: break;
    }
}

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The results are written here, so that no operation can be left out. */
static volatile uint64_t sink;

/* On the clock: the calls of the operation. Off: freeing what they made. */
static uint64_t sample(operation operation, const char *input, size_t length, mpack_tree_t *tree, result *results, size_t batch) {
    memset(results, 0, batch * sizeof *results);
    uint64_t start = now_ns();
    for (size_t i = 0; i < batch; i++) {
        result *result = &results[i];
        switch (operation) {
        case PARSE: parse(&result->tree, input, length); break;
        case SERIALIZE: serialize(result, tree); break;
        case STATS: count_node(&result->counted, mpack_tree_root(tree)); break;
        default:
            parse(&result->tree, input, length);
            sum_node(&result->summed, mpack_tree_root(&result->tree));
        }
    }
    uint64_t end = now_ns();
    for (size_t i = 0; i < batch; i++) {
        sink += results[i].counted.numbers + results[i].summed.bytes + results[i].size;
        mpack_tree_destroy(&results[i].tree);
        free(results[i].data);
    }
    return end - start;
}

static void measure(operation operation, const char *file, uint64_t warm_up_ms, size_t samples, size_t batch) {
    FILE *stream = fopen(file, "rb");
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0)
        fail(file, strerror(errno));
    size_t length = (size_t)ftell(stream);
    rewind(stream);
    char *input = malloc(length + 1);
    uint64_t *times = calloc(samples, sizeof *times);
    result *results = malloc(batch * sizeof *results);
    if (input == NULL || times == NULL || results == NULL)
        fail(file, "out of memory");
    if (fread(input, 1, length, stream) != length)
        fail(file, "cannot be read");
    fclose(stream);
    mpack_tree_t tree;
    parse(&tree, input, length);

    uint64_t start = now_ns();
    for (size_t operations = 0; operations < 5 || now_ns() - start < warm_up_ms * 1000000u; operations += batch)
        sample(operation, input, length, &tree, results, batch);
    for (size_t i = 0; i < samples; i++)
        times[i] = sample(operation, input, length, &tree, results, batch);

    printf("{\"dataset\":\"%s\",\"outcome\":\"measured\",\"operations_per_sample\":%zu,\"samples_ns\":[", file, batch);
    for (size_t i = 0; i < samples; i++)
        printf("%s%" PRIu64, i == 0 ? "" : ",", times[i]);
    printf("],\"counters\":null}\n");
    fflush(stdout);
    mpack_tree_destroy(&tree);
    free(results);
    free(times);
    free(input);
}

static size_t number(const char *text) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0')
        fail(text, "no number");
    return value;
}

int main(int count, char **words) {
    static const char *const names[OPERATIONS] = {"parse", "serialize", "stats", "read"};
    if (count < 7) {
        fprintf(stderr, "usage: native parse|serialize|stats|read CPU WARM_UP_MS SAMPLES BATCH FILE...\n");
        return 2;
    }
    operation operation = PARSE;
    while (operation < OPERATIONS && strcmp(words[1], names[operation]) != 0)
        operation++;
    if (operation == OPERATIONS)
        fail(words[1], "no operation");
    size_t samples = number(words[4]), batch = number(words[5]);
    if (samples == 0 || batch == 0)
        fail("samples and batch", "must be more than 0");
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(number(words[2]), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        fail(words[2], strerror(errno));
#endif
    for (int i = 6; i < count; i++)
        measure(operation, words[i], number(words[3]), samples, batch);
    return 0;
}
