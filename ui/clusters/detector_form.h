#pragma once

#include <QHash>
#include <QString>
#include <QWidget>
#include <string>

#include "core/run/parameter_spec.h"
#include "ui/base/parameter_form.h"
#include "ui/clusters/core_clusters.h"

namespace ks::ui {
class ElidedLabel;
class ParameterForm;
}  // namespace ks::ui

namespace ks::ui::clusters {

/// The detector's layout and the charge cut. The layout is guessed from the digis until the user chooses one.
/// A cut for the charges of one detector is meaningless for another, so each layout has its own.
class DetectorForm : public QWidget {
    Q_OBJECT
  public:
    /// @param history records its steps; must outlive it
    explicit DetectorForm(History& history, QWidget* parent = nullptr);

    /// Layout and cut as parameters of a request.
    ParameterSet values() const;
    std::string cut() const;
    std::string layout() const { return layout_; }
    /// The layout if the user chose one; empty: it is to be guessed.
    std::string chosenLayout() const { return isChosen_ ? layout_ : std::string(); }

    /// Sets the layout of new digis, together with its cut.
    void takeLayout(const ks::clusters::DetectorLayout& layout);
    /// The chosen layout is impossible: shows this one again.
    void returnTo(const std::string& layout);
    void setLayout(const std::string& layout);
    void setCut(const std::string& cut);
    /// Digis of another file are coming: drops the cuts of layouts that are not shown.
    void forgetOtherCuts() { cuts_.clear(); }
    /// The cut applies to the layout of the next digis, whatever that is.
    void keepCutForNext() { cutLayout_.clear(); }
    void reset();

    ParameterForm& form() { return *form_; }

  signals:
    /// The user chose layout(): digis are to be provided in it.
    void layoutChosen();
    void cutChanged();

  private:
    void follow();
    void takeCut();

    ParameterForm* form_;
    ElidedLabel* guess_;
    ParameterSteps steps_;
    std::string layout_;            ///< shown in the form
    bool isChosen_ = false;         ///< by the user, not guessed
    std::string cutLayout_;         ///< layout that the cut applies to; empty: the next one
    QHash<QString, QString> cuts_;  ///< cuts of other layouts, by layout
};

}  // namespace ks::ui::clusters
