/* The library's calls behind the bridge. */
#pragma once

#include "rust/cxx.h"
#include "walk.h"
#include <array>
#include <memory>
#include <string>
#include <tao/json/value.hpp>

namespace codec_taocpp_json {

using Document = tao::json::value;
using Stats = std::array<uint64_t, STATS>;
using Sums = std::array<uint64_t, SUMS>;

rust::String pegtl_version();

/* Throw what the library throws. */
std::unique_ptr<Document> parse(rust::Slice<const uint8_t> input);
std::unique_ptr<std::string> serialize(const Document &document);

/* Both recurse: each level takes less of the stack than the library took to parse it. */
Stats stats(const Document &document);
Sums sums(const Document &document);

} // namespace codec_taocpp_json
