// What a session or a project saves of the panel.

#include <QComboBox>
#include <QSpinBox>
#include <algorithm>

#include "ui/base/json_read.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/view/detector_view.h"

namespace ks::ui {
nlohmann::json ImagePanel::keep() const {
    nlohmann::json kept = nlohmann::json::object();
    if (!file_ || !geometry_) return kept;
    kept["calibrant"] = geometry_->rings().toStdString();
    kept["frame"] = slider_->frame();
    kept["frames"] = count_->value();
    kept["combination"] = how_->currentIndex();
    const std::optional<QRectF> part =
        wantedPart_ ? wantedPart_
                    : (view_->fitted() || !frame_ ? std::nullopt : std::optional(view_->seenPart()));
    if (part) kept["seen"] = {part->x(), part->y(), part->width(), part->height()};
    return kept;
}

void ImagePanel::expect(const nlohmann::json& kept) {
    expectedFrame_ = std::max(jsonInteger(kept, "frame"), 0);
}

void ImagePanel::bringBack(const nlohmann::json& kept) {
    if (!file_ || !kept.is_object()) return;
    geometry_->setRings(jsonText(kept, "calibrant"));
    if (const int how = jsonInteger(kept, "combination"); how >= 0 && how < how_->count())
        how_->setCurrentIndex(how);
    const int last = slider_->frameCount() - 1;
    if (last >= 0) slider_->setFrame(std::clamp(jsonInteger(kept, "frame"), 0, last));
    count_->setValue(jsonInteger(kept, "frames", 1));
    const nlohmann::json seen = jsonPart(kept, "seen");
    if (!seen.is_array() || seen.size() != 4 ||
        !std::ranges::all_of(seen, [](const nlohmann::json& one) { return one.is_number(); }))
        return;
    const QRectF part(seen[0].get<double>(), seen[1].get<double>(), seen[2].get<double>(),
                      seen[3].get<double>());
    const QRectF whole(0, 0, static_cast<double>(file_->frames->width()),
                       static_cast<double>(file_->frames->height()));
    if (part.width() > 0 && part.height() > 0 && part.intersects(whole)) wantedPart_ = part;
}

}  // namespace ks::ui
