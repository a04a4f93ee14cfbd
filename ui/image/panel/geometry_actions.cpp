#include "ui/image/panel/geometry_actions.h"

#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/data/calibration/calibration.h"
#include "core/input/frame_input.h"
#include "core/input/input_files.h"
#include "core/io/geometry/poni.h"
#include "ui/base/jobs.h"
#include "ui/base/palette.h"
#include "ui/base/save_folders.h"
#include "ui/base/save_guard.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/tools/beam_tools.h"
#include "ui/image/view/detector_view.h"

namespace ks::ui {
namespace {

constexpr int calmMs = 150;

ParameterValue known(double value) {
    return value > 0 ? ParameterValue(value) : ParameterValue();
}

}  // namespace

GeometryActions::GeometryActions(Jobs& jobs, DetectorView& view, RegionEditor& editor,
                                 SessionGeometry& session, GeometryForm& form)
    : jobs_(jobs),
      view_(view),
      editor_(editor),
      session_(session),
      form_(&form),
      beam_(new BeamTool(this)),
      ringFit_(new RingFitTool(this)),
      layer_(view.addLayer([this](QPainter& painter, const QTransform& imageToWidget) {
          rings_.paint(painter, imageToWidget);
      })) {
    connect(&view, &DetectorView::toolChanged, this, [this] {
        form_->setPicking(view_.tool() == beam_, false);
        form_->setPicking(view_.tool() == ringFit_, true);
    });
    connect(&session_, &SessionGeometry::changed, this, &GeometryActions::show);
    connect(&session_, &SessionGeometry::fileChanged, this, [this] {
        if (frame_) show();
    });
    connect(form_, &GeometryForm::ringsChosen, this, &GeometryActions::show);
    connect(form_, &GeometryForm::pickBeamToggled, this, [this](bool on) { useTool(beam_, on); });
    connect(form_, &GeometryForm::fitRingToggled, this, [this](bool on) { useTool(ringFit_, on); });
    connect(form_, &GeometryForm::refineRequested, this, &GeometryActions::refine);
    connect(form_, &GeometryForm::loadRequested, this, &GeometryActions::load);
    connect(form_, &GeometryForm::saveRequested, this, &GeometryActions::save);
    connect(beam_, &BeamTool::moved, this, &GeometryActions::moveBeam);
    connect(beam_, &BeamTool::ended, this, [this] { useTool(beam_, false); });
    connect(ringFit_, &RingFitTool::fitted, this, &GeometryActions::ringFitted);
    connect(ringFit_, &RingFitTool::ended, this, [this] { useTool(ringFit_, false); });
    calm_.setSingleShot(true);
    calm_.setInterval(calmMs);
    connect(&calm_, &QTimer::timeout, this, &GeometryActions::askWhenCalm);
}

// Tools must not report their end to a form that may already be destroyed.
GeometryActions::~GeometryActions() {
    view_.disconnect(this);
    if (form_) form_->disconnect(this);
    beam_->disconnect(this);
    ringFit_->disconnect(this);
    useTool(beam_, false);
    useTool(ringFit_, false);
    view_.removeLayer(layer_);
}

void GeometryActions::setFile(std::shared_ptr<const OpenFile> file) {
    file_ = std::move(file);
    frame_.reset();
    // Results for the previous file do not apply to this one.
    jobs_.drop(this, QStringLiteral("refine geometry"));
    jobs_.drop(this, QStringLiteral("sharper geometry"));
    jobs_.drop(this, QStringLiteral("load geometry"));
    calm_.stop();
}

void GeometryActions::setFrame(std::shared_ptr<const Array> frame) {
    const bool first = !frame_;
    frame_ = std::move(frame);
    if (!first || !frame_) return;
    show();
    calm_.start();
}

QString GeometryActions::placeText(int column, int row) const {
    if (!located()) return {};
    const Geometry& where = geometry();
    const double x = column + 0.5, y = row + 0.5;
    const QString place = where.complete()
                              ? tr("  q %1 1/\u00c5  d %2 \u00c5")
                                    .arg(formatNumber(where.q(x, y), 4), formatNumber(where.d(x, y), 4))
                              : tr("  r %1 px").arg(formatNumber(where.radius(x, y), 4));
    return place + tr("  \u03c6 %1\u00b0").arg(where.phi(x, y), 0, 'f', 1);
}

void GeometryActions::fill(ParameterSet& parameters, const Geometry& used, bool located) const {
    for (const ParameterSpec& spec : io::geometry_parameters()) parameters[spec.id] = spec.default_value;
    if (file_ && file_->geometry && used == *file_->geometry) return;
    if (file_ && file_->geometry && used == file_->geometry->swapped()) {
        parameters["swap_xy"] = true;
        return;
    }
    if (!located) return;
    parameters["wavelength"] = known(used.wavelength);
    parameters["distance"] = known(used.distance);
    parameters["beam_x"] = used.beam_x;
    parameters["beam_y"] = used.beam_y;
    // A width that is given is also the height.
    parameters["pixel_size"] = known(used.pixel_size_y > 0 ? used.pixel_size_x : 0);
    parameters["pixel_size_y"] = known(used.pixel_size_y);
    // What is shown as unknown must not be taken from the file.
    if (!used.complete()) parameters["file_geometry"] = false;
}

void GeometryActions::resolve(ParameterSet& parameters) const {
    if (!file_ || !parameters.contains("swap_xy")) return;
    const auto resolve = [&parameters](const char* id, const ParameterValue& value) {
        const auto set = parameters.find(id);
        if (set != parameters.end() && is_absent(set->second)) set->second = value;
    };
    if (!session_.fromFile()) {
        // A request has no beam centre while nothing needs one; the form then shows where it would be.
        resolve("beam_x", session_.start().beam_x);
        resolve("beam_y", session_.start().beam_y);
    }
    const bool ofFile = io::uses_file_geometry(parameters);
    parameters["file_geometry"] = false;  // all that it gives is given now
    if (!ofFile) {
        const auto width = std::as_const(parameters).find("pixel_size");
        const auto height = parameters.find("pixel_size_y");
        if (width != parameters.cend() && height != parameters.end() && is_absent(height->second))
            height->second = width->second;
        parameters["swap_xy"] = false;  // there is no beam centre to swap
        return;
    }
    const Geometry found = file_->geometry.value_or(Geometry{});
    const Geometry own = boolean(parameters, "swap_xy") ? found.swapped() : found;
    const auto width = parameters.find("pixel_size");
    const bool given = width != parameters.end() && !is_absent(width->second);
    resolve("pixel_size_y", given ? width->second : known(own.pixel_size_y));
    resolve("pixel_size", known(own.pixel_size_x));
    resolve("wavelength", known(own.wavelength));
    resolve("distance", known(own.distance));
    if (!session_.fromFile()) return;
    resolve("beam_x", own.beam_x);
    resolve("beam_y", own.beam_y);
    parameters["swap_xy"] = false;  // is part of the beam now
}

void GeometryActions::show() {
    // Another file's geometry does not apply to this view.
    if (file_ && session_.file() != file_) return;
    const Geometry& where = geometry();
    beam_->setBeam({where.beam_x, where.beam_y});
    view_.setBeam(located() ? std::optional(QPointF(where.beam_x, where.beam_y)) : std::nullopt);
    ringFit_->setAspect(where.aspect());
    double farthest = 0;
    if (file_ && where.complete()) {
        const auto width = static_cast<double>(file_->frames->width()),
                   height = static_cast<double>(file_->frames->height());
        for (const double x : {0.0, width})
            for (const double y : {0.0, height}) farthest = std::max(farthest, where.q(x, y));
    }
    // The scale bar is horizontal.
    view_.setQScale(located() && where.complete() ? where.q(where.beam_x + 1, where.beam_y) : 0);
    rings_.set(where, form_->rings(), farthest);
    view_.update();
}

void GeometryActions::useTool(ImageTool* tool, bool on) {
    if (on && view_.tool() != tool) {
        view_.setTool(tool);
        view_.setFocus();
    } else if (!on && view_.tool() == tool) {
        view_.setTool(nullptr);
    }
}

void GeometryActions::moveBeam(const QPointF& to, bool final) {
    Geometry moved = geometry();
    moved.beam_x = to.x();
    moved.beam_y = to.y();
    session_.setGeometry(moved, final);
}

void GeometryActions::ringFitted(const CircleFit& circle) {
    moveBeam({circle.x, circle.y}, true);
    const RingAxes axes = ringFit_->axesOf(circle);
    const QString ring = geometry().aspect() == 1
                             ? tr("Circle of radius %1 px").arg(axes.x, 0, 'f', 1)
                             : tr("Ring with radii of %1 px across and %2 px down")
                                   .arg(QString::number(axes.x, 'f', 1), QString::number(axes.y, 'f', 1));
    form_->setNote(circle.points > 3
                       ? tr("%1, rms distance of the points %2 px").arg(ring).arg(circle.rms, 0, 'f', 2)
                       : tr("%1 through 3 points; use a fourth point to get the error of the fit").arg(ring));
    useTool(ringFit_, false);
}

void GeometryActions::load(const QString& path) {
    if (!file_) return;
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("load geometry"),
        [name = path.toStdString(), known = geometry(), height = file_->frames->height(),
         width = file_->frames->width()] {
            return io::geometry_of(io::read_poni(name), known, height, width, name);
        },
        [this, path](const Geometry& found) {
            session_.setGeometry(found, true);
            form_->setNote(tr("Loaded from %1").arg(QFileInfo(path).fileName()));
        },
        [this](const Error& error) { emit failed(error); });
}

