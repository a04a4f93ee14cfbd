#include <QCheckBox>
#include <QComboBox>
#include <QTemporaryDir>

#include "core/base/json_text.h"
#include "tests/ui/child.h"
#include "tests/ui/shell/session_window.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/shell/session/left_files.h"
#include "ui/spots/spots_page.h"
#include "ui/xpcs/fit/fit_form.h"

using ks::Geometry;
using ks::ui::MainWindow;
using ks::ui::WindowSession;

/// Geometry and bins that were changed by hand come back with their file, as its mask does.
class LeftFilesTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    QString path(const QString& leaf) const { return folder_->filePath(leaf); }
    std::unique_ptr<MainWindow> window() { return ks::tests::session_window(path("settings.ini")); }
    static ks::ui::GeometryForm& geometryOfSpots(MainWindow& window) {
        return dynamic_cast<ks::ui::spots::SpotsPage&>(*window.page()).imagePanel().geometryForm();
    }
    /// What is of the file: the frame that is seen is not.
    static void expectBack(MainWindow& window, const ks::tests::Seen& before) {
        QTRY_VERIFY_WITH_TIMEOUT(ks::tests::xpcs_page(window).missing().isEmpty(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(ks::tests::seen_in(window).mask == before.mask, 30000);
        const ks::tests::Seen now = ks::tests::seen_in(window);
        QCOMPARE(now.file, before.file);
        QVERIFY(now.geometry == before.geometry);
        QVERIFY(now.labels == before.labels);
        QVERIFY(now.off == before.off);
    }

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        ks::tests::generate_xpcs(path("a.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(path("b.h5"), 20, 61, 71);
    }

    void theNewestFilesAreKept() {
        ks::ui::LeftFiles left;
        const auto state = [](int value) { return ks::ui::PageState{{{"value", value}}, {}}; };
        const int files = static_cast<int>(ks::ui::LeftFiles::most) + 10;
        for (int i = 0; i < files; ++i)
            for (const char* page : {"xpcs", "spots"}) left.leave(page, std::to_string(i), state(i));
        QCOMPARE(left.all().size(), 2 * ks::ui::LeftFiles::most);
        QVERIFY(!left.find("xpcs", "9") && left.find("xpcs", "10"));
        QVERIFY(left.find("spots", std::to_string(files - 1)));
        left.leave("xpcs", "10", state(-1));
        left.leave("xpcs", "one more", state(30));
        QVERIFY(*left.find("xpcs", "10") == state(-1));
        QVERIFY(!left.find("xpcs", "11"));
        left.leave("xpcs", "10", std::nullopt);
        QVERIFY(!left.find("xpcs", "10") && !left.find("clusters", "29"));
    }

    void parametersAreThoseOfTheirFile_data() {
        QTest::addColumn<QString>("analysis");
        QTest::addColumn<QString>("sizes");   // of the files
        QTest::addColumn<QString>("values");  // none is a default
        QTest::newRow("xpcs") << "xpcs"
                              << R"({"frames":20,"height":61,"width":71})"
                              << R"({"max_delay":7,"saturation":100.0,"first_frame":3,"leave_out":"5"})";
        QTest::newRow("spots")
            << "spots"
            << R"({"frames":2,"height":100,"width":90,"spots":5})"
            << R"({"min_size":8,"sigma_s":4.0,"gain":2.0,"max_separation":5.0,"kernel":"4,4","leave_out":"1"})";
        QTest::newRow("clusters") << "clusters"
                                  << R"({"events":1,"digis":500})"
                                  << R"({"connectivity":"4","charge_cut":"1000","duplicates":"drop"})";
        QTest::newRow("particles")
            << "particles"
            << R"({"points":20})"
            << R"({"kernel":"laplace","precision":"f64","planes":33,"plane_low":-2.0,"plane_high":3.0})";
    }
    // A new file, as a window that begins without a session, begins with defaults; what was set for a file
    // comes back with it.
    void parametersAreThoseOfTheirFile() {
        QFETCH(QString, analysis);
        QFETCH(QString, sizes);
        QFETCH(QString, values);
        const ks::Registry registry;
        const ks::Analysis& made = registry.analysis(analysis.toStdString());
        ks::ParameterSet generator = ks::defaults(made.info().generator);
        for (const auto& [id, value] : ks::parameter_set_from(ks::parse_json(sizes.toStdString())))
            generator[id] = value;
        ks::Progress progress;
        const QString suffix = analysis == "particles" ? ".csv" : ".h5";
        const QString one = path("one" + suffix), two = path("two" + suffix);
        for (const QString& file : {one, two}) made.generate(generator, file.toStdString(), true, progress);
        const ks::ParameterSet set = ks::parameter_set_from(ks::parse_json(values.toStdString()));
        const auto now = [&](MainWindow& shown) {
            ks::ParameterSet all = shown.parameters().values(), some;
            shown.analysisPage()->fillOwn(all);
            for (const auto& [id, value] : set) some[id] = all.at(id);
            return QString::fromStdString(ks::to_json(some).dump());
        };
        const QString wanted = QString::fromStdString(ks::to_json(set).dump());
        QString plain;
        {
            const auto shown = window();
            QVERIFY(shown->setPage(analysis));
            ks::tests::open_data(*shown, one);
            plain = now(*shown);
            shown->analysisPage()->apply(set);
            for (const auto& [id, value] : set)
                if (shown->parameters().field(QString::fromStdString(id)))
                    shown->parameters().setValue(QString::fromStdString(id), value);
            QCOMPARE(now(*shown), wanted);
            ks::tests::open_data(*shown, two);
            QCOMPARE(now(*shown), plain);
            ks::tests::open_data(*shown, one);
            QCOMPARE(now(*shown), wanted);
            QVERIFY(shown->close());
        }
        const auto shown = window();
        QVERIFY(shown->setPage(analysis));
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QCOMPARE(now(*shown), plain);
        ks::tests::open_data(*shown, two);
        QCOMPARE(now(*shown), plain);
    }

    // Whatever the file: the model is, and so are its errors.
    void theFitIsThatOfAllFiles() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("a.h5"));
        ks::ui::xpcs::FitForm& form = ks::tests::xpcs_page(*shown).fitForm();
        auto& model = ks::tests::child<QComboBox>(form, "fitModel");
        model.setFocus();
        QTest::keyClick(&model, Qt::Key_Down);
        auto& box = ks::tests::child<QCheckBox>(form, "fitWithRuns");
        box.click();
        QVERIFY(box.isChecked());
        for (const char* file : {"b.h5", "a.h5"}) {
            ks::tests::open_data(*shown, path(file));
            QVERIFY2(box.isChecked(), file);
            QCOMPARE(form.choice().model, std::string("single"));
        }
        box.click();
        ks::tests::open_data(*shown, path("b.h5"));
        QVERIFY(!box.isChecked());
    }

    void geometryAndBinsComeBackWithTheirFile() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("b.h5"));
        const ks::tests::Seen plain = ks::tests::seen_in(*shown);
        ks::tests::open_data(*shown, path("a.h5"));
        ks::tests::work_in(*shown);
        const ks::tests::Seen before = ks::tests::seen_in(*shown);
        QVERIFY(before.geometry != plain.geometry && before.labels != plain.labels && !before.off.empty());
        for (int turn = 0; turn < 2; ++turn) {
            ks::tests::open_data(*shown, path("b.h5"));
            expectBack(*shown, plain);
            ks::tests::open_data(*shown, path("a.h5"));
            expectBack(*shown, before);
        }
        // Opened anew it is as it was, too; what came back is no step.
        ks::tests::open_data(*shown, path("a.h5"));
        expectBack(*shown, before);
        // What was taken back by hand does not come again.
        auto& page = ks::tests::xpcs_page(*shown);
        page.imagePanel().geometryForm().session().setGeometry(plain.geometry, true);
        ks::tests::open_data(*shown, path("b.h5"));
        ks::tests::open_data(*shown, path("a.h5"));
        QVERIFY(ks::tests::seen_in(*shown).geometry == plain.geometry);
    }

    // What the window that opens it shows must not take the place of what that session has for the same file.
    void anotherSessionKeepsWhatItHasOfTheVisibleFile() {
        ks::tests::Seen before;
        {
            const auto shown = window();
            shown->kept().begin(path("others"), WindowSession::Begin::bySetting);
            ks::tests::open_data(*shown, path("a.h5"));
            ks::tests::work_in(*shown);
            before = ks::tests::seen_in(*shown);
            ks::tests::open_data(*shown, path("b.h5"));
            QVERIFY(shown->close());
        }
        const auto shown = window();
        shown->kept().begin(path("others"), WindowSession::Begin::empty);
        ks::tests::open_data(*shown, path("a.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(shown->kept().others().all().size(), std::size_t{1}, 10000);
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        shown->kept().openOther(shown->kept().others().all().front().file);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QCOMPARE(shown->file()->path, path("b.h5"));
        ks::tests::open_data(*shown, path("a.h5"));
        expectBack(*shown, before);
    }

    void aPageThatWasHiddenMeanwhileHasThemToo() {
        const auto shown = window();
        ks::tests::open_data(*shown, path("a.h5"));
        const Geometry own = ks::tests::seen_in(*shown).geometry;
        ks::tests::work_in(*shown);
        const ks::tests::Seen before = ks::tests::seen_in(*shown);
        QVERIFY(shown->setPage("spots"));
        Geometry moved = geometryOfSpots(*shown).session().geometry();
        QVERIFY(moved == before.geometry);
        moved.beam_x += 3.5;
        geometryOfSpots(*shown).session().setGeometry(moved, true);
        ks::tests::open_data(*shown, path("b.h5"));
        QVERIFY(geometryOfSpots(*shown).session().geometry() == own);
        ks::tests::open_data(*shown, path("a.h5"));
        QVERIFY(geometryOfSpots(*shown).session().geometry() == moved);
        QVERIFY(shown->setPage("xpcs"));
        QTRY_VERIFY_WITH_TIMEOUT(ks::tests::xpcs_page(*shown).missing().isEmpty(), 30000);
        const ks::tests::Seen now = ks::tests::seen_in(*shown);
        QVERIFY(now.geometry == moved);
        QVERIFY(now.off == before.off);
        QVERIFY(now.labels != before.labels);  // the rings went with the beam
    }

    void theyAreKeptWithTheSession_data() {
        QTest::addColumn<QString>("last");
        QTest::newRow("left in sight") << QString("xpcs");
        QTest::newRow("on a page that is hidden") << QString("spots");
    }
    void theyAreKeptWithTheSession() {
        QFETCH(QString, last);
        ks::tests::Seen before;
        {
            const auto shown = window();
            shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
            ks::tests::open_data(*shown, path("a.h5"));
            ks::tests::work_in(*shown);
            before = ks::tests::seen_in(*shown);
            QVERIFY(shown->setPage(last));
            ks::tests::open_data(*shown, path("b.h5"));
            QVERIFY(shown->close());
        }
        const auto shown = window();
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QCOMPARE(shown->file()->path, path("b.h5"));
        QVERIFY(shown->setPage("xpcs"));
        ks::tests::open_data(*shown, path("a.h5"));
        const ks::tests::Seen now = ks::tests::seen_in(*shown);
        QVERIFY(now.geometry == before.geometry);
        QVERIFY(now.off == before.off);
        QCOMPARE(ks::tests::xpcs_page(*shown).partition()->bins(), std::size_t{10});
    }
};

QTEST_MAIN(LeftFilesTest)
#include "tst_left_files.moc"
