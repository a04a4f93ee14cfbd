#include "ui/base/tables/table_states.h"

#include <QWidget>
#include <nlohmann/json.hpp>

#include "ui/base/tables/filtered_table.h"

namespace ks::ui {

TableStates::TableStates(QWidget* of) : QObject(of) {
    setObjectName(QStringLiteral("tableStates"));
}

TableStates::~TableStates() = default;

TableStates* TableStates::of(const QWidget& widget) {
    for (QObject* const child : widget.children())
        if (auto* const states = dynamic_cast<TableStates*>(child)) return states;
    return nullptr;
}

TableStates* TableStates::around(const QWidget& table) {
    for (const QWidget* one = table.parentWidget(); one; one = one->parentWidget())
        if (TableStates* const states = of(*one)) return states;
    return nullptr;
}

nlohmann::json TableStates::state(const std::string& table) const {
    const auto kept = states_.find(table);
    return kept == states_.end() ? nlohmann::json() : kept->second;
}

void TableStates::keep(const std::string& table, const nlohmann::json& state) {
    if (state.empty())
        states_.erase(table);
    else
        states_[table] = state;
}

nlohmann::json TableStates::all() const {
    return nlohmann::json(states_);
}

void TableStates::bringBack(const nlohmann::json& all) {
    constexpr std::size_t most = 200;  // tables of a page
    if (all.size() > most) return;
    states_.clear();
    if (all.is_object())
        for (const auto& [table, state] : all.items())
            if (state.is_object()) states_[table] = state;
    for (FilteredTable* const table : parent()->findChildren<FilteredTable*>())
        table->bringBack(state(table->leaf().toStdString()));
}

}  // namespace ks::ui
