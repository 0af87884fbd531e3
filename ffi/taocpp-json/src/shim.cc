/* The library's calls, and the walks as a user of the library would write them. */
#include "shim.h"

#include "codec-taocpp-json/src/ffi.rs.h"
#include <tao/json/msgpack/from_string.hpp>
#include <tao/json/msgpack/to_string.hpp>
#include <tao/pegtl/version.hpp>

namespace codec_taocpp_json {

using tao::json::type;
using tao::json::value;

rust::String pegtl_version() { return TAO_PEGTL_VERSION; }

std::unique_ptr<value> parse(rust::Slice<const uint8_t> input) {
    const char *data = reinterpret_cast<const char *>(input.data());
    /* `new` and not `make_unique`, which would move the document; so too below. */
    return std::unique_ptr<value>(new value(tao::json::msgpack::from_string(data, input.size())));
}

std::unique_ptr<std::string> serialize(const value &document) {
    return std::unique_ptr<std::string>(new std::string(tao::json::msgpack::to_string(document)));
}

/* Views and pointers, which a value can also hold, never come out of a parser. */
static void count(Stats &stats, const value &node) {
    switch (node.type()) {
    case type::OBJECT:
        stats[MAPS]++;
        for (const auto &entry : node.get_object()) {
            stats[STRINGS]++;
            count(stats, entry.second);
        }
        break;
    case type::ARRAY:
        stats[ARRAYS]++;
        for (const value &item : node.get_array())
            count(stats, item);
        break;
    case type::STRING: stats[STRINGS]++; break;
    case type::BINARY: stats[BINARIES]++; break;
    case type::SIGNED:
    case type::UNSIGNED:
    case type::DOUBLE: stats[NUMBERS]++; break;
    case type::BOOLEAN: stats[BOOLEANS]++; break;
    case type::NULL_: stats[NILS]++; break;
    default: break;
    }
}

Stats stats(const value &document) {
    Stats stats{};
    count(stats, document);
    return stats;
}

template <class Bytes> static void sum_bytes(Sums &sums, const Bytes &bytes) {
    sums[BYTES] += sum_of_bytes(bytes.data(), bytes.size());
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
    case type::SIGNED: sums[INTEGERS] += static_cast<uint64_t>(node.get_signed()); break;
    case type::UNSIGNED: sums[INTEGERS] += node.get_unsigned(); break;
    case type::DOUBLE: sums[FLOAT_BITS] += bits_of(node.get_double()); break;
    default: break;
    }
}

Sums sums(const value &document) {
    Sums sums{};
    sum(sums, document);
    return sums;
}

} // namespace codec_taocpp_json
