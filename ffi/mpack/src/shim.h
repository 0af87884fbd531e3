/* The walks over MPack's tree that the adapter needs. */
#pragma once

#include "mpack.h"
#include "walk.h"

const char *shim_version(void);
void shim_free(char *data);

/* Writes into `data` if the message fits into its `capacity`, else frees it and lets MPack allocate. */
mpack_error_t shim_write(mpack_tree_t *tree, char **data, size_t *length, size_t capacity);

/* The numbers are 0 before. */
void shim_count(mpack_tree_t *tree, uint64_t *stats);
void shim_sum(mpack_tree_t *tree, uint64_t *sums);
