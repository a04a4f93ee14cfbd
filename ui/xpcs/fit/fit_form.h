#pragma once

#include <QString>
#include <QWidget>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ui/xpcs/fit/curve_fits.h"
#include "ui/xpcs/fit/fit_choice.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace ks::ui::xpcs {

class OptionalNumber;

/// The fields of a FitChoice: model or formula, values and bounds of its parameters, delays; what is wrong
/// with them, and where the errors come from.
class FitForm : public QWidget {
    Q_OBJECT
  public:
    explicit FitForm(QWidget* parent = nullptr);

    const FitChoice& choice() const { return choice_; }
    /// Emits nothing, and is no step of the history.
    void setChoice(const FitChoice& choice);
    /// Records edits as steps of the history, which must outlive the form.
    void keepSteps(History& history);
    /// The plot shows (g2 - 1) / beta instead of g2. This is no part of the choice: no fit depends on it.
    bool byContrast() const;
    /// Emits nothing.
    void setByContrast(bool on);
    /// Leaves a point out or takes it back, as by a click on it; emits changed().
    void toggle(const LeftOutPoint& point);
    /// The unit of the delays of the curves, "s" or "frames".
    void setUnit(const std::string& unit);
    /// dataOfCurves() of the curves whose points left out are counted.
    void setData(const std::string& data);
    /// Shows where the errors come from, and the problem of the fits. With values for the steps of fields.
    void showFits(const std::vector<FittedRun>& fits, const QString& problem);
    /// What is wrong with the formula; empty: nothing.
    QString formulaProblem() const;
    /// What is wrong with the formula or the fits, as shown; empty: nothing, or no model is chosen.
    QString problemText() const;
    /// The sentence about the errors; empty: there are none.
    QString errorText() const;

  signals:
    void changed();
    void byContrastChanged();

  private:
    void build();
    void take();
    struct Row;
    void takeRow(const Row& row, const fit::Model& model, std::size_t index);
    static std::vector<std::string> namesOf(const fit::Model& model);
    /// The user changed the choice.
    void edited();
    /// Fields for the parameters of the model.
    void makeRows();
    void showChoice();
    void showLeftOut();
    void showColours();
    fit::Model plainModel() const;
    /// The model has a contrast.
    bool hasContrast() const;

    FitChoice choice_;
    std::unique_ptr<Undoable<FitChoice>> steps_;  ///< null: not recorded
    std::string unit_ = "s";
    std::string data_;
    struct Row {
        std::string name;
        QLabel* label;  ///< with the unit
        OptionalNumber* value;
        QCheckBox* fixed;
        OptionalNumber *lower, *upper;
    };
    std::vector<Row> rows_;
    std::vector<std::string> names_;  ///< of rows_
    QComboBox* model_;
    QLineEdit* formula_;
    QLabel *equation_, *wrong_, *leftOut_, *errors_;
    QWidget* parameters_;
    QWidget* delays_;
    OptionalNumber *from_, *to_;
    QToolButton* all_;
    QCheckBox *withRuns_, *byContrast_;
    bool showing_ = false;
};

}  // namespace ks::ui::xpcs
