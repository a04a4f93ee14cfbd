#include <QFile>
#include <QSettings>
#include <QToolButton>
#include <fstream>

#include "core/base/hash.h"
#include "core/record/project_file.h"
#include "tests/ui/shell/session_window.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/session/session_document.h"

using ks::ui::MainWindow;
using ks::ui::WindowSession;

/// Projects: saved, moved, opened; what lies outside of their folder is asked about, what is gone is asked
/// for, what changed is said.
class ProjectTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    QString path(const QString& leaf) const { return folder_->filePath(leaf); }
    std::unique_ptr<MainWindow> window() {
        return ks::tests::session_window(path(QStringLiteral("settings.ini")));
    }
    /// Of a user who has opened nothing yet.
    std::unique_ptr<MainWindow> otherUser() {
        return ks::tests::session_window(path(QStringLiteral("other-%1.ini").arg(++users_)));
    }
    void save(MainWindow& window, const QString& file) {
        QSignalSpy saved(&window.kept().project(), &WindowProject::saved);
        window.kept().project().save(path(file), true);
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
    }
    void open(MainWindow& window, const QString& file) {
        QSignalSpy back(&window.kept(), &WindowSession::broughtBack);
        window.open(path(file));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
    }
    QString refusal(MainWindow& window, const QString& file) {
        QSignalSpy failed(&window.files(), &FileSession::notOpened);
        window.open(path(file));
        [&] { QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 30000); }();
        return failed.isEmpty() ? QString() : window.errorBar().sentence();
    }
    void makeData(const QString& file) {
        QVERIFY(QDir().mkpath(QFileInfo(path(file)).path()));
        QVERIFY(QFile::copy(made_, path(file)));
    }
    /// Saves a project of `data` in `project` without runs.
    void saved(const QString& data, const QString& project) {
        makeData(data);
        QVERIFY(QDir().mkpath(QFileInfo(path(project)).path()));
        const auto shown = window();
        ks::tests::open_data(*shown, path(data));
        ks::tests::work_in(*shown);
        save(*shown, project);
    }
    ks::io::Project content(const QString& file) const {
        return ks::io::read_project(path(file).toStdString());
    }

    static QString relative(const nlohmann::json& named) {
        return QString::fromStdString(named.at("file").at("relative").get<std::string>());
    }

    QTemporaryDir shared_;
    QString made_;
    int users_ = 0;

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI);
        made_ = shared_.filePath("made.h5");
        ks::tests::generate_xpcs(made_, 20, 61, 71);
    }
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void thatWasWrittenElsewhereSinceIsReplacedWithAWordOnly() {
        makeData("d.h5");
        const auto mine = window();
        ks::tests::open_data(*mine, path("d.h5"));
        save(*mine, "p.ksproj");
        const auto content = [&] {
            QFile file(path("p.ksproj"));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        // What is as this window wrote it is replaced without a question.
        QSignalSpy again(&mine->kept().project(), &WindowProject::saved);
        mine->kept().project().save();
        QTRY_COMPARE_WITH_TIMEOUT(again.count(), 1, 60000);
        const auto theirs = otherUser();
        ks::tests::open_data(*theirs, path("d.h5"));
        ks::tests::work_in(*theirs);
        save(*theirs, "p.ksproj");
        const QByteArray written = content();
        int asked = 0;
        bool replace = false;
        mine->kept().questions().replaceChanged = [&](const QString& project) {
            ++asked;
            return project == path("p.ksproj") && replace;
        };
        mine->kept().project().save();
        QCOMPARE(asked, 1);
        QTest::qWait(500);
        QCOMPARE(content(), written);
        replace = true;
        mine->kept().project().save();
        QTRY_COMPARE_WITH_TIMEOUT(again.count(), 2, 60000);
        QVERIFY(content() != written);
    }

    void restartsWithoutAChangeKeepItUnmodified_data() {
        QTest::addColumn<bool>("closed");
        QTest::newRow("closed") << true;
        QTest::newRow("killed") << false;
    }
    void restartsWithoutAChangeKeepItUnmodified() {
        QFETCH(bool, closed);
        makeData("d.h5");
        makeData("e.h5");
        {
            const auto shown = window();
            shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
            ks::tests::open_data(*shown, path("d.h5"));
            ks::tests::xpcs_page(*shown).setRepeats({path("d.h5").toStdString(), path("e.h5").toStdString()});
            ks::tests::run_in(*shown);
            save(*shown, "p.ksproj");
            QVERIFY(shown->close());
        }
        for (int start = 1; start <= 3; ++start) {
            const auto shown = window();
            QSignalSpy restored(&shown->kept(), &WindowSession::broughtBack);
            shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
            QVERIFY(restored.wait(60000));
            QTest::qWait(3 * WindowSession::keepEveryMs);
            QVERIFY2(!shown->isWindowModified(),
                     qPrintable(QStringLiteral("start %1: %2")
                                    .arg(start)
                                    .arg(shown->kept().project().unsavedWork().join(", "))));
            if (closed) QVERIFY(shown->close());
        }
    }

    void aRestartedWindowKnowsIt() {
        makeData("d.h5");
        const auto back = [this](MainWindow& window) {
            QSignalSpy restored(&window.kept(), &WindowSession::broughtBack);
            window.kept().begin(path("sessions"), WindowSession::Begin::bySetting);
            return restored.wait(60000);
        };
        {
            const auto shown = window();
            shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
            ks::tests::open_data(*shown, path("d.h5"));
            save(*shown, "p.ksproj");
            QVERIFY(shown->close());
        }
        {
            const auto shown = window();
            QVERIFY(back(*shown));
            QCOMPARE(shown->windowTitle(), QStringLiteral("d.h5 \u2013 p.ksproj[*] \u2013 Kernelscope"));
            QTest::qWait(2 * WindowSession::keepEveryMs + 500);
            QVERIFY2(!shown->isWindowModified(),
                     qPrintable(shown->kept().project().unsavedWork().join(", ")));
            ks::tests::work_in(*shown);
            QTRY_VERIFY_WITH_TIMEOUT(shown->isWindowModified(), 10000);
            QVERIFY(shown->close());
        }
        // Work that the project does not hold came back by the session.
        {
            const auto shown = window();
            QVERIFY(back(*shown));
            QTRY_VERIFY_WITH_TIMEOUT(shown->isWindowModified(), 10000);
            // Somebody else writes it.
            const auto theirs = otherUser();
            ks::tests::open_data(*theirs, path("d.h5"));
            save(*theirs, "p.ksproj");
            QVERIFY(shown->close());
        }
        {
            const auto shown = window();
            QVERIFY(back(*shown));
            int asked = 0;
            shown->kept().questions().replaceChanged = [&](const QString&) { return ++asked > 1; };
            shown->kept().project().save();
            QCOMPARE(asked, 1);
            QSignalSpy saved(&shown->kept().project(), &WindowProject::saved);
            QTest::keyClick(shown.get(), Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
            QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
            QTRY_VERIFY_WITH_TIMEOUT(!shown->isWindowModified(), 10000);
            QVERIFY(shown->close());
        }
        QVERIFY(QFile::remove(path("p.ksproj")));
        const auto shown = window();
        QVERIFY(back(*shown));
        QVERIFY(shown->kept().project().path().isEmpty());
    }

    void aRestoredOneTakesThePlaceOfAnEmptyOne() {
        makeData("d.h5");
        {
            const auto shown = window();
            shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
            ks::tests::open_data(*shown, path("d.h5"));
            ks::tests::work_in(*shown);
            save(*shown, "p.ksproj");
            QVERIFY(shown->close());
        }
        const auto shown = window();
        save(*shown, "empty.ksproj");
        QSignalSpy restored(&shown->kept(), &WindowSession::broughtBack);
        shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, 60000);
        QCOMPARE(shown->kept().project().path(), path("p.ksproj"));
        QTest::qWait(2 * WindowSession::keepEveryMs + 500);
        QVERIFY2(!shown->isWindowModified(), qPrintable(shown->kept().project().unsavedWork().join(", ")));
        QCOMPARE(shown->kept().project().unsavedWork(), QStringList());
    }

    void theTitleNamesItAndSaysWhetherItIsSaved() {
        makeData("d.h5");
        const auto shown = window();
        shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
        ks::tests::open_data(*shown, path("d.h5"));
        QCOMPARE(shown->windowTitle(), QStringLiteral("d.h5 \u2013 Kernelscope"));
        save(*shown, "night[*].ksproj");
        QCOMPARE(shown->windowTitle(),
                 QStringLiteral("d.h5 \u2013 night[*][*].ksproj[*] \u2013 Kernelscope"));
        QVERIFY(!shown->isWindowModified());
        QTest::qWait(2 * WindowSession::keepEveryMs + 500);
        QVERIFY(!shown->isWindowModified());
        ks::tests::work_in(*shown);
        QTRY_VERIFY_WITH_TIMEOUT(shown->isWindowModified(), 10000);
        QSignalSpy saved(&shown->kept().project(), &WindowProject::saved);
        QTest::keyClick(shown.get(), Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
        QVERIFY(!shown->isWindowModified());
        QTest::qWait(2 * WindowSession::keepEveryMs + 500);
        QVERIFY(!shown->isWindowModified());
        ks::tests::run_in(*shown);
        QTRY_VERIFY_WITH_TIMEOUT(shown->isWindowModified(), 10000);
    }

    void thatIsSavedWhenTheWindowIsClosedLetsItClose() {
        makeData("d.h5");
        {
            QSettings settings(path("settings.ini"), QSettings::IniFormat);
            ks::ui::setSessionStart(settings, ks::ui::SessionStart::empty);
        }
        const auto shown = window();
        shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        ks::tests::open_data(*shown, path("d.h5"));
        ks::tests::work_in(*shown);
        int asked = 0;
        QString name;
        shown->kept().questions().lose = [&](const QStringList&) {
            ++asked;
            return ks::ui::WorkAnswer::save;
        };
        shown->kept().questions().saveAs = [&](const QString&) { return name; };
        // A dialog for the name that is cancelled leaves the window open, and a failure does.
        QVERIFY(!shown->close());
        QTest::qWait(500);
        QVERIFY(shown->isVisible());
        name = path("no/such/folder/p.ksproj");
        QVERIFY(!shown->close());
        QTRY_VERIFY_WITH_TIMEOUT(shown->errorBar().isError(), 30000);
        QTest::qWait(500);
        QVERIFY(shown->isVisible());
        QCOMPARE(asked, 2);
        name = path("p.ksproj");
        QVERIFY(!shown->close());
        QTRY_VERIFY_WITH_TIMEOUT(!shown->isVisible(), 60000);
        QCOMPARE(asked, 3);
        QVERIFY(QFile::exists(path("p.ksproj")));
    }

    void movesWithItsFolder() {
        makeData("work/data/a.h5");
        ks::tests::Seen before;
        {
            const auto shown = window();
            ks::tests::open_data(*shown, path("work/data/a.h5"));
            ks::tests::work_in(*shown);
            ks::tests::run_in(*shown);
            before = ks::tests::seen_in(*shown);
            save(*shown, "work/p.ksproj");
        }
        const nlohmann::json written = content("work/p.ksproj").content;
        QCOMPARE(relative(written.at("data")), QString("data/a.h5"));
        QCOMPARE(relative(written.at("runs").at(0)), QString("p_runs/run-1.h5"));
        QVERIFY(QDir().rename(path("work"), path("moved")));
        const auto shown = window();
        open(*shown, "moved/p.ksproj");
        before.file = path("moved/data/a.h5");
        ks::tests::expect_same(*shown, before);
        QVERIFY(shown->errorBar().sentence().isEmpty());
        QVERIFY(shown->files().recent().contains(path("moved/p.ksproj")));
        // The run names the data where they are now.
        QSignalSpy repeated(&shown->pageRuns(), &PageRuns::repeated);
        shown->repeat(1);
        QTRY_COMPARE_WITH_TIMEOUT(repeated.count(), 1, 60000);
        QCOMPARE(repeated.front().front().toBool(), true);
    }

    void keepsWhatWasChangedOnFilesThatAreNotOpen() {
        makeData("work/a.h5");
        makeData("work/b.h5");
        ks::tests::Seen before;
        {
            const auto shown = window();
            shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
            ks::tests::open_data(*shown, path("work/a.h5"));
            ks::tests::work_in(*shown);
            before = ks::tests::seen_in(*shown);
            ks::tests::open_data(*shown, path("work/b.h5"));
            save(*shown, "work/p.ksproj");
            // All of it is in the project: nothing is asked about, also where no session is kept.
            QSettings(path("settings.ini"), QSettings::IniFormat).setValue("session", "empty");
            QVERIFY(shown->close());
        }
        QVERIFY(QDir().rename(path("work"), path("moved")));
        const auto shown = otherUser();
        open(*shown, "moved/p.ksproj");
        QCOMPARE(QFileInfo(shown->file()->path).fileName(), QString("b.h5"));
        ks::tests::open_data(*shown, path("moved/a.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(ks::tests::xpcs_page(*shown).partition()->bins() == 10, 30000);
        const ks::tests::Seen now = ks::tests::seen_in(*shown);
        QVERIFY(now.geometry == before.geometry);
        QTRY_VERIFY_WITH_TIMEOUT(ks::tests::seen_in(*shown).mask == before.mask, 30000);
        QVERIFY(now.off == before.off);
    }

    void namesNoFileToReadOnlyForWhatIsNotOpen() {
        makeData("here/a.h5");
        makeData("there/b.h5");
        {
            const auto shown = window();
            ks::tests::open_data(*shown, path("there/b.h5"));
            ks::tests::work_in(*shown);
            ks::tests::open_data(*shown, path("here/a.h5"));
            save(*shown, "here/p.ksproj");
        }
        const auto shown = otherUser();  // nobody is asked
        open(*shown, "here/p.ksproj");
        QVERIFY(shown->file());
    }

    void takesThePlaceOfWhatIsOpen() {
        saved("a.h5", "p.ksproj");
        makeData("b.h5");
        const auto shown = window();
        ks::tests::open_data(*shown, path("b.h5"));
        ks::tests::run_in(*shown);
        open(*shown, "p.ksproj");
        QCOMPARE(QFileInfo(shown->file()->path).fileName(), QString("a.h5"));
        QCOMPARE(shown->runs().rowCount(), 0);
        QCOMPARE(ks::tests::xpcs_page(*shown).imagePanel().editor().pixels(0), std::size_t{17 * 5});
    }

    void takesTheFilesAwayThatItDoesNotHave() {
        {
            const auto shown = window();
            QVERIFY(shown->setPage("vector_add"));
            shown->parameters().setValues({{"size", std::int64_t{1000}}});
            ks::tests::run_in(*shown);
            save(*shown, "only-sums.ksproj");
        }
        QFile points(path("on.csv"));
        QVERIFY(points.open(QIODevice::WriteOnly));
        points.write("x,y,z,weight\n0.1,0.2,0.3,1\n0.5,0.6,0.7,-1\n");
        points.close();
        makeData("b.h5");
        const auto shown = otherUser();
        ks::tests::open_data(*shown, path("b.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(ks::tests::xpcs_page(*shown).imagePanel().frame() != nullptr, 30000);
        QVERIFY(shown->setPage("particles"));
        ks::tests::open_data(*shown, path("on.csv"));
        open(*shown, "only-sums.ksproj");
        QCOMPARE(shown->runs().rowCount(), 1);
        QVERIFY(!shown->file());
        for (const char* page : {"particles", "xpcs", "spots", "clusters"}) {
            QVERIFY(shown->setPage(page));
            QVERIFY2(!shown->files().given(*shown->page()), page);
            QVERIFY2(!shown->missing().isEmpty(), page);
        }
        QVERIFY(shown->setPage("xpcs"));
        QVERIFY(!ks::tests::xpcs_page(*shown).imagePanel().frame());
        save(*shown, "again.ksproj");
        const std::string written = content("again.ksproj").content.dump();
        QVERIFY(written.find("on.csv") == std::string::npos && written.find("b.h5") == std::string::npos);
        // Pages take a file again.
        ks::tests::open_data(*shown, path("b.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(ks::tests::xpcs_page(*shown).imagePanel().frame() != nullptr, 30000);
    }

    void isProposedBesideItsDataThenWhereTheLastOneWasSaved() {
        makeData("data/scan.h5");
        QVERIFY(QDir().mkpath(path("projects")));
        QStringList proposed;
        for (int i = 0; i < 2; ++i) {
            const auto shown = window();
            ks::tests::open_data(*shown, path("data/scan.h5"));
            shown->kept().questions().saveAs = [&](const QString& proposal) {
                proposed << proposal;
                return path("projects/a.ksproj");
            };
            QSignalSpy saved(&shown->kept().project(), &WindowProject::saved);
            shown->kept().project().saveAs();
            QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
        }
        QCOMPARE(proposed, (QStringList{path("data/scan.ksproj"), path("projects/scan.ksproj")}));
    }

    void filesOutsideAreAskedAbout_data() {
        QTest::addColumn<bool>("agreed");
        QTest::newRow("agreed") << true;
        QTest::newRow("refused") << false;
    }
    void filesOutsideAreAskedAbout() {
        QFETCH(bool, agreed);
        saved("there/a.h5", "here/p.ksproj");
        QCOMPARE(relative(content("here/p.ksproj").content.at("data")), QString("../there/a.h5"));
        const auto shown = otherUser();
        QStringList asked;
        shown->kept().questions().readOutside = [&](const QStringList& files) {
            return asked += files, agreed;
        };
        open(*shown, "here/p.ksproj");
        QCOMPARE(asked, QStringList{QFileInfo(path("there/a.h5")).canonicalFilePath()});
        QCOMPARE(shown->file() != nullptr, agreed);
        QCOMPARE(shown->notices().text("refused"),
                 agreed ? QString() : QString("1 file outside the project's folder was not read: a.h5"));
        if (agreed) return;
        QVERIFY(shown->notices().act("refused", "Read it"));
        QTRY_VERIFY_WITH_TIMEOUT(shown->file() != nullptr, 30000);
    }

    void whatWasNotReadStaysInTheProject() {
        makeData("there/a.h5");
        makeData("there/b.h5");
        QVERIFY(QDir().mkpath(path("here")));
        {
            const auto shown = window();
            for (const char* file : {"there/b.h5", "there/a.h5"}) {
                ks::tests::open_data(*shown, path(file));
                ks::tests::work_in(*shown);
            }
            save(*shown, "here/p.ksproj");
        }
        const auto now = [this] {
            return ks::ui::documentOf(content("here/p.ksproj"), path("here").toStdString()).document;
        };
        const ks::ui::SessionDocument before = now();
        QCOMPARE(before.masks.size(), std::size_t{2});
        for (const bool another : {false, true}) {
            const auto shown = otherUser();
            shown->kept().questions().readOutside = [](const QStringList&) { return false; };
            open(*shown, "here/p.ksproj");
            QVERIFY(!shown->file());
            if (another) {
                makeData("here/c.h5");
                ks::tests::open_data(*shown, path("here/c.h5"));
            }
            QSignalSpy saved(&shown->kept().project(), &WindowProject::saved);
            QTest::keyClick(shown.get(), Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
            QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
            const ks::ui::SessionDocument after = now();
            QCOMPARE(QFileInfo(QString::fromStdString(after.file)).fileName(),
                     QString(another ? "c.h5" : "a.h5"));
            QVERIFY(after.masks == before.masks);
            for (const auto& [name, kept] : before.geometries) QVERIFY(after.geometries.at(name) == kept);
            for (const auto& one : before.left.all()) QVERIFY(after.left.find(one.page, one.file));
            if (!another) QVERIFY(after.pages.at("xpcs").state == before.pages.at("xpcs").state);
        }
    }

    void whatWasNotReadIsNamedAndReadAfterAll_data() {
        QTest::addColumn<bool>("killed");
        QTest::addColumn<bool>("another");
        QTest::newRow("at once") << false << false;
        QTest::newRow("killed") << true << false;
        QTest::newRow("other data") << false << true;
    }
    void whatWasNotReadIsNamedAndReadAfterAll() {
        QFETCH(const bool, killed);
        QFETCH(const bool, another);
        for (const char* file : {"there/a.h5", "there/b.h5", "here/c.h5"}) makeData(file);
        ks::tests::Seen before;
        {
            const auto shown = window();
            ks::tests::open_data(*shown, path("there/a.h5"));
            ks::tests::work_in(*shown);
            auto& page = ks::tests::xpcs_page(*shown);
            page.importLabels(path("there/b.h5::/entry/qmask"));
            QTRY_VERIFY_WITH_TIMEOUT(page.missing().isEmpty() && page.partition()->bins() != 10, 30000);
            page.bins().setData(page.bins().index(2, ks::ui::xpcs::BinTableModel::OnColumn), Qt::Unchecked,
                                Qt::CheckStateRole);
            ks::tests::run_in(*shown);
            before = ks::tests::seen_in(*shown);
            save(*shown, "here/p.ksproj");
        }
        const QString sessions = path("sessions"), told(
                                                       "2 files outside the project's folder were not read: "
                                                       "a.h5, b.h5");
        auto shown = otherUser();
        shown->kept().begin(sessions, WindowSession::Begin::bySetting);
        shown->kept().questions().readOutside = [](const QStringList&) { return false; };
        open(*shown, "here/p.ksproj");
        QVERIFY(!shown->file());
        QCOMPARE(shown->notices().text("refused"), told);
        if (killed) {
            // What stands in the session of a window that lives is what a kill leaves.
            QSignalSpy written(&shown->kept(), &WindowSession::written);
            QTRY_VERIFY_WITH_TIMEOUT(written.count() > 0, 20000);
            QVERIFY(QDir().mkpath(path("left/1/runs")));
            const QString session = shown->kept().sessionFile();
            const QString copy = path("left/1/") + QFileInfo(session).fileName();
            QVERIFY(QFile::copy(session, copy));
            for (const QFileInfo& run :
                 QDir(QFileInfo(session).dir().filePath("runs")).entryInfoList(QDir::Files))
                QVERIFY(QFile::copy(run.filePath(), path("left/1/runs/") + run.fileName()));
            shown.reset();
            shown = otherUser();
            QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
            shown->kept().begin(path("left"), WindowSession::Begin::bySetting);
            QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
            QVERIFY(!shown->file());
            QCOMPARE(shown->notices().text("refused"), told);
            // It stays in the project when that is saved.
            save(*shown, "here/p.ksproj");
            const ks::ui::SessionDocument now =
                ks::ui::documentOf(content("here/p.ksproj"), path("here").toStdString()).document;
            QCOMPARE(QFileInfo(QString::fromStdString(now.file)).fileName(), QString("a.h5"));
            QCOMPARE(now.masks.size(), std::size_t{1});
        }
        if (another) {
            ks::tests::open_data(*shown, path("here/c.h5"));
            ks::ui::RegionEditor& editor = ks::tests::xpcs_page(*shown).imagePanel().editor();
            QTRY_VERIFY_WITH_TIMEOUT(editor.frame(), 30000);
            editor.apply(ks::rectangle_region(editor.height(), editor.width(), {30, 30}, {33, 34}), true,
                         "Box");
        }
        QToolButton* button = nullptr;
        for (QToolButton* const one : shown->notices().findChildren<QToolButton*>())
            if (one->text() == "Read them") button = one;
        QVERIFY(button && button->toolTip().contains(QFileInfo(path("there/b.h5")).canonicalFilePath()));
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QCOMPARE(shown->notices().text("refused"), QString());
        ks::tests::expect_same(*shown, before);
        QVERIFY2(shown->errorBar().sentence().isEmpty(), qPrintable(shown->errorBar().sentence()));
        // Only what was done here since is in no file: the parameters that c.h5 got are its own.
        QCOMPARE(shown->kept().project().unsavedWork(),
                 another ? QStringList({"the mask of c.h5", "changes to 1 other file"}) : QStringList());
        if (!another) return;
        ks::tests::open_data(*shown, path("here/c.h5"));
        ks::ui::RegionEditor& editor = ks::tests::xpcs_page(*shown).imagePanel().editor();
        QTRY_COMPARE_WITH_TIMEOUT(editor.pixels(0), std::size_t{3 * 4}, 30000);
        ks::tests::open_data(*shown, path("there/a.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(editor.pixels(0), std::size_t{17 * 5}, 30000);
        QCOMPARE(ks::tests::xpcs_page(*shown).bins().labelsOff(), before.off);
    }

    // Whoever asks fails the test.
    void whatTheUserOpenedIsNotAskedAbout() {
        makeData("there/a.h5");
        makeData("there/b.h5");
        QVERIFY(QDir().mkpath(path("here")));
        {
            const auto shown = window();
            ks::tests::open_data(*shown, path("there/a.h5"));
            save(*shown, "here/p.ksproj");
            open(*shown, "here/p.ksproj");
            QVERIFY(shown->file());
            // Opened here, though another one is open now and the list of recent files is short.
            ks::tests::open_data(*shown, path("there/b.h5"));
            for (int i = 0; i < 20; ++i) shown->files().remember(path(QString::number(i)));
            open(*shown, "here/p.ksproj");
            QCOMPARE(QFileInfo(shown->file()->path).fileName(), QString("a.h5"));
        }
        const auto shown = window();
        open(*shown, "here/p.ksproj");
        QVERIFY(shown->file());
    }

    void theDemosOfTheProgramAreNotAskedAbout() {
        qputenv("XDG_CACHE_HOME", path("cache").toLocal8Bit());
        QVERIFY(QDir().mkpath(path("here")));
        {
            const auto shown = window();
            QSignalSpy opened(shown.get(), &MainWindow::fileOpened);
            shown->openDemo();
            QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 120000);
            QVERIFY(shown->file()->path.startsWith(path("cache")));
            save(*shown, "here/p.ksproj");
        }
        const auto shown = otherUser();
        open(*shown, "here/p.ksproj");
        QVERIFY(shown->file());
    }

    void anAbsolutePathIsAskedAbout() {
        saved("a.h5", "p.ksproj");
        ks::io::Project project = content("p.ksproj");
        project.content["data"]["file"]["relative"] = "";
        ks::io::write_project(path("elsewhere.ksproj").toStdString(), project, false);
        QVERIFY(QDir().mkpath(path("sub")));
        ks::io::write_project(path("sub/p.ksproj").toStdString(), project, false);
        const auto shown = otherUser();
        int asked = 0;
        shown->kept().questions().readOutside = [&](const QStringList&) { return ++asked, false; };
        open(*shown, "elsewhere.ksproj");  // in the folder after all
        QCOMPARE(asked, 0);
        QVERIFY(shown->file());
        const auto other = otherUser();
        other->kept().questions().readOutside = [&](const QStringList&) { return ++asked, false; };
        open(*other, "sub/p.ksproj");
        QCOMPARE(asked, 1);
        QVERIFY(!other->file());
    }

    void withoutItsDataNothingOfThePreviousFileIsShown_data() {
        QTest::addColumn<QString>("lacks");
        QTest::addColumn<QString>("said");
        QTest::newRow("not allowed") << "leave"
                                     << "Not read: there.h5";
        QTest::newRow("damaged") << "garbage"
                                 << "Not opened: there.h5";
    }
    void withoutItsDataNothingOfThePreviousFileIsShown() {
        QFETCH(QString, lacks);
        QFETCH(QString, said);
        saved("away/there.h5", "here/p.ksproj");
        makeData("open.h5");
        if (lacks == "garbage") {
            QFile file(path("away/there.h5"));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no frames") > 0);
        }
        const auto shown = otherUser();
        ks::tests::open_data(*shown, path("open.h5"));
        ks::tests::work_in(*shown);
        auto& page = ks::tests::xpcs_page(*shown);
        const auto& profile = dynamic_cast<const ks::ui::CurvePlot&>(*page.plots().back().plot);
        QTRY_VERIFY_WITH_TIMEOUT(!profile.series().isEmpty(), 30000);
        QVERIFY(page.partitionForm().summary().contains("bins"));
        shown->kept().questions().readOutside = [&](const QStringList&) { return lacks == "garbage"; };
        shown->kept().questions().lose = [](const QStringList&) { return ks::ui::WorkAnswer::discard; };
        open(*shown, "here/p.ksproj");
        QVERIFY(!shown->file());
        QCOMPARE(page.image().whyEmpty(), said);
        QVERIFY(profile.series().isEmpty());
        QCOMPARE(page.partitionForm().summary(), QString());
        QCOMPARE(page.partitionForm().fields(), ks::ui::xpcs::PartitionForm().fields());
        QCOMPARE(page.bins().rowCount(), 0);
        // The next file is none that lacks.
        shown->open(path("open.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(shown->file() && page.imagePanel().frame(), 30000);
        QVERIFY(page.partitionForm().summary().contains("bins"));
    }

    void dataThatMovedAreAskedFor() {
        saved("a.h5", "p.ksproj");
        QVERIFY(QFile::rename(path("a.h5"), path("renamed.h5")));
        QString asked;
        {
            const auto shown = window();
            shown->kept().questions().whereIs = [&](const QString& gone) {
                return asked = gone, path("renamed.h5");
            };
            open(*shown, "p.ksproj");
            QCOMPARE(QFileInfo(asked).fileName(), QString("a.h5"));
            QCOMPARE(QFileInfo(shown->file()->path).fileName(), QString("renamed.h5"));
            QCOMPARE(ks::tests::xpcs_page(*shown).imagePanel().editor().pixels(0), std::size_t{17 * 5});
            QVERIFY(shown->errorBar().sentence().isEmpty());
        }
        // Without an answer all the rest is there, and is not lost by saving again.
        const auto shown = window();
        shown->kept().questions().whereIs = [](const QString&) { return QString(); };
        open(*shown, "p.ksproj");
        QVERIFY(!shown->file());
        QVERIFY(shown->notices().text("gone").contains("a.h5"));
        save(*shown, "p.ksproj");
        QVERIFY(QFile::rename(path("renamed.h5"), path("a.h5")));
        const auto again = window();
        open(*again, "p.ksproj");
        QVERIFY(again->file());
        QCOMPARE(ks::tests::xpcs_page(*again).imagePanel().editor().pixels(0), std::size_t{17 * 5});
    }

    void dataThatChangedAreNamed() {
        saved("a.h5", "p.ksproj");
        ks::tests::generate_xpcs(path("a.h5"), 24, 61, 71);
        const auto shown = window();
        open(*shown, "p.ksproj");
        QVERIFY(
            shown->errorBar().sentence().contains("changed since the session or project was saved: a.h5"));
        QVERIFY(!shown->errorBar().isError());
    }

    void dataOfAnotherKindAreRefused() {
        saved("a.h5", "p.ksproj");
        QFile file(path("a.h5"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no frames") > 0);
        file.close();
        const auto shown = window();
        open(*shown, "p.ksproj");
        QVERIFY(!shown->file());
        QVERIFY(shown->errorBar().isError());
        QVERIFY(QFile::remove(path("a.h5")));
        QVERIFY(QDir().mkpath(path("a.h5")));
        const auto other = window();
        other->kept().questions().whereIs = [](const QString&) { return QString(); };
        open(*other, "p.ksproj");
        QVERIFY(!other->file());
    }

    void badProjectsReplaceNothing() {
        saved("a.h5", "p.ksproj");
        QFile good(path("p.ksproj"));
        QVERIFY(good.open(QIODevice::ReadOnly));
        const QByteArray bytes = good.readAll();
        const auto put = [this](const QString& leaf, const QByteArray& content) {
            QFile file(path(leaf));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        };
        put("cut.ksproj", bytes.left(bytes.size() - 7));
        QByteArray newer = bytes;
        newer[8] = 9;
        put("newer.ksproj", newer);
        put("text.ksproj", "hello");
        // JSON of 1 GB: a hole on the disk.
        QByteArray huge = bytes.left(40);
        const quint64 gigabyte = quint64{1} << 30;
        std::memcpy(huge.data() + 16, &gigabyte, 8);
        const std::uint64_t own = ks::hash_of(std::string_view(huge.constData(), 32));
        std::memcpy(huge.data() + 32, &own, 8);
        put("huge.ksproj", huge);
        QVERIFY(QFile::resize(path("huge.ksproj"), 40 + (qint64{1} << 30)));
        ks::io::write_project(path("other.ksproj").toStdString(), {}, false);
        const auto shown = window();
        ks::tests::open_data(*shown, path("a.h5"));
        QVERIFY(refusal(*shown, "cut.ksproj").contains("truncated"));
        QVERIFY(refusal(*shown, "newer.ksproj").contains("version 9"));
        QVERIFY(refusal(*shown, "text.ksproj").contains("another kind"));
        QVERIFY(refusal(*shown, "huge.ksproj").contains("1073741824"));
        QVERIFY(refusal(*shown, "other.ksproj").contains("another kind"));
        QVERIFY(refusal(*shown, "none.ksproj").contains("no such file"));
        QVERIFY(shown->file());
        QVERIFY(!shown->files().recent().contains(path("cut.ksproj")));
    }

    void tenThousandRunsDoNotHoldUpTheWindow() {
        saved("a.h5", "p.ksproj");
        ks::io::Project project = content("p.ksproj");
        for (int i = 1; i <= 10000; ++i) {
            const std::string leaf = "p_runs/run-" + std::to_string(i) + ".h5";
            project.content["runs"].push_back(
                {{"number", i},
                 {"ticked", false},
                 {"file",
                  {{"relative", leaf}, {"absolute", ""}, {"bytes", 0}, {"modified", 0}, {"hash", ""}}}});
        }
        ks::io::write_project(path("many.ksproj").toStdString(), project, false);
        const auto shown = window();
        QElapsedTimer gap;
        qint64 longest = 0;
        QTimer tick;
        tick.setInterval(5);
        connect(&tick, &QTimer::timeout, this, [&] { longest = std::max(longest, gap.restart()); });
        gap.start();
        tick.start();
        open(*shown, "many.ksproj");
        QVERIFY2(longest < 3000, qPrintable(QString::number(longest)));
        QVERIFY(shown->file());
        QVERIFY(shown->errorBar().sentence().contains("9500 more are not"));
        QVERIFY(shown->errorBar().details().contains("500 runs cannot be read"));
    }

    void anythingInItsContentDoesNoHarm() {
        saved("a.h5", "p.ksproj");
        const ks::io::Project good = content("p.ksproj");
        const std::vector<nlohmann::json> values = {
            nullptr,          true, -1, 1e300, "x", nlohmann::json::array(), nlohmann::json::object(),
            {1, "a", nullptr}};
        // Each value of the tree in turn becomes something else.
        const nlohmann::json flat = good.content.flatten();
        std::size_t turn = 0;
        for (const auto& [pointer, value] : flat.items()) {
            ks::io::Project wrong = good;
            wrong.content[nlohmann::json::json_pointer(pointer)] = values[turn++ % values.size()];
            try {
                const ks::ui::ReadDocument read = ks::ui::documentOf(wrong, folder_->path().toStdString());
                QVERIFY(read.document.pages.size() < 100);
            } catch (const ks::Error& error) {
                QCOMPARE(error.kind(), ks::ErrorKind::input);
            }
        }
        // The pages themselves, in one window.
        const auto shown = window();
        ks::tests::open_data(*shown, path("a.h5"));
        const nlohmann::json fields = good.content.at("pages").at("xpcs").at("values").flatten();
        for (const auto& [pointer, value] : fields.items())
            for (const nlohmann::json& other : values) {
                ks::ui::PageState state;
                state.values = good.content.at("pages").at("xpcs").at("values");
                state.values[nlohmann::json::json_pointer(pointer)] = other;
                shown->page()->setState(state, ks::ui::Page::Scope::session);
            }
        QTRY_COMPARE_WITH_TIMEOUT(shown->jobs().running(), 0, 60000);
        for (const QString& analysis : shown->pageIds()) {
            QVERIFY(shown->setPage(analysis));
            for (const nlohmann::json& other : values) {
                ks::ui::PageState state;
                state.values = {{"image", other},  {"thresholds", other}, {"sums", other},   {"event", other},
                                {"layout", other}, {"charge_cut", other}, {"picture", other}};
                shown->page()->setState(state, ks::ui::Page::Scope::session);
            }
        }
        QTRY_COMPARE_WITH_TIMEOUT(shown->jobs().running(), 0, 60000);
    }
};

QTEST_MAIN(ProjectTest)
#include "tst_project.moc"
