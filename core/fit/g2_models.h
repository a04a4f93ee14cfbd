#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/fit/least_squares.h"

namespace ks::fit {

/// The parameter that is taken as 1 / tau where it is a rate. In a formula of the user it may be something
/// else, such as a time.
inline constexpr const char* rate_name = "gamma";

/// A model of g2(t).
struct Model {
    std::string name;     ///< "single"; for a formula of the user: "formula"
    std::string formula;  ///< for people, or as the user wrote it
    std::vector<Parameter> parameters;
    /// [parameter]: the unit is this power of that of t; 0: no unit, or one that a formula of the user does
    /// not determine
    std::vector<int> powers_of_time;
    Function function;
    /// Start values from the data; absent: Parameter::start.
    std::function<std::vector<std::vector<double>>(const Points&)> starts = {};
    std::optional<double> enough = {};                    ///< see Task::enough
    std::function<void(std::span<double>)> ordered = {};  ///< see Task::ordered
    std::string rate = {};                                ///< the parameter that is 1 / tau; empty: none
};

/// The built-in models: single, stretched, double, cumulant.
const std::vector<Model>& g2_models();

/// A built-in model by its name, or the model of a formula (core/fit/formula.h). Throws ks::Error(input).
Model g2_model(const std::string& name_or_formula);

}  // namespace ks::fit
