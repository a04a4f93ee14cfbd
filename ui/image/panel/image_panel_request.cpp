// What a request says of the panel's geometry.

#include "core/input/frame_input.h"
#include "ui/image/panel/image_panel.h"

namespace ks::ui {

QString ImagePanel::missingGeometry() const {
    if (!file_) return {};
    const Geometry& g = geometry();
    for (const io::GeometryFault& fault : file_->faults) {
        const bool mended = fault.part == "distance"               ? g.distance > 0
                            : fault.part == "wavelength"           ? g.wavelength > 0
                            : fault.part.starts_with("pixel_size") ? g.pixel_size_x > 0 && g.pixel_size_y > 0
                                                                   : located();
        if (!mended)
            return tr("the file's %1 cannot be used: fill it in").arg(QString::fromStdString(fault.part));
    }
    return {};
}

void ImagePanel::fillGeometry(ParameterSet& parameters, const Geometry& used, bool located) const {
    for (const ParameterSpec& spec : io::geometry_parameters()) parameters[spec.id] = spec.default_value;
    if (file_ && file_->geometry && used == *file_->geometry) return;
    if (file_ && file_->geometry && used == file_->geometry->swapped()) {
        parameters["swap_xy"] = true;
        return;
    }
    if (!located) return;
    const auto known = [](double value) { return value > 0 ? ParameterValue(value) : ParameterValue(); };
    parameters["wavelength"] = known(used.wavelength);
    parameters["distance"] = known(used.distance);
    parameters["beam_x"] = used.beam_x;
    parameters["beam_y"] = used.beam_y;
    parameters["pixel_size"] = known(used.pixel_size_x);
    parameters["pixel_size_y"] = known(used.pixel_size_y);
}

}  // namespace ks::ui
