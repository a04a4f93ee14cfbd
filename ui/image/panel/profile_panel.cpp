#include "ui/image/panel/profile_panel.h"

#include <QComboBox>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/data/profiles/line_profile.h"
#include "ui/base/jobs.h"
#include "ui/base/layouts.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/tools/line_tool.h"
#include "ui/image/view/detector_view.h"
#include "ui/plots/curve_plot.h"

namespace ks::ui {
namespace {

constexpr std::size_t maxRings = 1000;

}  // namespace

ProfilePanel::ProfilePanel(ImagePanel& image, Jobs& jobs, QWidget* parent)
    : QWidget(parent),
      image_(image),
      jobs_(jobs),
      plot_(new CurvePlot),
      kind_(new QComboBox),
      line_(new LineTool(this)) {
    kind_->addItems(
        {tr("I(q) around the beam"), tr("along a line"), tr("along a row"), tr("along a column")});
    named(kind_, tr("Kind of profile"), tr("Profile to plot: I(q), or values along a line, row or column"));
    plot_->setAccessibleName(tr("Profile of the frame"));
    plot_->setLogOffered(false);
    plot_->setLogY(true);
    plot_->setLegendVisible(false);
    setLayout(inRows({inColumns({kind_, Cell::space()}), {plot_, 1}}, 4));
    connect(kind_, &QComboBox::currentIndexChanged, this, [this](int kind) {
        refresh();
        emit kindChanged(kind);
    });
    connect(line_, &LineTool::drawn, this, [this] {
        if (kind() == Line) refresh();
    });
    connect(&image_, &ImagePanel::frameShown, this, &ProfilePanel::refresh);
    connect(&image_, &ImagePanel::geometryChanged, this, &ProfilePanel::refresh);
    connect(&image_, &ImagePanel::maskChanged, this, &ProfilePanel::refresh);
    connect(&image_.view(), &DetectorView::clicked, this, [this](const QPointF& at) {
        clicked_ = at;
        if (kind() == Row || kind() == Column) refresh();
    });
    refresh();
}

void ProfilePanel::setKind(Kind kind) {
    kind_->setCurrentIndex(kind);
}

ProfilePanel::Kind ProfilePanel::kind() const {
    return static_cast<Kind>(kind_->currentIndex());
}

void ProfilePanel::refresh() {
    const auto& frame = image_.frame();
    const double width = frame ? static_cast<double>(frame->shape()[1]) : 0,
                 height = frame ? static_cast<double>(frame->shape()[0]) : 0;
    switch (kind()) {
        case Azimuthal:
            plot_->setEmptyText(tr("I(q) of the displayed frame"));
            computeAzimuthal();
            break;
        case Line:
            plot_->setEmptyText(tr("Drag a line on the image"));
            showLine(line_->line(), tr("distance"));
            break;
        case Row: {
            plot_->setEmptyText(tr("Click the image to select a row"));
            const double y = std::floor(clicked_.y()) + 0.5;
            showLine({{0.5, y}, {width - 0.5, y}}, tr("column"));
            break;
        }
        case Column: {
            plot_->setEmptyText(tr("Click the image to select a column"));
            const double x = std::floor(clicked_.x()) + 0.5;
            showLine({{x, 0.5}, {x, height - 0.5}}, tr("row"));
            break;
        }
    }
}

void ProfilePanel::showLine(const QLineF& line, const QString& title) {
    if (!image_.frame() || line.isNull()) {
        plot_->setSeries({});
        return;
    }
    const std::vector<std::uint8_t>& mask = image_.editor().mask().values();
    const bool fits = mask.size() == image_.frame()->size();  // false while another page has another file
    const LineProfile profile =
        line_profile(*image_.frame(), fits ? &mask : nullptr, {line.x1(), line.y1()}, {line.x2(), line.y2()});
    plot_->setBands({});
    plot_->setXAxis(title, tr("px"));
    showCurve(kind_->currentText(), profile.distance, profile.value, tr("counts"));
}

void ProfilePanel::showCurve(const QString& label, const std::vector<double>& x, const std::vector<double>& y,
                             const QString& unit) {
    CurveSeries curve;
    curve.label = label;
    curve.style = CurveStyle::line;
    curve.x = QVector<double>(x.begin(), x.end());
    curve.y = QVector<double>(y.begin(), y.end());
    plot_->setYAxis(tr("I"), unit);
    plot_->setSeries({curve});
    emit shown();
}

void ProfilePanel::computeAzimuthal() {
    if (!image_.frame()) {
        plot_->setSeries({});
        return;
    }
    // During a drag each result is shown, and the next job starts only then.
    if (std::exchange(busy_, true)) {
        again_ = true;
        return;
    }
    struct Made {
        std::shared_ptr<const RadialBinning> binning;
        RadialProfile profile;
    };
    const Geometry geometry = image_.geometry();
    const std::vector<std::size_t> shape = image_.frame()->shape();
    const bool same = binning_ && binnedFor_ == geometry && binnedShape_ == shape;
    const auto done = [this] {
        busy_ = false;
        if (std::exchange(again_, false) && kind() == Azimuthal) computeAzimuthal();
    };
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("azimuthal profile"),
        [frame = image_.frame(), mask = image_.editor().mask().values(), geometry, shape,
         binning = same ? binning_ : nullptr] {
            Made made{binning, {}};
            const std::size_t rings = std::min(maxRings, std::max(shape[0], shape[1]));
            if (!made.binning)
                made.binning = std::make_shared<const RadialBinning>(shape[0], shape[1], geometry, rings);
            made.profile = made.binning->profile(*frame, mask.size() == frame->size() ? &mask : nullptr);
            return made;
        },
        [this, geometry, shape, done](const Made& made) {
            binning_ = made.binning;
            binnedFor_ = geometry;
            binnedShape_ = shape;
            if (kind() == Azimuthal && image_.frame()) {  // no frame: its file was closed meanwhile
                inQ_ = made.profile.in_q;
                plot_->setXAxis(inQ_ ? QStringLiteral("q") : QStringLiteral("r"),
                                inQ_ ? QStringLiteral("1/\u00c5") : tr("px"));
                showCurve(inQ_ ? QStringLiteral("I(q)") : QStringLiteral("I(r)"), made.profile.position,
                          made.profile.mean, tr("counts per pixel"));
            }
            done();
        },
        [this, done](const Error& error) {
            emit failed(error);
            done();
        });
}

}  // namespace ks::ui
