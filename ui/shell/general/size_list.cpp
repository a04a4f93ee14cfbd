#include "ui/shell/general/size_list.h"

#include <QStringList>
#include <algorithm>
#include <cstdint>

#include "core/base/error.h"
#include "ui/base/input/number_text.h"

namespace ks::ui {

std::vector<ParameterValue> sizesFrom(const ParameterSpec& spec, const QString& text) {
    std::vector<ParameterValue> values;
namespace {

/// Errors name the field, not the parameter.
ParameterValue parsed(const ParameterSpec& spec, const std::string& text) {
    try {
        return parse_value(spec, text);
    } catch (const Error& error) {
        throw Error(error.kind(), error.message(), spec.label, error.hint(), error.details());
    }
}

}  // namespace

    const QLatin1Char between(spec.type == ParameterType::text ? ';' : ',');
    const QStringList parts = spec.type == ParameterType::real ? numberParts(text, spec.label)
                                                               : text.split(between, Qt::SkipEmptyParts);
    for (const QString& part : parts) {
        const std::string one = part.trimmed().toStdString();
        if (one.empty()) continue;
        const ParameterValue value = parsed(spec, one);
        if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    }
    if (values.empty())
        throw Error(ErrorKind::input, "expected one or more values separated by commas, found none",
                    spec.label);
    return values;
}

QString proposedSizes(const ParameterSpec& spec) {
    const auto* last = std::get_if<std::int64_t>(&spec.default_value);
    if (spec.type != ParameterType::integer || last == nullptr || *last < 2)
        return QString::fromStdString(to_text(spec, spec.default_value));
    QStringList list;
    for (std::int64_t value = *last; list.size() < 4 && value >= 1; value /= 2) {
        if (spec.minimum && static_cast<double>(value) < *spec.minimum) break;
        list.prepend(QString::number(value));
        if (value % 2 != 0) break;
    }
    return list.join(QStringLiteral(", "));
}

}  // namespace ks::ui
