// The form as parameters of a request and in the settings.

#include <QDoubleSpinBox>
#include <QSettings>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "core/base/json_text.h"
#include "ui/spots/threshold_form.h"

namespace ks::ui::spots {

using ks::spots::Algorithm;
using ks::spots::Grouping;
using ks::spots::Thresholds;

namespace {

const std::string dispersion = "dispersion", extended = "dispersion_extended";

std::string kernelText(const Thresholds& t) {
    return std::to_string(t.kernel_x) + "," + std::to_string(t.kernel_y);
}

/// "KX,KY" or "K"; what is no such text changes nothing.
void takeKernel(const std::string& text, Thresholds& t) {
    const QStringList parts = QString::fromStdString(text).split(QLatin1Char(','));
    bool goodX = false, goodY = false;
    const int x = parts.front().toInt(&goodX), y = parts.back().toInt(&goodY);
    const auto fits = [](int half) { return half >= 1 && half <= Thresholds::largest_kernel; };
    if (parts.size() > 2 || !goodX || !goodY || !fits(x) || !fits(y)) return;
    t.kernel_x = x;
    t.kernel_y = y;
}

void takeSize(const ParameterSet& set, const char* id, std::size_t& size) {
    if (set.contains(id)) size = static_cast<std::size_t>(std::max<std::int64_t>(integer(set, id), 1));
}

/// A whole number is a valid real.
void takeReal(const ParameterSet& set, const char* id, double& value) {
    if (!set.contains(id)) return;
    const ParameterValue& given = set.at(id);
    value = std::holds_alternative<std::int64_t>(given) ? static_cast<double>(std::get<std::int64_t>(given))
                                                        : real(set, id);
}

void takeOptional(const ParameterSet& set, const char* id, std::optional<double>& value) {
    if (!set.contains(id)) return;
    if (is_absent(set.at(id))) {
        value.reset();
    } else {
        takeReal(set, id, value.emplace());
    }
}

}  // namespace

QStringList ThresholdForm::parameters() {
    QStringList ids;
    for (const char* id :
         {"algorithm", "stills", "sigma_b", "sigma_s", "kernel", "min_local", "threshold", "gain", "min_size",
          "max_size", "max_separation", "d_min", "d_max", "ice_width", "saturation"})
        ids << QLatin1String(id);
    return ids;
}

void ThresholdForm::fill(ParameterSet& parameters) const {
    const Thresholds t = thresholds();
    parameters["algorithm"] = t.algorithm == Algorithm::dispersion_extended ? extended : dispersion;
    parameters["kernel"] = kernelText(t);
    parameters["sigma_b"] = t.sigma_b;
    parameters["sigma_s"] = t.sigma_s;
    parameters["min_local"] = std::int64_t{t.min_local};
    parameters["threshold"] = t.global_threshold;
    parameters["gain"] = t.gain;
    const Grouping g = grouping();
    parameters["stills"] = g.stills;
    parameters["min_size"] = static_cast<std::int64_t>(g.min_size);
    parameters["max_size"] = static_cast<std::int64_t>(g.max_size);
    parameters["max_separation"] = g.max_separation;
    parameters["d_min"] = value_of(g.d_min);
    parameters["d_max"] = value_of(g.d_max);
    parameters["ice_width"] = value_of(g.ice_width);
    parameters["saturation"] = value_of(saturation());
}

void ThresholdForm::apply(const ParameterSet& given) {
    Thresholds t = thresholds();
    Grouping g = shownGrouping();
    if (given.contains("algorithm"))
        t.algorithm =
            text(given, "algorithm") == extended ? Algorithm::dispersion_extended : Algorithm::dispersion;
    if (given.contains("kernel")) takeKernel(text(given, "kernel"), t);
    if (given.contains("min_local"))
        t.min_local = static_cast<int>(std::clamp<std::int64_t>(integer(given, "min_local"), 2, 961));
    takeReal(given, "sigma_b", t.sigma_b);
    takeReal(given, "sigma_s", t.sigma_s);
    takeReal(given, "threshold", t.global_threshold);
    takeReal(given, "gain", t.gain);
    if (given.contains("stills")) g.stills = boolean(given, "stills");
    takeSize(given, "min_size", g.min_size);
    takeSize(given, "max_size", g.max_size);
    takeReal(given, "max_separation", g.max_separation);
    takeOptional(given, "d_min", g.d_min);
    takeOptional(given, "d_max", g.d_max);
    takeOptional(given, "ice_width", g.ice_width);
    std::optional<double> limit = saturation();
    takeOptional(given, "saturation", limit);
    showValues(t, g);
    const QSignalBlocker quiet(saturation_);
    saturation_->setValue(limit.value_or(saturation_->minimum()));
    emit changed();
}

void ThresholdForm::save(QSettings& settings) const {
    ParameterSet set;
    fill(set);
    const Grouping shown = shownGrouping();
    set["d_min"] = value_of(shown.d_min);
    set["d_max"] = value_of(shown.d_max);
    set["ice_width"] = value_of(shown.ice_width);
    settings.setValue(QStringLiteral("thresholds"), QByteArray::fromStdString(to_json(set).dump()));
}

void ThresholdForm::restore(QSettings& settings) {
    const QByteArray saved = settings.value(QStringLiteral("thresholds")).toByteArray();
    if (saved.isEmpty()) return;
    try {
        apply(parameter_set_from(parse_json(saved.toStdString())));
    } catch (const std::exception&) {
        // Settings of another version: the defaults serve.
        reset();
    }
}

}  // namespace ks::ui::spots
