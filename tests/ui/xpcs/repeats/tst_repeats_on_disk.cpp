// The files of an average that are replaced, removed, put back or moved after it was computed, and what
// exported figures say of them.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/run/registry.h"
#include "core/run/repeats/repeats.h"
#include "tests/ui/child.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/panel/geometry_form.h"
#include "ui/image/panel/image_panel.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/export_dialog.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/run_files.h"
#include "ui/shell/session/session_questions.h"
#include "ui/shell/session/window_project.h"
#include "ui/shell/session/window_session.h"
#include "ui/xpcs/repeats_panel.h"
#include "ui/xpcs/series/correction_form.h"
#include "ui/xpcs/xpcs_page.h"

using ks::ui::xpcs::XpcsPage;

class RepeatsOnDiskTest : public ks::tests::WindowFixture {
    Q_OBJECT

    static constexpr const char* notice = "input changed on disk";

    void generate(const QString& leaf, std::int64_t seed) const {
        const ks::Registry registry;
        const ks::Analysis& analysis = registry.analysis("xpcs");
        ks::ParameterSet parameters = ks::defaults(analysis.info().generator);
        parameters["kind"] = std::string("speckle");
        parameters["frames"] = std::int64_t{40};
        parameters["height"] = std::int64_t{61};
        parameters["width"] = std::int64_t{71};
        parameters["seed"] = seed;
        ks::Progress progress;
        analysis.generate(parameters, path(leaf).toStdString(), true, progress);
    }
    XpcsPage& page() const { return dynamic_cast<XpcsPage&>(*window_->page()); }
    QString noticed() const { return window_->notices().text(notice); }
    const ks::ui::RunRow& newest() const { return window_->runs().rows().front(); }
    QString outdated() const { return window_->pageRuns().exported(newest()).outdated; }
    void openRepeats(const QString& folder) const {
        QStringList files;
        for (int i = 1; i <= 3; ++i) files << path(folder + QStringLiteral("/scan_%1.h5").arg(i));
        window_->openRepeats(files);
        QTRY_VERIFY_WITH_TIMEOUT(page().repeats().size() == 3 && page().missing().isEmpty(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
    }
    void run() const {
        QTRY_VERIFY_WITH_TIMEOUT(window_->action("run")->isEnabled(), 60000);
        QSignalSpy added(&window_->queue(), &ks::ui::RunQueue::runAdded);
        window_->action("run")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 120000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
    }
    /// As "mv other name" does.
    void moveOver(const QString& other, const QString& name) const {
        std::filesystem::rename(path(other).toStdString(), path(name).toStdString());
    }
    QString set_;  ///< with scan_1.h5 to scan_3.h5, of each test its own

  private slots:
    void initTestCase() {
        for (int i = 1; i <= 4; ++i) generate(QStringLiteral("made_%1.h5").arg(i), i);
    }
    void init() {
        static int count = 0;
        set_ = QStringLiteral("set_%1").arg(++count);
        QVERIFY(QDir().mkpath(path(set_)));
        for (int i = 1; i <= 3; ++i)
            QVERIFY(QFile::copy(path(QStringLiteral("made_%1.h5").arg(i)),
                                path(set_ + QStringLiteral("/scan_%1.h5").arg(i))));
        QVERIFY(QFile::copy(path("made_4.h5"), path(set_ + "/other.h5")));
        window_ = firstWindow({1280, 800});
        QVERIFY(window_->setPage("xpcs"));
    }
    void cleanup() { window_.reset(); }

    void anotherRepeatThatIsReplacedIsNoticedAndMarksTheAverage() {
        openRepeats(set_);
        run();
        QCOMPARE(ks::average_text(*newest().run), std::string("average of 3 of 3 repeats"));
        const std::filesystem::path file = path(set_ + "/scan_3.h5").toStdString();
        QTest::qWait(2500);  // two looks
        QVERIFY2(noticed().isEmpty() && outdated().isEmpty(), qPrintable(noticed() + outdated()));

        std::filesystem::rename(file, path(set_ + "/aside.h5").toStdString());
        QTRY_VERIFY2_WITH_TIMEOUT(noticed().contains("scan_3.h5 no longer exists"), qPrintable(noticed()),
                                  10000);
        QTRY_COMPARE(outdated(), QString("outdated (scan_3.h5 is gone)"));
        // Put back as it was.
        moveOver(set_ + "/aside.h5", set_ + "/scan_3.h5");
        QTRY_VERIFY2_WITH_TIMEOUT(noticed().isEmpty(), qPrintable(noticed()), 10000);
        QTRY_VERIFY2(outdated().isEmpty(), qPrintable(outdated()));

        moveOver(set_ + "/other.h5", set_ + "/scan_3.h5");
        QTRY_VERIFY2_WITH_TIMEOUT(noticed().contains("scan_3.h5 changed on disk"), qPrintable(noticed()),
                                  10000);
        QTRY_COMPARE(outdated(), QString("outdated (scan_3.h5 has changed)"));
        QVERIFY2(page().repeatsPanel().summary().contains("outdated"),
                 qPrintable(page().repeatsPanel().summary()));

        QString said;
        connect(&window_->messages(), &ks::ui::Messages::said, window_.get(), [&said](const QString& text) {
            if (text.contains("changed on disk")) said = text;
        });
        run();
        QVERIFY2(said.contains("run 1") && said.contains("scan_3.h5"), qPrintable(said));
        QVERIFY(noticed().isEmpty());
        QTest::qWait(2500);
        QVERIFY2(noticed().isEmpty() && outdated().isEmpty(), qPrintable(noticed() + outdated()));
    }

    void anotherTimeAloneIsNoChange() {
        openRepeats(set_);
        run();
        const auto touch = [this](const QString& leaf) {
            QFile file(path(set_ + leaf));
            QVERIFY(file.open(QIODevice::ReadWrite) &&
                    file.setFileTime(QDateTime::currentDateTime().addSecs(5), QFile::FileModificationTime));
        };
        QTest::qWait(2500);  // a look
        touch(QStringLiteral("/scan_3.h5"));
        for (int i = 0; i < 40; ++i) {
            QTest::qWait(100);
            QVERIFY2(noticed().isEmpty() && outdated().isEmpty(), qPrintable(noticed() + outdated()));
        }
        // Of the same size, but with other contents at its end.
        QFile file(path(set_ + "/scan_3.h5"));
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(file.size() - 100));
        const QByteArray before = file.peek(1);
        QVERIFY(file.putChar(static_cast<char>(before[0] ^ 1)));
        file.close();
        touch(QStringLiteral("/scan_3.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(outdated(), QString("outdated (scan_3.h5 has changed)"), 10000);
    }

    void severalFilesAreNamedTogether() {
        openRepeats(set_);
        run();
        for (int i : {2, 3}) {
            const QString name = path(set_ + QStringLiteral("/scan_%1.h5").arg(i));
            QVERIFY(QFile::remove(name) && QFile::copy(path("made_4.h5"), name));
        }
        QTRY_VERIFY2_WITH_TIMEOUT(noticed().contains("scan_2.h5, scan_3.h5 changed on disk"),
                                  qPrintable(noticed()), 10000);
        QTRY_COMPARE(outdated(), QString("outdated (scan_2.h5 has changed, scan_3.h5 has changed)"));
        // Nothing of them concerns a run of one file.
        ks::tests::open_data(*window_, path("made_1.h5"));
        QTRY_VERIFY2(noticed().isEmpty(), qPrintable(noticed()));
    }

    void figuresNameAllFilesOfTheAverage() {
        openRepeats(set_);
        run();
        const auto files = [this] {
            return window_->runFiles().figureFile(page().plots().front()).text.files;
        };
        QCOMPARE(files(), QStringList("average of 3 of 3 repeats: scan_1.h5, scan_2.h5, scan_3.h5"));
        // With those that are part of it alone.
        page().repeatsPanel().model().setData(page().repeatsPanel().model().index(1, 0), Qt::Unchecked,
                                              Qt::CheckStateRole);
        QTRY_COMPARE(files(), QStringList("average of 2 of 3 repeats: scan_1.h5, scan_3.h5"));
        const auto written = [this](const QString& leaf) {
            const ks::ui::NamedPlot plot = page().plots().front();
            ks::ui::exportFigure(*plot.plot, path(leaf).toStdString(), true, {},
                                 window_->runFiles().figureFile(plot).text);
            QFile file(path(leaf));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(written("g2.svg").contains("average of 2 of 3 repeats: scan_1.h5, scan_3.h5"));
    }

    void nothingReplacesARepeat() {
        const auto scan = [this](int i) { return path(set_ + QStringLiteral("/scan_%1.h5").arg(i)); };
        const QString labels = path(set_ + "/labels.h5"), dark = path(set_ + "/dark.h5");
        QVERIFY(QFile::copy(path("made_4.h5"), labels) && QFile::copy(path("made_4.h5"), dark));
        QVERIFY(QFile::link(scan(2), path(set_ + "/link.h5")));
        const auto bytes = [&] {
            QByteArray all;
            for (const QString& name : {scan(1), scan(2), scan(3), labels, dark}) {
                QFile file(name);
                if (file.open(QIODevice::ReadOnly)) all += file.readAll();
            }
            return all;
        };
        const QByteArray before = bytes();
        ks::ui::ErrorBar& errors = window_->errorBar();
        const auto refuses = [&](const QString& what, const auto& save) {
            errors.dismiss();
            save();
            QVERIFY2(QTest::qWaitFor([&] { return errors.isError(); }, 30000), qPrintable(what));
            QVERIFY2(errors.sentence().contains("would replace a file that is read as "),
                     qPrintable(what + ": " + errors.sentence()));
            QVERIFY2(bytes() == before, qPrintable(what));
        };
        const auto refusesAll = [&](const QString& name) {
            refuses("mask: " + name, [&] { page().imagePanel().maskBar().saveMask(name); });
            refuses("labels: " + name, [&] { page().exportLabels(name, true); });
            refuses("geometry: " + name,
                    [&] { emit page().imagePanel().geometryForm().saveRequested(name); });
            const ks::ui::NamedPlot plot = page().plots().front();
            ks::ui::ExportDialog dialog(*plot.plot, window_->runFiles().figureFile(plot), nullptr);
            QVERIFY_THROWS_EXCEPTION(ks::Error, dialog.write(name));
            QVERIFY2(bytes() == before, qPrintable(name));
        };
        openRepeats(set_);
        QTRY_VERIFY(page().imagePanel().frame());
        page().importLabels(labels + "::/entry/qmask");
        auto& field = ks::tests::child<QLineEdit>(page().correction(), "darkField");
        field.setText(dark);
        emit field.editingFinished();
        QTRY_VERIFY_WITH_TIMEOUT(
            page().inputState().files.contains("partition") && page().inputState().files.contains("dark"),
            30000);
        for (const QString& name : {scan(2), scan(3), path(set_ + "/link.h5"), labels, dark})
            refusesAll(name);
        run();
        QCOMPARE(ks::names_of_repeats(*newest().run).size(), std::size_t{3});
        // What the runs have read is kept when other data are open.
        ks::tests::open_data(*window_, path("made_1.h5"));
        QVERIFY(page().repeats().empty());
        QTRY_VERIFY(page().imagePanel().frame());
        for (const QString& name : {scan(1), scan(2), scan(3), path(set_ + "/link.h5"), labels, dark}) {
            refusesAll(name);
            refuses("run: " + name, [&] { window_->saveRun(name, true); });
            refuses("table: " + name, [&] { window_->saveCsv(name, true); });
        }
        // A project has a suffix of its own, so that it reaches data by a link only.
        const QString project = path(set_ + "/linked.ksproj");
        QVERIFY(QFile::link(scan(2), project));
        refuses("project", [&] { window_->kept().project().save(project, true); });
    }

    void aSavedAverageWhoseDataWereMovedIsLocated_data() {
        QTest::addColumn<QStringList>("moved");
        QTest::newRow("all") << QStringList{"scan_1.h5", "scan_2.h5", "scan_3.h5"};
        QTest::newRow("not the first") << QStringList{"scan_2.h5", "scan_3.h5"};
    }
    void aSavedAverageWhoseDataWereMovedIsLocated() {
        QFETCH(QStringList, moved);
        openRepeats(set_);
        run();
        QVERIFY(QDir().mkpath(path(set_ + "_runs")) && QDir().mkpath(path(set_ + "_elsewhere/deep")));
        const QString saved = path(set_ + "_runs/average.h5");
        QSignalSpy written(&window_->runFiles(), &ks::ui::RunFiles::saved);
        window_->saveRun(saved);
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 30000);
        window_ = nullptr;
        const QString there = path(set_ + "_elsewhere/deep");
        for (const QString& leaf : moved) QVERIFY(QFile::rename(path(set_ + "/" + leaf), there + "/" + leaf));
        window_ = firstWindow({1280, 800});
        QStringList asked;
        window_->kept().questions().whereIs = [&](const QString& gone) {
            asked << QFileInfo(gone).fileName();
            return there + "/" + QFileInfo(gone).fileName();
        };
        window_->open(saved);
        const auto lost = [this] {
            for (const QString& id : window_->notices().ids())
                if (id.startsWith("lost data")) return id;
            return QString();
        };
        QTRY_VERIFY_WITH_TIMEOUT(!lost().isEmpty(), 30000);
        QVERIFY2(window_->notices().text(lost()).contains(moved.front()),
                 qPrintable(window_->notices().text(lost())));
        QVERIFY(window_->notices().act(lost(), "Locate..."));
        QCOMPARE(asked, QStringList(moved.front()));
        QVERIFY(lost().isEmpty());
        // Under their former names they may have been opened already.
        QTRY_VERIFY_WITH_TIMEOUT(
            page().repeats().size() == 3 && page().repeats() == ks::names_of_repeats(*newest().run), 30000);
        for (const std::string& name : page().repeats())
            QVERIFY2(std::filesystem::exists(name), name.c_str());
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty(), 30000);
        QTRY_VERIFY2(!page().repeatsPanel().summary().contains("outdated (Repeats"),
                     qPrintable(page().repeatsPanel().summary()));
        // Those that it recorded under their former names are not missed.
        QTest::qWait(2500);
        QVERIFY2(noticed().isEmpty(), qPrintable(noticed()));
        run();
        QCOMPARE(ks::average_text(*newest().run), std::string("average of 3 of 3 repeats"));
    }

    // As a folder with data and results that is copied to another computer.
    void aSavedAverageFindsItsRepeatsThatMovedWithIt() {
        openRepeats(set_);
        run();
        QSignalSpy written(&window_->runFiles(), &ks::ui::RunFiles::saved);
        window_->saveRun(path(set_ + "/average.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 30000);
        window_ = nullptr;
        std::filesystem::rename(path(set_).toStdString(), path(set_ + "_moved").toStdString());
        window_ = firstWindow({1280, 800});
        window_->open(path(set_ + "_moved/average.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(page().repeats().size(), std::size_t{3}, 30000);
        QCOMPARE(page().repeats().back(), path(set_ + "_moved/scan_3.h5").toStdString());
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty(), 30000);
        QTRY_VERIFY2(!page().repeatsPanel().summary().contains("outdated (Repeats"),
                     qPrintable(page().repeatsPanel().summary()));
    }
};

QTEST_MAIN(RepeatsOnDiskTest)
#include "tst_repeats_on_disk.moc"
