/* The library's calls behind the bridge. */
#pragma once

#include "rust/cxx.h"
#include <memory>
#include <msgpack.hpp>

namespace codec_msgpack_cxx {

/* A tree and the zone in which it lies; the handle that the library returns is the same, with the zone in an allocation of its own. */
struct Document {
    msgpack::zone zone;
    msgpack::object root;
};

using Buffer = msgpack::sbuffer;
struct Bytes;
struct Stats;
struct Sums;

rust::String version();

/* Each throws what the library throws, and at bytes after the end of the message. */
std::unique_ptr<Document> parse(rust::Slice<const uint8_t> input);
std::unique_ptr<Document> parse_borrowing(rust::Slice<const uint8_t> input);
void parse_again(Document &document, rust::Slice<const uint8_t> input);

/* What a fresh buffer releases at the end; `free_bytes` frees it. */
Bytes serialize(const Document &document);
void free_bytes(uint8_t *data);

std::unique_ptr<Buffer> make_buffer();
void serialize_into(const Document &document, Buffer &buffer);
rust::Slice<const uint8_t> buffer_bytes(const Buffer &buffer);

Stats stats(const Document &document);
Sums sums(const Document &document);

} // namespace codec_msgpack_cxx
