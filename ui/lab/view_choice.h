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

/// The bar above the plots: the time, the axis and the problem that are drawn; below it what that problem is,
/// and what is said of problems that differ.
class ViewChoice : public QWidget {
    Q_OBJECT
  public:
    /// @param actions that have buttons at the right
    explicit ViewChoice(const QList<QAction*>& actions, QWidget* parent = nullptr);
    ~ViewChoice() override;

    void setCompared(const ComparedList& all);
    /// What the times that are drawn are of; empty: nothing is drawn.
    void setSubject(const QString& text);
    QString subject() const;
    /// Chooses a problem that this one of them has in common with another, where the chosen one is none of
    /// its own and there is one.
    void showOne(const Compared& of, const ComparedList& all);
    double BenchSample::*time() const;
    /// Of problemsOf() what is compared; nothing: all, in groups.
    std::optional<std::size_t> problem() const;
    /// Nothing: as the times ask for.
    std::optional<bool> logarithmicByHand() const { return logByHand_; }
    void setLogarithmicByHand(bool on);
    /// What the plot has now.
    void showLogarithmic(bool on);

    QComboBox& times() { return *time_; }
    /// The problems, and where there are several last all of them in groups.
    QComboBox& problems() { return *problem_; }
    QString difference() const;

  signals:
    void changed();
    void logarithmicWanted(bool on);

  private:
    void build(const QList<QAction*>& actions);

    QComboBox *time_, *problem_;
    QLabel *problemLabel_, *difference_;
    ElidedLabel* subject_;
    QCheckBox* log_;
    std::optional<bool> logByHand_;
};

}  // namespace ks::ui::lab
