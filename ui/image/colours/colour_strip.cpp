#include "ui/image/colours/colour_strip.h"

#include <QMouseEvent>

#include "ui/base/layouts.h"
#include "ui/image/colours/image_controls.h"
#include "ui/image/view/detector_view.h"

namespace ks::ui {
namespace {

constexpr int narrow = 640;  ///< of the picture; the scale bar takes up to 200 of it

}  // namespace

ColourStrip::ColourStrip(DetectorView* view)
    : FloatingCard(Qt::BottomRightCorner), controls_(new ImageControls(this)) {
    setLayout(inRows({controls_}, {}, {4, 4, 4, 4}));
    controls_->setFolded(true);
    controls_->attach(view);
    connect(view, &DetectorView::colourBarClicked, controls_, [this] { controls_->setFolded(false); });
    floatOver(view);
    show();
}

void ColourStrip::arrange() {
    if (view()) controls_->setCompact(view()->imageArea().width() < narrow);
    FloatingCard::arrange();
}

bool ColourStrip::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view() && event->type() == QEvent::MouseButtonPress &&
        view()->imageArea().contains(static_cast<QMouseEvent*>(event)->position()))
        controls_->setFolded(true);
    return FloatingCard::eventFilter(watched, event);
}

}  // namespace ks::ui
