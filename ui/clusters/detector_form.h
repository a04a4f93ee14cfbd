#pragma once

#include <QHash>
#include <QString>
#include <QWidget>
#include <string>

#include "core/run/parameter_spec.h"
#include "ui/base/parameter_steps.h"
#include "ui/clusters/core_clusters.h"

namespace ks::ui {
class ElidedLabel;
class ParameterForm;
}  // namespace ks::ui

namespace ks::ui::clusters {

/// The detector's layout and the charge cut. The layout is guessed from the digis until it is chosen. A cut
/// in the charges of one detector means nothing for those of another: each layout has its own.
class DetectorForm : public QWidget {
    Q_OBJECT
  public:
    /// @param history of its steps; outlives it
    explicit DetectorForm(History& history, QWidget* parent = nullptr);

    /// Layout and cut as parameters of a request.
    ParameterSet values() const;
    std::string cut() const;
    std::string layout() const { return layout_; }
    /// The layout where it was chosen; empty: it is to be guessed.
    std::string chosenLayout() const { return isChosen_ ? layout_ : std::string(); }

    /// The layout of digis that came; its own cut comes with it.
    void takeLayout(const ks::clusters::DetectorLayout& layout);
    /// What was chosen is not possible: the form shows this one again.
    void returnTo(const std::string& layout);
    void setLayout(const std::string& layout);
    void setCut(const std::string& cut);
    /// Digis of another file come: the cuts of layouts that are not shown go.
    void forgetOtherCuts() { cuts_.clear(); }
    /// The cut is for the layout of the next digis, whatever that is.
    void keepCutForNext() { cutLayout_.clear(); }
    void reset();

    ParameterForm& form() { return *form_; }

  signals:
    /// layout() was chosen: digis are to come in it.
    void layoutChosen();
    void cutChanged();

  private:
    void follow();
    void takeCut();

    ParameterForm* form_;
    ElidedLabel* guess_;
    ParameterSteps steps_;
    std::string layout_;            ///< in the form
    bool isChosen_ = false;         ///< not guessed
    std::string cutLayout_;         ///< that the cut is for; empty: for the next one
    QHash<QString, QString> cuts_;  ///< of other layouts, by layout
};

}  // namespace ks::ui::clusters
