#include <QAction>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTextStream>
#include <QtTest>

#include "core/wire/worker.h"
#include "core/xpcs/analysis.h"
#include "tests/core/run/fake_analysis.h"
#include "ui/base/json_read.h"
#include "ui/base/parameter_form.h"
#include "ui/plots/curve_plot.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/main_window.h"
#include "ui/shell/report.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;

namespace {

void write(const std::filesystem::path& out, const QByteArray& text) {
    QFile file(QString::fromStdString(out.string()));
    if (file.open(QIODevice::WriteOnly)) file.write(text);
}

/// fake::sums() with a generator, and with a parameter and variants that xpcs has, too.
ks::AnalysisFunctions sums() {
    using enum ks::ParameterType;
    ks::AnalysisFunctions sums = fake::sums(std::make_shared<fake::Counts>());
    sums.info.parameters.push_back({"max_delay", "First", "", integer, std::int64_t{3}, 0.0, 100.0, {}, ""});
    sums.info.parameters.push_back({"offset", "Offset", "", real, 0.0, {}, {}, {}, ""});
    sums.info.generator = {{"count", "Count", "", integer, std::int64_t{2}, 1.0, 100.0, {}, ""}};
    sums.generate = [](const ks::ParameterSet& parameters, const std::filesystem::path& out, bool,
                       ks::Progress&) {
        QByteArray numbers;
        for (std::int64_t i = 1; i <= ks::integer(parameters, "count"); ++i)
            numbers += QByteArray::number(static_cast<qint64>(i)) + '\n';
        write(out, numbers);
    };
    sums.save_csv = [](const ks::Run& run, const std::filesystem::path& out, bool, ks::Progress&) {
        write(out, QByteArray::number(run.result.at("sum").values.as<double>()[0]));
    };
    sums.save = [](const ks::Run& run, const std::filesystem::path& out, bool, ks::Progress&) {
        write(out, QByteArray::fromStdString(run.request.analysis));
    };
    return sums;
}

/// Takes "*.list": a number a line.
class SumsPage : public AnalysisPage {
  public:
    SumsPage() : AnalysisPage({QStringLiteral("sums")}) { setBody(plot, {}); }
    QString title() const override { return QStringLiteral("Sums"); }
    bool accepts(const OpenFile& file) const override { return file.path.endsWith(".list"); }
    QStringList fileFilters() const override { return {QStringLiteral("Lists (*.list)")}; }
    std::vector<Demo> demos() const override { return {Demo{{{"count", std::int64_t{4}}}, "list"}}; }
    OwnParameters ownParameters() const override { return {{QStringLiteral("offset")}}; }
    void resetParameters() override { offset = 0; }
    QWidget* inputWidget() override { return input; }
    QWidget* dataWidget() override { return data; }
    void setFile(std::shared_ptr<const OpenFile> file) override {
        ++files;
        numbers.clear();
        QFile text(file->path);
        if (text.open(QIODevice::ReadOnly))
            for (const QByteArray& line : text.readAll().trimmed().split('\n'))
                numbers.push_back(line.toDouble());
        emit inputsChanged();
        if (previewsAtOnce) emit previewWanted();
    }
    QString missing() const override { return numbers.empty() ? QStringLiteral("no numbers") : QString(); }
    void fill(ks::Request& request) const override {
        ++fills;
        request.inputs["numbers"] = {"list", ks::Array::of<double>({numbers.size()}, numbers)};
        request.parameters["offset"] = offset;
    }
    Reduced reduce(ks::Request&, double) const override { return Reduced::whole; }
    void setPreview(std::shared_ptr<const ks::Run> run) override { preview = std::move(run); }
    void setRuns(const std::vector<RunRow>& shown) override { runs = shown; }
    std::vector<NamedPlot> plots() const override {
        return {{QStringLiteral("Sum"), plot, QStringLiteral("sums")}};
    }
    std::optional<PageState> state(Scope scope) const override {
        if (scope != Scope::settings) return std::nullopt;
        return PageState{{{"offset", offset}}, {}};
    }
    void setState(const PageState& state, Scope scope) override {
        if (scope == Scope::settings) offset = jsonNumber(state.values, "offset");
    }

