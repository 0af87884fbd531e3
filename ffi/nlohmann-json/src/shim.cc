/* The library's calls, and the walks as a user of the library would write them. */
#include "shim.h"

#include "codec-nlohmann-json/src/ffi.rs.h"
#include <cstring>

namespace codec_nlohmann_json {

using nlohmann::json;

#define TEXT_OF(number) #number
#define VERSION(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

rust::String version() {
    return VERSION(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
}

std::unique_ptr<json> parse(rust::Slice<const uint8_t> input) {
    const uint8_t *first = input.data();
    /* `new` and not `make_unique`, which would move the document. */
    return std::unique_ptr<json>(new json(json::from_msgpack(first, first + input.size())));
}

std::unique_ptr<std::string> serialize(const json &document) {
    auto output = std::make_unique<std::string>();
    json::to_msgpack(document, *output);
    return output;
}

struct Counter {
    Stats stats{};

    void visit(const json &value) {
        switch (value.type()) {
        case json::value_t::object:
            stats.maps++;
            for (const auto &entry : *value.get_ptr<const json::object_t *>()) {
                stats.strings++;
                visit(entry.second);
            }
            break;
        case json::value_t::array:
            stats.arrays++;
            for (const json &item : *value.get_ptr<const json::array_t *>())
                visit(item);
            break;
        case json::value_t::string: stats.strings++; break;
        case json::value_t::binary:
            /* The library keeps the type of an extension as the subtype of a binary. */
            (value.get_ptr<const json::binary_t *>()->has_subtype() ? stats.extensions : stats.binaries)++;
            break;
        case json::value_t::boolean: stats.booleans++; break;
        case json::value_t::null: stats.nils++; break;
        default: stats.numbers++; break;
        }
    }
};

Stats stats(const json &document) {
    Counter counter;
    counter.visit(document);
    return counter.stats;
}

struct Summer {
    Sums sums{};

    template <class Bytes> void add(const Bytes &bytes) {
        for (auto byte : bytes)
            sums.bytes += static_cast<uint8_t>(byte);
    }

    void visit(const json &value) {
        switch (value.type()) {
        case json::value_t::object:
            for (const auto &entry : *value.get_ptr<const json::object_t *>()) {
                add(entry.first);
                visit(entry.second);
            }
            break;
        case json::value_t::array:
            for (const json &item : *value.get_ptr<const json::array_t *>())
                visit(item);
            break;
        case json::value_t::string: add(*value.get_ptr<const std::string *>()); break;
        case json::value_t::binary: add(*value.get_ptr<const json::binary_t *>()); break;
        case json::value_t::number_integer:
            sums.integers += static_cast<uint64_t>(*value.get_ptr<const json::number_integer_t *>());
            break;
        case json::value_t::number_unsigned: sums.integers += *value.get_ptr<const json::number_unsigned_t *>(); break;
        case json::value_t::number_float: {
            uint64_t bits;
            std::memcpy(&bits, value.get_ptr<const json::number_float_t *>(), sizeof bits);
            sums.float_bits += bits;
            break;
        }
        default: break;
        }
    }
};

Sums sums(const json &document) {
    Summer summer;
    summer.visit(document);
    return summer.sums;
}

} // namespace codec_nlohmann_json
