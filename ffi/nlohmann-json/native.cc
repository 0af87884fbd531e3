/* What a C++ programmer would write with `nlohmann::json`; the control for the way through Rust. */
#include "../native_cxx.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

using nlohmann::json;

struct Counts {
    uint64_t maps, arrays, strings, binaries, extensions, numbers, booleans, nils;

    void visit(const json &value) {
        switch (value.type()) {
        case json::value_t::null: nils++; break;
        case json::value_t::boolean: booleans++; break;
        case json::value_t::string: strings++; break;
        case json::value_t::binary: ++(value.get_binary().has_subtype() ? extensions : binaries); break;
        case json::value_t::array:
            arrays++;
            for (const auto &item : *value.get_ptr<const json::array_t *>())
                visit(item);
            break;
        case json::value_t::object:
            maps++;
            for (const auto &[key, item] : *value.get_ptr<const json::object_t *>()) {
                strings++;
                visit(item);
            }
            break;
        default: numbers++;
        }
    }
};

struct Sums {
    uint64_t integers, float_bits, bytes;

    void text(std::string_view text) {
        for (unsigned char byte : text)
            bytes += byte;
    }

    void visit(const json &value) {
        switch (value.type()) {
        case json::value_t::number_unsigned: integers += value.get<uint64_t>(); break;
        case json::value_t::number_integer: integers += uint64_t(value.get<int64_t>()); break;
        case json::value_t::number_float: {
            double number = value.get<double>();
            uint64_t bits;
            memcpy(&bits, &number, sizeof bits);
            float_bits += bits;
            break;
        }
        case json::value_t::string: text(value.get_ref<const std::string &>()); break;
        case json::value_t::binary:
            for (uint8_t byte : value.get_binary())
                bytes += byte;
            break;
        case json::value_t::array:
            for (const auto &item : *value.get_ptr<const json::array_t *>())
                visit(item);
            break;
        case json::value_t::object:
            for (const auto &[key, item] : *value.get_ptr<const json::object_t *>()) {
                text(key);
                visit(item);
            }
            break;
        default: break;
        }
    }
};

struct Dom {
    static constexpr const char *variant = "dom";

    static json parse(const char *input, size_t length) {
        const auto *bytes = reinterpret_cast<const uint8_t *>(input);
        return json::from_msgpack(bytes, bytes + length);
    }

    static std::string serialize(const json &document) {
        std::string output;
        json::to_msgpack(document, output);
        return output;
    }

    static Counts stats(const json &document) {
        Counts counts{};
        counts.visit(document);
        return counts;
    }

    static Sums sums(const json &document) {
        Sums sums{};
        sums.visit(document);
        return sums;
    }
};

int main(int count, char **words) { return native::run<Dom>(count, words); }
