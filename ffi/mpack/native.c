/* What a C programmer would write with MPack; the control for the way through Rust. */
#include "../native.h"

#include "mpack.h"

typedef struct stats {
    uint64_t maps, arrays, strings, binaries, extensions, numbers, booleans, nils;
} stats;

typedef struct sums {
    uint64_t integers, float_bits, bytes;
} sums;

static void parse(mpack_tree_t *tree, const char *input, size_t length) {
    mpack_tree_init_data(tree, input, length);
    mpack_tree_parse(tree);
    if (mpack_tree_error(tree) != mpack_ok)
        native_fail("parse", mpack_error_to_string(mpack_tree_error(tree)));
    if (mpack_tree_size(tree) != length)
        native_fail("parse", "bytes after the end of the message");
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

static char *serialize(mpack_tree_t *tree) {
    char *data;
    size_t size;
    mpack_writer_t writer;
    mpack_writer_init_growable(&writer, &data, &size);
    write_node(&writer, mpack_tree_root(tree));
    mpack_error_t error = mpack_writer_destroy(&writer);
    if (error != mpack_ok)
        native_fail("serialize", mpack_error_to_string(error));
    native_keep(&size);
    return data;
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

/* A message, and room for the results of a batch: trees or outputs. */
typedef struct state {
    const char *input;
    size_t length, trees_made, outputs_made;
    mpack_tree_t tree, *trees;
    char **outputs;
} state;

static void *prepare(const char *input, size_t length, size_t batch) {
    state *of = calloc(1, sizeof *of);
    if (of == NULL || (of->trees = calloc(batch, sizeof *of->trees)) == NULL || (of->outputs = calloc(batch, sizeof *of->outputs)) == NULL)
        native_fail("batch", "out of memory");
    of->input = input;
    of->length = length;
    mpack_tree_init_error(&of->tree, mpack_error_data); /* No document yet. */
    return of;
}

static void *prepare_document(const char *input, size_t length, size_t batch) {
    state *of = prepare(input, length, batch);
    parse(&of->tree, input, length);
    return of;
}

static void clear(state *of) {
    while (of->trees_made > 0)
        mpack_tree_destroy(&of->trees[--of->trees_made]);
    while (of->outputs_made > 0)
        free(of->outputs[--of->outputs_made]);
}

static void end(void *made) {
    state *of = made;
    clear(of);
    mpack_tree_destroy(&of->tree);
    free(of->trees);
    free(of->outputs);
    free(of);
}

static uint64_t run_parse(void *made, size_t batch) {
    state *of = made;
    clear(of);
    uint64_t start = native_start();
    while (of->trees_made < batch)
        parse(&of->trees[of->trees_made++], of->input, of->length);
    native_keep(of->trees);
    return native_stop(start);
}

static uint64_t run_serialize(void *made, size_t batch) {
    state *of = made;
    clear(of);
    uint64_t start = native_start();
    while (of->outputs_made < batch)
        of->outputs[of->outputs_made++] = serialize(&of->tree);
    native_keep(of->outputs);
    return native_stop(start);
}

static uint64_t run_stats(void *made, size_t batch) {
    state *of = made;
    uint64_t start = native_start();
    for (size_t i = 0; i < batch; i++) {
        stats counted = {0};
        count_node(&counted, mpack_tree_root(&of->tree));
        native_keep(&counted);
    }
    return native_stop(start);
}

static uint64_t run_read(void *made, size_t batch) {
    state *of = made;
    clear(of);
    uint64_t start = native_start();
    while (of->trees_made < batch) {
        mpack_tree_t *tree = &of->trees[of->trees_made++];
        sums summed = {0};
        parse(tree, of->input, of->length);
        sum_node(&summed, mpack_tree_root(tree));
        native_keep(&summed);
    }
    return native_stop(start);
}

int main(int count, char **words) {
    static const native_operation operations[] = {
        {"tree", "parse", prepare, run_parse, end},
        {"tree", "serialize", prepare_document, run_serialize, end},
        {"tree", "stats", prepare_document, run_stats, end},
        {"tree", "read", prepare, run_read, end},
    };
    return native_main(count, words, operations, sizeof operations / sizeof *operations);
}