    QLineEdit* input = new QLineEdit;
    QLineEdit* data = new QLineEdit;
    CurvePlot* plot = new CurvePlot(this);
    std::vector<double> numbers;
    std::vector<RunRow> runs;
    std::shared_ptr<const ks::Run> preview;
    double offset = 0;
    int files = 0;
    mutable int fills = 0;        ///< how often it was asked for its inputs
    bool previewsAtOnce = false;  ///< a file that is given asks for one
};

/// In the environment of the worker: host.reference takes a minute.
constexpr const char* slowYardstick = "KERNELSCOPE_TEST_SLOW";

std::shared_ptr<const ks::Registry> bothAnalyses() {
    std::vector<ks::Analysis> analyses;
    analyses.push_back(ks::xpcs::make_analyses().front());
    analyses.emplace_back(sums());
    std::vector<ks::HostVariant> variants = ks::xpcs::host_variants();
    for (ks::HostVariant& row : fake::host_variants(std::make_shared<fake::Counts>()))
        variants.push_back(std::move(row));
    ks::HostVariant reference = variants[variants.size() - 4];  // host.sum
    reference.info.id = "host.reference";
    reference.info.baseline = true;
    reference.info.rank = 2;
    reference.launch = [quick = reference.launch](const ks::Problem& problem, ks::HostContext& context) {
        if (qEnvironmentVariableIsSet(slowYardstick))
            for (int i = 1; i <= 60'000; ++i) {
                context.progress.report(i / 60'000.0, "crawling");
                QThread::msleep(1);
            }
        return quick(problem, context);
    };
    variants.push_back(std::move(reference));
    return std::make_shared<const ks::Registry>(std::move(analyses), std::move(variants));
}

}  // namespace

/// A window with a second page and analysis; this program is its worker, too.
class PagesTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    QString path(const char* leaf) const { return folder_.filePath(leaf); }
    template <class Kind>
    Kind& pageOf() const {
        Kind* found = nullptr;
        for (Page* one : window_->findChildren<Page*>())
            if (auto* kind = dynamic_cast<Kind*>(one)) found = kind;
        return *found;
    }
    SumsPage& sums() const { return pageOf<SumsPage>(); }
    xpcs::XpcsPage& xpcs() const { return pageOf<xpcs::XpcsPage>(); }
    QString shown() const { return window_->page()->analysis(); }
    QTabBar& pageTabs() const {
        QTabBar* found = nullptr;
        for (QTabBar* bar : window_->findChildren<QTabBar*>())
            if (bar->accessibleName() == "Pages") found = bar;
        return *found;
    }

