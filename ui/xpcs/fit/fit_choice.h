#pragma once

#include <QString>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/fit/g2_models.h"
#include "core/run/parameter_spec.h"
#include "ui/base/history.h"

namespace ks::ui::xpcs {

/// What the user decided about one parameter of a model; nothing: as the model has it.
struct ParameterChoice {
    std::optional<double> value;  ///< start value, or the value that is kept
    bool fixed = false;           ///< only with a value
    std::optional<double> lower, upper;
    /// Unit of the delays for which the numbers were chosen, "s" or "frames", if the parameter depends on it.
    /// Empty: it does not, or the choice is of an earlier version: as FitChoice::unit.
    std::string unit = {};
    bool operator==(const ParameterChoice&) const = default;
};

/// A point of the curves that is not fitted.
struct LeftOutPoint {
    double x = 0;            ///< delay
    std::optional<int> bin;  ///< label; nothing: of all bins
    std::string data = {};   ///< dataOfCurves() of its run; empty, from an earlier version: of any
    std::string unit = {};   ///< of x; empty, from an earlier version: as FitChoice::unit
    bool operator==(const LeftOutPoint&) const = default;
};

/// What is fitted to the curves of g2.
struct FitChoice {
    /// A name of fit::g2_models(), or one of these words.
    static constexpr const char *none = "none", *ownFormula = "formula";

    std::string model = none;
    std::string formula;                                ///< for ownFormula
    std::map<std::string, ParameterChoice> parameters;  ///< by name, whichever model has them
    /// Unit of the limits below, "s" or "frames"; curves with another unit are fitted as if there were none.
    std::string unit;
    std::optional<double> from, to;  ///< delays that are fitted, both included
    std::vector<LeftOutPoint> leftOut;
    bool withRuns = false;  ///< the next run fits, too, so that its errors come from the pixels
    bool operator==(const FitChoice&) const = default;

    bool any() const { return model != none; }
    /// What was chosen for a parameter of a model; nothing if it was chosen for delays in another unit.
    /// @param ofUnit of the delays, "s" or "frames"
    ParameterChoice chosenFor(const fit::Model& model, std::size_t index, const std::string& ofUnit) const;
    /// Names of the parameters of a model that were chosen for delays in another unit.
    std::vector<std::string> ofOtherUnit(const fit::Model& model, const std::string& ofUnit) const;
    /// The parameters fit, fit_start and fit_fixed of a run with this model. @param ofUnit of its delays
    ParameterSet ofRun(const std::string& ofUnit) const;
    /// Takes what ofRun() has of a run. @param ofUnit of its delays
    void take(const ParameterSet& ofRun, const std::string& ofUnit);
    /// The chosen model, with values and bounds. Throws ks::Error(input) where the choice is wrong, with the
    /// name of a parameter as Error::where() if its values are. Requires any(). @param ofUnit of the delays
    fit::Model made(const std::string& ofUnit) const;
    /// Whether a point of the curve of a bin of these data is not fitted. @param ofUnit of x
    bool leavesOut(double x, int bin, const std::string& data, const std::string& ofUnit) const;
    /// Whether the point is one of the curves of these data. @param ofUnit of their delays
    bool isOf(const LeftOutPoint& point, const std::string& data, const std::string& ofUnit) const;
    /// The unit of limits that are chosen from now on; what had none keeps that of before.
    void setUnit(const std::string& now);
    /// Leaves the point out, or takes it back.
    void toggle(const LeftOutPoint& point);
};

/// Names a change by the user, for the history: "minimum of beta".
Undoable<FitChoice>::Name fitChange(const FitChoice& before, const FitChoice& now);

nlohmann::json toJson(const FitChoice& choice);
/// Nothing in it is trusted.
FitChoice fitChoiceFrom(const nlohmann::json& kept);

}  // namespace ks::ui::xpcs
