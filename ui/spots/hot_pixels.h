#pragma once

#include <QWidget>
#include <cstddef>
#include <vector>

#include "core/run/run.h"

class QPushButton;

namespace ks::ui {
class ElidedLabel;
}

namespace ks::ui::spots {

/// Pixels that are signal in all searched frames of a run: facts "hot_pixels" and "hot_in_frames".
struct HotPixels {
    std::vector<std::size_t> pixels = {};  ///< flat indices over [y][x], in the order of the run
    std::size_t frames = 0;                ///< number of the searched frames
    bool operator==(const HotPixels&) const = default;
};
/// Without pixels if the run names none, or names them in another way than the analysis does.
HotPixels hotPixelsOf(const Run& run);

/// "13 pixels are signal in all 10 frames: probably hot", which ones, and a button that masks them; hidden if
/// there are none.
class HotPixelsLine : public QWidget {
    Q_OBJECT
  public:
    /// What the button can do: the mask may be of frames with another shape, or have the pixels already.
    enum class Mask { possible, done, impossible };

    explicit HotPixelsLine(QWidget* parent = nullptr);

    void setPixels(const HotPixels& hot, std::size_t width, Mask mask);
    QString text() const;
    QPushButton& button() { return *button_; }

  signals:
    /// The user wants them in the mask.
    void maskWanted();

  private:
    ElidedLabel* label_;
    QPushButton* button_;
};

}  // namespace ks::ui::spots
