#pragma once

#include <memory>

#include "core/base/array.h"
#include "ui/image/tools/region_tool.h"

namespace ks::ui {

/// What a click of the flood tool selects.
struct FloodSettings {
    enum class Reach {
        similar,  ///< pixels 4-connected to the clicked one, with values close to its value
        range     ///< all pixels of the frame in [low, high]
    };
    Reach reach = Reach::similar;
    double below = 1, above = 1;  ///< how far a similar value may be below and above the clicked one
    double low = 0, high = 0;
    bool operator==(const FloodSettings&) const = default;
};

class FloodTool : public RegionTool {
    Q_OBJECT
  public:
    using RegionTool::RegionTool;

    QString title() const override;
    QString hint() const override;

    const FloodSettings& settings() const { return settings_; }
    void setSettings(const FloodSettings& settings);
    /// Rank 2, [y][x], or null; also sets the size of the image.
    void setFrame(std::shared_ptr<const ks::Array> frame);

    bool press(const ToolEvent& event) override;
    bool release(const ToolEvent& event) override;

  signals:
    void settingsChanged();

  private:
    FloodSettings settings_;
    std::shared_ptr<const ks::Array> frame_;
    bool pressed_ = false;
};

}  // namespace ks::ui
