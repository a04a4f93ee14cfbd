// One geometry for all pages of the window: changed on one, shown and used on the others, kept once.

#include <QTemporaryDir>

#include "core/input/frame_input.h"
#include "core/record/project_file.h"
#include "tests/ui/shell/session_window.h"
#include "ui/base/history.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/image/view/detector_view.h"
#include "ui/shell/session/session_document.h"
#include "ui/spots/spots_page.h"

using ks::Geometry;
using ks::ui::MainWindow;
using ks::ui::SessionGeometry;
using ks::ui::WindowSession;
using nlohmann::json;

class SessionGeometryTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    QString path(const QString& leaf) const { return folder_->filePath(leaf); }
    std::unique_ptr<MainWindow> window() { return ks::tests::session_window(path("settings.ini")); }
    static ks::ui::ImagePanel& panelOn(MainWindow& window, const char* page) {
        if (!window.setPage(QString::fromLatin1(page))) qFatal("there is no page %s", page);
        QTest::qWait(1);
        return *window.page()->findChild<ks::ui::ImagePanel*>();
    }
    static QDoubleSpinBox& box(ks::ui::ImagePanel& panel, const QString& begin) {
        for (auto* one : panel.geometryForm().findChildren<QDoubleSpinBox*>())
            if (one->accessibleName().startsWith(begin)) return *one;
        qFatal("there is no such field");
    }
    static double beamX(ks::ui::ImagePanel& panel) { return box(panel, "Beam centre along columns").value(); }
    static ks::ParameterSet asked(MainWindow& window) {
        ks::ParameterSet parameters;
        window.analysisPage()->fillOwn(parameters);
        return parameters;
    }
    static bool ready(MainWindow& window) {
        return QTest::qWaitFor([&] { return window.page()->missing().isEmpty(); }, 30000);
    }
    /// A session of a version that kept a geometry with each page.
    static void makeOld(json& content, const char* page, double beamX, double beamY) {
        content["pages"][page]["values"]["image"]["geometry"] = {{"beam_x", beamX}, {"beam_y", beamY}};
        content["pages"][page]["values"]["image"]["swapped"] = true;
        content.erase("geometries");
    }

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        ks::tests::generate_xpcs(path("a.h5"), 20, 61, 71, true);
    }

    void axesSwappedOnOnePageAreSwappedOnTheOther_data() {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("second");
        QTest::newRow("correlation first") << QByteArray("xpcs") << QByteArray("spots");
        QTest::newRow("spots first") << QByteArray("spots") << QByteArray("xpcs");
    }
    void axesSwappedOnOnePageAreSwappedOnTheOther() {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        const auto shown = window();
        ks::tests::open_data(*shown, path("a.h5"));
        // The other page has the file already in one turn, and gets it later in the other.
        for (const bool seen : {false, true}) {
            if (seen) panelOn(*shown, second.constData());
            ks::ui::ImagePanel& one = panelOn(*shown, first.constData());
            QVERIFY(ready(*shown));
            const double x = beamX(one);
            const bool was = one.geometryForm().session().state().swapped;
            one.geometryForm().session().setSwapped(!was);
            QVERIFY(std::abs(beamX(one) - x) > 1);
            QVERIFY(ready(*shown));
            QCOMPARE(ks::boolean(asked(*shown), "swap_xy"), !was);
            ks::ui::ImagePanel& other = panelOn(*shown, second.constData());
            QCOMPARE(beamX(other), beamX(one));
            QVERIFY(ready(*shown));
            QCOMPARE(ks::boolean(asked(*shown), "swap_xy"), !was);
            QVERIFY2(!other.geometryForm().note().contains("swap"), qPrintable(other.geometryForm().note()));
        }
    }

    void theRunUsesWhatTheFieldsShow_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<double>("value");
        for (const char* field : {"Wavelength", "Distance", "Pixel width"}) {
            QTest::addRow("%s unknown", field) << QString::fromLatin1(field) << 0.0;
            QTest::addRow("%s changed", field) << QString::fromLatin1(field) << 42.0;
        }
    }
    void theRunUsesWhatTheFieldsShow() {
        QFETCH(QString, field);
        QFETCH(double, value);
        const auto shown = window();
        ks::tests::open_data(*shown, path("a.h5"));
        json kept;
        for (const char* page : {"xpcs", "spots"}) {
            ks::ui::ImagePanel& panel = panelOn(*shown, page);
            box(panel, field).setValue(value);
            QVERIFY(ready(*shown));
            const Geometry seen = panel.geometry();
            QCOMPARE(seen.complete(), value > 0);
            const auto used = ks::io::experiment_of({path("a.h5").toStdString()}, asked(*shown));
            QVERIFY(used.geometry == seen);
            QVERIFY(used.centred);
            kept = panel.geometryForm().session().keep();
            panel.geometryForm().session().reset();
            QVERIFY(panel.geometry().complete());
            panel.geometryForm().session().bringBack(kept);
            QVERIFY(panel.geometry() == seen);
            panel.geometryForm().session().reset();
        }
    }

    void noStepOfAFieldLeadsToUnknown_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<double>("value");
        QTest::newRow("wavelength") << QStringLiteral("Wavelength") << 0.9795;
        QTest::newRow("longer wavelength") << QStringLiteral("Wavelength") << 1.0;
        QTest::newRow("distance") << QStringLiteral("Distance") << 5000.0;
        QTest::newRow("pixel") << QStringLiteral("Pixel width") << 0.6;
    }
    void noStepOfAFieldLeadsToUnknown() {
        QFETCH(QString, field);
        QFETCH(double, value);
        const auto shown = window();
        ks::tests::open_data(*shown, path("a.h5"));
        QDoubleSpinBox& one = box(panelOn(*shown, "xpcs"), field);
        one.setValue(value);
        one.stepBy(-1);
        QVERIFY(one.value() < value && one.value() > 0.97 * value);
        one.stepBy(1);
        QVERIFY(std::abs(one.value() - value) < 0.01 * value);
        for (int k = 0; k < 40; ++k) one.stepBy(-10);
        QVERIFY(one.value() > 0);
        // What is typed still leads there, and a step from there to a usual value.
        one.setValue(0);
        QCOMPARE(one.text(), one.specialValueText());
        one.stepBy(1);
        QCOMPARE(one.value(), 1.0);
    }

    void aStepIsTakenBackOnWhicheverPage() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("a.h5"));
        ks::ui::ImagePanel& spots = panelOn(*shown, "spots");
        ks::ui::ImagePanel& xpcs = panelOn(*shown, "xpcs");
        const double before = beamX(xpcs);
        box(xpcs, "Beam centre along columns").setValue(before + 4);
        QCOMPARE(shown->action("undo")->text(), QString("&Undo beam centre"));
        panelOn(*shown, "spots");
        QCOMPARE(beamX(spots), before + 4);
        shown->action("undo")->trigger();
        QCOMPARE(shown->page()->id(), QString("spots"));
        QCOMPARE(beamX(spots), before);
        panelOn(*shown, "xpcs");
        QCOMPARE(beamX(xpcs), before);
        QVERIFY(ready(*shown));
        QVERIFY(std::holds_alternative<std::monostate>(asked(*shown).at("beam_x")));
        shown->action("redo")->trigger();
        QCOMPARE(beamX(xpcs), before + 4);
        QVERIFY(ready(*shown));
        QCOMPARE(std::get<double>(asked(*shown).at("beam_x")), before + 4);
    }

    void aProjectKeepsItOnce() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("a.h5"));
        panelOn(*shown, "spots");
        panelOn(*shown, "xpcs").geometryForm().session().setSwapped(true);
        QSignalSpy saved(&shown->kept().project(), &WindowProject::saved);
        shown->kept().project().save(path("p.ksproj"), true);
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 30000);
        const json content = ks::io::read_project(path("p.ksproj").toStdString()).content;
        QCOMPARE(content["geometries"].size(), std::size_t{1});
        QVERIFY(content["geometries"][0]["values"]["swapped"].get<bool>());
        for (const char* page : {"xpcs", "spots"})
            QVERIFY(!content["pages"][page]["values"]["image"].contains("geometry"));
    }

    void theyComeBackFromAProjectOfAnEarlierVersion() {
        Geometry plain;
        {
            const auto shown = window();
            ks::tests::open_data(*shown, path("a.h5"));
            plain = panelOn(*shown, "spots").geometry();
            panelOn(*shown, "xpcs");
            QVERIFY(ready(*shown));
            QSignalSpy saved(&shown->kept().project(), &WindowProject::saved);
            shown->kept().project().save(path("p.ksproj"), true);
            QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 30000);
        }
        ks::io::Project project = ks::io::read_project(path("p.ksproj").toStdString());
        makeOld(project.content, "spots", 11, 12);
        makeOld(project.content, "xpcs", 21, 22);
        ks::io::write_project(path("old.ksproj").toStdString(), project, false);
        const auto shown = window();
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        shown->kept().openProject(path("old.ksproj"));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        // That of the page which was in sight.
        for (const char* page : {"xpcs", "spots"}) {
            const Geometry& now = panelOn(*shown, page).geometry();
            QCOMPARE(now.beam_x, 21.0);
            QCOMPARE(now.beam_y, 22.0);
            QCOMPARE(now.wavelength, plain.wavelength);
        }
    }

    void whatAnEarlierVersionLeftComesBackToo() {
        ks::io::Project project;
        project.content = {
            {"kind", "kernelscope window"},
            {"page", "xpcs"},
            {"left",
             {{{"page", "spots"},
               {"file", "/data/b.h5"},
               {"values", {{"image", {{"geometry", {{"beam_x", 3.0}}}, {"swapped", false}}}}}}}}};
        const ks::ui::ReadDocument read = ks::ui::documentOf(project, folder_->path().toStdString());
        const ks::ui::PageState* left = read.document.left.find(ks::ui::LeftFiles::geometry, "/data/b.h5");
        QVERIFY(left);
        QCOMPARE(left->values["geometry"]["beam_x"].get<double>(), 3.0);
    }

    void theSessionBringsItBackToAllPages() {
        Geometry changed;
        {
            const auto shown = window();
            shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
            ks::tests::open_data(*shown, path("a.h5"));
            panelOn(*shown, "spots").geometryForm().session().setSwapped(true);
            panelOn(*shown, "xpcs");
            QVERIFY(ready(*shown));
            changed = panelOn(*shown, "xpcs").geometry();
            QVERIFY(shown->close());
        }
        const auto shown = window();
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        for (const char* page : {"xpcs", "spots"}) {
            QVERIFY(panelOn(*shown, page).geometry() == changed);
            QVERIFY(ready(*shown));
            QVERIFY(ks::boolean(asked(*shown), "swap_xy"));
        }
    }
};

QTEST_MAIN(SessionGeometryTest)
#include "tst_session_geometry.moc"
