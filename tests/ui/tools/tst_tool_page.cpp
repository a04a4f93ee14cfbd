#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "ui/base/json_read.h"
#include "ui/plots/plot_widget.h"
#include "ui/runs/run_table_model.h"
#include "ui/tools/tool_form.h"
#include "ui/tools/tool_page.h"

using namespace ks::ui;

namespace {

class LevelsPlot : public PlotWidget {
  public:
    LevelsPlot()
        : PlotWidget(
              "Levels", [this] { ++fits; }, nullptr) {
        present();
    }
    std::string csv() const override { return "level\n1\n"; }
    QString figureName() const override { return "levels"; }
    mutable int drawn = 0;
    int fits = 0;

  private:
    bool isEmpty() const override { return false; }
    void draw(QCustomPlot&, const QPalette&) const override { ++drawn; }
    QString describe(const QPointF&) const override { return {}; }
};

class LevelsForm : public ToolForm {
  public:
    explicit LevelsForm(std::shared_ptr<const ks::Registry> registry)
        : ToolForm(std::move(registry), {"what is levelled", "Level it", "Stop it", "it is being levelled"}) {
        setLayout(fieldRows({{"Analysis", analyses_}, {"Run", run_}, {"Cancel", cancel_}}));
    }
    nlohmann::json keep() const override { return {{"analysis", analysis().toStdString()}}; }
    void bringBack(const nlohmann::json& kept) override { choose(jsonText(kept, "analysis")); }
    QString lacks;

  private:
    void showAnalysis() override {}
    void showCatalogue() override {}
    QString lacking() const override { return lacks; }
};

/// One that shows something and starts nothing.
class LatestForm : public ToolForm {
  public:
    explicit LatestForm(std::shared_ptr<const ks::Registry> registry)
        : ToolForm(std::move(registry), {"whose runs are shown"}) {
        setLayout(fieldRows({{"Analysis", analyses_}}));
    }
    nlohmann::json keep() const override { return {{"analysis", analysis().toStdString()}}; }
    void bringBack(const nlohmann::json& kept) override { choose(jsonText(kept, "analysis")); }

  private:
    void showAnalysis() override {}
    void showCatalogue() override {}
};

/// The latest runs of an analysis, from the desk alone.
class LatestPage : public ToolPage {
  public:
    explicit LatestPage(PageContext& context) : ToolPage(context), form(new LatestForm(desk_->registry())) {
        build(*form, {"Settings", "Runs", new QWidget, {{"Runs", "The latest runs", new QWidget}}, {}});
        connect(desk_.get(), &Desk::runsChanged, this, &LatestPage::refreshSoon);
    }
    QString id() const override { return "latest"; }
    QString title() const override { return "Latest"; }
    void refresh() override {
        numbers.clear();
        for (const RunRow& row : desk_->runs())
            if (QString::fromStdString(row.run->request.analysis) == form->analysis()) numbers << row.number;
    }
    QString leafOf() const override { return form->analysis(); }

    LatestForm* form;
    QList<int> numbers;
};

/// A tool that is made of its own classes only.
class LevelsPage : public ToolPage {
  public:
    explicit LevelsPage(PageContext& context)
        : ToolPage(context),
          form(new LevelsForm(desk_->registry())),
          plot(new LevelsPlot),
          other(new LevelsPlot) {
        open = makeAction("openLevels", "Open levels...", "Open saved levels", [this] { ++opens; });
        build(*form, {"Settings",
                      "Levels",
                      new QWidget,
                      {{"First", "The first level", plot, {{"First", plot, "first"}}},
                       {"Second", "The other level", other, {{"Second", other, "second"}}}},
                      {{"Table", new QWidget, false, "All levels"}}});
    }
    QString id() const override { return "levels"; }
    QString title() const override { return "Levels"; }
    void start() override { ++starts; }
    void refresh() override { ++refreshes; }
    QString leafOf() const override { return form->analysis(); }
    void rowsArrive() {
        for (int i = 0; i < 5; ++i) refreshSoon();
    }

    LevelsForm* form;
    LevelsPlot *plot, *other;
    QAction* open;
    int opens = 0, starts = 0, refreshes = 0;
};

ks::wire::Catalogue catalogue() {
    ks::wire::Catalogue made;
    made.devices.resize(1);
    made.devices[0].index = 0;
    made.devices[0].name = "GPU of a test";
    return made;
}

}  // namespace

/// What every tool has, shown by one that is in no folder of the window.
class ToolPageTest : public QObject {
    Q_OBJECT

