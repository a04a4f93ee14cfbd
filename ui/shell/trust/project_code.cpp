#include "ui/shell/trust/project_code.h"

#include <QCoreApplication>
#include <string>
#include <vector>

#include "core/run/user/trusted_code.h"

namespace ks::ui {
namespace {

/// Code that is not known, of parameters that an analysis has; what is no value of its kind is none.
std::string unknownCode(const Analysis& analysis, const ParameterSet& given) {
    try {
        std::string code = analysis.code_of(among(analysis.info().parameters, given));
        return is_known_code(code, {}) ? std::string() : code;
    } catch (const Error&) {
        return {};
    }
}

/// The texts that a field for a list of values takes, with semicolons between them.
std::vector<std::string> partsOf(const std::string& list) {
    std::vector<std::string> parts{list};
    for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
        end = list.find(';', at);
        parts.push_back(list.substr(at, end == std::string::npos ? end : end - at));
    }
    return parts;
}

class CodeOfProject {
  public:
    CodeOfProject(SessionDocument& document, const Registry& registry)
        : document_(document), registry_(registry) {}

    std::vector<std::string> unknown() {
        walk(false);
        return std::move(found_);
    }
    void takeOut() { walk(true); }

  private:
    bool isUnknown(const Analysis& analysis, const ParameterSet& given) {
        std::string code = unknownCode(analysis, given);
        const bool is = !code.empty();
        if (is) found_.push_back(std::move(code));
        return is;
    }
    bool isUnknown(const std::string& id, const std::string& list) {
        bool is = false;
        for (const auto& analysis : registry_.analyses())
            for (const std::string& text : partsOf(list)) is = isUnknown(*analysis, {{id, text}}) || is;
        return is;
    }
    void walk(nlohmann::json& values, bool takes) {
        if (!values.is_structured()) return;
        std::vector<std::string> gone;
        for (auto& [id, value] : values.items()) {
            if (value.is_string() && values.is_object() && isUnknown(id, value.get<std::string>()))
                gone.push_back(id);
            else
                walk(value, takes);
        }
        if (takes)
            for (const std::string& id : gone) values.erase(id);
    }
    void walk(bool takes) {
        for (auto& [id, page] : document_.pages) {
            for (const auto& analysis : registry_.analyses())
                if (isUnknown(*analysis, page.parameters) && takes)
                    for (const ParameterSpec& spec : analysis->info().parameters)
                        if (spec.type == ParameterType::text) page.parameters.erase(spec.id);
            walk(page.state.values, takes);
        }
    }

    SessionDocument& document_;
    const Registry& registry_;
    std::vector<std::string> found_;
};

}  // namespace

void askForCode(SessionDocument& document, const Registry& registry, const TrustQuestions& trust,
                const QString& path) {
    CodeOfProject code(document, registry);
    const std::vector<std::string> unknown = code.unknown();
    if (unknown.empty()) return;
    QString all;
    for (const std::string& one : unknown) all += QString::fromStdString(one) + QLatin1Char('\n');
    const QString what = QCoreApplication::translate("TrustQuestions", "expressions");
    if (!trust.compile || !trust.compile(path, what, all)) return code.takeOut();
    for (const std::string& one : unknown) know_code(one);
}

}  // namespace ks::ui
