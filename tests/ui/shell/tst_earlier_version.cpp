#include "core/record/saved_run.h"
#include "core/run/registry.h"
#include "tests/ui/shell/session_window.h"
#include "ui/runs/variant_picker.h"

using ks::ui::MainWindow;
using ks::ui::WindowSession;

/// What an earlier version wrote (tests/data/earlier_version) is read: sessions, projects, a run, settings.
class EarlierVersionTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;
    int count_ = 0;

    QString path(const QString& leaf) const { return folder_->filePath(leaf); }
    static QString data(const QString& leaf) {
        return QStringLiteral(KERNELSCOPE_SOURCE_DIR "/tests/data/") + leaf;
    }
    void copied(const QString& from, const QString& to) {
        QVERIFY2(QDir().mkpath(QFileInfo(path(to)).path()) && QFile::copy(data(from), path(to)),
                 qPrintable(from));
    }
    void copiedFolder(const QString& leaf) {
        const QDir from(data("earlier_version/" + leaf));
        for (const QFileInfo& one : from.entryInfoList(QDir::Files))
            copied("earlier_version/" + leaf + '/' + one.fileName(), leaf + '/' + one.fileName());
        for (const QFileInfo& one : from.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
            copiedFolder(leaf + '/' + one.fileName());
    }
    std::unique_ptr<MainWindow> window() {
        return ks::tests::session_window(path(QStringLiteral("%1.ini").arg(++count_)));
    }
    void bringBack(MainWindow& window, const QString& session) {
        copiedFolder(session);
        QSignalSpy back(&window.kept(), &WindowSession::broughtBack);
        window.kept().begin(path(session), WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(window.worker().ready(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(window.jobs().running() == 0, 30000);
    }
    void open(MainWindow& window, const QString& project) {
        QSignalSpy back(&window.kept(), &WindowSession::broughtBack);
        copied("earlier_version/" + project, project);
        window.kept().questions().readOutside = [](const QStringList&) { return true; };
        window.open(path(project));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(window.jobs().running() == 0, 30000);
    }
    static void expectParameters(MainWindow& window, const ks::ParameterSet& expected) {
        const ks::ParameterSet now = window.parameters().values();
        for (const auto& [name, value] : expected)
            QVERIFY2(now.contains(name) && now.at(name) == value,
                     (name + " of " + ks::to_json(now).dump()).c_str());
    }
    /// Mask, geometry, bins and the frame that the writer's work_in() chose.
    static void expectWork(MainWindow& window) {
        auto& page = ks::tests::xpcs_page(window);
        QTRY_COMPARE_WITH_TIMEOUT(page.imagePanel().editor().pixels(0), std::size_t{17 * 5}, 30000);
        QCOMPARE(page.imagePanel().geometry().beam_x, 30.25);
        QCOMPARE(page.imagePanel().geometry().beam_y, 28.5);
        QTRY_VERIFY_WITH_TIMEOUT(page.partition() && page.partition()->bins() == 10, 30000);
        QCOMPARE(page.bins().labelsOff(), std::vector<int>{3});
    }
    /// What the page keeps in a session, with its parameters.
    static void expectKept(MainWindow& window, const std::vector<std::string>& fields) {
        const std::string now = window.page()->state(ks::ui::Page::Scope::session)->values.dump() +
                                ks::to_json(window.parameters().values()).dump();
        for (const std::string& field : fields)
            QVERIFY2(now.find(field) != std::string::npos, (field + " in " + now).c_str());
    }
    static void expectSpots(MainWindow& window) { expectKept(window, {"\"sigma_s\":4.5", "\"min_size\":5"}); }
    static void expectClusters(MainWindow& window) { expectKept(window, {"\"charge_cut\":\"150\""}); }
    static void expectParticles(MainWindow& window) {
        expectKept(window, {"\"kernel\":\"helmholtz\"", "\"plane_low\":0.25", "\"plane_high\":0.5"});
    }

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        for (const char* leaf : {"a.h5", "b.h5"}) copied("earlier_version/frames.h5", leaf);
        copied("spots_rotation.h5", "spots.h5");
        copied("timepix_sr90_1.46mm.csv", "hits.csv");
        copied("particles_50.csv", "points.csv");
    }

    void aSessionOfXpcsWithARunComesBack() {
        const auto shown = window();
        bringBack(*shown, "xpcs");
        QCOMPARE(shown->file()->path, path("a.h5"));
        expectWork(*shown);
        QCOMPARE(ks::tests::xpcs_page(*shown).imagePanel().slider().frame(), 7);
        expectParameters(*shown, {{"max_delay", std::int64_t{9}}});
        QCOMPARE(shown->variants().variant(), QString("host.reference"));
        QCOMPARE(shown->runs().rowCount(), 1);
        QVERIFY(shown->runs().rows().front().run->result.find("g2"));
    }

    void aSessionOfTwoFilesKeepsTheWorkOnBoth() {
        const auto shown = window();
        bringBack(*shown, "two");
        QCOMPARE(shown->file()->path, path("a.h5"));
        QCOMPARE(ks::tests::xpcs_page(*shown).imagePanel().editor().pixels(0), std::size_t{0});
        QCOMPARE(shown->runs().rowCount(), 2);
        QCOMPARE(shown->runs().rows().front().number, 2);
        QVERIFY(!shown->runs().rows().front().ticked);
    }

    void sessionsOfOtherPagesHaveTheirParameters() {
        const std::vector<std::pair<QString, void (*)(MainWindow&)>> kinds{
            {"spots", expectSpots},
            {"clusters", expectClusters},
            {"particles", expectParticles},
            {"exercise", [](MainWindow& window) { expectKept(window, {"\"size\":777"}); }}};
        for (const auto& [session, expect] : kinds) {
            const auto shown = window();
            bringBack(*shown, session);
            if (QTest::currentTestFailed()) return;
            expect(*shown);
        }
    }

    void aProjectWithARunIsOpened() {
        const auto shown = window();
        copiedFolder("xpcs_runs");
        open(*shown, "xpcs.ksproj");
        QCOMPARE(shown->file()->path, path("a.h5"));
        expectWork(*shown);
        QCOMPARE(shown->runs().rowCount(), 1);
        QVERIFY(shown->runs().rows().front().run->result.find("g2"));
    }

    void aProjectOfThreePagesIsOpened() {
        const auto shown = window();
        open(*shown, "pages.ksproj");
        expectParticles(*shown);
        QVERIFY(shown->setPage("spots"));
        ks::tests::open_data(*shown, path("spots.h5"));
        expectSpots(*shown);
        QVERIFY(shown->setPage("clusters"));
        ks::tests::open_data(*shown, path("hits.csv"));
        expectClusters(*shown);
    }

    void settingsApply() {
        copied("earlier_version/settings.ini", "settings.ini");
        const auto shown = ks::tests::session_window(path("settings.ini"));
        QCOMPARE(shown->page()->id(), QString("particles"));
        QCOMPARE(shown->settings().value("theme").toString(), QString("dark"));
        QCOMPARE(shown->settings().value("threads").toUInt(), 2U);
    }

    void aSavedRunIsRead() {
        copied("earlier_version/run.h5", "run.h5");
        const ks::Run saved = ks::open_run(ks::Registry(), path("run.h5").toStdString());
        QCOMPARE(saved.result.at("g2").values.shape().front(), std::size_t{5});
        QCOMPARE(saved.variant.id, std::string("host.reference"));
    }
};

QTEST_MAIN(EarlierVersionTest)
#include "tst_earlier_version.moc"
