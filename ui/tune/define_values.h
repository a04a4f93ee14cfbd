#pragma once

#include <QString>
#include <QWidget>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/run/variant.h"

class QGridLayout;
class QLineEdit;
class QCheckBox;

namespace ks::ui::tune {

/// Values of a variant's defines with ticks; a define that takes any number has a text field for some of
/// them.
class DefineValues : public QWidget {
    Q_OBJECT
  public:
    using Values = std::map<std::string, std::vector<std::string>>;

    explicit DefineValues(QWidget* parent = nullptr);

    /// All values are ticked except those named in `off`.
    void setVariant(const Variant& variant, const Values& off, const Values& typed);
    /// The values of each define that are ticked, or typed if it takes any number.
    Values space() const;
    /// Values that the user has unticked, and those typed.
    Values off() const;
    Values typed() const;
    /// The first define without a ticked value; empty: there is none.
    QString without() const;

  signals:
    void changed();

  private:
    void addTicks(const DefineSpec& define, const std::vector<std::string>& off);
    void addLine(const DefineSpec& define, const std::vector<std::string>& typed);

    struct Ticks {
        std::string define;
        std::vector<QCheckBox*> boxes;
    };
    std::vector<Ticks> ticks_;
    std::map<std::string, QLineEdit*> lines_;
    QGridLayout* grid_ = nullptr;
    nlohmann::json defines_;  ///< that have fields
};

}  // namespace ks::ui::tune
