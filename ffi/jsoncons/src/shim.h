/* The library's calls behind the bridge. */
#pragma once

#include "rust/cxx.h"
#include "walk.h"
#include <array>
#include <jsoncons/json.hpp>
#include <memory>
#include <string>

namespace codec_jsoncons {

using Document = jsoncons::json;
using Stats = std::array<uint64_t, STATS>;
using Sums = std::array<uint64_t, SUMS>;

rust::String version();

/* Throw what the library throws; `used` is how many bytes the message had. */
Document parse(rust::Slice<const uint8_t> input, size_t &used);
std::unique_ptr<std::string> serialize(const Document &document);

/* Both recurse, 1,024 levels at most: the library parses no more. */
Stats stats(const Document &document);
Sums sums(const Document &document);

void destroy(Document *document) noexcept;

} // namespace codec_jsoncons

/* Rust moves values byte by byte: this one is a tag beside a number, a short text or a pointer to what it owns, and holds no address of itself. */
template <> struct rust::IsRelocatable<jsoncons::json> : std::true_type {};
static_assert(sizeof(jsoncons::json) == 16 && alignof(jsoncons::json) == 8);
