/* The library's calls behind the bridge. */
#pragma once

#include "rust/cxx.h"
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace codec_nlohmann_json {

using Document = nlohmann::json;
struct Stats;
struct Sums;

rust::String version();

/* Throw what the library throws. */
std::unique_ptr<Document> parse(rust::Slice<const uint8_t> input);
std::unique_ptr<std::string> serialize(const Document &document);

/* Both recurse: each level takes less of the stack than the library took to parse it. */
Stats stats(const Document &document);
Sums sums(const Document &document);

} // namespace codec_nlohmann_json
