#include "ui/shell/session/page_work.h"

#include <QCoreApplication>
#include <QCryptographicHash>

#include "core/base/json_text.h"
#include "ui/shell/file_session.h"

namespace ks::ui {
namespace {

using nlohmann::json;

std::string digestOf(const json& work) {
    const QByteArray text = QByteArray::fromStdString(dump_json_replacing(work));
    return QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex().toStdString();
}

std::string named(const char* text, const std::string& title) {
    return QCoreApplication::translate("PageWork", text).arg(QString::fromStdString(title)).toStdString();
}

/// The part of a state of scope `session` that is work and that nothing else keeps; null: none.
json workPart(const Page& page, const PageState& state) {
    json values = state.values, files = state.files;
    // The settings are kept from one start to the next by themselves.
    if (const auto settings = page.state(Page::Scope::settings))
        for (const auto& [key, value] : settings->values.items()) values.erase(key);
    files.erase(PageState::ownData);
    for (const QString& key : page.keysWithoutWork())
        for (json* const part : {&values, &files}) part->erase(key.toStdString());
    return values.empty() && files.empty() ? json() : json{values, files};
}

}  // namespace

std::map<std::string, std::string> PageWork::in(const SessionDocument& document,
                                                const std::map<std::string, ParameterSet>& changed,
                                                const Waiting& waiting) const {
    std::map<std::string, std::string> work;
    if (!fresh_) return work;
    const auto kept = [](const SessionDocument& one, const std::string& page) {
        const auto at = one.pages.find(page);
        return at == one.pages.end() ? KeptPage() : at->second;
    };
    for (const Page* page : files_.pages()) {
        const std::string id = page->id().toStdString(), title = page->title().toStdString();
        /// @param content null: there is none
        const auto add = [&, waits = waiting.pages.contains(id)](const std::string& name,
                                                                 const json& content) {
            if (const auto then = waiting.work.find(name); waits && then != waiting.work.end())
                work.insert(*then);
            else if (!content.is_null())
                work[name] = digestOf(content);
        };
        for (const QString& one : page->analyses()) {
            const std::string analysis = one.toStdString(), variant = kept(document, analysis).variant;
            const auto set = changed.find(analysis);
            const json parameters =
                set == changed.end() || set->second.empty() ? json() : to_json(set->second);
            const bool otherVariant = !variant.empty() && variant != kept(*fresh_, analysis).variant;
            add(named("the set-up of %1", registry_.analysis(analysis).info().title),
                otherVariant || !parameters.is_null() ? json{variant, parameters} : json());
        }
        const json part = workPart(*page, kept(document, id).state);
        add(named("the fields and measurements of the %1 page", title),
            part == workPart(*page, kept(*fresh_, id).state) ? json() : part);
        const auto ofFile = files_.given(*page) ? page->state(Page::Scope::file) : std::nullopt;
        add(named("the bins of the %1 page", title), ofFile ? ofFile->values : json());
        add(named("the filters and columns of the tables of the %1 page", title),
            document.tables.contains(id) ? document.tables.at(id) : json());
    }
    return work;
}

}  // namespace ks::ui
