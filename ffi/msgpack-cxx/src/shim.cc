/* The library's calls, and the walks as a user of the library would write them. */
#include "shim.h"

#include "codec-msgpack-cxx/src/ffi.rs.h"
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace codec_msgpack_cxx {

rust::String version() { return MSGPACK_VERSION; }

/* Says of every string, binary and extension that it may stay where it is. */
static bool refer(msgpack::type::object_type, std::size_t, void *) { return true; }

static void unpack(Document &document, rust::Slice<const uint8_t> input, msgpack::unpack_reference_func reference) {
    std::size_t used = 0;
    document.root = msgpack::unpack(document.zone, reinterpret_cast<const char *>(input.data()), input.size(), used, reference);
    if (used != input.size())
        throw std::runtime_error(std::to_string(input.size() - used) + " bytes after the end of the message");
}

std::unique_ptr<Document> parse(rust::Slice<const uint8_t> input) {
    auto document = std::make_unique<Document>();
    unpack(*document, input, nullptr);
    return document;
}

std::unique_ptr<Document> parse_borrowing(rust::Slice<const uint8_t> input) {
    auto document = std::make_unique<Document>();
    unpack(*document, input, refer);
    return document;
}

void parse_again(Document &document, rust::Slice<const uint8_t> input) {
    document.zone.clear();
    unpack(document, input, nullptr);
}

Bytes serialize(const Document &document) {
    Buffer buffer;
    msgpack::pack(buffer, document.root);
    std::size_t size = buffer.size();
    return {reinterpret_cast<uint8_t *>(buffer.release()), size};
}

void free_bytes(uint8_t *data) { std::free(data); }

std::unique_ptr<Buffer> make_buffer() { return std::make_unique<Buffer>(); }

void serialize_into(const Document &document, Buffer &buffer) {
    buffer.clear();
    msgpack::pack(buffer, document.root);
}

rust::Slice<const uint8_t> buffer_bytes(const Buffer &buffer) {
    return {reinterpret_cast<const uint8_t *>(buffer.data()), buffer.size()};
}

/* A recursive walk. The library unpacks any depth, and so beyond some levels the walk puts off what is inside, and begins there once it has come back. */
template <class Visitor> class Walk {
    static constexpr unsigned LEVELS = 512;
    unsigned level = 0;
    std::vector<const msgpack::object *> later;

    void visit(const msgpack::object &node) { static_cast<Visitor *>(this)->visit(node); }

protected:
    void children(const msgpack::object &node) {
        if (level == LEVELS) {
            later.push_back(&node);
            return;
        }
        level++;
        if (node.type == msgpack::type::ARRAY) {
            for (const auto &item : node.via.array)
                visit(item);
        } else {
            for (const auto &entry : node.via.map) {
                visit(entry.key);
                visit(entry.val);
            }
        }
        level--;
    }

public:
    void all(const msgpack::object &root) {
        visit(root);
        while (!later.empty()) {
            const msgpack::object *node = later.back();
            later.pop_back();
            children(*node);
        }
    }
};

struct Count : Walk<Count> {
    Stats stats{};

    void visit(const msgpack::object &node) {
        switch (node.type) {
        case msgpack::type::NIL: stats.nils++; break;
        case msgpack::type::BOOLEAN: stats.booleans++; break;
        case msgpack::type::STR: stats.strings++; break;
        case msgpack::type::BIN: stats.binaries++; break;
        case msgpack::type::EXT: stats.extensions++; break;
        case msgpack::type::ARRAY: stats.arrays++, children(node); break;
        case msgpack::type::MAP: stats.maps++, children(node); break;
        default: stats.numbers++; break;
        }
    }
};

struct Add : Walk<Add> {
    Sums sums{};

    void visit(const msgpack::object &node) {
        switch (node.type) {
        case msgpack::type::POSITIVE_INTEGER: sums.integers += node.via.u64; break;
        case msgpack::type::NEGATIVE_INTEGER: sums.integers += static_cast<uint64_t>(node.via.i64); break;
        case msgpack::type::FLOAT32:
        case msgpack::type::FLOAT64: {
            uint64_t bits;
            std::memcpy(&bits, &node.via.f64, sizeof bits);
            sums.float_bits += bits;
            break;
        }
        case msgpack::type::STR: add(node.via.str.ptr, node.via.str.size); break;
        case msgpack::type::BIN: add(node.via.bin.ptr, node.via.bin.size); break;
        case msgpack::type::EXT: add(node.via.ext.data(), node.via.ext.size); break;
        case msgpack::type::ARRAY:
        case msgpack::type::MAP: children(node); break;
        default: break;
        }
    }

    void add(const char *bytes, std::size_t size) {
        for (std::size_t i = 0; i < size; i++)
            sums.bytes += static_cast<uint8_t>(bytes[i]);
    }
};

Stats stats(const Document &document) {
    Count count;
    count.all(document.root);
    return count.stats;
}

Sums sums(const Document &document) {
    Add add;
    add.all(document.root);
    return add.sums;
}

} // namespace codec_msgpack_cxx
