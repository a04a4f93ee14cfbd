#include "ui/shell/trust/refused_code.h"

#include <QSettings>
#include <QVariantMap>
#include <string>
#include <variant>
#include <vector>

#include "core/run/user/trusted_code.h"

namespace ks::ui {
namespace {

const QString refusedKey = QStringLiteral("refusedExpressions");  ///< project by text

}  // namespace

void keepRefused(QSettings& settings, const QString& project, const QStringList& texts) {
    if (texts.isEmpty()) return;
    QVariantMap all = settings.value(refusedKey).toMap();
    for (const QString& text : texts) all[text] = project;
    settings.setValue(refusedKey, all);
}

QStringList unknownTexts(const Analysis& analysis, const ParameterSet& parameters) {
    QStringList texts;
    try {
        const std::vector<ParameterSpec>& specs = analysis.info().parameters;
        const std::string code = analysis.code_of(among(specs, parameters));
        if (code.empty() || is_known_code(code, {})) return {};
        for (const ParameterSpec& spec : specs)
            if (const auto at = parameters.find(spec.id);
                at != parameters.end() && at->second != spec.default_value)
                if (const auto* text = std::get_if<std::string>(&at->second))
                    texts << QString::fromStdString(*text);
    } catch (const Error&) {
        return {};  // a value of the wrong kind is not code
    }
    return texts;
}

QString refusedProject(const QSettings& settings, const Analysis& analysis, const ParameterSet& parameters) {
    const QVariantMap all = settings.value(refusedKey).toMap();
    QString project;
    for (const auto& [id, value] : parameters)
        if (const auto* text = std::get_if<std::string>(&value))
            if (const auto at = all.find(QString::fromStdString(*text)); at != all.end())
                project = at->toString();
    if (project.isEmpty()) return {};
    try {
        const std::string code = analysis.code_of(among(analysis.info().parameters, parameters));
        return code.empty() || is_known_code(code, {}) ? QString() : project;
    } catch (const Error&) {
        return {};  // a run is refused as well
    }
}

}  // namespace ks::ui
