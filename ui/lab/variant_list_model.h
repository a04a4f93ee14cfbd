#pragma once

#include <QAbstractTableModel>
#include <QSet>
#include <QStringList>
#include <vector>

#include "core/run/engine.h"

namespace ks::ui::lab {

/// The variants of an analysis with a tick each; those that no chosen device can run are grey and say why.
class VariantListModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { NameColumn, AboutColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// @param offers [device], of the chosen devices; a variant can run where one of them can
    void setOffers(const std::vector<std::vector<Offer>>& offers);
    /// Ids without a tick; those that run by name only have none unless they are among `on`.
    void setOff(const QStringList& off, const QStringList& on = {});
    QStringList off() const;
    QStringList on() const { return {on_.begin(), on_.end()}; }
    /// Ids that are ticked and can run, in the order of the rows.
    QStringList ticked() const;
    const std::vector<Offer>& offers() const { return offers_; }
    /// Ticks those rows, or unticks them; those that cannot run stay as they are.
    void setTicked(const std::vector<int>& rows, bool ticked);
    /// Ticks where one of those rows that can run has no tick, else unticks all of them.
    void toggle(const std::vector<int>& rows);

    /// Which variants to tick, by a name.
    enum class Choice {
        all,      ///< that can run, those by name only too
        fitting,  ///< that can run, as at the beginning
        none,
        yardstick,  ///< the variant that a run takes by itself, and the one that speed-ups are counted from
        own         ///< that the user wrote, and the base of each, which its speed-up is counted from
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
    bool isTicked(const Offer& offer) const;
    void tick(const Offer& offer, bool ticked);
    bool belongs(const Offer& offer, Choice choice) const;
    void tellTicked();
    QString about(const Offer& offer) const;

    std::vector<Offer> offers_;
    QSet<QString> off_, on_;  ///< by hand; `on` of those that have no tick by themselves
};

}  // namespace ks::ui::lab
