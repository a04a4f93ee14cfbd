#pragma once

#include <QHash>
#include <QSet>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/run/parameter_spec.h"

class QBoxLayout;
class QFormLayout;

namespace ks::ui {

class ValueSlider;

/// Form made from a list of ParameterSpec: numbers with unit and range, with a slider where the spec has
/// hints for one, combo boxes, check boxes, text; under the headings that the specs name. A field of a value
/// that may be absent shows the word for that one step below its minimum.
class ParameterForm : public QWidget {
    Q_OBJECT
  public:
    explicit ParameterForm(QWidget* parent = nullptr);

    /// A value that several sliders edit together.
    struct Sliders {
        std::vector<ParameterSpec> parts;  ///< a row for each
        /// The parts' numbers of the value; it fits the spec.
        std::function<std::vector<double>(const ParameterValue&)> split;
        std::function<ParameterValue(const std::vector<double>&)> join;
    };

    /// @param hidden ids that a page edits itself; they keep a value but have no field
    /// @param split ids of values that several sliders edit
    void setSpecs(std::vector<ParameterSpec> specs, const QSet<QString>& hidden = {},
                  const std::map<std::string, Sliders>& split = {});
    const std::vector<ParameterSpec>& specs() const { return specs_; }
    /// All values, also hidden ones.
    const ParameterSet& values() const { return values_; }
    /// Ids that are unknown are left out, values that do not fit take the default: settings may be old.
    void setValues(const ParameterSet& values);
    void setValue(const QString& id, const ParameterValue& value);
    void reset();

    /// What takes the typed value; null for hidden ids and for values that several sliders edit.
    QWidget* field(const QString& id) const { return fields_.value(id); }
    /// By the id of a parameter, or of a part; null where there is none.
    ValueSlider* slider(const QString& id) const { return sliders_.value(id); }
    /// What a number's field shows for an absent value; empty: the word of its spec.
    void setAbsentText(const QString& id, const QString& text);
    void setFieldEnabled(const QString& id, bool enabled);
    /// The row of a heading, for what belongs to the section as a whole; null where there is none.
    QBoxLayout* headingRow(const QString& section) const { return headings_.value(section); }

  signals:
    void changed();
    /// Fields took other values, by hand or by setValue(), setValues() and reset().
    /// @param ids of these fields
    void edited(const QStringList& ids);

  private:
    void clear();
    void addHeading(const std::string& section);
    void addRow(const ParameterSpec& spec);
    void addSliders(const ParameterSpec& spec, const Sliders& split);
    ValueSlider* addSlider(const ParameterSpec& spec);
    QWidget* makeField(const ParameterSpec& spec);
    QWidget* numberField(const ParameterSpec& spec);
    void alignSliders();
    void take(const std::string& id, ParameterValue value);
    void showValue(const ParameterSpec& spec);

    std::vector<ParameterSpec> specs_;
    ParameterSet values_;
    QHash<QString, QWidget*> fields_;
    QHash<QString, ValueSlider*> sliders_;
    QHash<QString, QBoxLayout*> headings_;
    std::map<std::string, Sliders> split_;
    QFormLayout* layout_;
    bool showing_ = false;
};

}  // namespace ks::ui
