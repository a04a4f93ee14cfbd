#pragma once

#include <QObject>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

class QWidget;

namespace ks::ui {

/// What the user chose in the tables below a widget: filters, order, columns; by the names of the tables. It
/// outlasts tables that are made anew, and a session keeps it. A child of that widget.
class TableStates : public QObject {
  public:
    explicit TableStates(QWidget* of);
    ~TableStates() override;
    /// Those of a widget; null: it has none.
    static TableStates* of(const QWidget& widget);
    /// Those of the nearest parent that has some; null: there is none.
    static TableStates* around(const QWidget& table);

    /// The value of FilteredTable::keep(), or null.
    nlohmann::json state(const std::string& table) const;
    void keep(const std::string& table, const nlohmann::json& state);
    /// By table; only of those in which something was chosen.
    nlohmann::json all() const;
    /// Restores all(), also in tables that do not exist yet. Nothing in it is trusted.
    void bringBack(const nlohmann::json& all);

  private:
    std::map<std::string, nlohmann::json> states_;
};

}  // namespace ks::ui
