#include <QAbstractButton>
#include <QStatusBar>
#include <QTableView>
#include <filesystem>

#include "tests/ui/child.h"
#include "tests/ui/shell/session_window.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/clusters/clusters_page.h"
#include "ui/particles/particles_page.h"

using ks::tests::child;
using ks::ui::MainWindow;
using ks::ui::WindowSession;

/// A project with runs of two pages, copied with both data files or without one.
class MovedProjectTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    QString path(const QString& leaf) const { return folder_->filePath(leaf); }
    std::unique_ptr<MainWindow> window(const QString& settings) const {
        return ks::tests::session_window(path(settings));
    }
    void write(const QString& leaf, const QByteArray& text) const {
        QVERIFY(QDir().mkpath(QFileInfo(path(leaf)).path()));
        QFile file(path(leaf));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }
    static void onHost(MainWindow& window) { window.devices().setCurrentIndex(window.devices().count() - 1); }
    void copy(const QString& from, const QString& to) const {
        std::filesystem::copy(path(from).toStdString(), path(to).toStdString(),
                              std::filesystem::copy_options::recursive);
    }
    static void open(MainWindow& window, const QString& file) {
        QSignalSpy back(&window.kept(), &WindowSession::broughtBack);
        window.open(file);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
    }
    static QStringList inputs(MainWindow& window) {
        QStringList names;
        for (const ks::ui::RunRow& row : window.runs().rows())
            for (const auto& [role, input] : row.run->request.inputs)
                names << QString::fromStdString(input.name);
        names.sort();
        return names;
    }
    /// Both pages show what their runs found.
    void expectResults(MainWindow& window) const {
        QTRY_VERIFY_WITH_TIMEOUT(window.worker().ready(), 60000);
        QVERIFY(window.setPage("clusters"));
        auto& clusters = dynamic_cast<ks::ui::clusters::ClustersPage&>(*window.page());
        QTRY_VERIFY_WITH_TIMEOUT(clusters.missing().isEmpty() && clusters.shown(), 30000);
        QTRY_COMPARE_WITH_TIMEOUT(
            child<QWidget>(clusters, "clusters").findChild<QTableView*>()->model()->rowCount(), 2, 30000);
        QVERIFY(window.setPage("particles"));
        auto& sums = dynamic_cast<ks::ui::particles::ParticlesPage&>(*window.page());
        QTRY_VERIFY_WITH_TIMEOUT(
            sums.missing().isEmpty() && child<ks::ui::particles::PlaneMaps>(sums).picture(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(sums.status().startsWith("Run 2"), 30000);
    }

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }

    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        write("work/data/digis.csv", "module,x,y,adc\n0,1,1,3\n0,2,1,4\n0,9,9,5\n");
        write("work/data/points.csv", "x,y,z,weight\n0.1,0.2,0.3,1\n0.5,0.6,0.7,-1\n");
        const auto shown = window("settings.ini");
        QVERIFY(shown->setPage("clusters"));
        ks::tests::open_data(*shown, path("work/data/digis.csv"));
        onHost(*shown);
        ks::tests::run_in(*shown);
        QVERIFY(shown->setPage("particles"));
        ks::tests::open_data(*shown, path("work/data/points.csv"));
        ks::tests::run_in(*shown);
        QSignalSpy saved(&shown->kept().project(), &WindowProject::saved);
        shown->kept().project().save(path("work/p.ksproj"), true);
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
    }

    // Where it was copied from all is still there, and is not what is read.
    void keepsTheResultsOfAllPages() {
        copy("work", "copy");
        const auto shown = window("other.ini");
        open(*shown, path("copy/p.ksproj"));
        QVERIFY(shown->errorBar().sentence().isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(
            inputs(*shown), (QStringList{path("copy/data/digis.csv"), path("copy/data/points.csv")}), 10000);
        expectResults(*shown);
    }

    void findsTheDataOfAllPagesBesideTheFileThatIsLocated() {
        QVERIFY(QDir().mkpath(path("copy")));
        copy("work/p.ksproj", "copy/p.ksproj");
        copy("work/p_runs", "copy/p_runs");
        QVERIFY(QDir().rename(path("work"), path("gone")));
        for (const bool later : {false, true}) {
            const auto shown = window(later ? "later.ini" : "at once.ini");
            QString found = later ? QString() : path("gone/data/points.csv");
            shown->kept().questions().whereIs = [&](const QString&) { return found; };
            open(*shown, path("copy/p.ksproj"));
            if (later) {
                found = path("gone/data/points.csv");
                QAbstractButton* locate = nullptr;
                for (QAbstractButton* one : shown->notices().findChildren<QAbstractButton*>())
                    if (one->text() == "Locate...") locate = one;
                QVERIFY(locate);
                QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
                QTest::mouseClick(locate, Qt::LeftButton);
                QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
            }
            QTRY_COMPARE_WITH_TIMEOUT(
                inputs(*shown), (QStringList{path("gone/data/digis.csv"), path("gone/data/points.csv")}),
                10000);
            expectResults(*shown);
        }
    }

    void namesTheFolderOfItsRunsThatWasNotCopied() {
        copy("work", "copy");
        QVERIFY(QDir(path("copy/p_runs")).removeRecursively());
        QVERIFY(QDir().rename(path("work"), path("gone")));
        {
            const auto shown = window("other.ini");
            open(*shown, path("copy/p.ksproj"));
            QCOMPARE(shown->errorBar().sentence(),
                     QString("2 runs cannot be read: the project's folder p_runs is missing and must be "
                             "copied beside p.ksproj"));
        }
        // As the message says; one run is not in the folder.
        copy("gone/p_runs", "copy/p_runs");
        QVERIFY(QFile::remove(path("copy/p_runs/run-1.h5")));
        const auto shown = window("another.ini");
        open(*shown, path("copy/p.ksproj"));
        QCOMPARE(shown->runs().rowCount(), 1);
        QVERIFY2(shown->errorBar().sentence().startsWith("1 run cannot be read: ") &&
                     !shown->errorBar().sentence().contains("folder"),
                 qPrintable(shown->errorBar().sentence()));
    }

    void theFolderOfItsRunsIsNamedWhereItIsSaved() {
        const auto saidBy = [this](MainWindow& window, const QString& file) {
            QSignalSpy saved(&window.kept().project(), &WindowProject::saved);
            QSignalSpy said(window.statusBar(), &QStatusBar::messageChanged);
            window.kept().project().save(path(file), true);
            [&] { QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000); }();
            QStringList texts;
            for (const auto& one : said) texts << one.front().toString();
            return texts;
        };
        const auto shown = window("other.ini");
        const QStringList without = saidBy(*shown, "none.ksproj");
        QVERIFY2(without.contains("Saved " + path("none.ksproj")), qPrintable(without.join('\n')));
        QVERIFY(!QFileInfo::exists(path("none_runs")));
        open(*shown, path("work/p.ksproj"));
        const QStringList with = saidBy(*shown, "work/lesson.ksproj");
        QVERIFY2(with.contains("Saved lesson.ksproj and its runs in lesson_runs/"),
                 qPrintable(with.join('\n')));
        QCOMPARE(QDir(path("work/lesson_runs")).entryList(QDir::Files),
                 (QStringList{"run-1.h5", "run-2.h5"}));
    }

    void namesDataOfAnyPageThatHaveChanged() {
        copy("work", "copy");
        write("copy/data/digis.csv", "module,x,y,adc\n0,1,1,3\n0,5,5,1\n");
        const auto shown = window("other.ini");
        open(*shown, path("copy/p.ksproj"));
        QVERIFY2(shown->errorBar().sentence().contains(
                     "changed since the session or project was saved: digis.csv"),
                 qPrintable(shown->errorBar().sentence()));
    }
};

QTEST_MAIN(MovedProjectTest)
#include "tst_moved_project.moc"
#include "ui/particles/plane_maps.h"
