#pragma once

#include "ui/image/view/floating_card.h"

namespace ks::ui {

class ImageControls;

/// The colour settings of a view, at its lower right: scale and map and, when unfolded, all controls. A click
/// on the view's colour bar unfolds it, a click on the picture folds it. In a narrow view only the unfold
/// button is left, so that the scale bar stays visible.
class ColourStrip : public FloatingCard {
    Q_OBJECT
  public:
    /// The view owns the strip.
    explicit ColourStrip(DetectorView* view);

    ImageControls& controls() { return *controls_; }

  protected:
    void arrange() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    ImageControls* controls_;
};

}  // namespace ks::ui
