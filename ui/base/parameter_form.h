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
#include "ui/base/history.h"

class QBoxLayout;
class QFormLayout;

namespace ks::ui {

class ValueSlider;

/// Form generated from a list of ParameterSpec: numbers with unit and range (with a slider if the spec has
/// hints for one), combo boxes, check boxes and text, under the headings of the specs. The field of an
/// optional value shows the word for "absent" one step below its minimum.
class ParameterForm : public QWidget {
    Q_OBJECT
  public:
    explicit ParameterForm(QWidget* parent = nullptr);

    /// A value edited by several sliders together.
    struct Sliders {
        std::vector<ParameterSpec> parts;  ///< one row per part
        /// Splits the value into the numbers of its parts; it fits the spec.
        std::function<std::vector<double>(const ParameterValue&)> split;
        std::function<ParameterValue(const std::vector<double>&)> join;
    };

    /// @param hidden ids that a page edits itself; they have a value but no field
    /// @param split ids of values edited by several sliders
    void setSpecs(std::vector<ParameterSpec> specs, const QSet<QString>& hidden = {},
                  const std::map<std::string, Sliders>& split = {});
    const std::vector<ParameterSpec>& specs() const { return specs_; }
    /// All values, including hidden ones.
    const ParameterSet& values() const { return values_; }
    /// Unknown ids are ignored, and values that do not fit are replaced by the default: settings may be old.
    void setValues(const ParameterSet& values);
    void setValue(const QString& id, const ParameterValue& value) { setValues({{id.toStdString(), value}}); }
    void reset() { setValues(defaults(specs_)); }

    /// The input widget; null for hidden ids and for values edited by several sliders.
    QWidget* field(const QString& id) const { return fields_.value(id); }
    /// By the id of a parameter or a part; null if there is none.
    ValueSlider* slider(const QString& id) const { return sliders_.value(id); }
    /// Text of a number field for an absent value; empty: the word of its spec.
    void setAbsentText(const QString& id, const QString& text);
    void setFieldEnabled(const QString& id, bool enabled);
    /// Disables the field of a value that has no effect on the next run, unless something else uses the
    /// value.
    /// @param why for its tip; empty: it has an effect
    /// @param usedBy for its tip: "Measure cost"; empty: nothing else uses it
    void setIdle(const QString& id, const QString& why, const QString& usedBy = {});
    /// The row of a heading, for widgets that concern the whole section; null if there is none.
    QBoxLayout* headingRow(const QString& section) const { return headings_.value(section); }

  signals:
    void changed();
    /// Fields have changed, by the user or by setValue(), setValues() or reset().
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

/// Changes in a parameter form as steps of a history, named by parameterChange().
class ParameterSteps : public Undoable<ParameterSet> {
  public:
    /// @param part as Undoable's; the form outlives it
    /// @param apply sets other values
    ParameterSteps(History& history, QObject* part, const ParameterForm& form,
                   std::function<void(const ParameterSet&)> apply);
};

/// Names the changed parameter by its label; "3 parameters" for several.
ParameterSteps::Name parameterChange(const std::vector<ParameterSpec>& specs, const ParameterSet& before,
                                     const ParameterSet& now);

}  // namespace ks::ui
