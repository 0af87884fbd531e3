/* The library's calls, and the walks as a user of the library would write them. */
#include "shim.h"

#include "codec-jsoncons/src/ffi.rs.h"
#include <jsoncons_ext/msgpack/msgpack.hpp>
#include <sstream>

namespace codec_jsoncons {

using jsoncons::json;
using jsoncons::json_type;

/* `JSONCONS_VERSION_STRING` is not valid C++ for gcc. */
rust::String version() {
    std::ostringstream text;
    text << jsoncons::version();
    return text.str();
}

json parse(rust::Slice<const uint8_t> input, size_t &used) {
    jsoncons::json_decoder<json> decoder;
    jsoncons::msgpack::msgpack_bytes_reader reader(jsoncons::byte_string_view(input.data(), input.size()), decoder);
    reader.read();
    used = reader.column();
    return decoder.get_result();
}

std::unique_ptr<std::string> serialize(const json &document) {
    auto output = std::make_unique<std::string>();
    jsoncons::msgpack::encode_msgpack(document, *output);
    return output;
}

void destroy(json *document) noexcept { document->~json(); }

[[gnu::noinline]] static void count(const json &value, Stats &stats) {
    switch (value.type()) {
    case json_type::null: stats[NILS]++; break;
    case json_type::boolean: stats[BOOLEANS]++; break;
    case json_type::string: stats[STRINGS]++; break;
    case json_type::byte_string: stats[value.tag() == jsoncons::semantic_tag::ext ? EXTENSIONS : BINARIES]++; break;
    case json_type::array:
        stats[ARRAYS]++;
        for (const json &item : value.array_range())
            count(item, stats);
        break;
    case json_type::object:
        stats[MAPS]++;
        for (const auto &entry : value.object_range()) {
            stats[STRINGS]++;
            count(entry.value(), stats);
        }
        break;
    default: stats[NUMBERS]++; break;
    }
}

Stats stats(const json &document) {
    Stats stats{};
    count(document, stats);
    return stats;
}

struct Summer {
    Sums sums{};

    template <class Bytes> void add(const Bytes &bytes) { sums[BYTES] += sum_of_bytes(bytes.data(), bytes.size()); }

    void visit(const json &value) {
        switch (value.type()) {
        case json_type::object:
            for (const auto &entry : value.object_range()) {
                add(entry.key());
                visit(entry.value());
            }
            break;
        case json_type::array:
            for (const json &item : value.array_range())
                visit(item);
            break;
        case json_type::string: add(value.as_string_view()); break;
        case json_type::byte_string: add(value.as_byte_string_view()); break;
        case json_type::int64: sums[INTEGERS] += static_cast<uint64_t>(value.as<int64_t>()); break;
        case json_type::uint64: sums[INTEGERS] += value.as<uint64_t>(); break;
        case json_type::float64: sums[FLOAT_BITS] += bits_of(value.as_double()); break;
        default: break;
        }
    }
};

Sums sums(const json &document) {
    Summer summer;
    summer.visit(document);
    return summer.sums;
}

} // namespace codec_jsoncons
