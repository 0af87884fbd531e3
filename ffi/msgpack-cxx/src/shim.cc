/* The library's calls, and the walks as a user of the library would write them. */
#include "shim.h"

#include "codec-msgpack-cxx/src/ffi.rs.h"
#include <stdexcept>
#include <string>
#include <vector>

namespace codec_msgpack_cxx {

using msgpack::object;
namespace type = msgpack::type;

rust::String version() { return MSGPACK_VERSION; }

/* Says of every string, binary and extension that it may stay where it is. */
static bool refer(type::object_type, std::size_t, void *) { return true; }

static void unpack(Document &document, rust::Slice<const uint8_t> input, bool refers) {
    std::size_t used = 0;
    const char *data = reinterpret_cast<const char *>(input.data());
    document.root = msgpack::unpack(document.zone, data, input.size(), used, refers ? refer : nullptr);
    if (used != input.size())
        throw std::runtime_error(std::to_string(input.size() - used) + " bytes after the end of the message");
}

Document parse(rust::Slice<const uint8_t> input, bool refers) {
    Document document;
    unpack(document, input, refers);
    return document;
}

void parse_into(Document &document, rust::Slice<const uint8_t> input, bool refers) {
    document.zone.clear();
    unpack(document, input, refers);
}

void destroy(Document *document) noexcept { document->~Document(); }

Buffer serialize(const Document &document) {
    Buffer buffer;
    msgpack::pack(buffer, document.root);
    return buffer;
}

void serialize_into(const Document &document, Buffer &buffer) {
    buffer.clear();
    msgpack::pack(buffer, document.root);
}

rust::Slice<const uint8_t> buffer_bytes(const Buffer &buffer) noexcept {
    return {reinterpret_cast<const uint8_t *>(buffer.data()), buffer.size()};
}

void destroy_buffer(Buffer *buffer) noexcept { buffer->~Buffer(); }

static void add(Stats &stats, const object &node) {
    switch (node.type) {
    case type::NIL: stats[NILS]++; break;
    case type::BOOLEAN: stats[BOOLEANS]++; break;
    case type::STR: stats[STRINGS]++; break;
    case type::BIN: stats[BINARIES]++; break;
    case type::EXT: stats[EXTENSIONS]++; break;
    case type::ARRAY: stats[ARRAYS]++; break;
    case type::MAP: stats[MAPS]++; break;
    default: stats[NUMBERS]++; break;
    }
}

static void add(Sums &sums, const object &node) {
    switch (node.type) {
    case type::POSITIVE_INTEGER: sums[INTEGERS] += node.via.u64; break;
    case type::NEGATIVE_INTEGER: sums[INTEGERS] += static_cast<uint64_t>(node.via.i64); break;
    case type::FLOAT32:
    case type::FLOAT64: sums[FLOAT_BITS] += bits_of(node.via.f64); break;
    case type::STR: sums[BYTES] += sum_of_bytes(node.via.str.ptr, node.via.str.size); break;
    case type::BIN: sums[BYTES] += sum_of_bytes(node.via.bin.ptr, node.via.bin.size); break;
    case type::EXT: sums[BYTES] += sum_of_bytes(node.via.ext.data(), node.via.ext.size); break;
    default: break;
    }
}

/* The library unpacks any depth, and so beyond some levels a walk puts off what is inside, and begins there once it has come back. */
template <class Total> struct Walk {
    Total total{};
    unsigned room = 512;
    std::vector<const object *> later;
};

/* Kept from being unfolded into itself: gcc would do so here, but not in every program of a user. */
template <class Total> [[gnu::noinline]] static void visit(Walk<Total> &walk, const object &node) {
    add(walk.total, node);
    if (node.type != type::ARRAY && node.type != type::MAP)
        return;
    if (walk.room == 0) {
        walk.later.push_back(&node);
        return;
    }
    walk.room--;
    if (node.type == type::ARRAY) {
        for (const object &item : node.via.array)
            visit(walk, item);
    } else {
        for (const msgpack::object_kv &entry : node.via.map) {
            visit(walk, entry.key);
            visit(walk, entry.val);
        }
    }
    walk.room++;
}

template <class Total> static Total walk(const object &root) {
    Walk<Total> walk;
    visit(walk, root);
    while (!walk.later.empty()) {
        const object &node = *walk.later.back();
        walk.later.pop_back();
        if (node.type == type::ARRAY) {
            for (const object &item : node.via.array)
                visit(walk, item);
        } else {
            for (const msgpack::object_kv &entry : node.via.map) {
                visit(walk, entry.key);
                visit(walk, entry.val);
            }
        }
    }
    return walk.total;
}

Stats stats(const Document &document) { return walk<Stats>(document.root); }

Sums sums(const Document &document) { return walk<Sums>(document.root); }

} // namespace codec_msgpack_cxx
