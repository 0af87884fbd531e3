/* The library's calls behind the bridge. */
#pragma once

#include "rust/cxx.h"
#include "walk.h"
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace codec_nlohmann_json {

using Document = nlohmann::json;
using Stats = std::array<uint64_t, STATS>;
using Sums = std::array<uint64_t, SUMS>;

rust::String version();

/* Throw what the library throws. */
Document parse(rust::Slice<const uint8_t> input);
std::unique_ptr<std::string> serialize(const Document &document);

/* Both recurse: each level takes less of the stack than the library took to parse it. */
Stats stats(const Document &document);
Sums sums(const Document &document);

void destroy(Document *document) noexcept;

} // namespace codec_nlohmann_json

/* Rust moves values byte by byte: this one is a tag beside a number or a pointer to what it owns, and holds no address of itself. */
template <> struct rust::IsRelocatable<nlohmann::json> : std::true_type {};
static_assert(sizeof(nlohmann::json) == 16 && alignof(nlohmann::json) == 8);
