#pragma once

#include <QLineF>
#include <QWidget>
#include <memory>

#include "core/base/error.h"
#include "core/data/geometry.h"
#include "core/data/profiles/radial_profile.h"

class QComboBox;

namespace ks::ui {

class CurvePlot;
class ImagePanel;
class Jobs;
class LineTool;

/// Profiles of the displayed frame: I(q) about the beam (or I(r) where q is unknown), along a drawn line, or
/// along the row or column of the last click. Follows frame, mask and geometry of the panel.
class ProfilePanel : public QWidget {
    Q_OBJECT
  public:
    enum Kind { Azimuthal, Line, Row, Column };

    ProfilePanel(ImagePanel& image, Jobs& jobs, QWidget* parent = nullptr);

    void setKind(Kind kind);
    Kind kind() const;
    CurvePlot& plot() { return *plot_; }
    /// Draws the line of the kind Line. The owner of the panel sets it as the tool of the image.
    LineTool& lineTool() { return *line_; }
    /// Unit of the azimuthal profile: true for 1/angstrom, otherwise pixels.
    bool inQ() const { return inQ_; }

  signals:
    void kindChanged(int kind);
    /// Another curve is shown, or the same one in another unit.
    void shown();
    void failed(const ks::Error& error);

  private:
    void refresh();
    void computeAzimuthal();
    void showLine(const QLineF& line, const QString& title);
    void showCurve(const QString& label, const std::vector<double>& x, const std::vector<double>& y,
                   const QString& unit);

    ImagePanel& image_;
    Jobs& jobs_;
    CurvePlot* plot_;
    QComboBox* kind_;
    LineTool* line_;
    std::shared_ptr<const RadialBinning> binning_;
    Geometry binnedFor_;
    std::vector<std::size_t> binnedShape_;
    bool inQ_ = false, busy_ = false, again_ = false;
    QPointF clicked_;
};

}  // namespace ks::ui
