#include <QSignalSpy>
#include <QTemporaryDir>
#include <fstream>

#include "tests/ui/child.h"
#include "tests/ui/shell/session_window.h"
#include "ui/clusters/clusters_page.h"
#include "ui/particles/particles_page.h"

using ks::tests::child;
using namespace ks::ui;

/// CSV files: their columns say which page takes them, from whichever page they are opened.
class TablesOfPagesTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;
    QString frames_, digis_, points_;

    QString path(const QString& leaf) const { return folder_->filePath(leaf); }
    QString written(const QString& leaf, const char* text) const {
        std::ofstream(path(leaf).toStdString()) << text;
        return path(leaf);
    }
    std::unique_ptr<MainWindow> window() { return ks::tests::session_window(path("settings.ini")); }
    static bool opened(MainWindow& window, const QString& name) {
        QSignalSpy opened(&window, &MainWindow::fileOpened), failed(&window.files(), &FileSession::notOpened);
        window.open(name);
        return QTest::qWaitFor([&] { return opened.count() + failed.count() > 0; }, 30000) &&
               failed.isEmpty() && idle(window);
    }
    static bool idle(MainWindow& window) {
        return QTest::qWaitFor([&] { return window.jobs().running() == 0; }, 30000);
    }
    static QString refusal(MainWindow& window, const QString& name) {
        QSignalSpy failed(&window.files(), &FileSession::notOpened);
        window.open(name);
        return QTest::qWaitFor([&] { return failed.count() == 1; }, 30000) ? window.errorBar().sentence()
                                                                           : QString();
    }
    template <class Kind>
    static Kind& pageOf(MainWindow& window) {
        return dynamic_cast<Kind&>(*window.page());
    }

    /// A window whose session was left with frames in sight, digis and points on pages of their own.
    std::unique_ptr<MainWindow> restarted() {
        {
            const auto shown = window();
            shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
            for (const auto& [page, name] :
                 {std::pair{"particles", points_}, std::pair{"clusters", digis_}, std::pair{"xpcs", frames_}})
                if (!shown->setPage(page) || !opened(*shown, name)) return nullptr;
            if (shown->page()->id() != "xpcs" || !shown->close()) return nullptr;
        }
        auto shown = window();
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        const bool there = QTest::qWaitFor([&] { return back.count() == 1; }, 60000);
        return there && shown->file()->path == frames_ ? std::move(shown) : nullptr;
    }

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        frames_ = path("a.h5");
        ks::tests::generate_xpcs(frames_, 4, 31, 41);
        digis_ = written("digis.csv", "index,module,x,y,adc\n0,1,2,3,4\n1,1,3,3,9\n");
        points_ = written("points.csv", "x,y,z,weight\n0.1,0.2,0.3,1\n0.4,0.5,0.6,2\n");
    }

    void aTableGoesToThePageOfItsColumns_data() {
        QTest::addColumn<QString>("from");
        for (const char* one : {"xpcs", "spots", "clusters", "particles"}) QTest::newRow(one) << QString(one);
    }
    void aTableGoesToThePageOfItsColumns() {
        QFETCH(QString, from);
        const auto shown = window();
        const QString cells = written("cells.csv", "geometry_id,channel0,channel1,value\n7,2,3,0.5\n"),
                      blank = written("blank.CSV", "\xef\xbb\xbf\n\n z , y , x \r\n1,2,3\r\n");
        for (const auto& [name, page] : {std::pair{points_, "particles"}, std::pair{digis_, "clusters"},
                                         std::pair{cells, "clusters"}, std::pair{blank, "particles"}}) {
            QVERIFY(shown->setPage(from));
            QVERIFY2(opened(*shown, name), qPrintable(shown->errorBar().sentence()));
            QCOMPARE(shown->page()->id(), QString(page));
            QCOMPARE(shown->file()->path, name);
            QVERIFY2(!shown->errorBar().isError(), qPrintable(shown->errorBar().sentence()));
        }
    }

    void aTableOfOtherColumnsIsRefusedInOneSentence() {
        const auto shown = window();
        for (const char* page : {"xpcs", "clusters", "particles"}) {
            QVERIFY(shown->setPage(page));
            const QString said = refusal(*shown, written("labels.csv", "index,module,label\n0,1,2\n"));
            QVERIFY2(said.contains("labels.csv") && said.contains("index, module, label") &&
                         said.contains("module, x, y, adc") && said.contains("x, y, z"),
                     qPrintable(said));
            QCOMPARE(shown->page()->id(), QString(page));
            QVERIFY(!shown->file());
        }
        // What is no table at all does no harm.
        const std::string long_line(3'000'000, 'x');
        QVERIFY(refusal(*shown, written("long.csv", long_line.c_str())).contains("long.csv"));
        QVERIFY(refusal(*shown, written("empty.csv", "")).contains("empty.csv"));
    }

    void aChangeOfPageIsNoErrorAboutTheFileOfAnother() {
        const auto shown = window();
        QVERIFY(opened(*shown, digis_));
        QVERIFY(shown->setPage("particles"));
        QVERIFY(idle(*shown));
        QVERIFY2(!shown->errorBar().isError(), qPrintable(shown->errorBar().sentence()));
        QVERIFY(child<particles::PlaneMaps>(pageOf<particles::ParticlesPage>(*shown))
                    .emptyText()
                    .contains("Drop a CSV"));
        QVERIFY(shown->missing().contains("digis.csv"));
        QVERIFY(opened(*shown, points_));
        QVERIFY(shown->setPage("clusters"));
        QVERIFY(idle(*shown));
        QVERIFY2(!shown->errorBar().isError(), qPrintable(shown->errorBar().sentence()));
        QCOMPARE(shown->file()->path, digis_);
    }

    // Columns for both pages, values for one: the other page says so, in its own place.
    void aFileThatOnlySeemsFitForAPageIsNoErrorEither() {
        const auto shown = window();
        QVERIFY(shown->setPage("clusters"));
        QVERIFY(opened(*shown, written("both.csv", "module,x,y,z,adc\n1,2,3,nan,4\n")));
        QCOMPARE(shown->page()->id(), QString("clusters"));
        QVERIFY(shown->setPage("particles"));
        QVERIFY(idle(*shown));
        QVERIFY2(!shown->errorBar().isError(), qPrintable(shown->errorBar().sentence()));
        const QString said =
            child<particles::PlaneMaps>(pageOf<particles::ParticlesPage>(*shown)).emptyText();
        QVERIFY2(said.contains("both.csv") && said.contains("line 2"), qPrintable(said));
        QVERIFY(shown->missing().contains("line 2"));
        QVERIFY(shown->setPage("particles"));
        QVERIFY(opened(*shown, written("other.csv", "module,x,y,z,adc\n1,2,3,4,none\n")));
        QCOMPARE(shown->page()->id(), QString("particles"));
        QVERIFY(shown->setPage("clusters"));
        QVERIFY(idle(*shown));
        QVERIFY2(!shown->errorBar().isError(), qPrintable(shown->errorBar().sentence()));
        QVERIFY(shown->missing().contains("other.csv"));
    }

    void eachPageHasItsTableBackAfterARestart_data() {
        QTest::addColumn<QStringList>("looked");
        QTest::newRow("clusters, then particles") << QStringList{"clusters", "particles"};
        QTest::newRow("particles, then clusters") << QStringList{"particles", "clusters"};
    }
    void eachPageHasItsTableBackAfterARestart() {
        QFETCH(QStringList, looked);
        const auto shown = restarted();
        QVERIFY(shown);
        for (const QString& page : looked) {
            QVERIFY(shown->setPage(page));
            QTRY_COMPARE_WITH_TIMEOUT(shown->file()->path, page == "clusters" ? digis_ : points_, 30000);
            QVERIFY(idle(*shown));
            QVERIFY2(!shown->errorBar().isError(), qPrintable(shown->errorBar().sentence()));
            QCOMPARE(shown->page()->id(), page);
        }
        QVERIFY(shown->setPage("particles"));
        QTRY_VERIFY(pageOf<particles::ParticlesPage>(*shown).sources());
        QVERIFY(shown->setPage("clusters"));
        QTRY_VERIFY(pageOf<clusters::ClustersPage>(*shown).digis());
    }

    // A page that is looked at while another one's file is still on its way gets its own after that.
    void evenInHaste() {
        const auto shown = restarted();
        QVERIFY(shown);
        QVERIFY(shown->setPage("clusters"));
        QTRY_COMPARE_WITH_TIMEOUT(shown->file()->path, digis_, 30000);
        QVERIFY(shown->setPage("particles"));
        QTRY_COMPARE_WITH_TIMEOUT(shown->file()->path, points_, 30000);
    }
};

QTEST_MAIN(TablesOfPagesTest)
#include "tst_tables_of_pages.moc"
#include "ui/particles/plane_maps.h"
