#pragma once

#include "ui/image/view/floating_card.h"

namespace ks::ui {

class ImageControls;

/// The colours of a view at its lower right: scale and map, and unfolded all of its controls. A click on the
/// view's colour bar unfolds it, one into the picture folds it. Where the view is narrow, only the button
/// that unfolds is left, so that the scale bar stays in sight.
class ColourStrip : public FloatingCard {
    Q_OBJECT
  public:
    /// The view owns it.
    explicit ColourStrip(DetectorView* view);

    ImageControls& controls() { return *controls_; }

  protected:
    void arrange() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    ImageControls* controls_;
};

}  // namespace ks::ui
