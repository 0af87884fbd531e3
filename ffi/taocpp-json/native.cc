/* What a C++ programmer would write with `tao::json::value`; the control for the way through Rust. */
#include "../native_cxx.h"

#include <string>
#include <string_view>
#include <tao/json.hpp>
#include <tao/json/msgpack.hpp>

using tao::json::value;

struct Counts {
    uint64_t maps, arrays, strings, binaries, extensions, numbers, booleans, nils;

    void visit(const value &node) {
        switch (node.type()) {
        case tao::json::type::NULL_: nils++; break;
        case tao::json::type::BOOLEAN: booleans++; break;
        case tao::json::type::STRING: strings++; break;
        case tao::json::type::BINARY: binaries++; break;
        case tao::json::type::ARRAY:
            arrays++;
            for (const auto &item : node.get_array())
                visit(item);
            break;
        case tao::json::type::OBJECT:
            maps++;
            for (const auto &[key, item] : node.get_object()) {
                strings++;
                visit(item);
            }
            break;
        case tao::json::type::SIGNED:
        case tao::json::type::UNSIGNED:
        case tao::json::type::DOUBLE: numbers++; break;
        default: throw std::runtime_error("a value that no parser makes");
        }
    }
};

struct Sums {
    uint64_t integers, float_bits, bytes;

    void text(std::string_view text) {
        for (unsigned char byte : text)
            bytes += byte;
    }

    void visit(const value &node) {
        switch (node.type()) {
        case tao::json::type::UNSIGNED: integers += node.get_unsigned(); break;
        case tao::json::type::SIGNED: integers += uint64_t(node.get_signed()); break;
        case tao::json::type::DOUBLE: {
            double number = node.get_double();
            uint64_t bits;
            memcpy(&bits, &number, sizeof bits);
            float_bits += bits;
            break;
        }
        case tao::json::type::STRING: text(node.get_string()); break;
        case tao::json::type::BINARY:
            for (std::byte byte : node.get_binary())
                bytes += uint64_t(byte);
            break;
        case tao::json::type::ARRAY:
            for (const auto &item : node.get_array())
                visit(item);
            break;
        case tao::json::type::OBJECT:
            for (const auto &[key, item] : node.get_object()) {
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

    static value parse(const char *input, size_t length) { return tao::json::msgpack::from_string(input, length); }

    static std::string serialize(const value &document) { return tao::json::msgpack::to_string(document); }

    static Counts stats(const value &document) {
        Counts counts{};
        counts.visit(document);
        return counts;
    }

    static Sums sums(const value &document) {
        Sums sums{};
        sums.visit(document);
        return sums;
    }
};

int main(int count, char **words) { return native::run<Dom>(count, words); }
