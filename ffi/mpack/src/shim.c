/* The walks over MPack's tree that the adapter needs: recursive, as a C programmer writes them. */
#include "shim.h"

#include <stdlib.h>
#include <string.h>

const char *shim_version(void) { return MPACK_VERSION_STRING; }

void shim_free(char *data) { MPACK_FREE(data); }

/* gcc would unfold the recursion into itself here, but does not in a program that calls it from `main`. */
#define NOINLINE __attribute__((noinline))

/* A walk. `room` is how many levels it may still recurse, this node included; 0 is for the node without its children. */
typedef void visit_fn(void *state, mpack_node_t node, size_t room);
/* What a walk does after the children of a container, or NULL. */
typedef void finish_fn(void *state, mpack_type_t type);

/* Visits what is in a container, and finishes it, without recursion: MPack parses any depth, but a stack ends. */
static NOINLINE void visit_deep(visit_fn visit, finish_fn finish, void *state, mpack_node_t node) {
    struct level {
        mpack_node_t node;
        size_t next, end; /* Keys and values of a map in turn. */
    } *levels = NULL;
    size_t depth = 0, capacity = 0;
    for (;;) {
        mpack_type_t type = mpack_node_type(node);
        if (type == mpack_type_array || type == mpack_type_map) {
            if (depth == capacity) {
                capacity = capacity == 0 ? 1024 : 2 * capacity;
                levels = realloc(levels, capacity * sizeof *levels);
                if (levels == NULL)
                    abort(); /* As Rust does when memory ends. */
            }
            size_t end = type == mpack_type_array ? mpack_node_array_length(node) : 2 * mpack_node_map_count(node);
            levels[depth++] = (struct level){node, 0, end};
        }
        struct level *top = &levels[depth - 1];
        for (; top->next == top->end; top--) {
            if (finish != NULL)
                finish(state, mpack_node_type(top->node));
            if (--depth == 0) {
                free(levels);
                return;
            }
        }
        size_t next = top->next++;
        if (mpack_node_type(top->node) == mpack_type_array)
            node = mpack_node_array_at(top->node, next);
        else
            node = next % 2 == 0 ? mpack_node_map_key_at(top->node, next / 2) : mpack_node_map_value_at(top->node, next / 2);
        visit(state, node, 0);
    }
}

/* Whether there is no room to recurse into a container; then what is to be done with its children is done. */
static inline bool no_room(visit_fn visit, finish_fn finish, void *state, mpack_node_t node, size_t room) {
    if (room == 1)
        visit_deep(visit, finish, state, node);
    return room <= 1;
}

static NOINLINE void count(void *state, mpack_node_t node, size_t room) {
    shim_stats *stats = state;
    switch (mpack_node_type(node)) {
    case mpack_type_nil: stats->nils++; break;
    case mpack_type_bool: stats->booleans++; break;
    case mpack_type_str: stats->strings++; break;
    case mpack_type_bin: stats->binaries++; break;
    case mpack_type_ext: stats->extensions++; break;
    case mpack_type_array:
        stats->arrays++;
        if (no_room(count, NULL, state, node, room))
            break;
        for (size_t i = 0, length = mpack_node_array_length(node); i < length; i++)
            count(state, mpack_node_array_at(node, i), room - 1);
        break;
    case mpack_type_map:
        stats->maps++;
        if (no_room(count, NULL, state, node, room))
            break;
        for (size_t i = 0, pairs = mpack_node_map_count(node); i < pairs; i++) {
            count(state, mpack_node_map_key_at(node, i), room - 1);
            count(state, mpack_node_map_value_at(node, i), room - 1);
        }
        break;
    default: stats->numbers++; break;
    }
}

shim_stats shim_count(mpack_tree_t *tree, size_t room) {
    shim_stats stats = {0};
    count(&stats, mpack_tree_root(tree), room);
    return stats;
}

static NOINLINE void sum(void *state, mpack_node_t node, size_t room) {
    shim_sums *sums = state;
    switch (mpack_node_type(node)) {
    case mpack_type_int: sums->integers += (uint64_t)mpack_node_i64(node); break;
    case mpack_type_uint: sums->integers += mpack_node_u64(node); break;
    case mpack_type_float:
    case mpack_type_double: {
        double wide = mpack_node_double(node);
        uint64_t bits;
        memcpy(&bits, &wide, sizeof bits);
        sums->float_bits += bits;
        break;
    }
    case mpack_type_str:
    case mpack_type_bin:
    case mpack_type_ext: {
        const uint8_t *bytes = (const uint8_t *)mpack_node_data(node);
        for (size_t i = 0, length = mpack_node_data_len(node); i < length; i++)
            sums->bytes += bytes[i];
        break;
    }
    case mpack_type_array:
        if (no_room(sum, NULL, state, node, room))
            break;
        for (size_t i = 0, length = mpack_node_array_length(node); i < length; i++)
            sum(state, mpack_node_array_at(node, i), room - 1);
        break;
    case mpack_type_map:
        if (no_room(sum, NULL, state, node, room))
            break;
        for (size_t i = 0, pairs = mpack_node_map_count(node); i < pairs; i++) {
            sum(state, mpack_node_map_key_at(node, i), room - 1);
            sum(state, mpack_node_map_value_at(node, i), room - 1);
        }
        break;
    default: break;
    }
}

shim_sums shim_sum(mpack_tree_t *tree, size_t room) {
    shim_sums sums = {0};
    sum(&sums, mpack_tree_root(tree), room);
    return sums;
}

static void finish(void *writer, mpack_type_t type) {
    type == mpack_type_map ? mpack_finish_map(writer) : mpack_finish_array(writer);
}

static NOINLINE void write(void *writer, mpack_node_t node, size_t room) {
    switch (mpack_node_type(node)) {
    case mpack_type_bool: mpack_write_bool(writer, mpack_node_bool(node)); break;
    case mpack_type_int: mpack_write_i64(writer, mpack_node_i64(node)); break;
    case mpack_type_uint: mpack_write_u64(writer, mpack_node_u64(node)); break;
    case mpack_type_float: mpack_write_float(writer, mpack_node_float(node)); break;
    case mpack_type_double: mpack_write_double(writer, mpack_node_double(node)); break;
    case mpack_type_str: mpack_write_str(writer, mpack_node_data(node), mpack_node_data_len(node)); break;
    case mpack_type_bin: mpack_write_bin(writer, mpack_node_data(node), mpack_node_data_len(node)); break;
    case mpack_type_ext: mpack_write_ext(writer, mpack_node_exttype(node), mpack_node_data(node), mpack_node_data_len(node)); break;
    case mpack_type_array: {
        size_t length = mpack_node_array_length(node);
        mpack_start_array(writer, (uint32_t)length);
        if (no_room(write, finish, writer, node, room))
            break;
        for (size_t i = 0; i < length; i++)
            write(writer, mpack_node_array_at(node, i), room - 1);
        mpack_finish_array(writer);
        break;
    }
    case mpack_type_map: {
        size_t pairs = mpack_node_map_count(node);
        mpack_start_map(writer, (uint32_t)pairs);
        if (no_room(write, finish, writer, node, room))
            break;
        for (size_t i = 0; i < pairs; i++) {
            write(writer, mpack_node_map_key_at(node, i), room - 1);
            write(writer, mpack_node_map_value_at(node, i), room - 1);
        }
        mpack_finish_map(writer);
        break;
    }
    default: mpack_write_nil(writer); break;
    }
}

void shim_write(mpack_tree_t *tree, mpack_writer_t *writer, size_t room) { write(writer, mpack_tree_root(tree), room); }