    void makeWindow(const char* settings = "test.ini") {
        const std::vector<MakePage> pages{
            [](PageContext& context) { return std::make_unique<xpcs::XpcsPage>(context); },
            [](PageContext&) -> std::unique_ptr<Page> { return std::make_unique<SumsPage>(); }};
        window_ = std::make_unique<MainWindow>(
            std::make_unique<QSettings>(path(settings), QSettings::IniFormat), pages, bothAnalyses());
        window_->show();
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
    }
    /// Once the catalogue has named the parameters of the page.
    std::optional<ks::ParameterValue> delay() {
        const auto isKnown = [this] { return window_->parameters().values().contains("max_delay"); };
        if (!QTest::qWaitFor(isKnown, 60000)) return std::nullopt;
        return window_->parameters().values().at("max_delay");
    }
    void open(const QString& name) {
        QSignalSpy opened(window_.get(), &MainWindow::fileOpened);
        window_->open(name);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(window_->missing().isEmpty(), 30000);
    }
    void run(const char* variant) {
        const int before = window_->runs().rowCount();
        QVERIFY(window_->variants().setVariant(variant));
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), before + 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy(), 60000);
    }
    QString speedUp(int row) const {
        return window_->runs().index(row, RunTableModel::SpeedUpColumn).data().toString();
    }

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_CLI", QCoreApplication::applicationFilePath().toUtf8());
        qputenv("XDG_CACHE_HOME", path("cache").toUtf8());
        QFile list(path("a.list"));
        QVERIFY(list.open(QIODevice::WriteOnly));
        list.write("1\n2\n39\n");
        QFile text(path("a.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("neither frames nor a list");
        const auto registry = bothAnalyses();
        ks::ParameterSet parameters = ks::defaults(registry->analysis("xpcs").info().generator);
        parameters["frames"] = std::int64_t{60};
        parameters["height"] = std::int64_t{101};
        parameters["width"] = std::int64_t{121};
        ks::Progress progress;
        registry->analysis("xpcs").generate(parameters, path("a.h5").toStdString(), true, progress);
    }
    void init() {
        QFile::remove(path("test.ini"));
        makeWindow();
    }
    void cleanup() { window_.reset(); }

    void eachTickOfASliderAsksThePageOnceForItsInputs() {
        open(path("a.list"));
        auto run = std::make_shared<ks::Run>();
        run->request.analysis = "sums";
        run->request.parameters = window_->parameters().values();
        window_->runs().addRun(run, true);  // without inputs: the next run is compared with it
        for (const bool live : {true, false}) {
            window_->action("live")->setChecked(live);
            for (int tick = 1; tick <= 3; ++tick) {
                QTRY_VERIFY_WITH_TIMEOUT(!window_->queue().busy() && !window_->queue().previewing(), 60000);
                sums().offset += 1;
                sums().fills = 0;
                emit sums().previewWanted();
                QCOMPARE(sums().fills, 1);
                sums().fills = 0;
                window_->parameters().setValue("max_delay", std::int64_t{10 * tick + (live ? 1 : 2)});
                QCOMPARE(sums().fills, 1);
            }
        }
    }

    void aFileThatOnlyOnePageAcceptsSwitchesToIt() {
        QCOMPARE(shown(), QString("xpcs"));
        open(path("a.list"));
        QCOMPARE(shown(), QString("sums"));
        QCOMPARE(sums().numbers, (std::vector<double>{1, 2, 39}));
        QVERIFY(pageTabs().tabToolTip(0).contains("a.list"));
        QVERIFY(pageTabs().tabToolTip(1).isEmpty());
        QVERIFY(window_->windowTitle().startsWith("a.list"));
        // The other page is there, but does not run.
        QVERIFY(window_->setPage("xpcs"));
        QVERIFY(!window_->action("run")->isEnabled());
        QVERIFY(window_->missing().contains("a.list"));
        window_->startRun();
        QVERIFY(window_->errorBar().isError());
        QVERIFY(window_->errorBar().sentence().contains("a.list"));
        open(path("a.h5"));
        QCOMPARE(shown(), QString("xpcs"));
        QVERIFY(!pageTabs().tabToolTip(1).isEmpty());
        QVERIFY(pageTabs().tabToolTip(0).isEmpty());
        QCOMPARE(sums().numbers.size(), std::size_t{3});
        QCOMPARE(sums().files, 1);
    }

    void aFileThatNoPageAcceptsIsRefusedAsItIsNoHdf5() {
        open(path("a.list"));
        QSignalSpy failed(&window_->files(), &FileSession::notOpened);
        window_->open(path("a.txt"));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 30000);
        QVERIFY(window_->errorBar().sentence().contains("HDF5"));
        QVERIFY(window_->file()->path.endsWith("a.list"));
        window_->open(path("gone.list"));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 2, 30000);
        QVERIFY(window_->errorBar().sentence().contains("no such file"));
    }

    void aHiddenPageGetsItsFileWhenItIsShown() {
        window_->setPage("sums");
        open(path("a.h5"));
        QCOMPARE(shown(), QString("xpcs"));
        window_->setPage("sums");
        window_->open(path("a.list"));
        QTRY_COMPARE_WITH_TIMEOUT(sums().files, 1, 30000);
        window_->setPage("xpcs");
        window_->setPage("sums");
        QCOMPARE(sums().files, 1);
        QVERIFY(!sums().input->isHidden());
        QVERIFY(!sums().data->isHidden());
        window_->setPage("xpcs");
        QVERIFY(sums().input->isHidden());
        QVERIFY(sums().data->isHidden());
    }

    void eachPageKeepsItsParametersAndVariant() {
        window_->parameters().setValue("max_delay", std::int64_t{7});
        QVERIFY(window_->variants().setVariant("host.reference"));
        window_->setPage("sums");
        QCOMPARE(ks::integer(window_->parameters().values(), "max_delay"), 3);
        QCOMPARE(window_->variants().variant(), QString("host.sum"));
        QCOMPARE(window_->parameters().field("offset"), nullptr);
        QVERIFY(window_->parameters().field("factor"));
        window_->parameters().setValue("factor", 2.5);
        window_->setPage("xpcs");
        QVERIFY(!window_->parameters().field("factor"));
        QCOMPARE(ks::integer(window_->parameters().values(), "max_delay"), 7);
        QCOMPARE(window_->variants().variant(), QString("host.reference"));
        window_->setPage("sums");
        QCOMPARE(ks::real(window_->parameters().values(), "factor"), 2.5);
        sums().offset = 4;
        window_->action("resetParameters")->trigger();
        QCOMPARE(ks::real(window_->parameters().values(), "factor"), 1.0);
        QCOMPARE(sums().offset, 0.0);
        // A worker that starts anew takes nothing back.
        window_->parameters().setValue("factor", 1.5);
        QSignalSpy catalogue(&window_->worker(), &WorkerClient::catalogueReady);
        window_->worker().restart();
        QTRY_COMPARE_WITH_TIMEOUT(catalogue.count(), 1, 60000);
        QCOMPARE(ks::real(window_->parameters().values(), "factor"), 1.5);
    }

    void aPageThatGetsItsFileIsAskedWithItsOwnParameters() {
        QString complaint;
        connect(&window_->live(), &LivePreview::failed, this,
                [&complaint](const ks::Error& error) { complaint = error.what(); });
        QSignalSpy ready(&window_->live(), &LivePreview::ready);
        sums().previewsAtOnce = true;
        open(path("a.list"));
        QCOMPARE(shown(), QString("sums"));
        QTRY_VERIFY_WITH_TIMEOUT(!ready.isEmpty() || !complaint.isEmpty(), 30000);
        QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
        open(path("a.h5"));
        QCOMPARE(shown(), QString("xpcs"));
        QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
        QVERIFY2(!window_->errorBar().isError(), qPrintable(window_->errorBar().sentence()));
    }

    void settingsOfEachPageComeBack() {
        window_.reset();
        makeWindow("kept.ini");
        const auto beforeOfXpcs = delay();
        window_->parameters().setValue("max_delay", std::int64_t{7});
        window_->setPage("sums");
        const auto before = delay();
        window_->parameters().setValue("max_delay", std::int64_t{9});
        sums().offset = 0.25;
        window_->close();
        makeWindow("kept.ini");
        QCOMPARE(shown(), QString("sums"));
        QCOMPARE(sums().offset, 0.25);
        // Parameters are of the data: they begin as they do for everybody.
        QVERIFY(before && delay() == before && before != ks::ParameterValue(std::int64_t{9}));
        window_->setPage("xpcs");
        QVERIFY(beforeOfXpcs && delay() == beforeOfXpcs);
    }

    void eachPageKeepsItsRuns() {
        open(path("a.h5"));
        run("host.gram");
        open(path("a.list"));
        run("host.sum");
        QCOMPARE(sums().runs.size(), std::size_t{1});
        QCOMPARE(sums().runs[0].run->result.at("sum").values.as<double>()[0], 42.0);
        // A run alone on its page leaves the ticks of other pages.
        QCOMPARE(window_->runs().ticked().size(), std::size_t{2});
        QVERIFY(!xpcs().curves().series().isEmpty());
        QCOMPARE(speedUp(0), QString::fromUtf8("–"));
        run("host.reference");
        QCOMPARE(sums().runs.size(), std::size_t{1});
        QCOMPARE(speedUp(0), QString::fromUtf8("1 ×"));
        QCOMPARE(speedUp(1), QString::fromUtf8("1 ×"));  // both say that they took 7 ns
        QCOMPARE(speedUp(2), QString::fromUtf8("–"));
        // Ticks of another analysis change nothing here.
        window_->runs().setTicked(1, false);
        QCOMPARE(sums().runs.size(), std::size_t{1});
        QVERIFY(xpcs().curves().series().isEmpty());
        window_->setPage("xpcs");
        QVERIFY(!window_->action("save")->isEnabled());
        window_->runs().setTicked(1, true);
        QVERIFY(window_->action("save")->isEnabled());
        // What is saved is the run of the page, though another one is newer.
        QSignalSpy saved(&window_->runFiles(), &RunFiles::saved);
        window_->saveCsv(path("page.csv"));
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 30000);
        QFile csv(path("page.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QVERIFY(csv.readLine().startsWith("delay ("));
    }

    void aRunMayEndOnAnotherPage() {
        open(path("a.list"));
        QVERIFY(window_->variants().setVariant("host.sum"));
        window_->startRun();
        window_->setPage("xpcs");
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 60000);
        QCOMPARE(shown(), QString("xpcs"));
        QCOMPARE(sums().runs.size(), std::size_t{1});
        QVERIFY(xpcs().curves().series().isEmpty());
        QVERIFY(!window_->action("save")->isEnabled());
    }

    void aPreviewEndsWithItsPage() {
        open(path("a.list"));
        QSignalSpy ready(&window_->live(), &LivePreview::ready);
        emit sums().previewWanted();
        QTRY_VERIFY_WITH_TIMEOUT(sums().preview != nullptr, 30000);
        emit sums().previewWanted();
        window_->setPage("xpcs");
        const qsizetype before = ready.count();
        QCOMPARE(sums().preview, nullptr);
        emit sums().previewWanted();
        emit sums().runRequested();
        QTest::qWait(300);
        QCOMPARE(ready.count(), before);
        QCOMPARE(sums().preview, nullptr);
        QVERIFY(!window_->queue().running());
        QVERIFY(!window_->errorBar().isError());
    }

    void eachPageHasItsDemo() {
        window_->setPage("sums");
        QSignalSpy opened(window_.get(), &MainWindow::fileOpened);
        window_->action("demo")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QCOMPARE(shown(), QString("sums"));
        QCOMPARE(sums().numbers, (std::vector<double>{1, 2, 3, 4}));
        QVERIFY(window_->file()->path.contains("demo-sums-"));
        window_->setPage("xpcs");
        window_->openDemo();
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 2, 120000);
        QCOMPARE(shown(), QString("xpcs"));
        QVERIFY(window_->file()->path.contains("demo-xpcs-"));
        QCOMPARE(window_->file()->frames->frame_time().value_or(0), 0.001);
    }

    void aPageMayHaveFurtherDemos() {
        QMenu* const file = window_->menuBar()->actions().front()->menu();
        const auto further = [&] {
            emit file->aboutToShow();
            for (QAction* const action : file->actions())
                if (action->text() == QStringLiteral("&Further demos")) return action;
            return static_cast<QAction*>(nullptr);
        };
        window_->setPage("sums");
        QVERIFY(further());
        QVERIFY(!further()->isVisible());
        window_->setPage("xpcs");
        QVERIFY(further()->isVisible());
        QSignalSpy opened(window_.get(), &MainWindow::fileOpened);
        further()->menu()->actions().front()->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 120000);
        QVERIFY(window_->file()->path.endsWith("-beats.h5"));
        QVERIFY(!window_->file()->frames->frame_time());
    }

    void aReportIsNamedAfterThePage() {
        window_.reset();
        makeWindow();
        const QStringList files = writeReport(*window_, path("a.list"), QDir(path("report")));
        QStringList leaves;
        for (const QString& file : files) {
            QVERIFY2(QFileInfo(file).size() > 0, qPrintable(file));
            leaves << QFileInfo(file).fileName();
        }
        QCOMPARE(leaves, (QStringList{"window-large.png", "window.png", "sums.png", "sums.svg", "dark.png",
                                      "run.h5", "sums.csv", "report.txt"}));
        QFile csv(path("report/sums.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll(), QByteArray("42"));
        QFile notes(path("report/report.txt"));
        QVERIFY(notes.open(QIODevice::ReadOnly));
        const QByteArray text = notes.readAll();
        QVERIFY2(text.contains("running host.reference, the baseline\n"), text.constData());
        QVERIFY2(!text.contains("skipped"), text.constData());
    }

    void aSlowYardstickIsLeftOutOfTheReport() {
        window_.reset();
        qputenv(slowYardstick, "1");
        makeWindow();
        qunsetenv(slowYardstick);
        QStringList said;
        QElapsedTimer clock;
        clock.start();
        writeReport(*window_, path("a.list"), QDir(path("slow")), {},
                    [&said](const QString& line) { said << line; });
        QVERIFY(clock.elapsed() < 30'000);
        QCOMPARE(said.size(), 3);
        QCOMPARE(said[0], QString("running host.reference, the baseline"));
        QVERIFY2(said[1].startsWith("host.reference is skipped: it would take "), qPrintable(said[1]));
        QCOMPARE(window_->runs().rowCount(), 1);
        QVERIFY(QFileInfo(path("slow/report.txt")).size() > 0);
    }
};

/// What the window starts for its worker.
static const ks::tests::Program worker("worker", [](int, char**) {
    const auto registry = bothAnalyses();
    std::vector<std::unique_ptr<ks::Backend>> backends;
    backends.push_back(std::make_unique<ks::HostBackend>(registry->host_variants()));
    ks::Engine engine(registry, std::move(backends));
    return ks::serve_worker(engine, stdin, stdout);
});

QTEST_MAIN(PagesTest)
#include "tst_pages.moc"
