// What the page draws above the image, and how image and table go together.

#include <QAction>
#include <QLocale>
#include <QSpinBox>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/image/view/detector_view.h"
#include "ui/runs/run_source.h"
#include "ui/shell/page_actions.h"
#include "ui/spots/count_text.h"
#include "ui/spots/spot_plots.h"
#include "ui/spots/spot_table.h"
#include "ui/spots/spots_page.h"
#include "ui/spots/threshold_form.h"

namespace ks::ui::spots {

using ks::spots::Dropped;
using ks::spots::Intermediate;
using ks::spots::Spot;

namespace {

constexpr double reach = 8;        ///< logical pixels of the screen around a centroid
constexpr double minLook = 48;     ///< pixels of the image that are seen around a spot, at least
constexpr double boxesInLook = 8;  ///< so many times the spot's box is seen

}  // namespace

void SpotsPage::makeActions() {
    const auto add = [this](const char* name, const QString& text, QKeySequence key, const QString& tip) {
        QAction* action = pageAction(this, name, text, key, tip);
        actions_.insert(QLatin1String(name), action);
        return action;
    };
    const auto toggle = [&](const char* name, const QString& text, Qt::Key key, bool on, const QString& tip) {
        QAction* action = add(name, text, QKeySequence(key), tip);
        action->setCheckable(true);
        action->setChecked(on);
        connect(action, &QAction::toggled, this, &SpotsPage::showStyle);
    };
    toggle("signal", tr("Signal"), Qt::Key_S, true, tr("Show the signal pixels"));
    toggle("boxes", tr("Boxes"), Qt::Key_O, true, tr("Show a box around each spot"));
    toggle("centroids", tr("Centroids"), Qt::Key_C, true, tr("Show the middle of each spot"));
    toggle("dropped", tr("Dropped"), Qt::Key_K, false, tr("Show spots that are not kept, dotted"));
    toggle("difference", tr("Difference"), Qt::Key_D, false,
           tr("Set the signal of the two newest ticked runs against each other"));
    connect(add("next", tr("Next"), QKeySequence(Qt::Key_N), tr("Next spot of the table")),
            &QAction::triggered, this, [this] { step(1); });
    connect(
        add("previous", tr("Previous"), QKeySequence(Qt::SHIFT | Qt::Key_N), tr("Spot before in the table")),
        &QAction::triggered, this, [this] { step(-1); });
    int key = Qt::Key_1;
    for (const auto& info : ks::spots::intermediates()) {
        auto* action = new QAction(QString::fromUtf8(info.title), this);
        action->setShortcut(QKeySequence(key++));
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
        connect(action, &QAction::triggered, this, [this, kind = info.kind] { form_->setPicture(kind); });
    }
}

bool SpotsPage::ofThisFile(const Run& run) const {
    return file_ && file_->frames &&
           readFrom(run, "frames", file_->name,
                    {{"height", file_->frames->height()}, {"width", file_->frames->width()}});
}

std::shared_ptr<const FoundSpots> SpotsPage::found(const RunRow& row) {
    // A check makes another Run of the same number with the same result.
    if (const auto known = decoded_.value(row.number); known && row.number > 0) return known;
    try {
        auto made = std::make_shared<const FoundSpots>(row.run, row.number);
        if (row.number > 0) decoded_.insert(row.number, made);
        return made;
    } catch (const Error& error) {
        emit failed(error);
        return nullptr;
    }
}

// As in the table and on the image: runs of other frames are left out.
void SpotsPage::showStatistics() {
    const std::vector<RunRow> own = runs_.ofData();
    plots_->setRuns(own);
    plots_->setFrame(own.empty() ? -1 : image_->shownFrame());
}

void SpotsPage::showResult() {
    std::vector<std::shared_ptr<const FoundSpots>> shown;
    for (const RunRow& row : runs_.shown())
        if (shown.size() < 2)
            if (auto one = found(row)) shown.push_back(std::move(one));
    for (const int number : decoded_.keys())
        if (std::ranges::find(runs_.ticked(), number, &RunRow::number) == runs_.ticked().end())
            decoded_.remove(number);
    shown.resize(2);
    if (shown[0] == a_ && shown[1] == b_) return showStatus();
    if (shown[0] != a_) {
        picked_.reset();
        tableLater_.start();
    }
    a_ = shown[0];
    b_ = shown[1];
    layer_.setRuns(a_, b_);
    layer_.setPicked(picked_);
    layer_.setFrames(image_->shownFrame(), framesShown());
    countAll();
    image_->view().update();
    showStatus();
    emit overlayShown();
}

void SpotsPage::showTable() {
    tableLater_.stop();
    try {
        table_->setResult(a_ ? a_->run() : nullptr);
    } catch (const Error& error) {
        emit failed(error);
    }
    table_->setFrame(image_->shownFrame());
    table_->select(picked_ ? static_cast<int>(*picked_) : -1);
}

// Both runs may hold millions of pixels: counted beside the window.
void SpotsPage::countAll() {
    context_.jobs.drop(this, QStringLiteral("difference of runs"));
    if (!layer_.showsDifference()) return;
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("difference of runs"),
        [a = a_, b = b_] { return countDifference(*a, *b); },
        [this](const DifferenceCounts& counts) {
            layer_.setCounts(counts);
            image_->view().update();
        });
}

