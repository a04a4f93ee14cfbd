#pragma once

#include <QWidget>
#include <optional>

#include "ui/lab/comparison.h"

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;

namespace ks::ui {
class ElidedLabel;
}

namespace ks::ui::lab {

/// The bar above the plots: the time, the axis and the problem that are drawn. Below it: a description of
/// that problem, and a message about problems that differ.
class ViewChoice : public QWidget {
    Q_OBJECT
  public:
    /// @param actions that have buttons at the right
    explicit ViewChoice(const QList<QAction*>& actions, QWidget* parent = nullptr);
    ~ViewChoice() override;

    void setCompared(const ComparedList& all);
    /// The problem of the plotted times; empty: nothing is drawn.
    void setSubject(const QString& text);
    QString subject() const;
    /// Chooses a problem that this benchmark shares with another one, if the chosen one is not among its
    /// problems and there is one.
    void showOne(const Compared& of, const ComparedList& all);
    double BenchSample::*time() const;
    /// The compared one of problemsOf(); nothing: all, in groups.
    std::optional<std::size_t> problem() const;
    /// Nothing: the scale that suits the times.
    std::optional<bool> logarithmicByHand() const { return logByHand_; }
    void setLogarithmicByHand(bool on);
    /// The current scale of the plot.
    void showLogarithmic(bool on);

    QComboBox& times() { return *time_; }
    /// The problems; if there are several, also all of them in groups, as the last entry.
    QComboBox& problems() { return *problem_; }
    QString difference() const;

  signals:
    void changed();
    void logarithmicWanted(bool on);

  private:
    void build(const QList<QAction*>& actions);

    QComboBox *time_, *problem_;
    QLabel* problemLabel_;
    ElidedLabel* difference_;
    ElidedLabel* subject_;
    QCheckBox* log_;
    std::optional<bool> logByHand_;
};

}  // namespace ks::ui::lab
