#include "ui/xpcs/fit/fit_choice.h"

#include <fmt/format.h>

#include <QObject>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/xpcs/g2_fit.h"
#include "ui/base/json_read.h"

namespace ks::ui::xpcs {
namespace {

using nlohmann::json;

constexpr double sameDelay = 1e-6;  ///< relative difference that is rounding
constexpr std::size_t mostPoints = 100'000, mostParameters = 1000;

bool isSame(double a, double b) {
    return std::abs(a - b) <= sameDelay * std::max(std::abs(a), std::abs(b));
}

std::optional<double> numberIn(const json& object, const char* key) {
    const auto at = object.is_object() ? object.find(key) : object.end();
    if (at == object.end() || !at->is_number()) return std::nullopt;
    const double value = at->get<double>();
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// "s" or "frames"; empty: neither.
std::string unitIn(const json& object) {
    const std::string unit = jsonText(object, "unit").toStdString();
    return unit == "s" || unit == "frames" ? unit : std::string();
}

void put(json& into, const char* key, const std::optional<double>& value) {
    if (value) into[key] = *value;
}

}  // namespace

ParameterChoice FitChoice::chosenFor(const fit::Model& model, std::size_t index,
                                     const std::string& ofUnit) const {
    const auto chosen = parameters.find(model.parameters.at(index).name);
    if (chosen == parameters.end()) return {};
    const std::string& own = chosen->second.unit.empty() ? unit : chosen->second.unit;
    const bool depends = model.powers_of_time.at(index) != 0;
    return depends && !own.empty() && own != ofUnit ? ParameterChoice() : chosen->second;
}

std::vector<std::string> FitChoice::ofOtherUnit(const fit::Model& model, const std::string& ofUnit) const {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < model.parameters.size(); ++k) {
        const auto chosen = parameters.find(model.parameters[k].name);
        if (chosen != parameters.end() && chosenFor(model, k, ofUnit) != chosen->second)
            names.push_back(model.parameters[k].name);
    }
    return names;
}

ParameterSet FitChoice::ofRun(const std::string& ofUnit) const {
    ParameterSet set{
        {"fit", std::string("none")}, {"fit_start", std::string("none")}, {"fit_fixed", std::string("none")}};
    if (!any()) return set;
    set["fit"] = model == ownFormula ? formula : model;
    const fit::Model plain = fit::g2_model(text(set, "fit"));
    std::string start, fixed;
    for (std::size_t k = 0; k < plain.parameters.size(); ++k) {
        const ParameterChoice chosen = chosenFor(plain, k, ofUnit);
        if (!chosen.value) continue;
        std::string& list = chosen.fixed ? fixed : start;
        list += fmt::format("{}{}={}", list.empty() ? "" : ",", plain.parameters[k].name, *chosen.value);
    }
    if (!start.empty()) set["fit_start"] = start;
    if (!fixed.empty()) set["fit_fixed"] = fixed;
    return set;
}

void FitChoice::take(const ParameterSet& given, const std::string& ofUnit) {
    const auto found = given.find("fit");
    if (found == given.end()) return;
    withRuns = text(given, "fit") != none;
    if (!withRuns) return;
    fit::Model of;
    try {
        of = *ks::xpcs::fit_model(given);
    } catch (const Error&) {
        return;
    }
    model = of.name;
    if (model == ownFormula) formula = of.formula;
    parameters.clear();
    const auto has = [&given](const char* id, const std::string& name) {
        const auto list = given.find(id);
        return list != given.end() && ("," + text(given, id)).find("," + name + "=") != std::string::npos;
    };
    for (std::size_t k = 0; k < of.parameters.size(); ++k) {
        const fit::Parameter& one = of.parameters[k];
        if (one.fixed || has("fit_start", one.name))
            parameters[one.name] = {.value = one.start,
                                    .fixed = one.fixed,
                                    .lower = {},
                                    .upper = {},
                                    .unit = of.powers_of_time[k] != 0 ? ofUnit : std::string()};
    }
}

fit::Model FitChoice::made(const std::string& ofUnit) const {
    // The bounds that the user gave take the place of those of the model, so values are checked below.
    fit::Model made = *ks::xpcs::fit_model({{"fit", ofRun(ofUnit).at("fit")}});
    std::map<std::string, double> starts;
    bool anyFixed = false;
    for (std::size_t k = 0; k < made.parameters.size(); ++k) {
        fit::Parameter& one = made.parameters[k];
        const ParameterChoice choice = chosenFor(made, k, ofUnit);
        if (choice.lower) one.lower = choice.lower;
        if (choice.upper) one.upper = choice.upper;
        if (one.lower && one.upper && !(*one.lower < *one.upper))
            throw Error(ErrorKind::input,
                        fmt::format("the minimum of {}, {}, is not below its maximum, {}", one.name,
                                    *one.lower, *one.upper),
                        one.name);
        if (!choice.value) continue;
        if ((one.lower && *choice.value < *one.lower) || (one.upper && *choice.value > *one.upper))
            throw Error(ErrorKind::input,
                        fmt::format("the value of {}, {}, is not within its bounds", one.name, *choice.value),
                        one.name);
        one.start = *choice.value;
        one.fixed = choice.fixed;
        anyFixed = anyFixed || choice.fixed;
        starts[one.name] = *choice.value;
    }
    if (anyFixed) made.ordered = nullptr;  // equivalent values may not have the fixed ones
    if (made.starts)
        made.starts = [estimated = made.starts, starts, of = made.parameters](const fit::Points& points) {
            auto all = estimated(points);
            for (std::vector<double>& one : all)
                for (std::size_t k = 0; k < of.size(); ++k) {
                    if (const auto given = starts.find(of[k].name); given != starts.end())
                        one[k] = given->second;
                    if (of[k].lower) one[k] = std::max(one[k], *of[k].lower);
                    if (of[k].upper) one[k] = std::min(one[k], *of[k].upper);
                }
            return all;
        };
    return made;
}

bool FitChoice::isOf(const LeftOutPoint& point, const std::string& data, const std::string& ofUnit) const {
    return (point.data.empty() || point.data == data) && (point.unit.empty() ? unit : point.unit) == ofUnit;
}

bool FitChoice::leavesOut(double x, int bin, const std::string& data, const std::string& ofUnit) const {
    if (ofUnit == unit && ((from && x < *from && !isSame(x, *from)) || (to && x > *to && !isSame(x, *to))))
        return true;
    return std::ranges::any_of(leftOut, [&](const LeftOutPoint& one) {
        return isOf(one, data, ofUnit) && isSame(one.x, x) && (!one.bin || *one.bin == bin);
    });
}

void FitChoice::setUnit(const std::string& now) {
    // Parameters of an earlier version: which of them depend on the unit, their model knows.
    for (auto& [name, one] : parameters)
        if (one.unit.empty()) one.unit = unit;
    unit = now;
}

void FitChoice::toggle(const LeftOutPoint& point) {
    const auto same = [this, &point](const LeftOutPoint& one) {
        return isSame(one.x, point.x) && one.bin == point.bin &&
               (point.data.empty() ? one.data.empty() : isOf(one, point.data, point.unit));
    };
    if (std::erase_if(leftOut, same) == 0) leftOut.push_back(point);
}

namespace {

/// The change of one parameter.
Undoable<FitChoice>::Name changeOfParameter(const std::string& name, const ParameterChoice& before,
                                            const ParameterChoice& now) {
    const QString of = QString::fromStdString(name);
    const auto change = [&of](const QString& text, const char* what) {
        return Undoable<FitChoice>::Name{text.arg(of), QLatin1String(what) + of};
    };
    // A value that is emptied is not fixed any more.
    if (before.value != now.value || (before.unit != now.unit && now.value))
        return change(QObject::tr("value of %1 in the fit"), "value of ");
    if (before.lower != now.lower) return change(QObject::tr("minimum of %1 in the fit"), "minimum of ");
    if (before.upper != now.upper) return change(QObject::tr("maximum of %1 in the fit"), "maximum of ");
    return {(now.fixed ? QObject::tr("fixing of %1") : QObject::tr("unfixing of %1")).arg(of)};
}

/// The change of the points that are left out.
QString changeOfPoints(const std::vector<LeftOutPoint>& before, const std::vector<LeftOutPoint>& now) {
    const auto added = [](const std::vector<LeftOutPoint>& to, const std::vector<LeftOutPoint>& from) {
        std::vector<LeftOutPoint> all;
        std::ranges::copy_if(to, std::back_inserter(all), [&from](const LeftOutPoint& one) {
            return std::ranges::find(from, one) == from.end();
        });
        return all;
    };
    const std::vector<LeftOutPoint> out = added(now, before), back = added(before, now);
    if (out.size() + back.size() != 1) return QObject::tr("points of the fit");
    const LeftOutPoint& point = out.empty() ? back.front() : out.front();
    const QString text =
        out.empty() ? QObject::tr("inclusion of delay %1 in %2") : QObject::tr("exclusion of delay %1 in %2");
    return text.arg(point.x, 0, 'g', 4)
        .arg(point.bin ? QObject::tr("bin %1").arg(*point.bin) : QObject::tr("all bins"));
}

}  // namespace

Undoable<FitChoice>::Name fitChange(const FitChoice& before, const FitChoice& now) {
    if (before.model != now.model) return {QObject::tr("change of the fit model")};
    if (before.formula != now.formula) return {QObject::tr("formula of the fit"), QStringLiteral("formula")};
    const auto of = [](const FitChoice& choice, const std::string& name) {
        const auto found = choice.parameters.find(name);
        return found == choice.parameters.end() ? ParameterChoice() : found->second;
    };
    // That the unit becomes known is no change.
    const auto differ = [](ParameterChoice one, const ParameterChoice& other) {
        if (one.unit.empty() || other.unit.empty()) one.unit = other.unit;
        return one != other;
    };
    for (const FitChoice* one : {&before, &now})
        for (const auto& [name, choice] : one->parameters)
            if (differ(of(before, name), of(now, name)))
                return changeOfParameter(name, of(before, name), of(now, name));
    const bool points = before.leftOut != now.leftOut, from = before.from != now.from,
               to = before.to != now.to;
    if (points && !from && !to) return {changeOfPoints(before.leftOut, now.leftOut)};
    if (points || (from && to)) return {QObject::tr("delays of the fit")};
    if (from) return {QObject::tr("first delay of the fit"), QStringLiteral("from")};
    if (to) return {QObject::tr("last delay of the fit"), QStringLiteral("to")};
    return {QObject::tr("errors from the pixels")};
}

json toJson(const FitChoice& choice) {
    json kept{{"model", choice.model}, {"formula", choice.formula}, {"with_runs", choice.withRuns}};
    json& parameters = kept["parameters"] = json::object();
    for (const auto& [name, one] : choice.parameters) {
        if (one == ParameterChoice()) continue;
        json& of = parameters[name] = json::object();
        put(of, "value", one.value);
        put(of, "lower", one.lower);
        put(of, "upper", one.upper);
        if (one.fixed) of["fixed"] = true;
        if (!one.unit.empty()) of["unit"] = one.unit;
    }
    kept["unit"] = choice.unit;
    put(kept, "from", choice.from);
    put(kept, "to", choice.to);
    json& points = kept["left_out"] = json::array();
    for (const LeftOutPoint& one : choice.leftOut) {
        json point{{"delay", one.x}};
        if (one.bin) point["bin"] = *one.bin;
        if (!one.data.empty()) point["data"] = one.data;
        if (!one.unit.empty()) point["unit"] = one.unit;
        points.push_back(point);
    }
    return kept;
}

FitChoice fitChoiceFrom(const json& kept) {
    FitChoice choice;
    const std::string model = jsonText(kept, "model").toStdString();
    const bool known =
        model == FitChoice::ownFormula ||
        std::ranges::find(fit::g2_models(), model, &fit::Model::name) != fit::g2_models().end();
    if (known) choice.model = model;
    choice.formula = jsonText(kept, "formula").toStdString();
    choice.withRuns = jsonBoolean(kept, "with_runs");
    const json parameters = jsonPart(kept, "parameters");
    if (parameters.is_object() && parameters.size() < mostParameters)
        for (const auto& [name, of] : parameters.items()) {
            ParameterChoice one{numberIn(of, "value"), jsonBoolean(of, "fixed"), numberIn(of, "lower"),
                                numberIn(of, "upper"), unitIn(of)};
            one.fixed = one.fixed && one.value;
            if (one != ParameterChoice()) choice.parameters[name] = one;
        }
    choice.unit = unitIn(kept);
    choice.from = numberIn(kept, "from");
    choice.to = numberIn(kept, "to");
    const json points = jsonPart(kept, "left_out");
    if (points.is_array() && points.size() < mostPoints)
        for (const json& one : points) {
            const std::optional<double> x = numberIn(one, "delay");
            if (!x) continue;
            const int bin = jsonInteger(one, "bin");
            choice.leftOut.push_back({*x, bin > 0 ? std::optional(bin) : std::nullopt,
                                      jsonText(one, "data").toStdString(),
                                      jsonText(one, "unit").toStdString()});
        }
    return choice;
}

}  // namespace ks::ui::xpcs
