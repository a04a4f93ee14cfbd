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
#include "ui/image/panel/geometry_form.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/image/view/ring_painter.h"

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

/// Connects the geometry form and the picture: dragging the beam or fitting it to a ring, refining with the
/// rings of a calibrant, drawing beam and rings.
class GeometryActions : public QObject {
    Q_OBJECT
  public:
    /// None is owned; jobs, view, editor and session must outlive the object.
    GeometryActions(Jobs& jobs, DetectorView& view, RegionEditor& editor, SessionGeometry& session,
                    GeometryForm& form);
    ~GeometryActions() override;

    /// The session's file, unless the view is hidden. Null: no file.
    void setFile(std::shared_ptr<const OpenFile> file);
    /// The frame to refine in. The first frame of a file is also checked for swapped x and y.
    void setFrame(std::shared_ptr<const Array> frame);

    const Geometry& geometry() const { return session_.geometry(); }
    /// The beam position is known.
    bool located() const { return file_ && session_.located(); }
    /// Sets the parameters that make `used` the geometry of a request: what `used` does not know is unknown
    /// to the run too. Sets none if `used` is the file's geometry or the beam position is unknown.
    void fill(ParameterSet& parameters, const Geometry& used, bool located) const;
    /// Replaces parameters of the geometry that are taken from the file by the values there.
    void resolve(ParameterSet& parameters) const;
    /// "  q 0.012 1/angstrom  ..." at the pixel's centre; empty: nothing is known.
    QString placeText(int column, int row) const;

    BeamTool& beamTool() { return *beam_; }
    RingFitTool& ringFitTool() { return *ringFit_; }

  signals:
    void failed(const ks::Error& error);

  private:
    void show();
    void useTool(ImageTool* tool, bool on);
    void moveBeam(const QPointF& to, bool final);
    void ringFitted(const CircleFit& circle);
    void load(const QString& path);
    void save(const QString& path);
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
    QTimer calm_;  ///< first lets the picture be finished
};

}  // namespace ks::ui
