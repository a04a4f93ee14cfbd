#include "ui/shell/general/size_list.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/error.h"
#include "ui/base/input/number_text.h"

namespace ks::ui {

namespace {

/// Errors name the field, not the parameter, and quote what was typed.
ParameterValue parsed(const ParameterSpec& spec, const std::string& text, const std::string& typed) {
    try {
        return parse_value(spec, text);
    } catch (const Error& error) {
        std::string message = error.message();
        if (const std::size_t at = message.rfind(text); at != std::string::npos && text != typed)
            message.replace(at, text.size(), typed);
        throw Error(error.kind(), message, spec.label, error.hint(), error.details());
    }
}

}  // namespace

std::vector<ParameterValue> sizesFrom(const ParameterSpec& spec, const QString& text) {
    std::vector<ParameterValue> values;
    const QLatin1Char between(spec.type == ParameterType::text ? ';' : ',');
    std::vector<NumberPart> parts;
    if (spec.type == ParameterType::real)
        parts = numberParts(text, spec.label);
    else
        for (const QString& one : text.split(between, Qt::SkipEmptyParts)) parts.push_back({one, one});
    for (const NumberPart& part : parts) {
        const QString plain = part.plain.trimmed();
        if (plain.isEmpty()) continue;
        const QString one = spec.type == ParameterType::integer ? wholeNumberDigits(plain) : plain;
        const ParameterValue value = parsed(spec, one.toStdString(), part.typed.trimmed().toStdString());
        if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    }
    if (values.empty())
        throw Error(ErrorKind::input, "expected one or more values separated by commas, found none",
                    spec.label);
    return values;
}

std::map<std::string, QString> idleSizes(const Analysis& analysis, const ParameterSet& others,
                                         const std::map<std::string, std::vector<ParameterValue>>& lists) {
    // Generated data have no inputs.
    const auto idleWith = [&analysis](const ParameterSet& values) {
        Request request;
        request.analysis = analysis.info().id;
        for (const ParameterSpec& spec : analysis.info().parameters) {
            const auto given = values.find(spec.id);
            request.parameters[spec.id] = given == values.end() ? spec.default_value : given->second;
        }
        std::map<std::string, QString> idle;
        for (const IdleParameter& one : analysis.idle(request))
            idle[one.id] = QString::fromStdString(one.why);
        return idle;
    };
    ParameterSet firsts = others;
    for (const auto& [id, values] : lists)
        if (!values.empty()) firsts[id] = values.front();
    try {
        std::map<std::string, QString> all = idleWith(firsts);
        for (const auto& [id, values] : lists)
            for (std::size_t i = 1; i < values.size() && !all.empty(); ++i) {
                ParameterSet other = firsts;
                other[id] = values[i];
                std::erase_if(
                    all, [still = idleWith(other)](const auto& one) { return !still.contains(one.first); });
            }
        return all;
    } catch (const Error&) {
        return {};  // a value that is not allowed is reported by the measurement
    }
}

QString idleTip(const QString& tip, const QString& why) {
    return why.isEmpty() ? tip : QObject::tr("%1\nNot used: %2").arg(tip, why);
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
