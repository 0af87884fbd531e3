/* What a C++ programmer would write with `jsoncons::json`; the control for the way through Rust. */
#include "../native_cxx.h"

#include <jsoncons/json.hpp>
#include <jsoncons_ext/msgpack/msgpack.hpp>

#include <stdexcept>
#include <string>

using jsoncons::json;
using jsoncons::json_type;
namespace msgpack = jsoncons::msgpack;

struct Counts {
    uint64_t maps, arrays, strings, binaries, extensions, numbers, booleans, nils;

    void visit(const json &value) {
        switch (value.type()) {
        case json_type::null: nils++; break;
        case json_type::boolean: booleans++; break;
        case json_type::string: strings++; break;
        case json_type::byte_string: ++(value.tag() == jsoncons::semantic_tag::ext ? extensions : binaries); break;
        case json_type::array:
            arrays++;
            for (const auto &item : value.array_range())
                visit(item);
            break;
        case json_type::object:
            maps++;
            for (const auto &member : value.object_range()) {
                strings++;
                visit(member.value());
            }
            break;
        default: numbers++;
        }
    }
};

struct Sums {
    uint64_t integers, float_bits, bytes;

    template <class Bytes> void add(const Bytes &all) {
        for (uint8_t byte : all)
            bytes += byte;
    }

    void visit(const json &value) {
        switch (value.type()) {
        case json_type::uint64: integers += value.as<uint64_t>(); break;
        case json_type::int64: integers += uint64_t(value.as<int64_t>()); break;
        case json_type::float64: {
            double number = value.as_double();
            uint64_t bits;
            memcpy(&bits, &number, sizeof bits);
            float_bits += bits;
            break;
        }
        case json_type::string: add(value.as_string_view()); break;
        case json_type::byte_string: add(value.as_byte_string_view()); break;
        case json_type::array:
            for (const auto &item : value.array_range())
                visit(item);
            break;
        case json_type::object:
            for (const auto &member : value.object_range()) {
                add(member.key());
                visit(member.value());
            }
            break;
        default: break;
        }
    }
};

struct Dom {
    static constexpr const char *variant = "dom";

    static json parse(const char *input, size_t length) {
        jsoncons::json_decoder<json> decoder;
        msgpack::msgpack_bytes_reader reader(std::string_view(input, length), decoder);
        reader.read();
        if (reader.column() != length)
            throw std::runtime_error("bytes after the end of the message");
        return decoder.get_result();
    }

    static std::string serialize(const json &document) {
        std::string output;
        msgpack::encode_msgpack(document, output);
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
