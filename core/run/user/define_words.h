#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/run/variant.h"

namespace ks {

// A definition may have words as values: PRODUCT avx2. The program has numbers instead, from 0, in the order
// in which DefineSpec::allowed lists the words; "auto" has none, since a launch replaces it. A number is
// taken wherever a word is.

/// The value as the program has it: "1" for "avx2". Others are returned unchanged.
std::string value_in_program(const DefineSpec& define, const std::string& value);
/// The value as it is shown: "avx2" for "1". Others are returned unchanged.
std::string value_in_words(const DefineSpec& define, const std::string& value);
/// Given values by the names of the variant, with the words for numbers.
std::map<std::string, std::string> values_in_words(const std::vector<DefineSpec>& of_variant,
                                                   std::map<std::string, std::string> values);

}  // namespace ks
