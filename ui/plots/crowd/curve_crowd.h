#pragma once

#include <qcustomplot.h>
#include <QImage>
#include <QRect>
#include <QVector>

#include "ui/plots/crowd/line_raster.h"

namespace ks::ui {

class CurveGraph;

/// The crowded curves of an axis rectangle and a layer, drawn as one picture, which is kept until they, the
/// axes or the size change. Belongs to the plot.
class CurveCrowd : public QCPLayerable {
    Q_OBJECT
  public:
    /// @param layer of the curves
    CurveCrowd(QCPAxisRect& rect, QCPLayer& layer);

  protected:
    QRect clipRect() const override;
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

  private:
    struct View {
        PixelScale x, y;
        QRect rect;
        double ratio = 1;
        QVector<const CurveGraph*> curves;
        bool operator==(const View&) const = default;
    };

    QCPAxisRect& rect_;
    View drawn_;
    QImage picture_;
};

}  // namespace ks::ui
