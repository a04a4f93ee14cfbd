#pragma once

#include <QAbstractTableModel>
#include <QSet>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "core/run/engine.h"

class QLayout;
class QTableView;

namespace ks::ui::lab {

/// The variants of an analysis with a tick each; those that no chosen device can run are grey and say why.
class VariantListModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { NameColumn, AboutColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// @param offers [device], of the chosen devices; a variant can run if one of them can run it
    void setOffers(const std::vector<std::vector<Offer>>& offers);
    /// Ids without a tick; those without an initial tick are unticked unless they are among `on`.
    void setOff(const QStringList& off, const QStringList& on = {});
    QStringList off() const;
    QStringList on() const { return {on_.begin(), on_.end()}; }
    /// Ids that are ticked and can run, in the order of the rows.
    QStringList ticked() const;
    const std::vector<Offer>& offers() const { return offers_; }
    /// Ticks or unticks those rows; those that cannot run are unchanged.
    void setTicked(const std::vector<int>& rows, bool ticked);
    /// Ticks all of those rows that can run if one of them has no tick; otherwise unticks them.
    void toggle(const std::vector<int>& rows);

    /// Which variants to tick, by name.
    enum class Choice {
        all,      ///< that can run, including those by name only
        fitting,  ///< that can run, except those by name only
        none,
        baseline,  ///< the default of a run, and the baseline for speed-ups
        own        ///< written by the user, and the base of each, the reference of its speed-up
    };
    void choose(Choice choice);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

  signals:
    void tickedChanged();

  private:
    /// Not those that run by name only, nor the user's, whose files may appear at any time.
    static bool isInitial(const Offer& offer);
    bool isTicked(const Offer& offer) const;
    void tick(const Offer& offer, bool ticked);
    bool belongs(const Offer& offer, Choice choice) const;
    void tellTicked();
    QString about(const Offer& offer) const;

    std::vector<Offer> offers_;
    QSet<QString> off_, on_;  ///< by the user; `on`: those without an initial tick
};

/// The variants of an analysis with ticks, and with buttons and a menu that tick several at once. Space ticks
/// or unticks all selected rows.
class VariantList : public QWidget {
    Q_OBJECT
  public:
    explicit VariantList(QWidget* parent = nullptr);
    ~VariantList() override;

    VariantListModel& model() { return *model_; }
    QTableView& table() { return *table_; }

  protected:
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    void buildTable();
    QLayout* makeButtons();
    std::vector<int> selected() const;

    VariantListModel* model_;
    QTableView* table_;
};

}  // namespace ks::ui::lab
