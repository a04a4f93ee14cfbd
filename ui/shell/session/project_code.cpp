#include "ui/shell/session/project_code.h"

#include <QCoreApplication>
#include <string>
#include <utility>
#include <vector>

#include "core/run/user/trusted_code.h"
#include "ui/shell/trust/refused_code.h"

namespace ks::ui {
namespace {

/// Unknown code in parameters of an analysis; values of the wrong kind are not code.
std::string unknownCode(const Analysis& analysis, const ParameterSet& given) {
    try {
        std::string code = analysis.code_of(among(analysis.info().parameters, given));
        return is_known_code(code, {}) ? std::string() : code;
    } catch (const Error&) {
        return {};
    }
}

/// The texts in a field for a list of values, separated by semicolons.
std::vector<std::string> partsOf(const std::string& list) {
    std::vector<std::string> parts{list};
    for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
        end = list.find(';', at);
        parts.push_back(list.substr(at, end == std::string::npos ? end : end - at));
    }
    return parts;
}

/// Unknown code in the document.
class CodeOfProject {
  public:
    CodeOfProject(const SessionDocument& document, const Registry& registry) : registry_(registry) {
        for (const auto& [id, page] : document.pages) {
            for (const Analysis& analysis : registry_.analyses()) look(analysis, page.parameters);
            walk(page.state.values);
        }
    }

    const std::vector<std::string>& codes() const { return codes_; }
    /// Values of parameters that contain the codes.
    const QStringList& texts() const { return texts_; }

  private:
    void look(const Analysis& analysis, const ParameterSet& given) {
        std::string code = unknownCode(analysis, given);
        if (code.empty()) return;
        codes_.push_back(std::move(code));
        texts_ << unknownTexts(analysis, given);
    }
    /// Page states hold parameters side by side, or lists of their values.
    void walk(const nlohmann::json& values) {
        if (!values.is_structured()) return;
        for (const auto& [id, value] : values.items()) {
            if (!value.is_string() || !values.is_object()) {
                walk(value);
                continue;
            }
            for (const Analysis& analysis : registry_.analyses())
                for (const std::string& text : partsOf(value.get<std::string>()))
                    look(analysis, {{id, text}});
        }
    }

    const Registry& registry_;
    std::vector<std::string> codes_;
    QStringList texts_;
};

}  // namespace

QStringList askForCode(const SessionDocument& document, const Registry& registry, const TrustQuestions& trust,
                       const QString& path) {
    const CodeOfProject code(document, registry);
    if (code.codes().empty()) return {};
    QString all;
    for (const std::string& one : code.codes()) all += QString::fromStdString(one) + QLatin1Char('\n');
    const QString what = QCoreApplication::translate("TrustQuestions", "expressions");
    if (!trust.compile || !trust.compile(path, what, all)) return code.texts();
    for (const std::string& one : code.codes()) know_code(one);
    return {};
}

}  // namespace ks::ui