int SpotsPage::framesShown() const {
    const int left = std::max(image_->slider().frameCount() - image_->slider().frame(), 1);
    return std::clamp(image_->combinedFrames().value(), 1, left);
}

void SpotsPage::showFrame() {
    const int frame = image_->shownFrame();
    layer_.setFrames(frame, framesShown());
    table_->setFrame(frame);
    plots_->setFrame(runs_.ticked().empty() ? -1 : frame);
    image_->view().update();
    showStatus();
}

void SpotsPage::showStyle() {
    const auto on = [this](const char* name) { return actions_.value(QLatin1String(name))->isChecked(); };
    layer_.setStyle({on("signal"), on("boxes"), on("centroids"), on("dropped"), on("difference")});
    countAll();
    image_->view().update();
    showStatus();
}

void SpotsPage::showStatus() {
    QString text;
    QStringList shorter;
    if (a_) {
        const int frame = image_->shownFrame();
        QString name = a_->number() > 0 ? tr("Run %1").arg(a_->number()) : tr("Preview"), brief = name;
        if (a_->number() > 0 && !outdated_.isEmpty()) {
            // Here, since the end of the line may be cut.
            name += QLatin1Char(' ') + outdatedText(outdated_);
            brief = tr("%1, outdated").arg(name.section(QLatin1Char(' '), 0, 1));
        }
        if (a_->covers(frame)) {
            const QString spots = spotsText(a_->keptOn(frame)), pixels = grouped(a_->signal(frame).size());
            text = tr("%1, frame %2: %3, %4 px").arg(name).arg(frame).arg(spots, pixels);
            shorter << tr("%1: %2, %3 px").arg(brief, spots, pixels) << tr("%1: %2").arg(brief, spots)
                    << spots;
        } else {
            text = tr("%1 does not hold frame %2").arg(name).arg(frame);
            shorter << tr("%1: not this frame").arg(brief);
        }
    } else if (!runs_.ticked().empty()) {
        text = tr("The ticked runs are of other frames");
        shorter << tr("Runs of other frames");
    } else if (file_) {
        text = tr("Move a threshold, or Run (F5)");
        shorter << tr("Run: F5");
    }
    if (actions_.value(QStringLiteral("difference"))->isChecked() && a_ && !b_) {
        text = tr("For a difference tick two runs of this file. %1").arg(text);
        shorter = {tr("Tick two runs of this file"), tr("Tick two runs")};
    }
    status_->setWhole(text, shorter);
    const bool any = a_ && !a_->spots().empty();
    actions_.value(QStringLiteral("next"))->setEnabled(any);
    actions_.value(QStringLiteral("previous"))->setEnabled(any);
}

