/* The library's calls behind the bridge. */
#pragma once

#include "rust/cxx.h"
#include "walk.h"
#include <array>
#include <memory>
#include <msgpack.hpp>

namespace codec_msgpack_cxx {

/* A tree and the zone in which it lies; the handle that the library returns is the same, with the zone in an allocation of its own. */
struct Document {
    msgpack::zone zone;
    msgpack::object root;
};

using Buffer = msgpack::sbuffer;
using Stats = std::array<uint64_t, STATS>;
using Sums = std::array<uint64_t, SUMS>;

rust::String version();

/* Into a fresh zone, and into one that is cleared first; throws what the library throws, and at bytes after the end of the message. */
Document parse(rust::Slice<const uint8_t> input, bool refers);
void parse_into(Document &document, rust::Slice<const uint8_t> input, bool refers);
void destroy(Document *document) noexcept;

/* Into a fresh buffer, and into one that is cleared first. */
Buffer serialize(const Document &document);
void serialize_into(const Document &document, Buffer &buffer);
rust::Slice<const uint8_t> buffer_bytes(const Buffer &buffer) noexcept;
void destroy_buffer(Buffer *buffer) noexcept;

Stats stats(const Document &document);
Sums sums(const Document &document);

} // namespace codec_msgpack_cxx

/* Rust moves values byte by byte: these are sizes and pointers to what they own or lies in it, and hold no address of themselves. */
template <> struct rust::IsRelocatable<codec_msgpack_cxx::Document> : std::true_type {};
static_assert(sizeof(codec_msgpack_cxx::Document) == 80 && alignof(codec_msgpack_cxx::Document) == 8);
template <> struct rust::IsRelocatable<msgpack::sbuffer> : std::true_type {};
static_assert(sizeof(msgpack::sbuffer) == 24 && alignof(msgpack::sbuffer) == 8);
