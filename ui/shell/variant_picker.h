#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "core/run/engine.h"

class QButtonGroup;
class QLabel;
class QVBoxLayout;

namespace ks::ui {

/// Radio buttons for the variants that a device offers; those that it cannot run are disabled and say why.
class VariantPicker : public QWidget {
    Q_OBJECT
  public:
    explicit VariantPicker(QWidget* parent = nullptr);

    /// The choice is kept where it is still usable, else the first usable offer (the highest rank) is chosen.
    void setOffers(std::vector<Offer> offers);
    const std::vector<Offer>& offers() const { return offers_; }
    /// Id of the chosen variant; empty where none is usable.
    QString variant() const;
    /// False where it is not offered or not usable.
    bool setVariant(const QString& id);

  signals:
    void variantChanged(const QString& id);

  private:
    void showStory();

    QVBoxLayout* rows_;
    QButtonGroup* buttons_;
    QLabel* story_;
    std::vector<Offer> offers_;
};

}  // namespace ks::ui
