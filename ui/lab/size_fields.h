#pragma once

#include <QWidget>
#include <map>
#include <string>
#include <vector>

#include "core/run/bench.h"

class QLabel;
class QLineEdit;

namespace ks::ui::lab {

/// The sizes of a generated problem, one line each, for one value or several.
class SizeFields : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;
    ~SizeFields() override;

    /// @param typed used instead of the defaults, by the sizes' ids
    void show(const std::vector<ParameterSpec>& specs, const std::map<std::string, QString>& typed);
    bool empty() const { return fields_.empty(); }
    /// The sizes that differ from their defaults. Throws ks::Error(input) for invalid values.
    SizeLists lists() const;
    /// Fields that have no effect are disabled, and lists() does not contain them.
    /// @param why by the sizes' ids
    void setIdle(const std::map<std::string, QString>& why);
    /// Puts lists into the fields, by their ids.
    void set(const std::map<std::string, QString>& lists);

  signals:
    void typed(const std::string& id, const QString& text);
    void entered();

  private:
    QLineEdit* makeField(const ParameterSpec& spec, const QString& text);

    std::vector<ParameterSpec> specs_;
    std::map<std::string, QLineEdit*> fields_;
    std::map<std::string, QLabel*> labels_;
};

}  // namespace ks::ui::lab
