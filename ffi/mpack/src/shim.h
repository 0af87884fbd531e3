/* The walks over MPack's tree that the adapter needs. */
#pragma once

#include "mpack.h"

/* Fields as in `Stats` and `Sums` of the crate `codec`, in the same order. */
typedef struct shim_stats {
    uint64_t maps, arrays, strings, binaries, extensions, numbers, booleans, nils;
} shim_stats;
typedef struct shim_sums {
    uint64_t integers, float_bits, bytes;
} shim_sums;

const char *shim_version(void);
void shim_free(char *data);

/* Each visits every node of a parsed tree once; what lies deeper than `levels` is visited without recursion. */
shim_stats shim_count(mpack_tree_t *tree, size_t room);
shim_sums shim_sum(mpack_tree_t *tree, size_t room);
void shim_write(mpack_tree_t *tree, mpack_writer_t *writer, size_t room);
