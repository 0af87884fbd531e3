/* The walks over MPack's tree that the adapter needs: recursive, as a C programmer writes them. */
#include "shim.h"

#include <pthread.h>
#include <stdlib.h>

/* gcc would unfold the recursion into itself here, but does not in a program that calls it from `main`. */
#define NOINLINE __attribute__((noinline))

/* A walk, and how many levels it may still recurse. */
typedef void walk_fn(void *state, mpack_node_t node, size_t levels);

/* Levels on one stack (chosen): more than real documents have, and about a megabyte. */
enum { LEVELS = 10000 };

struct rest {
    walk_fn *walk;
    void *state;
    mpack_node_t node;
};

static void *walk_rest(void *argument) {
    struct rest *rest = argument;
    rest->walk(rest->state, rest->node, LEVELS);
    return NULL;
}

/* Goes on in a thread, which has a stack of its own: MPack parses any depth, but a stack ends. */
static NOINLINE void walk_elsewhere(walk_fn *walk, void *state, mpack_node_t node) {
    struct rest rest = {walk, state, node};
    pthread_t thread;
    if (pthread_create(&thread, NULL, walk_rest, &rest) != 0 || pthread_join(thread, NULL) != 0)
        abort(); /* As Rust does when memory ends. */
}

/* Whether a container is too deep for this stack; then it has been walked elsewhere. */
static inline bool too_deep(walk_fn *walk, void *state, mpack_node_t node, size_t levels) {
    if (levels == 0)
        walk_elsewhere(walk, state, node);
    return levels == 0;
}

static NOINLINE void count(void *state, mpack_node_t node, size_t levels) {
    uint64_t *stats = state;
    switch (mpack_node_type(node)) {
    case mpack_type_nil: stats[NILS]++; break;
    case mpack_type_bool: stats[BOOLEANS]++; break;
    case mpack_type_str: stats[STRINGS]++; break;
    case mpack_type_bin: stats[BINARIES]++; break;
    case mpack_type_ext: stats[EXTENSIONS]++; break;
    case mpack_type_array:
        if (too_deep(count, state, node, levels))
            break;
        stats[ARRAYS]++;
        for (size_t i = 0, length = mpack_node_array_length(node); i < length; i++)
            count(state, mpack_node_array_at(node, i), levels - 1);
        break;
    case mpack_type_map:
        if (too_deep(count, state, node, levels))
            break;
        stats[MAPS]++;
        for (size_t i = 0, pairs = mpack_node_map_count(node); i < pairs; i++) {
            count(state, mpack_node_map_key_at(node, i), levels - 1);
            count(state, mpack_node_map_value_at(node, i), levels - 1);
        }
        break;
    default: stats[NUMBERS]++; break;
    }
}

static NOINLINE void sum(void *state, mpack_node_t node, size_t levels) {
    uint64_t *sums = state;
    switch (mpack_node_type(node)) {
    case mpack_type_int: sums[INTEGERS] += (uint64_t)mpack_node_i64(node); break;
    case mpack_type_uint: sums[INTEGERS] += mpack_node_u64(node); break;
    case mpack_type_float:
    case mpack_type_double: sums[FLOAT_BITS] += bits_of(mpack_node_double(node)); break;
    case mpack_type_str:
    case mpack_type_bin:
    case mpack_type_ext: sums[BYTES] += sum_of_bytes(mpack_node_data(node), mpack_node_data_len(node)); break;
    case mpack_type_array:
        if (too_deep(sum, state, node, levels))
            break;
        for (size_t i = 0, length = mpack_node_array_length(node); i < length; i++)
            sum(state, mpack_node_array_at(node, i), levels - 1);
        break;
    case mpack_type_map:
        if (too_deep(sum, state, node, levels))
            break;
        for (size_t i = 0, pairs = mpack_node_map_count(node); i < pairs; i++) {
            sum(state, mpack_node_map_key_at(node, i), levels - 1);
            sum(state, mpack_node_map_value_at(node, i), levels - 1);
        }
        break;
    default: break;
    }
}

static NOINLINE void write(void *writer, mpack_node_t node, size_t levels) {
    size_t length;
    switch (mpack_node_type(node)) {
    case mpack_type_bool: mpack_write_bool(writer, mpack_node_bool(node)); break;
    case mpack_type_int: mpack_write_i64(writer, mpack_node_i64(node)); break;
    case mpack_type_uint: mpack_write_u64(writer, mpack_node_u64(node)); break;
    case mpack_type_float: mpack_write_float(writer, mpack_node_float(node)); break;
    case mpack_type_double: mpack_write_double(writer, mpack_node_double(node)); break;
    case mpack_type_str: mpack_write_str(writer, mpack_node_data(node), mpack_node_data_len(node)); break;
    case mpack_type_bin: mpack_write_bin(writer, mpack_node_data(node), mpack_node_data_len(node)); break;
    case mpack_type_ext: mpack_write_ext(writer, mpack_node_exttype(node), mpack_node_data(node), mpack_node_data_len(node)); break;
    case mpack_type_array:
        if (too_deep(write, writer, node, levels))
            break;
        length = mpack_node_array_length(node);
        mpack_start_array(writer, (uint32_t)length);
        for (size_t i = 0; i < length; i++)
            write(writer, mpack_node_array_at(node, i), levels - 1);
        mpack_finish_array(writer);
        break;
    case mpack_type_map:
        if (too_deep(write, writer, node, levels))
            break;
        length = mpack_node_map_count(node);
        mpack_start_map(writer, (uint32_t)length);
        for (size_t i = 0; i < length; i++) {
            write(writer, mpack_node_map_key_at(node, i), levels - 1);
            write(writer, mpack_node_map_value_at(node, i), levels - 1);
        }
        mpack_finish_map(writer);
        break;
    default: mpack_write_nil(writer); break;
    }
}

void shim_count(mpack_tree_t *tree, uint64_t *stats) { count(stats, mpack_tree_root(tree), LEVELS); }

void shim_sum(mpack_tree_t *tree, uint64_t *sums) { sum(sums, mpack_tree_root(tree), LEVELS); }

mpack_error_t shim_write(mpack_tree_t *tree, char **data, size_t *length, size_t capacity) {
    mpack_writer_t writer;
    if (capacity > 0) {
        mpack_writer_init(&writer, *data, capacity);
        write(&writer, mpack_tree_root(tree), LEVELS);
        *length = mpack_writer_buffer_used(&writer);
        if (mpack_writer_destroy(&writer) == mpack_ok)
            return mpack_ok;
        MPACK_FREE(*data);
    }
    mpack_writer_init_growable(&writer, data, length);
    write(&writer, mpack_tree_root(tree), LEVELS);
    return mpack_writer_destroy(&writer);
}

void shim_free(char *data) { MPACK_FREE(data); }

const char *shim_version(void) { return MPACK_VERSION_STRING; }