QString SpotsPage::status() const {
    return status_->whole();
}

void SpotsPage::clicked(const QPointF& at, Qt::MouseButton button) {
    if (button != Qt::LeftButton || !a_) return;
    const double pixels = reach / image_->view().zoom();
    for (int k = image_->shownFrame(); k < image_->shownFrame() + framesShown(); ++k)
        if (const auto spot = a_->at(k, at, pixels, layer_.style().dropped)) return pick(spot, false);
    pick(std::nullopt, false);
}

void SpotsPage::pick(std::optional<std::size_t> spot, bool look) {
    if (spot && (!a_ || *spot >= a_->spots().size())) spot.reset();
    picked_ = spot;
    layer_.setPicked(picked_);
    if (tableLater_.isActive()) showTable();
    const int row = picked_ ? static_cast<int>(*picked_) : -1;
    if (table_->selected() != row) table_->select(row);
    image_->view().update();
    if (!picked_ || !look) return;
    image_->slider().setFrame(a_->peakFrame(*picked_));
    lookAt(a_->spots()[*picked_]);
}

// A view that is zoomed about right only moves.
void SpotsPage::lookAt(const Spot& spot) {
    DetectorView& view = image_->view();
    const double side =
        std::max({minLook, boxesInLook * double(spot.x1 - spot.x0), boxesInLook * double(spot.y1 - spot.y0)});
    const QRectF seen = view.seenPart();
    const double now = std::min(seen.width(), seen.height());
    QRectF part(0, 0, side, side);
    if (!view.fitted() && now > side / 2 && now < 4 * side) part = QRectF(0, 0, seen.width(), seen.height());
    part.moveCenter(QPointF(spot.x, spot.y));
    view.showPart(part);
}

void SpotsPage::step(int by) {
    if (!a_) return;
    if (tableLater_.isActive()) showTable();
    const std::vector<int>& rows = table_->visibleSpots();
    if (rows.empty()) return;
    const auto current =
        picked_ ? std::find(rows.begin(), rows.end(), static_cast<int>(*picked_)) : rows.end();
    std::size_t next = 0;
    if (current != rows.end()) {
        const auto n = static_cast<std::ptrdiff_t>(rows.size());
        next = static_cast<std::size_t>(((current - rows.begin() + by) % n + n) % n);
    } else {
        // From what is on the screen.
        const int frame = image_->shownFrame();
        const auto here = std::find_if(rows.begin(), rows.end(), [&](int spot) {
            return a_->peakFrame(static_cast<std::size_t>(spot)) == frame;
        });
        if (here != rows.end()) next = static_cast<std::size_t>(here - rows.begin());
    }
    pick(static_cast<std::size_t>(rows[next]), true);
}

double SpotsPage::limit() const {
    if (const auto given = form_->saturation()) return *given;
    // The file's is the largest count that is still right.
    const std::optional<double>& last = context_.mask->saturation();
    return last ? std::nextafter(*last, std::numeric_limits<double>::infinity())
                : std::numeric_limits<double>::infinity();
}

void SpotsPage::makePicture() {
    const Intermediate kind = form_->picture();
    if (kind == Intermediate::image || !image_->frame()) {
        maker_->drop();
        image_->setDerived({});
        layer_.setNote({});
        return;
    }
    PictureInput input;
    input.frame = image_->frame();
    input.ignore = context_.mask->copy();
    input.thresholds = form_->thresholds();
    input.kind = kind;
    input.limit = limit();
    input.number = image_->shownFrame();
    maker_->make(input);
}

void SpotsPage::showPicture(const PictureInput& input, const std::shared_ptr<const Array>& image) {
    if (!image_->frame() || image->shape() != image_->frame()->shape()) return;
    QString title;
    for (const auto& info : ks::spots::intermediates())
        if (info.kind == input.kind) title = QString::fromUtf8(info.title);
    layer_.setNote(tr("%1, frame %2").arg(title).arg(input.number));
    image_->setDerived({image, title, image->type() == ElementType::u8});
}

}  // namespace ks::ui::spots
