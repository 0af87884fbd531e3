/* What all native programs share: the command line, the clock and the rule of the harness.
   Usage: native VARIANT OPERATION CPU WARM_UP_MS SAMPLES {BATCH FILE}...
   Prints one line of JSON per file.

   A program in C is a table of operations and `int main(int count, char **words) { return native_main(...); }`, and includes this file before any other.
   A program in C++ includes `native_cxx.h` instead, which has the operations. */
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* For `sched_setaffinity` in C; C++ compilers define it themselves. */
#endif

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* An operation of a variant.
   The loop over a batch is the program's, so that the compiler sees the library's calls in it. */
typedef struct native_operation {
    const char *variant, *name;
    /* Does what the operation needs; makes room for the results of a batch. */
    void *(*prepare)(const char *input, size_t length, size_t batch);
    /* Destroys the results of the batch before, then does a batch between `native_start` and `native_stop`, whose result it returns. */
    uint64_t (*run)(void *state, size_t batch);
    void (*finish)(void *state);
} native_operation;

/* Ends the program. */
static inline void native_fail(const char *what, const char *why) {
    fprintf(stderr, "error: %s: %s\n", what, why);
    exit(1);
}

/* Reads the clock, in ns. */
static inline uint64_t native_start(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The ns since `start`. */
static inline uint64_t native_stop(uint64_t start) { return native_start() - start; }

/* Makes the compiler believe that what `pointer` points to is read and changed, so that no work on it can be left out or shared by two operations. */
static inline void native_keep(const void *pointer) { __asm__ volatile("" : : "r"(pointer) : "memory"); }

static char *native_read(const char *file, size_t *length) {
    FILE *stream = fopen(file, "rb");
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0)
        native_fail(file, strerror(errno));
    *length = (size_t)ftell(stream);
    rewind(stream);
    char *input = (char *)malloc(*length + 1);
    if (input == NULL || fread(input, 1, *length, stream) != *length)
        native_fail(file, "cannot be read");
    fclose(stream);
    return input;
}

static size_t native_number(const char *text, size_t least) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < least)
        native_fail(text, "no number, or too small");
    return value;
}

static void native_pin(size_t cpu) {
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        native_fail("cannot stay on one CPU", strerror(errno));
#else
    (void)cpu;
#endif
}

static void native_measure(const native_operation *operation, const char *file, size_t batch, uint64_t warm_up_ms, size_t samples) {
    size_t length;
    char *input = native_read(file, &length);
    uint64_t *times = (uint64_t *)calloc(samples, sizeof *times);
    if (times == NULL)
        native_fail(file, "out of memory");
    void *state = operation->prepare(input, length, batch);

    uint64_t start = native_start();
    for (size_t done = 0; done < 5 || native_stop(start) < warm_up_ms * 1000000u; done += batch)
        operation->run(state, batch);
    for (size_t i = 0; i < samples; i++)
        times[i] = operation->run(state, batch);

    printf("{\"dataset\":\"");
    for (const char *c = file; *c != '\0'; c++)
        printf(*c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    printf("\",\"outcome\":\"measured\",\"operations_per_sample\":%zu,\"samples_ns\":[", batch);
    for (size_t i = 0; i < samples; i++)
        printf("%s%" PRIu64, i == 0 ? "" : ",", times[i]);
    printf("],\"counters\":null}\n");
    fflush(stdout);
    operation->finish(state);
    free(times);
    free(input);
}

/* Does what the command line says, with the operation of `operations` that it names. */
static int native_main(int count, char **words, const native_operation *operations, size_t length) {
    if (count < 8 || count % 2 != 0) {
        fprintf(stderr, "usage: native VARIANT OPERATION CPU WARM_UP_MS SAMPLES {BATCH FILE}...\n");
        return 2;
    }
    const native_operation *operation = operations, *end = operations + length;
    while (operation < end && (strcmp(words[1], operation->variant) != 0 || strcmp(words[2], operation->name) != 0))
        operation++;
    if (operation == end)
        native_fail(words[1], "no such variant, or no such operation of it");
    native_pin(native_number(words[3], 0));
    size_t warm_up_ms = native_number(words[4], 0), samples = native_number(words[5], 1);
    for (int i = 6; i < count; i += 2)
        native_measure(operation, words[i + 1], native_number(words[i], 1), warm_up_ms, samples);
    return 0;
}
