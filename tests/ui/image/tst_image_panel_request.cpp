// What the panel says of the geometry to a request.

#include <QTest>
#include <memory>

#include "core/input/frame_input.h"
#include "core/run/parameter_spec.h"
#include "ui/base/jobs.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/panel/session_geometry.h"

using ks::Geometry;
using ks::ParameterSet;
using ks::ui::ImagePanel;

class ImagePanelRequestTest : public QObject {
    Q_OBJECT
    static Geometry somewhere() {
        Geometry g;
        g.beam_x = 7;
        g.beam_y = 5;
        g.wavelength = 1.5;
        g.distance = 200;
        return g;
    }
    static std::shared_ptr<ks::ui::OpenFile> fileWith(std::optional<Geometry> geometry) {
        auto file = std::make_shared<ks::ui::OpenFile>();
        file->frames =
            std::make_shared<ks::MemoryFrames>("made", ks::Array(ks::ElementType::u8, {2, 12, 16}));
        file->geometry = geometry;
        return file;
    }
    /// The geometry's parameters with these values, the others with their defaults.
    static ParameterSet geometry(const ParameterSet& values) {
        ParameterSet all = ks::defaults(ks::io::geometry_parameters());
        for (const auto& [id, value] : values) all[id] = value;
        return all;
    }
    static ParameterSet filled(const ImagePanel& panel, const Geometry& used, bool located) {
        ParameterSet parameters;
        panel.fillGeometry(parameters, used, located);
        return parameters;
    }

  private slots:
    void theFilesOwnGeometryNeedsNoParameters() {
        ks::ui::Jobs jobs;
        ks::ui::SessionMask mask(jobs);
        SessionGeometry session;
        ImagePanel panel(jobs, mask, session);
        panel.setFile(fileWith(somewhere()));
        QCOMPARE(filled(panel, somewhere(), true), geometry({}));
        QCOMPARE(filled(panel, somewhere().swapped(), true), geometry({{"swap_xy", true}}));
    }

    void anotherGeometryIsGivenInFull() {
        ks::ui::Jobs jobs;
        ks::ui::SessionMask mask(jobs);
        SessionGeometry session;
        ImagePanel panel(jobs, mask, session);
        panel.setFile(fileWith(somewhere()));
        Geometry moved = somewhere();
        moved.beam_x = 0;
        moved.pixel_size_x = 75;
        moved.pixel_size_y = 50;
        const ParameterSet given = filled(panel, moved, true);
        QCOMPARE(given, geometry({{"wavelength", 1.5},
                                  {"distance", 200.0},
                                  {"beam_x", 0.0},
                                  {"beam_y", 5.0},
                                  {"pixel_size", 75.0},
                                  {"pixel_size_y", 50.0}}));
        QCOMPARE(filled(panel, moved, false), geometry({}));
    }

    void whatIsUnknownIsNotTakenFromTheFile() {
        ks::ui::Jobs jobs;
        ks::ui::SessionMask mask(jobs);
        SessionGeometry session;
        ImagePanel panel(jobs, mask, session);
        panel.setFile(fileWith(somewhere()));
        Geometry unknown = somewhere();
        unknown.wavelength = 0;
        ParameterSet given = filled(panel, unknown, true);
        QCOMPARE(given,
                 geometry({{"file_geometry", false}, {"distance", 200.0}, {"beam_x", 7.0}, {"beam_y", 5.0}}));
        // Nor is it when the requests of two runs are compared.
        panel.resolveGeometry(given);
        QVERIFY(ks::is_absent(given.at("wavelength")));
        ParameterSet ofFile = filled(panel, somewhere(), true);
        panel.resolveGeometry(ofFile);
        ParameterSet inFull = filled(panel, somewhere(), true);
        inFull["wavelength"] = 1.5;
        inFull["distance"] = 200.0;
        inFull["beam_x"] = 7.0;
        inFull["beam_y"] = 5.0;
        inFull["file_geometry"] = false;
        panel.resolveGeometry(inFull);
        QCOMPARE(ofFile, inFull);
        QVERIFY(ofFile != given);
    }

    void aBeamCentreThatCannotBeUsedIsUnknownAndOtherPartsThatCannotAreNoneOfItsConcern() {
        ks::ui::Jobs jobs;
        ks::ui::SessionMask mask(jobs);
        SessionGeometry session;
        ImagePanel panel(jobs, mask, session);
        const ks::Error fault(ks::ErrorKind::input, "found 0", "made");
        for (const auto& [part, located] : {std::pair("distance", true), std::pair("beam_x", false)}) {
            auto file = fileWith(somewhere());
            file->faults.push_back({part, fault});
            panel.setFile(file);
            QCOMPARE(panel.located(), located);
            // The run uses the other parts, so they are shown.
            QCOMPARE(session.geometry().wavelength, 1.5);
            QCOMPARE(session.geometry().distance, 200.0);
            QCOMPARE(session.geometry().beam_x, located ? 7.0 : 8.0);
            QCOMPARE(filled(panel, *file->geometry, located), geometry({}));
        }
    }
};

QTEST_MAIN(ImagePanelRequestTest)
#include "tst_image_panel_request.moc"
