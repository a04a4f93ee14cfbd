#include "ui/spots/hot_pixels.h"

#include <QPushButton>
#include <QStringList>
#include <algorithm>

#include <nlohmann/json.hpp>

#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/base/layouts.h"

namespace ks::ui::spots {

// Read from a file, the facts may be anything.
HotPixels hotPixelsOf(const Run& run) {
    const auto& facts = run.result.facts;
    const auto places = facts.find("hot_pixels"), frames = facts.find("hot_in_frames"),
               width = facts.find("width"), height = facts.find("height");
    const auto isCount = [&facts](const auto& fact) {
        return fact != facts.end() && fact->is_number_unsigned();
    };
    HotPixels hot;
    if (places == facts.end() || !places->is_array() || !isCount(frames) || !isCount(width) ||
        !isCount(height))
        return hot;
    hot.frames = frames->get<std::size_t>();
    const auto columns = width->get<std::size_t>(), rows = height->get<std::size_t>();
    for (const auto& place : *places) {
        if (!place.is_array() || place.size() != 2 || !place[0].is_number_unsigned() ||
            !place[1].is_number_unsigned())
            return {};
        const auto x = place[0].get<std::size_t>(), y = place[1].get<std::size_t>();
        if (x >= columns || y >= rows) return {};
        hot.pixels.push_back(y * columns + x);
    }
    return hot;
}

HotPixelsLine::HotPixelsLine(QWidget* parent)
    : QWidget(parent), label_(new ElidedLabel), button_(new QPushButton) {
    label_->setAccessibleName(tr("Hot pixels"));
    button_->setObjectName(QStringLiteral("maskHot"));
    setLayout(inColumns({{label_, 1}, button_}, 8));
    connect(button_, &QPushButton::clicked, this, &HotPixelsLine::maskWanted);
    hide();
}

void HotPixelsLine::setPixels(const HotPixels& hot, std::size_t width, Mask mask) {
    setVisible(!hot.pixels.empty());
    if (hot.pixels.empty()) return;
    const bool one = hot.pixels.size() == 1;
    const QString count = counted(hot.pixels.size(), tr("1 pixel is"), tr("%1 pixels are"));
    label_->setWhole(tr("%1 signal in all %2 frames: probably hot").arg(count).arg(hot.frames),
                     {tr("%1 signal in all frames").arg(count),
                      counted(hot.pixels.size(), tr("1 hot pixel"), tr("%1 hot pixels"))});
    constexpr std::size_t named = 20;
    QStringList places;
    for (std::size_t i = 0; i < std::min(named, hot.pixels.size()); ++i)
        places << tr("x %1, y %2").arg(hot.pixels[i] % width).arg(hot.pixels[i] / width);
    if (hot.pixels.size() > named) places << tr("and %1 more").arg(hot.pixels.size() - named);
    const QString where = places.join(QStringLiteral("; "));
    label_->setToolTip(
        tr("%1 signal in every searched frame, which a reflection is not: %2").arg(count, where));
    button_->setText(mask == Mask::done ? tr("Masked") : one ? tr("Mask it") : tr("Mask them"));
    button_->setEnabled(mask == Mask::possible);
    button_->setToolTip(
        mask == Mask::possible ? tr("Add to the mask: %1. Ctrl+Z takes it back; press Run (F5) "
                                    "to search without them")
                                     .arg(where)
        : mask == Mask::done ? tr("They are in the mask: press Run (F5) to search without them")
                             : tr("The mask is of frames with another shape"));
}

QString HotPixelsLine::text() const {
    return isHidden() ? QString() : label_->whole();
}

}  // namespace ks::ui::spots
