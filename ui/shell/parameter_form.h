#pragma once

#include <QHash>
#include <QSet>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "core/run/parameter_spec.h"

class QFormLayout;

namespace ks::ui {

/// Form made from a list of ParameterSpec: spin boxes with unit and range, combo boxes, check boxes, text.
/// A field of a value that may be absent shows the word for that one step below its minimum.
class ParameterForm : public QWidget {
    Q_OBJECT
  public:
    explicit ParameterForm(QWidget* parent = nullptr);

    /// @param hidden ids that a page edits itself; they keep a value but have no field
    void setSpecs(std::vector<ParameterSpec> specs, const QSet<QString>& hidden = {});
    const std::vector<ParameterSpec>& specs() const { return specs_; }
    /// All values, also hidden ones.
    ParameterSet values() const { return values_; }
    /// Ids that are unknown are left out, values that do not fit take the default: settings may be old.
    void setValues(const ParameterSet& values);
    void setValue(const QString& id, const ParameterValue& value);
    void reset();
    QWidget* field(const QString& id) const { return fields_.value(id); }

  signals:
    void changed();
    /// Fields took other values, by hand or by setValue(), setValues() and reset().
    /// @param ids of these fields
    void edited(const QStringList& ids);

  private:
    QWidget* makeField(const ParameterSpec& spec);
    void take(const std::string& id, ParameterValue value);
    void showValue(const ParameterSpec& spec);

    std::vector<ParameterSpec> specs_;
    ParameterSet values_;
    QHash<QString, QWidget*> fields_;
    QFormLayout* layout_;
    bool showing_ = false;
};

}  // namespace ks::ui
