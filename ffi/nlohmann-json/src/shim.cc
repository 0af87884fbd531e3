/* The library's calls, and the walks as a user of the library would write them. */
#include "shim.h"

#include "codec-nlohmann-json/src/ffi.rs.h"

namespace codec_nlohmann_json {

using nlohmann::json;

#define TEXT_OF(number) #number
#define VERSION(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

rust::String version() {
    return VERSION(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
}

json parse(rust::Slice<const uint8_t> input) {
    const uint8_t *first = input.data();
    return json::from_msgpack(first, first + input.size());
}

std::unique_ptr<std::string> serialize(const json &document) {
    auto output = std::make_unique<std::string>();
    json::to_msgpack(document, *output);
    return output;
}

void destroy(json *document) noexcept { document->~json(); }

struct Counter {
    Stats stats{};

    void visit(const json &value) {
        switch (value.type()) {
        case json::value_t::object:
            stats[MAPS]++;
            for (const auto &entry : *value.get_ptr<const json::object_t *>()) {
                stats[STRINGS]++;
                visit(entry.second);
            }
            break;
        case json::value_t::array:
            stats[ARRAYS]++;
            for (const json &item : *value.get_ptr<const json::array_t *>())
                visit(item);
            break;
        case json::value_t::string: stats[STRINGS]++; break;
        case json::value_t::binary:
            /* The library keeps the type of an extension as the subtype of a binary. */
            (value.get_ptr<const json::binary_t *>()->has_subtype() ? stats[EXTENSIONS] : stats[BINARIES])++;
            break;
        case json::value_t::boolean: stats[BOOLEANS]++; break;
        case json::value_t::null: stats[NILS]++; break;
        default: stats[NUMBERS]++; break;
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

    template <class Bytes> void add(const Bytes &bytes) { sums[BYTES] += sum_of_bytes(bytes.data(), bytes.size()); }

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
            sums[INTEGERS] += static_cast<uint64_t>(*value.get_ptr<const json::number_integer_t *>());
            break;
        case json::value_t::number_unsigned: sums[INTEGERS] += *value.get_ptr<const json::number_unsigned_t *>(); break;
        case json::value_t::number_float: sums[FLOAT_BITS] += bits_of(*value.get_ptr<const json::number_float_t *>()); break;
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
