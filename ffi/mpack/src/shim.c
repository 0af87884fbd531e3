/* The walks over MPack's tree that the adapter needs: recursive, as a C programmer would write them. */
#include "shim.h"

#include <stdlib.h>
#include <string.h>

const char *shim_version(void) { return MPACK_VERSION_STRING; }

void shim_free(char *data) { MPACK_FREE(data); }

/* What a walk does with a node, and before and after the children of a container. */
typedef struct walk {
    void (*visit)(void *state, mpack_node_t node, size_t depth);
    void (*open)(void *state, mpack_type_t type, size_t count);
    void (*close)(void *state, mpack_type_t type);
} walk;

#define DEEP 512

/* Visits a container that lies `DEEP` and all that is in it. MPack parses any depth; recursion ends where the stack does. */
static void visit_deep(const walk *walk, void *state, mpack_node_t node) {
    struct level {
        mpack_node_t node;
        size_t next, end; /* Keys and values of a map in turn. */
    } *levels = NULL, *top;
    size_t depth = 0, capacity = 0;
    do {
        mpack_type_t type = mpack_node_type(node);
        if (type == mpack_type_array || type == mpack_type_map) {
            size_t count = type == mpack_type_array ? mpack_node_array_length(node) : mpack_node_map_count(node);
            walk->open(state, type, count);
            if (depth == capacity) {
                capacity = capacity == 0 ? DEEP : 2 * capacity;
                levels = realloc(levels, capacity * sizeof *levels);
                if (levels == NULL)
                    abort(); /* As Rust does when memory ends. */
            }
            levels[depth++] = (struct level){node, 0, type == mpack_type_array ? count : 2 * count};
        } else {
            walk->visit(state, node, 0);
        }
        for (top = &levels[depth - 1]; depth > 0 && top->next == top->end; depth--, top--)
            walk->close(state, mpack_node_type(top->node));
        if (depth > 0) {
            size_t next = top->next++;
            if (mpack_node_type(top->node) == mpack_type_array)
                node = mpack_node_array_at(top->node, next);
            else
                node = next % 2 == 0 ? mpack_node_map_key_at(top->node, next / 2) : mpack_node_map_value_at(top->node, next / 2);
        }
    } while (depth > 0);
    free(levels);
}

/* Visits a container and all that is in it. Inlined into every walk, and the functions of the walk into it. */
static inline __attribute__((always_inline)) void
visit_children(const walk *walk, void *state, mpack_node_t node, mpack_type_t type, size_t depth) {
    if (depth == DEEP) {
        visit_deep(walk, state, node);
    } else if (type == mpack_type_array) {
        size_t count = mpack_node_array_length(node);
        walk->open(state, type, count);
        for (size_t i = 0; i < count; i++)
            walk->visit(state, mpack_node_array_at(node, i), depth + 1);
        walk->close(state, type);
    } else {
        size_t count = mpack_node_map_count(node);
        walk->open(state, type, count);
        for (size_t i = 0; i < count; i++) {
            walk->visit(state, mpack_node_map_key_at(node, i), depth + 1);
            walk->visit(state, mpack_node_map_value_at(node, i), depth + 1);
        }
        walk->close(state, type);
    }
}

static void open_nothing(void *state, mpack_type_t type, size_t count) { (void)state, (void)type, (void)count; }

static void close_nothing(void *state, mpack_type_t type) { (void)state, (void)type; }

static void count_container(void *state, mpack_type_t type, size_t count) {
    shim_stats *stats = state;
    (void)count;
    *(type == mpack_type_map ? &stats->maps : &stats->arrays) += 1;
}

static void count(void *state, mpack_node_t node, size_t depth) {
    static const walk counting = {count, count_container, close_nothing};
    shim_stats *stats = state;
    switch (mpack_node_type(node)) {
    case mpack_type_array: visit_children(&counting, state, node, mpack_type_array, depth); break;
    case mpack_type_map: visit_children(&counting, state, node, mpack_type_map, depth); break;
    case mpack_type_str: stats->strings++; break;
    case mpack_type_bin: stats->binaries++; break;
    case mpack_type_ext: stats->extensions++; break;
    case mpack_type_bool: stats->booleans++; break;
    case mpack_type_nil: stats->nils++; break;
    default: stats->numbers++; break;
    }
}

shim_stats shim_count(mpack_tree_t *tree) {
    shim_stats stats = {0};
    count(&stats, mpack_tree_root(tree), 0);
    return stats;
}

static void sum(void *state, mpack_node_t node, size_t depth) {
    static const walk summing = {sum, open_nothing, close_nothing};
    shim_sums *sums = state;
    switch (mpack_node_type(node)) {
    case mpack_type_array: visit_children(&summing, state, node, mpack_type_array, depth); break;
    case mpack_type_map: visit_children(&summing, state, node, mpack_type_map, depth); break;
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
    default: break;
    }
}

shim_sums shim_sum(mpack_tree_t *tree) {
    shim_sums sums = {0};
    sum(&sums, mpack_tree_root(tree), 0);
    return sums;
}

static void start(void *writer, mpack_type_t type, size_t count) {
    type == mpack_type_map ? mpack_start_map(writer, (uint32_t)count) : mpack_start_array(writer, (uint32_t)count);
}

static void finish(void *writer, mpack_type_t type) {
    type == mpack_type_map ? mpack_finish_map(writer) : mpack_finish_array(writer);
}

static void write(void *writer, mpack_node_t node, size_t depth) {
    static const walk writing = {write, start, finish};
    switch (mpack_node_type(node)) {
    case mpack_type_array: visit_children(&writing, writer, node, mpack_type_array, depth); break;
    case mpack_type_map: visit_children(&writing, writer, node, mpack_type_map, depth); break;
    case mpack_type_str: mpack_write_str(writer, mpack_node_data(node), mpack_node_data_len(node)); break;
    case mpack_type_bin: mpack_write_bin(writer, mpack_node_data(node), mpack_node_data_len(node)); break;
    case mpack_type_ext: mpack_write_ext(writer, mpack_node_exttype(node), mpack_node_data(node), mpack_node_data_len(node)); break;
    case mpack_type_int: mpack_write_i64(writer, mpack_node_i64(node)); break;
    case mpack_type_uint: mpack_write_u64(writer, mpack_node_u64(node)); break;
    case mpack_type_float: mpack_write_float(writer, mpack_node_float(node)); break;
    case mpack_type_double: mpack_write_double(writer, mpack_node_double(node)); break;
    case mpack_type_bool: mpack_write_bool(writer, mpack_node_bool(node)); break;
    default: mpack_write_nil(writer); break;
    }
}

void shim_write(mpack_tree_t *tree, mpack_writer_t *writer) { write(writer, mpack_tree_root(tree), 0); }
