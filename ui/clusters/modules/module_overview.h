#pragma once

#include <QPixmap>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "ui/base/colour_map.h"
#include "ui/base/picture_place.h"
#include "ui/clusters/core_clusters.h"
#include "ui/clusters/run_clusters.h"
#include "ui/image/view/panned_canvas.h"
#include "ui/plots/export_plot.h"

namespace ks::ui::clusters {

/// Where the modules of a detector are drawn: one block of rows per layer, filled row by row with square
/// cells. A cell is an index among the modules, from 0. Lengths are in units of a cell.
class OverviewGrid {
  public:
    struct Block {
        QString name;  ///< of the layer; empty: there are no layers
        std::size_t first, cells, rows;
        double top;
    };
    static constexpr double gap = 0.5;  ///< between blocks

    OverviewGrid() = default;
    /// @param modules their number; layers are used if they contain exactly that many
    /// @param room space for the cells: the number of columns is chosen to make them largest
    OverviewGrid(const ks::clusters::DetectorLayout& layout, std::size_t modules, const QSizeF& room);

    std::size_t cells() const { return cells_; }
    std::size_t columns() const { return columns_; }
    double height() const { return height_; }
    const std::vector<Block>& blocks() const { return blocks_; }
    QRectF cell(std::size_t cell) const;
    std::optional<std::size_t> at(const QPointF& point) const;
    /// The cell that a key moves to from this one: the neighbour to the side, or in the row above or below;
    /// the same cell if there is none.
    std::size_t moved(std::size_t from, int columns, int rows) const;

  private:
    std::size_t blockOf(std::size_t cell) const;
    void build(const ks::clusters::DetectorLayout& layout, std::size_t columns);

    std::size_t cells_ = 0, columns_ = 1;
    double height_ = 0;
    std::vector<Block> blocks_;
};

/// All modules of an event, one cell each, in rows by layer. A click selects one, and the arrow keys select
/// its neighbours instead of panning.
class ModuleOverview : public ViewportCanvas, public ExportablePlot {
    Q_OBJECT
  public:
    enum class Quantity { digis, clusters, charge };

    explicit ModuleOverview(QWidget* parent = nullptr);

    /// @param digis null: empty @param run null: clusters are unknown @param event index among the events
    void setEvent(std::shared_ptr<const DigiSet> digis, std::shared_ptr<const RunClusters> run,
                  std::size_t event);
    void setQuantity(Quantity quantity);
    Quantity quantity() const { return quantity_; }
    void setEmptyText(const QString& text);
    /// A note on the run, as a badge above numbers of its clusters: "outdated (Connectivity)"; empty: none.
    void setNote(const QString& note);
    /// The note that is shown: digis and charges are not of the run.
    QString note() const { return quantity_ == Quantity::clusters ? note_ : QString(); }
    /// Marks a slot without emitting a signal.
    void select(std::optional<std::size_t> slot);
    std::optional<std::size_t> selected() const { return selected_; }

    /// The value shown by the colour of a slot of the event; NaN: unknown.
    double value(std::size_t slot) const;
    const ColourScale& colourScale() const { return scale_; }
    const OverviewGrid& grid() const { return grid_; }
    PicturePlace place() const { return {places_.room, places_.cells & places_.room}; }
    QRectF cellRect(std::size_t slot) const;  ///< in widget coordinates
    std::optional<std::size_t> slotAt(const QPointF& widget) const;
    /// "Module 512 (BL3): 24 digis, 9 clusters, charge 302 k".
    QString describe(std::size_t slot) const;
    /// The same in fewer words, longest first.
    QStringList shorter(std::size_t slot) const;

    void paintFigure(QCPPainter& painter, const QSize& size) const override;
    /// event,module,layer,digis,clusters,charge of each module.
    std::string csv() const override;
    QString whyEmpty() const override { return empty() ? emptyText_ : QString(); }
    QString figureName() const override { return QStringLiteral("modules"); }
    QSize sizeHint() const override { return {360, 280}; }
    QSize minimumSizeHint() const override { return {200, 140}; }

  signals:
    /// Selected by the user.
    void picked(std::size_t slot);
    void hovered(const QString& text);  ///< empty: nothing under the cursor

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* /*event*/) override { layOut(); }
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    /// Where cells, names and the colour bar are on a widget of this size.
    struct Places {
        OverviewGrid grid;
        QRectF room, cells;
        double side = 0, bar = 0;
    };
    bool hasPicture() const override { return !empty() && places_.side > 0; }
    void viewMoved() override;
    void hoverAt(const QPointF& widget) override;
    void hoverEnded() override;
    void clickedAt(const QMouseEvent& event) override;
    /// All cells, as large as possible.
    Places placesFor(const QSize& size, const QFontMetrics& metrics) const;
    /// Height of the line of the note; 0: there is none.
    double noteHeight(const QFontMetrics& metrics, int width) const;
    void layOut();
    void rescale();
    void paintAll(QPainter& painter, const QSize& size, const Places& places, const QPalette& palette) const;
    bool empty() const { return !digis_; }
    QString digisText(std::size_t slot) const;     ///< ": 24 digis"
    QString clustersText(std::size_t slot) const;  ///< ", 9 clusters"; empty: unknown
    static QRectF rectOf(const Places& places, std::size_t cell);

    std::shared_ptr<const DigiSet> digis_;
    std::shared_ptr<const RunClusters> run_;
    std::size_t event_ = 0;
    Quantity quantity_ = Quantity::digis;
    std::optional<std::size_t> selected_;
    ColourMap colours_;
    ColourScale scale_;
    QString emptyText_, note_;
    OverviewGrid grid_;
    Places whole_, places_;  ///< fitted, and as visible
    QPixmap picture_;        ///< without the selection; null: to be repainted
};

}  // namespace ks::ui::clusters
