#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "core/run/engine.h"

class QButtonGroup;
class QLabel;
class QVBoxLayout;

namespace ks::ui {

/// Radio buttons for the variants that a device offers; those that it cannot run, and those that do not take
/// what is to be computed, are disabled and say why.
class VariantPicker : public QWidget {
    Q_OBJECT
  public:
    explicit VariantPicker(QWidget* parent = nullptr);

    /// Of a device with or without double precision. The variant that was asked for is chosen where it is
    /// usable, else the first usable one (the highest rank). Without offers nothing is asked for any more.
    void setOffers(std::vector<Offer> offers, bool deviceHasFp64 = true);
    /// What is to be computed, as far as it is known. A variant that does not take it is left for the best
    /// one that does, and comes back with the next traits that it takes.
    void setTraits(const Traits& traits);
    /// With the reasons of the traits.
    const std::vector<Offer>& offers() const { return usable_; }
    /// Id of the variant that the next run gets; empty where none is usable.
    QString variant() const;
    /// The one that was asked for, usable, offered or not; empty: none was, the best one is taken.
    const QString& wanted() const { return wanted_; }
    /// Whether `next` follows `former` because of what is computed: `former` does not take the current
    /// traits, or `next` did not take the earlier ones.
    /// @param earlier those of the current traits that were different
    bool parametersChose(const QString& next, const QString& former, const Traits& earlier) const;
    /// Asks for a variant; none: has no effect. False where it is not offered, or not usable now: what is
    /// chosen stays then, until it is.
    bool setVariant(const QString& id);

  signals:
    void variantChanged(const QString& id);

  private:
    void makeButtons();
    void judge();
    bool choose(const QString& id);
    void showStory();

    QVBoxLayout* rows_;
    QButtonGroup* buttons_;
    QLabel* story_;
    std::vector<Offer> offers_;  ///< as the device offers them
    std::vector<Offer> usable_;  ///< the same with the reasons of traits_
    Traits traits_;
    bool fp64_ = true;
    QString wanted_;
};

}  // namespace ks::ui
