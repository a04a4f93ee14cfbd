#include "ui/xpcs/two_time/map_grid.h"

#include <QLabel>
#include <QPixmap>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/base/threads.h"
#include "core/xpcs/two_time/small_map.h"
#include "ui/base/colour_map.h"
#include "ui/base/count_text.h"
#include "ui/base/layouts.h"
#include "ui/xpcs/labelled_list.h"
#include "ui/xpcs/series/kept_delays.h"

namespace ks::ui::xpcs {
namespace {

constexpr std::size_t mostCells = 128;
constexpr int iconSize = 112;

/// t2 upwards, as in the large map.
QImage picture(const std::vector<double>& values, std::size_t cells) {
    ColourScale wanted;
    wanted.percentile = 99.5;
    const ColourScale scale = wanted.fitted(values);
    const ColourMap colours;
    const int size = static_cast<int>(cells);
    QImage image(size, size, QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    for (int t2 = 0; t2 < size; ++t2)
        for (int t1 = 0; t1 < size; ++t1) {
            const double value = values[static_cast<std::size_t>(t1) * cells + static_cast<std::size_t>(t2)];
            if (!std::isnan(value)) image.setPixel(t1, size - 1 - t2, colours.at(scale.position(value)));
        }
    return image.scaled(iconSize, iconSize);
}

}  // namespace

MapGrid::MapGrid(Jobs& jobs, QWidget* parent)
    : QWidget(parent), jobs_(jobs), text_(new QLabel), maps_(new QListWidget) {
    named(text_, tr("State of the maps"));
    text_->setObjectName(QStringLiteral("mapsState"));
    text_->setTextFormat(Qt::PlainText);
    text_->setWordWrap(true);
    text_->setAlignment(Qt::AlignCenter);
    named(
        maps_, tr("Two-time maps of all bins"),
        tr("C of each bin over t\u2081 (to the right) and t\u2082 (upwards), without the diagonal. Each map "
           "has its own colours, from its lowest to its highest values"));
    maps_->setViewMode(QListView::IconMode);
    maps_->setIconSize({iconSize, iconSize});
    maps_->setResizeMode(QListView::Adjust);
    maps_->setMovement(QListView::Static);
    maps_->setSpacing(4);
    setLayout(inRows({text_, {maps_, 1}}, 4));
    connect(maps_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item) emit picked(item->data(labelRole).toInt());
    });
    setPairs(nullptr, {});
}

void MapGrid::setPairs(std::shared_ptr<const ks::xpcs::LivePairs> pairs, const QString& why) {
    pairs_ = std::move(pairs);
    const QString part = pairs_ ? keptDelaysText(*pairs_, tr("lags"), pairs_->frames() - 1) : QString();
    text_->setVisible(!pairs_ || !part.isEmpty());
    maps_->setVisible(pairs_ != nullptr);
    if (pairs_)
        return text_->setText(tr("%1; a double click on a map shows all lags").arg(capitalised(part)));
    text_->setText(why.isEmpty() ? tr("Two-time maps of all bins appear here once there are bins") : why);
    asked_.reset();
    jobs_.drop(this, QStringLiteral("small maps"));
    const QSignalBlocker quiet(maps_);
    maps_->clear();
}

void MapGrid::setUsed(const std::vector<bool>& used) {
    used_ = used;
    compute();
}

void MapGrid::compute() {
    if (!pairs_ || used_.size() != pairs_->frames() || !isVisible()) return;
    Asked now{pairs_, used_};
    if (asked_ == now) return;
    asked_ = now;
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("small maps"),
        [now] {
            std::vector<Small> maps;
            const std::size_t cells = std::min(mostCells, now.used.size());
            for (std::size_t bin = 0; bin < now.pairs->bins().size(); ++bin)
                if (now.pairs->bins()[bin].frames() > 0) maps.push_back({static_cast<int>(bin) + 1, {}});
            Progress progress;
            parallel_for(maps.size(), compute_threads(), progress, [&](std::size_t i) {
                const auto bin = static_cast<std::size_t>(maps[i].label) - 1;
                maps[i].picture =
                    picture(ks::xpcs::small_two_time_of(now.pairs->bins()[bin], now.used, cells), cells);
            });
            return maps;
        },
        [this](const std::vector<Small>& maps) { take(maps); });
}

void MapGrid::take(const std::vector<Small>& maps) {
    const QSignalBlocker quiet(maps_);
    maps_->clear();
    for (const Small& one : maps) {
        auto* item =
            new QListWidgetItem(QIcon(QPixmap::fromImage(one.picture)), tr("bin %1").arg(one.label), maps_);
        item->setToolTip(tr("Two-time map of bin %1").arg(one.label));
        item->setData(labelRole, one.label);
    }
    selectLabel(*maps_, bin_);
}

void MapGrid::setBin(int label) {
    if (std::exchange(bin_, label) != label) selectLabel(*maps_, bin_);
}

void MapGrid::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    compute();
}

}  // namespace ks::ui::xpcs
