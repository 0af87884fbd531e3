/* The library's calls, and the walks as a user of the library would write them. */
#include "shim.h"

#include "codec-taocpp-json/src/ffi.rs.h"
#include <cstring>
#include <tao/json/msgpack/from_string.hpp>
#include <tao/json/msgpack/to_string.hpp>
#include <tao/pegtl/version.hpp>

namespace codec_taocpp_json {

using tao::json::type;
using tao::json::value;

rust::String pegtl_version() { return TAO_PEGTL_VERSION; }

std::unique_ptr<value> parse(rust::Slice<const uint8_t> input) {
    const char *data = reinterpret_cast<const char *>(input.data());
    return std::make_unique<value>(tao::json::msgpack::from_string(data, input.size()));
}

std::unique_ptr<std::string> serialize(const value &document) {
    return std::make_unique<std::string>(tao::json::msgpack::to_string(document));
}

/* Views and pointers, which a value can also hold, never come out of a parser. */
static void count(Stats &stats, const value &node) {
    switch (node.type()) {
    case type::OBJECT:
        stats.maps++;
        for (const auto &entry : node.get_object()) {
            stats.strings++;
            count(stats, entry.second);
        }
        break;
    case type::ARRAY:
        stats.arrays++;
        for (const value &item : node.get_array())
            count(stats, item);
        break;
    case type::STRING: stats.strings++; break;
    case type::BINARY: stats.binaries++; break;
    case type::SIGNED:
    case type::UNSIGNED:
    case type::DOUBLE: stats.numbers++; break;
    case type::BOOLEAN: stats.booleans++; break;
    case type::NULL_: stats.nils++; break;
    default: break;
    }
}

Stats stats(const value &document) {
    Stats stats{};
    count(stats, document);
    return stats;
}

template <class Bytes> static void sum_bytes(Sums &sums, const Bytes &bytes) {
    for (auto byte : bytes)
        sums.bytes += static_cast<uint8_t>(byte);
}

static void sum(Sums &sums, const value &node) {
    switch (node.type()) {
    case type::OBJECT:
        for (const auto &entry : node.get_object()) {
            sum_bytes(sums, entry.first);
            sum(sums, entry.second);
        }
        break;
    case type::ARRAY:
        for (const value &item : node.get_array())
            sum(sums, item);
        break;
    case type::STRING: sum_bytes(sums, node.get_string()); break;
    case type::BINARY: sum_bytes(sums, node.get_binary()); break;
    case type::SIGNED: sums.integers += static_cast<uint64_t>(node.get_signed()); break;
    case type::UNSIGNED: sums.integers += node.get_unsigned(); break;
    case type::DOUBLE: {
        double number = node.get_double();
        uint64_t bits;
        std::memcpy(&bits, &number, sizeof bits);
        sums.float_bits += bits;
        break;
    }
    default: break;
    }
}

Sums sums(const value &document) {
    Sums sums{};
    sum(sums, document);
    return sums;
}

} // namespace codec_taocpp_json
