#pragma once

#include <memory>

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/data/geometry.h"
#include "core/run/parameter_spec.h"
#include "ui/files/open_file.h"
#include "ui/image/overlay/ring_layer.h"
#include "ui/image/panel/geometry_form.h"
#include "ui/image/panel/session_geometry.h"

namespace ks {
struct CircleFit;
}  // namespace ks

namespace ks::ui {

class BeamTool;
class DetectorView;
class ImageTool;
class Jobs;
class RegionEditor;
class RingFitTool;

/// What the geometry in its form and the picture do to each other: the beam is dragged or fitted to a ring,
/// rings are refined by a calibrant, beam and rings are drawn.
class GeometryActions : public QObject {
    Q_OBJECT
  public:
    /// None is owned; jobs, view, editor and session outlive the object.
    GeometryActions(Jobs& jobs, DetectorView& view, RegionEditor& editor, SessionGeometry& session,
                    GeometryForm& form);
    ~GeometryActions() override;

    /// That of the session, unless the view is hidden. Null: no file.
    void setFile(std::shared_ptr<const OpenFile> file);
    /// What rings are refined in. The first one of a file is asked whether x and y are exchanged.
    void setFrame(std::shared_ptr<const Array> frame);

    const Geometry& geometry() const { return session_.geometry(); }
    /// Where the beam is, is known.
    bool located() const { return file_ && session_.located(); }
    /// Sets the parameters of a request that make its geometry `used`; none where that is the file's or
    /// nothing is known of where the beam is.
    void fill(ParameterSet& parameters, const Geometry& used, bool located) const;
    /// "  q 0.012 1/angstrom  ..." of the pixel's centre; empty: nothing is known.
    QString placeText(int column, int row) const;

    BeamTool& beamTool() { return *beam_; }
    RingFitTool& ringFitTool() { return *ringFit_; }

  signals:
    void failed(const ks::Error& error);

  private:
    void show();
    void useTool(ImageTool* tool, bool on);
    void ringFitted(const CircleFit& circle);
    void refine(const QString& calibrant, int firstRing, int lastRing);
    void askWhenCalm();
    void askWhichIsSharper();

    Jobs& jobs_;
    DetectorView& view_;
    RegionEditor& editor_;
    SessionGeometry& session_;
    QPointer<GeometryForm> form_;
    BeamTool* beam_;
    RingFitTool* ringFit_;
    RingLayer rings_;
    int layer_;
    std::shared_ptr<const OpenFile> file_;
    std::shared_ptr<const Array> frame_;
    QTimer calm_;  ///< what is on the screen is made first
};

}  // namespace ks::ui
