#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <QString>
#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "core/run/repeats/repeats.h"
#include "ui/runs/run_table_model.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace ks::ui {
class CurvePlot;
}

namespace ks::ui::xpcs {

/// The repeats of an average: whether each is part of it, which the user can change, and why not.
class RepeatTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { FileColumn, Chi2Column, FramesColumn, WhyColumn, TimeColumn, ColumnCount };

    explicit RepeatTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// @param computed false: the rows are those of the next run, and only have names
    void setRepeats(std::vector<RepeatRow> rows, bool computed);
    /// Colours of the curves, one per row; not valid: it has no curve.
    void setColours(std::vector<QColor> colours);
    const std::vector<RepeatRow>& repeats() const { return rows_; }
    /// What the user has chosen, one per row.
    std::vector<std::optional<bool>> chosen() const;
    /// Leaves the choice of all repeats to the outlier test.
    void forgetChoice();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

  signals:
    /// By the user.
    void choiceChanged();

  private:
    std::vector<RepeatRow> rows_;
    std::vector<QColor> colours_;
    bool computed_ = false;
};

/// The table of the repeats of the next run, or of the average that is shown, and beside it the curves of one
/// bin for each of them and for the average.
class RepeatsPanel : public QWidget {
    Q_OBJECT
  public:
    explicit RepeatsPanel(QWidget* parent = nullptr);

    /// @param next repeats of the next run; without names: it is of one file
    /// @param shown average that is shown; null: none
    /// @param ofShown its repeats with the newest choice by hand
    /// @param note what is to be known about it, such as that it is outdated
    void setRepeats(const RepeatSet& next, const RunRow* shown, const std::vector<RepeatRow>& ofShown,
                    const QString& note);
    /// Shows the curves of this bin; 0: of the first one.
    void setBin(int label);
    RepeatTableModel& model() { return model_; }
    QTableView& view() { return *view_; }
    CurvePlot& plot() { return *plot_; }
    QComboBox& colours() { return *colours_; }
    QString summary() const;

  signals:
    /// The user has chosen other repeats for the average of this run.
    void chosen(int number, const std::vector<std::optional<bool>>& repeats);
    /// The outlier test is to decide about the repeats of the next run; no average is shown.
    void choiceUndone();

  private:
    void showCurves();

    RepeatTableModel model_;
    QTableView* view_;
    QLabel* summary_;
    QPushButton* automatic_;
    QComboBox* colours_;
    CurvePlot* plot_;
    std::optional<RunRow> shown_;
    int bin_ = 0;
};

}  // namespace ks::ui::xpcs
