/* What a C++ programmer would write with msgpack-cxx; the control for the way through Rust. */
#include "native_cxx.h"

#include <msgpack.hpp>
#include <stdexcept>

struct Counts {
    uint64_t maps, arrays, strings, binaries, extensions, numbers, booleans, nils;
};

static void count(Counts &counts, const msgpack::object &node) {
    switch (node.type) {
    case msgpack::type::MAP:
        counts.maps++;
        for (const msgpack::object_kv &pair : node.via.map) {
            count(counts, pair.key);
            count(counts, pair.val);
        }
        break;
    case msgpack::type::ARRAY:
        counts.arrays++;
        for (const msgpack::object &item : node.via.array)
            count(counts, item);
        break;
    case msgpack::type::STR: counts.strings++; break;
    case msgpack::type::BIN: counts.binaries++; break;
    case msgpack::type::EXT: counts.extensions++; break;
    case msgpack::type::BOOLEAN: counts.booleans++; break;
    case msgpack::type::NIL: counts.nils++; break;
    default: counts.numbers++; break;
    }
}

struct Sums {
    uint64_t integers, float_bits, bytes;
};

static uint64_t total(const char *data, uint32_t size) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < size; i++)
        total += static_cast<unsigned char>(data[i]);
    return total;
}

static void sum(Sums &sums, const msgpack::object &node) {
    switch (node.type) {
    case msgpack::type::MAP:
        for (const msgpack::object_kv &pair : node.via.map) {
            sum(sums, pair.key);
            sum(sums, pair.val);
        }
        break;
    case msgpack::type::ARRAY:
        for (const msgpack::object &item : node.via.array)
            sum(sums, item);
        break;
    case msgpack::type::POSITIVE_INTEGER: sums.integers += node.via.u64; break;
    case msgpack::type::NEGATIVE_INTEGER: sums.integers += static_cast<uint64_t>(node.via.i64); break;
    case msgpack::type::FLOAT32:
    case msgpack::type::FLOAT64: {
        uint64_t bits;
        std::memcpy(&bits, &node.via.f64, sizeof bits);
        sums.float_bits += bits;
        break;
    }
    case msgpack::type::STR: sums.bytes += total(node.via.str.ptr, node.via.str.size); break;
    case msgpack::type::BIN: sums.bytes += total(node.via.bin.ptr, node.via.bin.size); break;
    case msgpack::type::EXT: sums.bytes += total(node.via.ext.data(), node.via.ext.size); break;
    default: break;
    }
}

template <bool REFERS> struct Way {
    static constexpr const char *variant = REFERS ? "zero-copy" : "copying";

    static bool refer(msgpack::type::object_type, size_t, void *) { return true; }

    static msgpack::object_handle parse(const char *input, size_t length) {
        size_t end = 0;
        auto handle = msgpack::unpack(input, length, end, REFERS ? refer : nullptr);
        if (end != length)
            throw std::runtime_error("bytes after the end of the message");
        return handle;
    }

    static msgpack::sbuffer serialize(const msgpack::object_handle &handle) {
        msgpack::sbuffer buffer;
        msgpack::pack(buffer, handle.get());
        return buffer;
    }

    static Counts stats(const msgpack::object_handle &handle) {
        Counts counts{};
        count(counts, handle.get());
        return counts;
    }

    static Sums sums(const msgpack::object_handle &handle) {
        Sums sums{};
        sum(sums, handle.get());
        return sums;
    }
};

int main(int count, char **words) { return native::run<Way<false>, Way<true>>(count, words); }