void GeometryActions::save(const QString& path) {
    if (!file_) return;
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("save geometry %1").arg(path),
        [name = path.toStdString(), saved = geometry(), height = file_->frames->height(),
         width = file_->frames->width(), read = filesRead(&view_)] {
            io::require_not_read("saving", name, read);
            io::write_poni(saved, height, width, name, true);  // the dialog has asked
            return 0;
        },
        [this, path](int) {
            reportSaveSucceeded(&view_);
            reportSaved(&view_, tr("Geometry saved as %1").arg(path));
        },
        [this](const Error& error) {
            reportSaveFailed(&view_, error);
            emit failed(error);
        });
}

void GeometryActions::refine(const QString& calibrant, int firstRing, int lastRing) {
    if (!frame_) return;
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("refine geometry"),
        [frame = frame_, mask = editor_.mask().values(), start = geometry(), calibrant, firstRing, lastRing] {
            if (lastRing < firstRing)
                throw Error(ErrorKind::input, "the last ring must not be before the first", "refine");
            return refine_geometry(*frame, &mask, start, Calibrant::named(calibrant.toStdString()),
                                   static_cast<std::size_t>(firstRing - 1),
                                   static_cast<std::size_t>(lastRing - 1));
        },
        [this, start = geometry()](const Calibration& found) {
            if (geometry() != start) return;  // edited meanwhile
            double worst = 0;
            for (const RingFit& ring : found.rings) worst = std::max(worst, std::abs(ring.residual()));
            session_.setGeometry(found.geometry, true);
            form_->setNote(tr("Rings used: %1; q agrees with the calibrant to within %2 %")
                               .arg(found.rings.size())
                               .arg(100 * worst, 0, 'f', 3));
        },
        [this](const Error& error) { emit failed(error); });
}

void GeometryActions::askWhenCalm() {
    if (jobs_.running() > 0)
        calm_.start();
    else if (frame_)
        askWhichIsSharper();
}

void GeometryActions::askWhichIsSharper() {
    if (!file_->geometry || file_->geometry->beam_x == file_->geometry->beam_y) return;
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("sharper geometry"),
        [frame = frame_, mask = editor_.mask().values(), geometry = *file_->geometry] {
            return sharper_than_swapped(*frame, &mask, geometry);
        },
        [this](double ratio) {
            if (std::isfinite(ratio) && ratio < 0.97 && !session_.edited() && !session_.state().swapped)
                form_->setNote(tr("Rings are sharper with beam x and y swapped."), true);
        },
        // A frame that decides nothing (blank, or without a valid pixel) gives no hint.
        [](const Error&) {});
}

}  // namespace ks::ui
