#pragma once

#include "core/run/analysis.h"
#include "core/run/request.h"

namespace ks::ui {

/// True where both requests ask for the same numbers: analysis, inputs and parameters, whatever the variant
/// and device.
inline bool sameInputs(const Request& a, const Request& b) {
    return a.analysis == b.analysis && a.inputs == b.inputs && a.parameters == b.parameters;
}

/// The same, but for a map or a record that one of them brings besides: that is no other work.
inline bool sameWork(const Request& a, const Request& b, const AnalysisInfo& info) {
    const auto asked = [&info](ParameterSet parameters) {
        for (const ParameterSpec& spec : info.parameters)
            if (spec.adds_results) parameters.erase(spec.id);
        return parameters;
    };
    return a.analysis == b.analysis && asked(a.parameters) == asked(b.parameters) && a.inputs == b.inputs;
}

}  // namespace ks::ui
