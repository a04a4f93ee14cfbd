#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "core/input/frame_mask.h"
#include "core/run/analysis.h"
#include "core/run/request.h"
#include "core/run/run.h"

namespace ks::ui {

/// True where both requests ask for the same numbers: analysis, inputs and parameters, whatever the variant
/// and device.
inline bool sameInputs(const Request& a, const Request& b) {
    return a.analysis == b.analysis && a.inputs == b.inputs && a.parameters == b.parameters;
}

/// The same, apart from a map or a record that only one of them has as an additional result.
inline bool sameWork(const Request& a, const Request& b, const AnalysisInfo& info) {
    const auto asked = [&info](ParameterSet parameters) {
        for (const ParameterSpec& spec : info.parameters)
            if (spec.adds_results) parameters.erase(spec.id);
        return parameters;
    };
    return a.analysis == b.analysis && asked(a.parameters) == asked(b.parameters) && a.inputs == b.inputs;
}

/// Both requests name the same input of this role, or none.
inline bool sameInput(const Request& a, const Request& b, const std::string& role) {
    const auto one = a.inputs.find(role), other = b.inputs.find(role);
    const bool inOne = one != a.inputs.end(), inOther = other != b.inputs.end();
    return inOne && inOther ? one->second == other->second : inOne == inOther;
}

/// Whether both runs used the same input of this role, or none. Of a mask the pixels count, which may also
/// come from the file of the frames, not the way in which it was given: if only one of them was drawn, their
/// number.
inline bool sameInput(const Run& a, const Run& b, const std::string& role) {
    const bool equal = sameInput(a.request, b.request, role);
    if (role != io::mask_input().role) return equal;
    const auto drawn = [&role](const Run& run) {
        const auto found = run.request.inputs.find(role);
        return found != run.request.inputs.end() && found->second.values;
    };
    const auto masked = [](const Run& run) {
        const auto found = run.result.facts.find("masked_pixels");
        return found == run.result.facts.end() ? nlohmann::json() : *found;
    };
    return masked(a) == masked(b) && (equal || !drawn(a) || !drawn(b));
}

/// Whether both results have the same label of each pixel, whatever the files that the runs read.
inline bool sameLabels(const Run& a, const Run& b) {
    const Dataset *const one = a.result.find("labels"), *const other = b.result.find("labels");
    if (!one || !other || one->values.type() != ElementType::i32 ||
        other->values.type() != ElementType::i32 || one->values.shape() != other->values.shape())
        return false;
    return std::ranges::equal(one->values.as<std::int32_t>(), other->values.as<std::int32_t>());
}

/// Whether the labels of both results show that the runs used the same input of this role, although its name
/// or its file is another one: they are the bins, and no pixel in them was masked for one run alone.
inline bool sameByLabels(const Run& a, const Run& b, const std::string& role) {
    const bool isMask = role == io::mask_input().role;
    return (role == "partition" || (isMask && sameInput(a, b, role))) && sameLabels(a, b);
}

}  // namespace ks::ui
