/* For native programs in C++: the four operations, with the same work on the clock as in the harness.

   A program has one struct for each way to use its library, with these static members:
       constexpr const char *variant;
       Document parse(const char *input, size_t length);    a type that can be moved; throws at an error and at bytes left over
       Output serialize(const Document &document);          likewise
       Counts stats(const Document &document);              any type
       Sums sums(const Document &document);                 any type
   and `int main(int count, char **words) { return native::run<Way, ...>(count, words); }`. */
#pragma once

#include "native.h"

#include <utility>
#include <vector>

namespace native {

template <class Way> using Document = decltype(Way::parse(nullptr, 0));
template <class Way> using Output = decltype(Way::serialize(std::declval<const Document<Way> &>()));

template <class Way> struct Parse {
    const char *input;
    size_t length;
    std::vector<Document<Way>> documents;

    Parse(const char *input, size_t length, size_t batch) : input(input), length(length) { documents.reserve(batch); }

    uint64_t run(size_t batch) {
        documents.clear();
        uint64_t start = native_start();
        for (size_t i = 0; i < batch; i++) {
            native_keep(input);
            documents.push_back(Way::parse(input, length));
        }
        native_keep(documents.data());
        return native_stop(start);
    }
};

template <class Way> struct Serialize {
    Document<Way> document;
    std::vector<Output<Way>> outputs;

    Serialize(const char *input, size_t length, size_t batch) : document(Way::parse(input, length)) { outputs.reserve(batch); }

    uint64_t run(size_t batch) {
        outputs.clear();
        uint64_t start = native_start();
        for (size_t i = 0; i < batch; i++) {
            native_keep(&document);
            outputs.push_back(Way::serialize(document));
        }
        native_keep(outputs.data());
        return native_stop(start);
    }
};

template <class Way> struct Stats {
    Document<Way> document;

    Stats(const char *input, size_t length, size_t) : document(Way::parse(input, length)) {}

    uint64_t run(size_t batch) {
        uint64_t start = native_start();
        for (size_t i = 0; i < batch; i++) {
            native_keep(&document);
            auto stats = Way::stats(document);
            native_keep(&stats);
        }
        return native_stop(start);
    }
};

template <class Way> struct Read : Parse<Way> {
    using Parse<Way>::Parse;

    uint64_t run(size_t batch) {
        this->documents.clear();
        uint64_t start = native_start();
        for (size_t i = 0; i < batch; i++) {
            native_keep(this->input);
            this->documents.push_back(Way::parse(this->input, this->length));
            auto sums = Way::sums(this->documents.back());
            native_keep(&sums);
        }
        return native_stop(start);
    }
};

template <class Operation> native_operation operation(const char *variant, const char *name) {
    return {variant, name,
            [](const char *input, size_t length, size_t batch) -> void * { return new Operation(input, length, batch); },
            [](void *state, size_t batch) { return static_cast<Operation *>(state)->run(batch); },
            [](void *state) { delete static_cast<Operation *>(state); }};
}

/* The main function of a program with these ways. */
template <class... Ways> int run(int count, char **words) {
    const native_operation operations[] = {
        operation<Parse<Ways>>(Ways::variant, "parse")...,
        operation<Serialize<Ways>>(Ways::variant, "serialize")...,
        operation<Stats<Ways>>(Ways::variant, "stats")...,
        operation<Read<Ways>>(Ways::variant, "read")...,
    };
    return native_main(count, words, operations, sizeof operations / sizeof *operations);
}

} // namespace native