    Jobs jobs_;
    std::unique_ptr<PageContext> context_;
    std::unique_ptr<LevelsPage> page_;

  private slots:
    void init() {
        context_ = std::make_unique<PageContext>(jobs_);
        page_ = std::make_unique<LevelsPage>(*context_);
        page_->resize(900, 600);
        page_->show();
        QVERIFY(QTest::qWaitForWindowExposed(page_.get()));
    }
    void cleanup() {
        page_.reset();
        context_.reset();
    }

    void itRunsOnceDevicesAreKnownAndNothingIsMissing() {
        QVERIFY(page_->startsItself());
        QCOMPARE(page_->missing(), QString("waiting for the list of devices"));
        page_->form->lacks = "choose a level";
        QSignalSpy changed(page_.get(), &Page::inputsChanged);
        context_->desk->setCatalogue(catalogue());
        QVERIFY(changed.size() > 0);
        QCOMPARE(page_->missing(), QString("choose a level"));
        QVERIFY(!page_->form->run().isEnabled());
        page_->form->lacks.clear();
        page_->form->setRunning(true);
        QCOMPARE(page_->missing(), QString("it is being levelled"));
        QVERIFY(page_->form->cancel().isEnabled());
        page_->form->setRunning(false);
        QCOMPARE(page_->missing(), QString());
        QTest::mouseClick(&page_->form->run(), Qt::LeftButton);
        QCOMPARE(page_->starts, 1);
    }

    void aTabIsOneRow() {
        QCOMPARE(page_->tabs().count(), 2);
        QCOMPARE(page_->tabs().tabText(1), QString("Second"));
        QCOMPARE(page_->tabs().tabBar()->tabWhatsThis(1), QString("The other level"));
        page_->form->choose("matmul");
        const std::vector<NamedPlot> plots = page_->plots();
        QCOMPARE(plots.size(), std::size_t{2});
        QCOMPARE(plots[1].title, QString("Second"));
        QCOMPARE(plots[1].fileName(), QString("matmul_second"));
        QCOMPARE(page_->pictures().size(), std::size_t{1});
        QCOMPARE(page_->editActions(), QList<QAction*>{page_->open});
        page_->open->trigger();
        QCOMPARE(page_->opens, 1);
    }

    void theStateHasTheFormAndInSettingsTheTab() {
        page_->form->choose("scan");
        page_->tabs().setCurrentIndex(1);
        const PageState kept = *page_->state(Page::Scope::settings);
        QVERIFY(!page_->state(Page::Scope::session)->values.contains("tab"));
        QVERIFY(!page_->state(Page::Scope::file));
        LevelsPage next(*context_);
        next.setState(kept, Page::Scope::settings);
        QCOMPARE(next.form->analysis(), QString("scan"));
        QCOMPARE(next.tabs().currentIndex(), 1);
    }

    void aToolWithoutButtonsShowsTheRunsOfAllPages() {
        RunTableModel runs;
        context_->desk->setRuns(runs);
        LatestPage page(*context_);
        page.show();
        QVERIFY(page.form->findChildren<QPushButton*>().isEmpty());
        context_->desk->setCatalogue(catalogue());
        QCOMPARE(page.missing(), QString("the Latest page has nothing to run"));
        page.form->choose("matmul");
        for (const char* analysis : {"matmul", "scan", "matmul"}) {
            ks::Run run;
            run.request.analysis = analysis;
            runs.addRun(std::make_shared<const ks::Run>(run), true);
        }
        QTRY_COMPARE(page.numbers, (QList<int>{3, 1}));
    }

    void resultsThatArriveTogetherAreShownOnce() {
        page_->rowsArrive();
        QCOMPARE(page_->refreshes, 0);
        QTRY_COMPARE(page_->refreshes, 1);
    }

    void withoutTheDrawerTheFormIsHidden() {
        QVERIFY(page_->form->isVisible());
        page_->setDrawerOpen(false);
        QVERIFY(!page_->form->isVisible());
        page_->setDrawerOpen(true);
        QVERIFY(page_->form->isVisible());
    }

    void aPlotIsDrawnAgainForAnotherPalette() {
        const int before = page_->plot->drawn;
        QPalette dark;
        dark.setColor(QPalette::Base, Qt::black);
        page_->plot->setPalette(dark);
        QVERIFY(page_->plot->drawn > before);
        QVERIFY(page_->plot->fits > 0);
    }
};

QTEST_MAIN(ToolPageTest)
#include "tst_tool_page.moc"
