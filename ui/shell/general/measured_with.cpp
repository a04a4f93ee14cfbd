#include "ui/shell/general/measured_with.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/devices/device_id.h"
#include "core/judge/questions.h"
#include "core/run/user/shown_variant.h"
#include "ui/base/number_box.h"
#include "ui/base/palette.h"

namespace ks::ui {
namespace {

/// The value of a size if it is the same for all points; null: it differs, or no point has one.
const ParameterValue* commonValue(const std::vector<BenchPoint>& points, const std::string& id) {
    const ParameterValue* common = nullptr;
    for (const BenchPoint& point : points) {
        const auto at = point.sizes.find(id);
        if (at == point.sizes.end()) continue;
        if (common && !(*common == at->second)) return nullptr;
        common = &at->second;
    }
    return common;
}

}  // namespace

QString valueText(const ParameterSpec& spec, const ParameterValue& value) {
    const double* const number = std::get_if<double>(&value);
    return number && std::isfinite(*number) ? formatNumber(*number, NumberBox::usualDigits)
                                            : QString::fromStdString(to_text(spec, value));
}

std::map<std::string, std::string> presentTexts(const wire::Catalogue& catalogue,
                                                const std::string& analysis) {
    std::map<std::string, std::string> texts;
    const auto known = catalogue.offers.find(analysis);
    if (known == catalogue.offers.end()) return texts;
    for (const std::vector<Offer>& offers : known->second)
        for (const Offer& offer : offers)
            texts.try_emplace(offer.variant.id, offer.variant.from_user()
                                                    ? text_mark(catalogue.text_of(offer.variant))
                                                    : std::string());
    return texts;
}

PresentSettings presentSettings(const wire::Catalogue& catalogue, const Request& next) {
    const auto device = std::ranges::find_if(
        catalogue.devices, [&next](const DeviceInfo& one) { return next.device == DeviceId(one).text(); });
    return {next.parameters, device == catalogue.devices.end() ? std::string() : device->title(),
            presentTexts(catalogue, next.analysis)};
}

void putRow(std::vector<BenchPoint>& points, std::size_t point, const ParameterSet& sizes,
            const BenchRow& row) {
    if (points.size() <= point) points.resize(point + 1);
    points[point].sizes = sizes;
    std::vector<BenchRow>& rows = points[point].rows;
    const auto known =
        std::ranges::find_if(rows, [&](const BenchRow& one) { return one.variant.id == row.variant.id; });
    if (known == rows.end())
        rows.push_back(row);
    else
        *known = row;
}

bool hasTimes(const std::vector<BenchPoint>& points) {
    return std::ranges::any_of(points, [](const BenchPoint& point) {
        return std::ranges::any_of(point.rows, [](const BenchRow& row) { return !row.samples.empty(); });
    });
}

QString markedLabel(const QString& label, bool wrong) {
    return wrong ? QObject::tr("%1 (wrong)").arg(label) : label;
}

QString troublesText(const std::vector<BenchPoint>& points,
                     const std::map<std::string, std::string>& presentTexts, Excluded excluded) {
    QStringList told;
    for (const BenchPoint& point : points)
        for (const BenchRow& row : point.rows) {
            if (hasOldText(row, presentTexts)) continue;
            const QString id = QString::fromStdString(row.variant.id);
            if (row.verdict.state == Verdict::State::fail)
                told << QObject::tr("%1 is wrong: %2")
                            .arg(id, QString::fromStdString(without_verdict(row.verdict.text)));
            else if (!row.failed && !row.not_run.empty() && excluded == Excluded::named)
                told << QObject::tr("%1: %2").arg(id, QString::fromStdString(row.not_run));
            else if (row.failed)
                told << QObject::tr("%1 failed: %2").arg(id, QString::fromStdString(row.not_run));
        }
    told.removeDuplicates();
    return told.join(QStringLiteral("; "));
}

bool hasOldText(const BenchRow& row, const std::map<std::string, std::string>& presentTexts) {
    return isOldText(row.variant.id, row.text_mark, presentTexts);
}

bool isOldText(const std::string& variant, const std::string& mark,
               const std::map<std::string, std::string>& presentTexts) {
    const auto text = presentTexts.find(variant);
    return !mark.empty() && !presentTexts.empty() && (text == presentTexts.end() || text->second != mark);
}

QString textChange(const std::string& variant, const std::map<std::string, std::string>& presentTexts) {
    return (presentTexts.contains(variant) ? QObject::tr("text of %1") : QObject::tr("file of %1 is gone"))
        .arg(QString::fromStdString(variant));
}

MeasuredWith measuredWith(const std::vector<BenchPoint>& points, const std::string& device,
                          const std::vector<ParameterSpec>& specs, const PresentSettings& now,
                          const std::set<std::string>& own) {
    if (points.empty()) return {};
    QStringList values, changed;
    if (!device.empty()) values << QString::fromStdString(device);
    if (!device.empty() && !now.device.empty() && device != now.device) changed << QObject::tr("Device");
    for (const ParameterSpec& spec : specs) {
        const ParameterValue* const then = commonValue(points, spec.id);
        if (!then) continue;
        const QString label = QString::fromStdString(spec.label);
        values << QObject::tr("%1 %2").arg(label, valueText(spec, *then));
        const auto set = now.values.find(spec.id);
        if (!own.contains(spec.id) && set != now.values.end() &&
            to_text(spec, set->second) != to_text(spec, *then))
            changed << label;
    }
    for (const BenchPoint& point : points)
        for (const BenchRow& row : point.rows)
            if (hasOldText(row, now.texts)) changed << textChange(row.variant.id, now.texts);
    changed.removeDuplicates();
    const QString all = values.join(QStringLiteral(", "));
    if (changed.isEmpty()) return {{}, QObject::tr("Measured: %1").arg(all)};
    const QString mark = QObject::tr("Outdated (%1)").arg(changed.join(QStringLiteral(", ")));
    return {mark, QObject::tr("%1: measured with %2").arg(mark, all)};
}

}  // namespace ks::ui
