#pragma once

#include <QPixmap>
#include <memory>
#include <optional>
#include <vector>

#include "ui/base/picture_place.h"
#include "ui/image/view/panned_canvas.h"
#include "ui/particles/plane_scene.h"
#include "ui/plots/export_plot.h"

namespace ks::ui::particles {

/// Maps of the planes xy, xz and yz next to each other with one colour bar. Each shows where the two others
/// cut it; dragging these lines moves the planes. All three are zoomed and panned together, as they show one
/// cube. A click selects a point; Shift and an arrow key move it by one target, Page Up and Page Down move it
/// to another plane.
class PlaneMaps : public PannedCanvas, public ExportablePlot {
    Q_OBJECT
  public:
    explicit PlaneMaps(QWidget* parent = nullptr);

    /// Null: nothing to show.
    void setPicture(std::shared_ptr<const MapPicture> picture);
    const std::shared_ptr<const MapPicture>& picture() const { return scene_.picture; }
    /// The planes of the next run, which define the lines.
    void setGrid(const ks::particles::PlaneGrid& grid);
    const ks::particles::PlaneGrid& grid() const { return scene_.grid; }
    /// @param fade distance from a plane at which dots are faint
    void setSources(std::shared_ptr<const SourceSet> sources, double fade);
    /// The vector of weights that the dots show; without effect if the sources do not have it.
    void setVector(std::size_t vector);
    std::size_t vector() const { return vector_; }
    void setSourcesVisible(bool visible);
    const std::vector<SourceDot>& dots() const { return scene_.dots; }
    static constexpr std::size_t maxDots = 5000;
    void setPicked(std::optional<PlanePosition> picked);
    void setEmptyText(const QString& text);
    /// A note on the runs that are shown, as a badge: "outdated (Sigma)"; empty: none.
    void setNote(const QString& note);
    const QString& note() const { return scene_.note; }
    /// Why there is no picture, shown instead of the empty text; empty: there is no particular reason.
    void setReason(const QString& reason);
    const QString& emptyText() const { return scene_.emptyText; }

    double zoom() const override { return scene_.view.pixels(area(Plane::xy)); }
    bool fitted() const override { return scene_.view.fitted(); }
    const CubeView& view() const { return scene_.view; }
    QRectF area(Plane plane) const { return layout_.areas[static_cast<std::size_t>(plane)]; }
    /// Of all three maps as one picture.
    PicturePlace place() const;
    QPointF toWidget(const PlanePosition& position) const {
        return scene_.view.toScreen(position.plane, area(position.plane), position.at);
    }
    std::optional<PlanePosition> positionAt(const QPointF& widget) const;
    /// Under the cursor.
    const std::optional<PlanePosition>& pointer() const { return pointer_; }
    /// The dot at a point of the widget.
    std::optional<std::size_t> sourceAt(const QPointF& widget) const;

    /// Only these planes, for exports.
    void paintPlanes(QCPPainter& painter, const QSize& size, const std::vector<Plane>& planes) const;
    std::string csv(const std::vector<Plane>& planes) const;
    void paintFigure(QCPPainter& painter, const QSize& size) const override;
    /// plane,i,j,x,y,z,value
    std::string csv() const override;
    QSize figureSize() const override { return {1240, 440}; }
    QString figureName() const override { return QStringLiteral("planes"); }
    QSize sizeHint() const override { return {760, 300}; }
    QSize minimumSizeHint() const override { return {480, 190}; }

  signals:
    void hovered(const ks::ui::particles::PlanePosition& position);
    void hoverLeft();
    /// A point was selected with the mouse or the keys.
    void clicked(const ks::ui::particles::PlanePosition& position);
    /// The user moved a line to `at` along the normal of the plane.
    void planeDragged(ks::ui::particles::Plane plane, double at, bool final);
    /// The newest picture is on the screen.
    void painted();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* /*event*/) override { arrange(); }
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    bool hasPicture() const override { return true; }
    QRectF areaAt(const std::optional<QPointF>& widget) const override;
    void fitView() override { scene_.view.fit(); }
    void zoomView(double factor, const QPointF& anchor) override;
    void panView(const QPointF& by, const QPointF& began) override;
    void viewMoved() override { changed(); }
    bool takesPress(const QMouseEvent& event) override;
    bool takesRelease(const QMouseEvent& event) override;
    void hoverAt(const QPointF& widget) override;
    void hoverEnded() override;
    void clickedAt(const QMouseEvent& event) override;
    void updateCursor() override;
    /// Which values are beyond the colours, at a point of the bar; empty elsewhere, or if there are none.
    QString barText(const QPointF& widget) const;
    void showEmptyText();
    void changed();
    void arrange();
    void makeDots();
    /// A map with the handles of its lines.
    QRectF around(Plane map) const;
    /// The plane whose line is at a point of the widget, on the map of another plane.
    std::optional<Plane> lineAt(const QPointF& widget) const;
    /// False if the key does not affect the selected point.
    bool movePicked(const QKeyEvent& event);

    PlaneScene scene_;
    std::size_t vector_ = 0;  ///< of the weights that the dots show
    QString emptyText_, reason_;
    MapLayout layout_;
    QPixmap still_;      ///< everything except what follows the cursor; null: to be repainted
    bool news_ = false;  ///< a picture that has not been painted yet
    std::optional<PlanePosition> pointer_, picked_;
    std::optional<Plane> held_, below_;  ///< planes whose lines are dragged, or under the cursor
    QPointF grabbed_;                    ///< where the line was pressed
    bool lineMoved_ = false;
};

/// One of the maps as a separate figure.
class PlaneFigure : public ExportablePlot {
  public:
    PlaneFigure(const PlaneMaps& maps, Plane plane) : maps_(maps), plane_(plane) {}
    void paintFigure(QCPPainter& painter, const QSize& size) const override {
        maps_.paintPlanes(painter, size, {plane_});
    }
    std::string csv() const override { return maps_.csv({plane_}); }
    QSize figureSize() const override { return {640, 560}; }
    QString figureName() const override { return QStringLiteral("plane_") + nameOf(plane_); }

  private:
    const PlaneMaps& maps_;
    Plane plane_;
};

}  // namespace ks::ui::particles
