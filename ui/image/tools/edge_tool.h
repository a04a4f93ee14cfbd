#pragma once

#include <optional>

#include "core/data/partition/partition_builder.h"
#include "ui/image/tools/image_tool.h"

namespace ks::ui {

/// Drags the edges of rings and levels on the image. Away from edges the mouse is left to the view, so that
/// the tool can stay active while nothing else is drawn.
class EdgeTool : public ImageTool {
    Q_OBJECT
  public:
    static constexpr double reach = 5;  ///< logical pixels of the view

    using ImageTool::ImageTool;

    QString title() const override { return tr("Edges"); }
    QString hint() const override { return tr("Drag the edge of a ring; Esc: restore it"); }
    QCursor cursor() const override { return near_ || held_ ? Qt::SizeAllCursor : Qt::ArrowCursor; }

    /// nullopt: there are no edges.
    void setRecipe(std::optional<PartitionRecipe> recipe);

    bool press(const ToolEvent& event) override;
    bool move(const ToolEvent& event) override;
    bool release(const ToolEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter, const QTransform& imageToWidget) const override;

  signals:
    void dragged(const ks::PartitionRecipe& recipe, bool final);

  private:
    std::optional<PartitionRecipe> recipe_;
    PartitionRecipe before_;
    std::optional<std::size_t> near_, held_;
};

}  // namespace ks::ui
