#pragma once

#include <QString>
#include <QWidget>
#include <map>
#include <string>
#include <vector>

#include "core/run/variant.h"

class QComboBox;
class QHBoxLayout;

namespace ks::ui {

/// The defines of a kernel as a row of fields.
class DefineFields : public QWidget {
    Q_OBJECT
  public:
    explicit DefineFields(QWidget* parent = nullptr);

    /// @param values that are set
    /// @param unsaid effective values of the others if they differ from the default: from the text of the
    /// kernel, or chosen for the device
    void setDefines(const std::vector<DefineSpec>& specs, const std::map<std::string, std::string>& values,
                    const std::map<std::string, std::string>& unsaid);

  signals:
    /// Changed by the user. Empty: the default.
    void edited(const QString& name, const QString& value);

  private:
    QHBoxLayout* row_;
    std::vector<DefineSpec> specs_;
    std::map<std::string, QComboBox*> fields_;
};

}  // namespace ks::ui
