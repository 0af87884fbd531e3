/* What a walk over a document counts and adds, for shims in C and C++: the fields of `Stats` and `Sums` of the crate `codec`, in the same order, as places in an array. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MAPS, ARRAYS, STRINGS, BINARIES, EXTENSIONS, NUMBERS, BOOLEANS, NILS, STATS };
enum { INTEGERS, FLOAT_BITS, BYTES, SUMS };

static inline uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline uint64_t sum_of_bytes(const void *data, size_t length) {
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++)
        sum += ((const unsigned char *)data)[i];
    return sum;
}
