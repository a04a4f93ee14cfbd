#include <qcustomplot.h>
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QSemaphore>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QToolTip>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <set>

#include "core/clusters/result.h"
#include "tests/ui/badge.h"
#include "tests/ui/child.h"
#include "tests/ui/clusters/made_digis.h"
#include "tests/ui/clusters/made_trace.h"
#include "ui/base/parameter_form.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/clusters/clusters_page.h"
#include "ui/clusters/detector_form.h"
#include "ui/clusters/difference_panel.h"
#include "ui/clusters/digi_colours.h"
#include "ui/clusters/modules/module_map.h"
#include "ui/clusters/modules/module_overview.h"
#include "ui/clusters/steps/step_panel.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/shell/session/page_settings.h"

using ks::tests::child;
using namespace ks::ui;
using namespace ks::ui::clusters;
using Part = ClustersPage::Part;

class ClustersPageTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    Jobs jobs_;
    PageContext context_{jobs_};

    std::shared_ptr<const OpenFile> file(const QString& leaf, const std::string& text) {
        const QString path = folder_.filePath(leaf);
        std::ofstream(path.toStdString()) << text;
        return std::make_shared<const OpenFile>(openAnyFile(path));
    }
    std::shared_ptr<const OpenFile> someFile() {
        std::string text = "index,event,module,x,y,adc\n";
        std::size_t row = 0;
        for (const MadeDigi& one : someDigis())
            text += std::to_string(row++) + ',' + std::to_string(one.event) + ',' +
                    std::to_string(one.module) + ',' + std::to_string(one.x) + ',' + std::to_string(one.y) +
                    ',' + std::to_string(one.adc) + '\n';
        return file(QStringLiteral("some.csv"), text);
    }

    std::unique_ptr<ClustersPage> emptyPage() {
        auto page = std::make_unique<ClustersPage>(context_);
        page->inputWidget()->setParent(page.get());
        page->inputWidget()->hide();
        return page;
    }
    std::unique_ptr<ClustersPage> shownPage(const QString& layout = QStringLiteral("free")) {
        auto page = emptyPage();
        child<DetectorForm>(*page).form().setValue(QStringLiteral("layout"), layout.toStdString());
        page->resize(900, 700);
        page->show();
        page->setFile(someFile());
        const bool there = QTest::qWaitForWindowExposed(page.get()) &&
                           QTest::qWaitFor([&] { return page->digis() != nullptr; }, 10000) && idle(*page);
        return there ? std::move(page) : nullptr;
    }
    bool idle(ClustersPage&) {
        return QTest::qWaitFor([&] { return jobs_.running() == 0; }, 10000);
    }

    static RunRow row(const ClustersPage& page, int number, const std::vector<std::int32_t>& labels,
                      const std::string& cut = "off") {
        return {number, labelledRun(*page.digis(), labels, cut), true, false};
    }
    static QRgb colourAt(const ModuleMap& map, int x, int y) {
        const auto digi = map.scene().data->at(x, y);
        return digi ? map.scene().colours[*digi] : 0;
    }
    static void hover(ModuleMap& map, double x, double y) {
        const QPointF at = map.toWidget({x + 0.5, y + 0.5});
        QMouseEvent move(QEvent::MouseMove, at, map.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(&map, &move);
    }
    /// Where the ticks of the horizontal axis are, in pixels of the module.
    static std::vector<double> ticksAlong(ModuleMap& map) {
        const QImage image = map.grab().toImage();
        const QPointF corner = map.toWidget(QPointF(0, map.scene().data->height)),
                      end = map.toWidget(QPointF(map.scene().data->width, map.scene().data->height));
        const double zoom = (end.x() - corner.x()) / map.scene().data->width;
        const int row = static_cast<int>(std::ceil(corner.y())) + 2;
        const QRgb text = map.palette().color(QPalette::Text).rgb();
        std::vector<double> at;
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, row) == text) at.push_back((x - corner.x()) / zoom);
        return at;
    }
    /// What is on the screen in the middle of a pixel.
    static QColor seen(ModuleMap& map, double x, double y) {
        const QPoint at = map.toWidget({x + 0.5, y + 0.5}).toPoint();
        return map.grab().toImage().pixelColor(at);
    }

  private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void withoutDigisItSaysWhatToDo() {
        const auto page = emptyPage();
        QVERIFY2(page->missing().contains("open a CSV or HDF5 file"), qPrintable(page->missing()));
        QVERIFY(child<FilteredTable>(*page, "clusters").hint().contains("Open digis"));
        QVERIFY(child<DifferencePanel>(*page).table().hint().contains("Tick two runs"));
        QVERIFY(!child<StepPanel>(*page).record().isEnabled());
        page->pickSlot(3);
        page->pickCluster(std::size_t{2}, true);
        QVERIFY(!page->slot() && !page->picked());
    }

    void theOverviewAndItsFigureSayThatARunIsOutdatedOrWrong() {
        const auto page = shownPage();
        QVERIFY(page);
        auto& overview = child<ModuleOverview>(*page);
        RunRow wrong = row(*page, 1, someLabels());
        auto checked = std::make_shared<ks::Run>(*wrong.run);
        checked->verdict.state = ks::Verdict::State::fail;
        wrong.run = checked;
        overview.setQuantity(ModuleOverview::Quantity::clusters);
        page->setRuns({wrong});
        QVERIFY(idle(*page));
        QCOMPARE(overview.note(), QString("wrong"));
        QVERIFY(ks::tests::hasBadge(overview));
        page->setOutdated({"Connectivity"});
        QCOMPARE(overview.note(), QString("wrong, outdated (Connectivity)"));
        // Digis are those of the file.
        overview.setQuantity(ModuleOverview::Quantity::digis);
        QCOMPARE(overview.note(), QString());
        QVERIFY(!ks::tests::hasBadge(overview));
    }

    void aPreviewOfAWrongKernelIsMarkedAndGivesNoAdvice() {
        const auto page = shownPage();
        QVERIFY(page);
        const auto wrong = [&](std::shared_ptr<const ks::Run> run) {
            auto made = std::make_shared<ks::Run>(*run);
            made->verdict.state = ks::Verdict::State::fail;
            return made;
        };
        auto& overview = child<ModuleOverview>(*page);
        overview.setQuantity(ModuleOverview::Quantity::clusters);
        page->setPreview(wrong(row(*page, 0, someLabels()).run));
        QVERIFY(idle(*page));
        QCOMPARE(overview.note(), QString("wrong"));
        HistogramPlot& histogram = child<ClusterPlots>(*page).histogram();
        QCOMPARE(histogram.note(), QString("wrong"));
        page->setRuns({row(*page, 3, someLabels())});
        QVERIFY(idle(*page));
        QCOMPARE(histogram.note(), QString("preview: wrong"));
        // Without clusters, the cut is not to blame.
        const std::vector<std::int32_t> none(someLabels().size(), ks::clusters::label_cut);
        const auto& table = child<FilteredTable>(*page, "clusters");
        page->setRuns({});
        page->setPreview(row(*page, 0, none, "60000").run);
        QVERIFY(idle(*page));
        QVERIFY2(table.hint().contains("lower the charge cut"), qPrintable(table.hint()));
        page->setPreview(wrong(row(*page, 0, none, "60000").run));
        QVERIFY(idle(*page));
        QVERIFY2(table.hint().contains("the result is wrong"), qPrintable(table.hint()));
    }

    void theWordsForColoursTakeAsManyLinesAsTheyNeed() {
        ModuleMap map;
        map.resize(500, 400);
        MapScene scene;
        auto data = std::make_shared<ModuleViewData>();
        data->width = data->height = 20;
        scene.data = data;
        for (const char* word : {"unclustered: 12", "in a cluster: 3,456", "duplicate: 7", "cut: 89"})
            scene.words.emplace_back(0xff000000, QString::fromLatin1(word));
        map.setScene(scene);
        const QFontMetrics metrics(map.fontMetrics());
        for (const int width : {1200, 400, 250}) {
            const QVector<QPointF> places = map.placesOfWords(metrics, width);
            QCOMPARE(places.size(), 4);
            for (qsizetype i = 0; i < places.size(); ++i) {
                const double end = places[i].x() + 14 +
                                   metrics.horizontalAdvance(scene.words[static_cast<std::size_t>(i)].second);
                QVERIFY2(end <= width, qPrintable(QStringLiteral("%1 > %2").arg(end).arg(width)));
                if (i > 0 && places[i].y() == places[i - 1].y()) QVERIFY(places[i].x() > places[i - 1].x());
            }
            QCOMPARE(places.last().y() > 0, width < 1200);
            // The pixels are below them.
            map.resize(width, 400);
            map.setScene(scene);
            QVERIFY(map.place().viewport.top() >= places.last().y() + metrics.height());
        }
    }

    void theAxesHaveTheCoordinatesOfTheTable() {
        ModuleMap map;
        map.resize(500, 400);
        MapScene scene;
        auto data = std::make_shared<ModuleViewData>();
        data->width = 24;
        data->height = 16;
        scene.data = data;
        map.setScene(scene);
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        // Pixel 0 begins at 0: so do the ticks, which end at the end of the last pixel.
        const std::vector<double> ticks = ticksAlong(map);
        QVERIFY(ticks.size() >= 3);
        const double onScreen = 1.1 * data->width / (map.toWidget({24, 0}).x() - map.toWidget({0, 0}).x());
        QVERIFY2(std::abs(ticks.front()) < onScreen, qPrintable(QString::number(ticks.front())));
        for (const double tick : ticks)
            QVERIFY2(std::abs(tick - std::round(tick)) < onScreen, qPrintable(QString::number(tick)));
    }

    // The numbers left of the axis have room beside its title, however many digits they have.
    void theTitleOfTheVerticalAxisIsBesideItsNumbers() {
        double before = 0;
        for (const std::uint32_t side : {16u, 65536u}) {
            ModuleMap map;
            map.resize(500, 400);
            MapScene scene;
            auto data = std::make_shared<ModuleViewData>();
            data->width = data->height = side;
            scene.data = data;
            map.setScene(scene);
            const QFontMetrics metrics(map.font());
            const double left = map.place().viewport.left();
            QVERIFY(left >= metrics.horizontalAdvance(QString::number(side)) + metrics.height() + 8);
            QVERIFY(side < 10000 || left > before);
            before = left;
        }
    }

    void besideAPreviewEachOutdatedRunIsNamed() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setComparison([](const ks::Run&) { return QStringList{"Charge cut"}; });
        HistogramPlot& histogram = child<ClusterPlots>(*page).histogram();
        page->setRuns({row(*page, 3, someLabels())});
        page->setOutdated({"Connectivity"});
        QVERIFY(idle(*page));
        QCOMPARE(histogram.note(), QString("outdated (Connectivity)"));
        page->setPreview(row(*page, 0, someLabels()).run);
        QVERIFY(idle(*page));
        QCOMPARE(histogram.note(), QString("run 3: outdated (Connectivity)"));
        page->setRuns({row(*page, 3, someLabels()), row(*page, 2, someLabels())});
        QVERIFY(idle(*page));
        QCOMPARE(histogram.note(), QString("run 3: outdated (Connectivity); run 2: outdated (Charge cut)"));
        page->setPreview(nullptr);
        page->setRuns({row(*page, 3, someLabels())});
        page->setOutdated({});
        QVERIFY(idle(*page));
        QCOMPARE(histogram.note(), QString());
    }

    void theCsvOfDifferencesSaysWhatIsWrongWithBothRuns() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setComparison([](const ks::Run&) { return QStringList{"Charge cut"}; });
        std::vector<std::int32_t> other = someLabels();
        std::ranges::fill(other, ks::clusters::label_cut);
        RunRow wrong = row(*page, 2, other);
        auto checked = std::make_shared<ks::Run>(*wrong.run);
        checked->verdict.state = ks::Verdict::State::fail;
        wrong.run = checked;
        const auto& panel = child<DifferencePanel>(*page);
        const auto lines = [&] {
            return QString::fromStdString(const_cast<DifferencePanel&>(panel).table().csv())
                .split(u'\n', Qt::SkipEmptyParts);
        };
        page->setRuns({row(*page, 3, someLabels()), wrong});
        page->setOutdated({"Connectivity"});
        QVERIFY(idle(*page));
        QTRY_VERIFY_WITH_TIMEOUT(lines().size() > 1, 10000);
        QVERIFY2(lines().front().endsWith(",note"), qPrintable(lines().front()));
        QVERIFY2(lines().back().contains("run 2: the result is wrong; outdated (Charge cut); "
                                         "run 3: outdated (Connectivity)"),
                 qPrintable(lines().back()));
        const auto says = [&](const QString& text) {
            return std::ranges::any_of(panel.findChildren<QLabel*>(),
                                       [&](const QLabel* one) { return one->text().startsWith(text); });
        };
        QVERIFY(says("From run 2 (wrong) to run 3: "));
        // Of a preview and a run.
        page->setPreview(row(*page, 0, someLabels()).run);
        page->setRuns({wrong});
        page->setOutdated({});
        QVERIFY(idle(*page));
        QTRY_VERIFY_WITH_TIMEOUT(lines().size() > 1, 10000);
        QVERIFY2(lines().back().contains("run 2: the result is wrong; preview"), qPrintable(lines().back()));
        QVERIFY(says("From run 2 (wrong) to the preview: "));
    }

    void aClickInTheOverviewSelectsTheModuleAndArrowsMove() {
        const auto page = shownPage();
        QVERIFY(page);
        const std::size_t three = *page->digis()->slotOf(0, 3), seven = *page->digis()->slotOf(0, 7);
        QCOMPARE(*page->slot(), three);  // most digis
        QTest::mouseClick(&child<ModuleOverview>(*page), Qt::LeftButton, {},
                          child<ModuleOverview>(*page).cellRect(seven).center().toPoint());
        QCOMPARE(*page->slot(), seven);
        QVERIFY2(page->status().startsWith("Event 0: Module 7: 4 digis"), qPrintable(page->status()));
        QVERIFY(idle(*page));
        QCOMPARE(child<ModuleMap>(*page, "map").scene().data->digis.size(), std::size_t{4});
        QTest::keyClick(&child<ModuleOverview>(*page), Qt::Key_Left);
        QCOMPARE(*page->slot(), three);
        QVERIFY(idle(*page));
        QCOMPARE(child<ModuleMap>(*page, "map").scene().data->module, std::uint64_t{3});
    }

    void aModuleThatAVerdictNamesIsShownInItsEvent() {
        const auto page = shownPage();
        QVERIFY(page);
        QVERIFY(page->showPlace({{"event", 1}, {"module", 3}, {"digi", 0}}));
        QCOMPARE(*page->slot(), *page->digis()->slotOf(1, 3));
        QCOMPARE(child<FrameSlider>(*page, "events").frame(), 1);
        QVERIFY(!page->showPlace({{"event", 7}, {"module", 3}}));
        QVERIFY(!page->showPlace({{"event", 0}, {"module", 99}}));
    }

    void aVerdictNamesEventsByTheirNumbers() {
        const auto page = emptyPage();
        child<DetectorForm>(*page).form().setValue(QStringLiteral("layout"), std::string("free"));
        page->setFile(file(QStringLiteral("numbered.csv"),
                           "index,event,module,x,y,adc\n0,40,3,1,1,9\n1,40,7,1,1,9\n2,90,3,5,5,9\n"));
        QVERIFY(QTest::qWaitFor([&] { return page->digis() != nullptr; }, 10000) && idle(*page));
        QVERIFY(page->showPlace({{"event", 90}, {"module", 3}}));
        QCOMPARE(child<FrameSlider>(*page, "events").frame(), 1);
        QVERIFY(page->showPlace({{"event", 40}, {"module", 7}}));
        QCOMPARE(child<FrameSlider>(*page, "events").frame(), 0);
        for (const std::uint64_t none : {0, 1, 41, 91})
            QVERIFY(!page->showPlace({{"event", none}, {"module", 3}}));
    }

    void theEventSliderKeepsTheModule() {
        const auto page = shownPage();
        QVERIFY(page);
        QVERIFY(child<FrameSlider>(*page, "events").isVisible());
        child<FrameSlider>(*page, "events").setFrame(1);
        QCOMPARE(*page->slot(), *page->digis()->slotOf(1, 3));
        QVERIFY(idle(*page));
        QCOMPARE(child<ModuleMap>(*page, "map").scene().data->digis.size(), std::size_t{2});
        QVERIFY(page->status().startsWith("Event 1: Module 3"));
    }

    void aRunColoursTheDigisAndFillsTheTables() {
        const auto page = shownPage();
        QVERIFY(page);
        QCOMPARE(colourAt(child<ModuleMap>(*page, "map"), 10, 20), idleColour(false));
        page->setRuns({row(*page, 1, someLabels())});
        QVERIFY(idle(*page));
        QVERIFY(page->shown());
        QCOMPARE(colourAt(child<ModuleMap>(*page, "map"), 10, 20),
                 colourAt(child<ModuleMap>(*page, "map"), 12, 20));
        QCOMPARE(colourAt(child<ModuleMap>(*page, "map"), 30, 60),
                 colourAt(child<ModuleMap>(*page, "map"), 31, 61));
        QVERIFY(colourAt(child<ModuleMap>(*page, "map"), 10, 20) !=
                colourAt(child<ModuleMap>(*page, "map"), 30, 60));
        child<QComboBox>(*page, "colouring").setCurrentIndex(static_cast<int>(Colouring::charge));
        QVERIFY(idle(*page));
        QVERIFY(colourAt(child<ModuleMap>(*page, "map"), 10, 20) !=
                colourAt(child<ModuleMap>(*page, "map"), 12, 20));
        QVERIFY(child<ModuleMap>(*page, "map").scene().scale);
        page->show(Part::clusters);
        child<QComboBox>(*page, "scope").setCurrentIndex(2);
        QCOMPARE(child<FilteredTable>(*page, "clusters").counts(), QString("5 of 5 clusters"));
        child<QComboBox>(*page, "scope").setCurrentIndex(1);
        QCOMPARE(child<FilteredTable>(*page, "clusters").counts(), QString("4 of 5 clusters"));
        QCOMPARE(child<FilteredTable>(*page, "clusters").exportLeaf(), QString("clusters_event0.csv"));
        child<QComboBox>(*page, "scope").setCurrentIndex(0);
        QCOMPARE(child<FilteredTable>(*page, "clusters").counts(), QString("3 of 5 clusters"));
        QCOMPARE(child<FilteredTable>(*page, "clusters").exportLeaf(),
                 QString("clusters_event0_module3.csv"));
    }

    void tablesAndMapsGoTogetherBothWays() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(*page, 1, someLabels())});
        QVERIFY(idle(*page));
        page->show(Part::clusters);
        child<QComboBox>(*page, "scope").setCurrentIndex(2);
        // From the map to the table.
        QTest::mouseClick(&child<ModuleMap>(*page, "map"), Qt::LeftButton, {},
                          child<ModuleMap>(*page, "map").toWidget({11.5, 20.5}).toPoint());
        QCOMPARE(child<FilteredTable>(*page, "clusters").selected(), 0);
        QTest::mouseClick(&child<ModuleMap>(*page, "map"), Qt::LeftButton, {},
                          child<ModuleMap>(*page, "map").toWidget({50.5, 50.5}).toPoint());
        QCOMPARE(child<FilteredTable>(*page, "clusters").selected(), -1);
        // From the table to the map, of another module and event.
        QTableView& view = child<FilteredTable>(*page, "clusters").view();
        const int last = view.model()->rowCount() - 1;
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          view.visualRect(view.model()->index(last, 0)).center());
        QVERIFY(idle(*page));
        QCOMPARE(*page->slot(), *page->digis()->slotOf(1, 3));
        QCOMPARE(child<FrameSlider>(*page, "events").frame(), 1);
        QCOMPARE(*page->picked(), std::size_t{4});
        QVERIFY(!child<ModuleMap>(*page, "map").fitted());
        QVERIFY(child<ModuleMap>(*page, "map").seenPart().contains(QPointF(9.5, 10)));
        QCOMPARE(child<ModuleOverview>(*page).selected(), page->slot());
        // A module by its row.
        page->show(Part::modules);
        emit child<FilteredTable>(*page, "modules").picked(0);
        QCOMPARE(page->digis()->module(*page->slot()), std::uint64_t{3});
    }

    void theCursorReadsOutTheDigi() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(*page, 1, someLabels())});
        QVERIFY(idle(*page));
        QSignalSpy said(page.get(), &Page::cursorMoved);
        hover(child<ModuleMap>(*page, "map"), 12, 20);
        QTRY_VERIFY(!said.isEmpty());
        QCOMPARE(said.last()[0].toString(), QString("x 12  y 20  adc 300  row 4  label 0"));
    }

    void theReadOutUnderARestingCursorFollowsTheRun() {
        const auto page = shownPage();
        QVERIFY(page);
        QSignalSpy said(page.get(), &Page::cursorMoved);
        hover(child<ModuleMap>(*page, "map"), 12, 20);
        QCOMPARE(said.last()[0].toString(), QString("x 12  y 20  adc 300  row 4  not clustered yet"));
        page->setRuns({row(*page, 1, someLabels())});
        QVERIFY(idle(*page));
        QCOMPARE(said.last()[0].toString(), QString("x 12  y 20  adc 300  row 4  label 0"));
        // keys that move the picture bring another pixel under the cursor
        QTest::keyClick(&child<ModuleMap>(*page, "map"), Qt::Key_Plus);
        QVERIFY(said.last()[0].toString() != QString("x 12  y 20  adc 300  row 4  label 0"));
    }

    void allDigisOfAPixelCountInItsColourItsNumberAndItsReadOut() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setFile(file(QStringLiteral("two.csv"),
                           "index,event,module,x,y,adc\n0,0,3,4,4,100\n1,0,3,5,4,70\n2,0,3,4,4,30\n"
                           "3,0,3,9,9,130\n4,0,3,20,9,1\n5,0,3,20,9,2\n6,0,3,20,9,3\n7,0,3,20,9,4\n"
                           "8,0,3,20,9,5\n"));
        QTRY_VERIFY(page->digis() && page->digis()->digis().table().x.size() == 9);
        page->setRuns({row(*page, 1, {0, 0, 0, 3, 4, 4, 4, 4, 4})});
        child<QComboBox>(*page, "colouring").setCurrentIndex(static_cast<int>(Colouring::charge));
        QVERIFY(idle(*page));
        ModuleMap& map = child<ModuleMap>(*page, "map");
        QCOMPARE(colourAt(map, 4, 4), colourAt(map, 9, 9));
        QVERIFY(colourAt(map, 4, 4) != colourAt(map, 5, 4));
        QCOMPARE(map.scene().scale->high, 130.0);
        QCOMPARE(map.scene().text(*map.scene().data->at(4, 4)), QString("130"));
        map.setOutlinesVisible(false);
        map.setCentroidsVisible(false);
        map.look(QRectF(4, 4, 6, 6));
        QCOMPARE(seen(map, 4.3, 4.3).rgb(), colourAt(map, 9, 9));
        QSignalSpy said(page.get(), &Page::cursorMoved);
        hover(map, 4, 4);
        QCOMPARE(said.last()[0].toString(),
                 QString("x 4  y 4  adc 130 = 100 + 30  rows 0, 2  (2 digis)  label 0"));
        map.look(QRectF(20, 9, 1, 1));
        hover(map, 20, 9);
        QCOMPARE(said.last()[0].toString(),
                 QString::fromUtf8(
                     "x 20  y 9  adc 15 = 1 + 2 + 3 + 4 + \u2026  rows 4, 5, 6, 7, \u2026  (5 digis)  "
                     "label 4"));
    }

    void clustersWithoutChargeAreCountedBesideTheHistogram() {
        const auto page = shownPage();
        QVERIFY(page);
        const auto note = [&] {
            QCustomPlot& plot = child<ClusterPlots>(*page).histogram().plot();
            for (int i = 0; i < plot.itemCount(); ++i)
                if (const auto* one = dynamic_cast<Badge*>(plot.item(i))) return one->text();
            return QString();
        };
        page->setFile(file(QStringLiteral("zero.csv"),
                           "index,event,module,x,y,adc\n0,0,3,4,4,100\n1,0,3,15,4,0\n2,0,3,30,4,0\n"));
        QTRY_VERIFY(page->digis() && page->digis()->digis().table().x.size() == 3);
        page->setRuns({row(*page, 1, {0, 1, 2})});
        page->show(Part::histograms);
        QVERIFY(idle(*page));
        QTRY_VERIFY2(note().simplified().contains("2 of 3 values are 0 or less, not drawn"),
                     qPrintable(note()));
        child<ClusterPlots>(*page).setQuantity(ClusterQuantity::size);
        QVERIFY(idle(*page));
        QTRY_VERIFY2(!note().contains("not drawn"), qPrintable(note()));
        QCOMPARE(child<ClusterPlots>(*page).histogram().describe(1), QString("1 digi: 3 clusters"));
        child<ClusterPlots>(*page).setQuantity(ClusterQuantity::charge);
        page->setFile(
            file(QStringLiteral("allzero.csv"), "index,event,module,x,y,adc\n0,0,3,4,4,0\n1,0,3,15,4,0\n"));
        QTRY_VERIFY(page->digis() && page->digis()->digis().table().x.size() == 2);
        page->setRuns({row(*page, 2, {0, 1})});
        QVERIFY(idle(*page));
        QTRY_VERIFY(child<ClusterPlots>(*page).histogram().whyEmpty().contains("charge of each cluster"));
    }

    void theWheelZoomsAtTheCursorAndADoubleClickFits() {
        const auto page = shownPage();
        QVERIFY(page);
        ModuleMap& map = child<ModuleMap>(*page, "map");
        const QPointF at = map.toWidget({30.5, 60.5});
        const double before = map.zoom();
        QWheelEvent wheel(at, map.mapToGlobal(at), {}, {0, 360}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&map, &wheel);
        QCOMPARE(map.zoom(), 1.25 * 1.25 * 1.25 * before);
        QVERIFY(QLineF(map.toWidget({30.5, 60.5}), at).length() < 0.01);
        QTest::mouseDClick(&map, Qt::LeftButton, {}, at.toPoint());
        QVERIFY(map.fitted());
    }

    void theRoundSliderChangesTheLabelsThatArePainted() {
        const auto page = emptyPage();
        page->resize(700, 700);
        page->show();
        page->setFile(
            file(QStringLiteral("bar.csv"), "module,x,y,adc\n0,6,3,1\n0,7,3,1\n0,5,3,1\n0,20,20,1\n"));
        QVERIFY(QTest::qWaitFor([&] { return page->digis() != nullptr; }, 10000));
        auto run = labelledRun(*page->digis(), {0, 0, 0, 3});
        const auto recorded = barTrace();
        for (const ks::Dataset& one : recorded->result.datasets) run->result.datasets.push_back(one);
        run->request.parameters["record"] = std::int64_t{0};
        page->setRuns({{1, run, true, false}});
        page->show(Part::steps);
        QVERIFY(idle(*page));
        QVERIFY(page->stepping() && child<ModuleMap>(*page, "trees").isVisible() &&
                !child<ModuleOverview>(*page).isVisible());
        QCOMPARE(child<StepPanel>(*page).rounds().frameCount(), 3);
        QVERIFY2(child<QLabel>(*page, "round").toolTip().contains("3 digis"),
                 qPrintable(child<QLabel>(*page, "round").toolTip()));
        // The module, the run and the variant: whole, or visibly cut with the whole in the tip.
        QLabel& line = child<QLabel>(*page, "recorded");
        const QString whole = line.toolTip();
        QVERIFY2(whole.startsWith("Module 0, run 1, "), qPrintable(whole));
        bool wasCut = false;
        for (const int width : {line.fontMetrics().horizontalAdvance(whole) + 20, 90, 40}) {
            line.resize(width, line.height());
            const QString text = line.text();
            wasCut = wasCut || text != whole;
            QVERIFY2(text == whole || (text.endsWith(QChar(0x2026)) && whole.startsWith(text.chopped(1))),
                     qPrintable(text));
        }
        QVERIFY(wasCut);
        const auto painted = [&] {
            std::set<QRgb> colours;
            for (const int x : {5, 6, 7}) colours.insert(seen(child<ModuleMap>(*page, "map"), x, 3).rgb());
            return colours.size();
        };
        QCOMPARE(painted(), std::size_t{3});
        child<QAction>(*page, "nextRound").trigger();
        QVERIFY(idle(*page));
        QCOMPARE(child<StepPanel>(*page).rounds().frame(), 1);
        QCOMPARE(child<ModuleMap>(*page, "map").scene().marked.size(), std::size_t{2});
        QVERIFY2(child<QLabel>(*page, "round").toolTip().contains("2 changed; labels remaining: 1"),
                 qPrintable(child<QLabel>(*page, "round").toolTip()));
        child<StepPanel>(*page).rounds().setFrame(2);
        QVERIFY(idle(*page));
        QCOMPARE(painted(), std::size_t{1});
        child<StepPanel>(*page).steps().setFrame(1);
        QVERIFY(idle(*page));
        QCOMPARE(child<ModuleMap>(*page, "trees").scene().arrows.size(), std::size_t{2});
        QVERIFY(child<QLabel>(*page, "step").toolTip().contains("1 root, depth 2"));
        // The list and the histogram follow the cursor.
        hover(child<ModuleMap>(*page, "map"), 6, 3);
        QCOMPARE(child<StepPanel>(*page).neighbours().count(), 2);
        // 21 pixels a column: 3 * 21 + 6 = 4 * 16 + 5.
        QCOMPARE(child<StepPanel>(*page).digiText(),
                 QString("Pixel 6, 3: 2 neighbours\nDigi 2 of 3 in the loop, 2 of 3 in its column\n"
                         "status[4], bits 10 and 11: 1"));
        hover(child<ModuleMap>(*page, "map"), 20, 20);
        QVERIFY(child<StepPanel>(*page).digiText().contains("not used"));
        QCOMPARE(child<StepPanel>(*page).neighbours().count(), 0);
        hover(child<ModuleMap>(*page, "map"), 6, 3);
        QCOMPARE(child<StepPanel>(*page).columns().bands()[0].from, 2.5);
        page->show(Part::clusters);
        QVERIFY(!child<ModuleMap>(*page, "trees").isVisible() && child<ModuleOverview>(*page).isVisible());
    }

    void recordAsksForARunOfThisModule() {
        const auto page = shownPage();
        QVERIFY(page);
        page->show(Part::steps);
        ks::Request asked;
        connect(page.get(), &AnalysisPage::runRequested, this, [&] { page->fill(asked); });
        emit child<StepPanel>(*page).recordRequested();
        QCOMPARE(ks::integer(asked.parameters, "record"), static_cast<std::int64_t>(*page->slot()));
        ks::Request plain;
        page->fill(plain);
        QVERIFY(!plain.parameters.contains("record"));
        QCOMPARE(plain.inputs.at("digis").name, folder_.filePath("some.csv").toStdString());
    }

    void theKeysGoThroughTheStepsOfAModuleThatWasJustRecorded() {
        QWidget window;
        auto* const other = new QLineEdit(&window);  // as in the dock
        auto page = emptyPage();
        page->setParent(&window);
        window.resize(1000, 800);
        page->setGeometry(0, 40, 1000, 760);
        window.show();
        page->show();
        page->setFile(
            file(QStringLiteral("bar.csv"), "module,x,y,adc\n0,6,3,1\n0,7,3,1\n0,5,3,1\n0,20,20,1\n"));
        QVERIFY(QTest::qWaitFor([&] { return page->digis() != nullptr; }, 10000));
        page->show(Part::steps);
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        connect(page.get(), &AnalysisPage::runRequested, this, [&] {
            ks::Request request;
            request.variant = "seed.findclus";
            page->fill(request);
        });
        other->setFocus();
        QVERIFY(other->hasFocus());
        StepPanel& steps = child<StepPanel>(*page);
        QTest::mouseClick(&steps.record(), Qt::LeftButton);
        auto run = labelledRun(*page->digis(), {0, 0, 0, 3});
        const auto recorded = barTrace();
        for (const ks::Dataset& one : recorded->result.datasets)
            if (one.name != "trace_parents") run->result.datasets.push_back(one);
        run->request.parameters["record"] = std::int64_t{0};
        run->variant.id = "seed.findclus";
        page->setRuns({{1, run, true, false}});
        QVERIFY(idle(*page));
        QVERIFY(steps.trace() && steps.rounds().frameCount() > 1);
        const auto press = [](Qt::Key key) { QTest::keyClick(QApplication::focusWidget(), key); };
        press(Qt::Key_Period);
        QCOMPARE(steps.rounds().frame(), 1);
        press(Qt::Key_Comma);
        QCOMPARE(steps.rounds().frame(), 0);
        QCOMPARE(other->text(), QString());
    }

    void oneRunIsRecordedAndOnlyItsStepsAreShown() {
        const auto page = emptyPage();
        page->resize(900, 700);
        page->show();
        page->setFile(
            file(QStringLiteral("bar.csv"), "module,x,y,adc\n0,6,3,1\n0,7,3,1\n0,5,3,1\n0,20,20,1\n"));
        QVERIFY(QTest::qWaitFor([&] { return page->digis() != nullptr; }, 10000));
        page->show(Part::steps);
        std::vector<ks::Request> asked;
        connect(page.get(), &AnalysisPage::runRequested, this, [&] {
            ks::Request request;
            request.variant = "seed.findclus";
            page->fill(request);
            asked.push_back(request);
        });
        const auto recorded = barTrace();
        const auto runWithout = [&](const char* absent, const char* variant) {
            auto run = labelledRun(*page->digis(), {0, 0, 0, 3});
            for (const ks::Dataset& one : recorded->result.datasets)
                if (one.name != absent) run->result.datasets.push_back(one);
            run->request.parameters["record"] = std::int64_t{0};
            run->variant.id = variant;
            return run;
        };
        StepPanel& steps = child<StepPanel>(*page);
        QTest::mouseClick(&steps.record(), Qt::LeftButton);
        page->setRuns({{1, runWithout("trace_parents", "seed.findclus"), true, false}});
        QVERIFY(idle(*page));
        QVERIFY(steps.trace() && steps.trace()->hasLabels() && !steps.trace()->hasParents());
        // Without trees, all the room is the map's.
        const auto& trees = child<ModuleMap>(*page, "trees");
        QVERIFY(!trees.isVisible());
        const int wide = child<ModuleMap>(*page, "map").width();
        QCOMPARE(steps.rounds().frameCount(), 3);
        QVERIFY2(child<QLabel>(*page, "step").toolTip().startsWith("seed.findclus records no trees"),
                 qPrintable(child<QLabel>(*page, "step").toolTip()));
        // Then the other algorithm: nothing remains of the first run.
        QTest::mouseClick(&steps.record(), Qt::LeftButton);
        page->setRuns({{2, runWithout("trace_labels", "unionfind.local"), true, false}});
        QTRY_VERIFY(steps.trace() && steps.trace()->hasParents());
        QVERIFY(idle(*page));
        QVERIFY(!steps.trace()->hasLabels());
        QVERIFY(trees.isVisible() && trees.width() > 100);
        QVERIFY(child<ModuleMap>(*page, "map").width() < wide);
        QCOMPARE(steps.steps().frameCount(), 2);
        QCOMPARE(steps.rounds().frameCount(), 0);
        // The keys step through the trees: there are no rounds.
        child<QAction>(*page, "nextRound").trigger();
        QCOMPARE(steps.steps().frame(), 1);
        child<QAction>(*page, "previousRound").trigger();
        QCOMPARE(steps.steps().frame(), 0);
        QVERIFY2(child<QLabel>(*page, "round").toolTip().startsWith("unionfind.local records no rounds"),
                 qPrintable(child<QLabel>(*page, "round").toolTip()));
        QVERIFY2(std::ranges::any_of(
                     steps.findChildren<QLabel*>(),
                     [](const QLabel* one) { return one->toolTip() == "Module 0, run 2, unionfind.local"; }),
                 "the run is not named");
        // One press, one run.
        QTest::qWait(50);
        QCOMPARE(asked.size(), std::size_t{2});
        QCOMPARE(asked[1].variant, std::string("seed.findclus"));
        QCOMPARE(ks::integer(asked[1].parameters, "record"), std::int64_t{0});
    }

    void draggingTheLineChangesTheCut() {
        const auto page = shownPage();
        QVERIFY(page);
        child<DetectorForm>(*page).form().setValue(QStringLiteral("charge_cut"), std::string("50"));
        page->setRuns({row(*page, 1, someLabels())});
        page->show(Part::histograms);
        QVERIFY(idle(*page));
        HistogramPlot& plot = child<ClusterPlots>(*page).histogram();
        QTRY_COMPARE(plot.marks().size(), 1);
        QCOMPARE(plot.marks()[0].x, 50.0);
        QCustomPlot& figure = plot.plot();
        figure.replot();
        const int y = figure.axisRect()->center().y();
        const auto at = [&](double charge) { return QPoint(qRound(figure.xAxis->coordToPixel(charge)), y); };
        QSignalSpy wanted(page.get(), &AnalysisPage::previewWanted);
        QTest::mousePress(&figure, Qt::LeftButton, {}, at(50));
        const QPointF to(at(1000));
        QMouseEvent move(QEvent::MouseMove, to, figure.mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QApplication::sendEvent(&figure, &move);
        QTest::mouseRelease(&figure, Qt::LeftButton, {}, at(1000));
        const double cut = std::stod(ks::text(child<DetectorForm>(*page).form().values(), "charge_cut"));
        QVERIFY2(std::abs(cut - 1000) < 60, qPrintable(QString::number(cut)));
        QVERIFY(!wanted.isEmpty());
        QCOMPARE(plot.marks()[0].x, cut);
        // A run that cuts shows what it cut in grey.
        auto labels = someLabels();
        for (auto& label : labels)
            if (label != 1) label = ks::clusters::label_cut;
        page->setRuns({row(*page, 2, labels, "1000")});
        QVERIFY(idle(*page));
        QCOMPARE(plot.series().size(), 2);
        const auto total = [](const HistogramSeries& one) {
            return std::accumulate(one.counts.begin(), one.counts.end(), 0.0);
        };
        QCOMPARE(total(plot.series()[0]), 5.0);
        QCOMPARE(total(plot.series()[1]), 1.0);
    }

    void aChargeCutThatIsNoneSaysWhyAtTheField() {
        const auto page = shownPage();
        QVERIFY(page);
        page->inputWidget()->show();
        auto* const field = qobject_cast<QLineEdit*>(child<DetectorForm>(*page).form().field("charge_cut"));
        QVERIFY(field && field->isVisible());
        QToolTip::hideText();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, "abc");
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY2(QToolTip::text().contains("found \"abc\""), qPrintable(QToolTip::text()));
        QToolTip::hideText();
        QTRY_VERIFY(!QToolTip::isVisible());
        field->selectAll();
        QTest::keyClicks(field, "5e1, 7e1, 3");
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY2(QToolTip::text().contains("found \"5e1, 7e1, 3\""), qPrintable(QToolTip::text()));
        QToolTip::hideText();
        QTRY_VERIFY(!QToolTip::isVisible());
        field->selectAll();
        QTest::keyClicks(field, "5e1");
        QTest::keyClick(field, Qt::Key_Return);
        QTest::qWait(50);
        QVERIFY2(!QToolTip::isVisible(), qPrintable(QToolTip::text()));
    }

    void aWrongCutIsSaid() {
        const auto page = shownPage();
        QVERIFY(page);
        child<DetectorForm>(*page).form().setValue(QStringLiteral("charge_cut"), std::string("plenty"));
        QVERIFY2(page->missing().contains("plenty"), qPrintable(page->missing()));
    }

    void twoRunsAreSetAgainstEachOther() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setRuns({row(*page, 8, fourLabels()), row(*page, 7, someLabels())});
        page->show(Part::difference);
        QTRY_COMPARE(child<DifferencePanel>(*page).model().items(), 1);
        QVERIFY(idle(*page));
        page->pickSlot(*page->digis()->slotOf(1, 3));
        QVERIFY(idle(*page));
        QTableView& view = child<DifferencePanel>(*page).table().view();
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          view.visualRect(view.model()->index(0, 0)).center());
        QVERIFY(idle(*page));
        QCOMPARE(*page->slot(), *page->digis()->slotOf(0, 3));
        QVERIFY(child<ModuleMap>(*page, "map").seenPart().contains(QPointF(31, 61)));
        QVERIFY(!child<ModuleMap>(*page, "map").scene().others.empty());
        child<DifferencePanel>(*page).table().setFilterText("merged");
        QCOMPARE(child<DifferencePanel>(*page).model().rowCount(), 0);
        page->setRuns({row(*page, 8, fourLabels())});
        QVERIFY(idle(*page));
        QCOMPARE(child<DifferencePanel>(*page).model().items(), 0);
    }

    void wrongFilesAreToldByFileAndLine() {
        const auto page = emptyPage();
        QSignalSpy failed(page.get(), &Page::failed);
        const auto wrong =
            file(QStringLiteral("wrong.csv"), "index,module,x,y,adc\n0,1,2,3,4\n1,1,two,3,4\n");
        QVERIFY(page->accepts(*wrong));
        page->setFile(wrong);
        QTRY_VERIFY(page->missing().contains("wrong.csv"));
        QVERIFY2(page->missing().contains("3") && page->missing().contains("two"),
                 qPrintable(page->missing()));
        QCOMPARE(failed.count(), 0);
        // Whoever opens it for this page is told before anything changes.
        try {
            page->reader (*wrong)();
            QFAIL("read");
        } catch (const ks::Error& error) {
            QCOMPARE(QString::fromUtf8(error.what()), page->missing());
        }
        QVERIFY(!page->accepts(*file(QStringLiteral("spheres.csv"), "x,y,z,weight\n1,2,3,4\n")));
        page->setFile(someFile());
        QTRY_VERIFY(page->digis());
        QVERIFY(page->missing().isEmpty());
        OpenFile picture;
        picture.path = picture.name = QStringLiteral("picture.png");
        QVERIFY(!page->accepts(picture));
    }

    void aLayoutThatDoesNotFitLeavesWhatIsShown() {
        const auto page = shownPage();
        QVERIFY(page);
        QSignalSpy failed(page.get(), &Page::failed);
        page->setFile(file(QStringLiteral("far.csv"), "module,x,y,adc\n0,300,3,1\n"));
        QTRY_VERIFY(page->digis());
        child<DetectorForm>(*page).form().setValue(QStringLiteral("layout"), std::string("phase1"));
        QVERIFY(failed.wait(10000));
        QCOMPARE(ks::text(child<DetectorForm>(*page).form().values(), "layout"), std::string("free"));
        QCOMPARE(page->digis()->layout().id, std::string("free"));
        page->setFile(someFile());
        QTRY_VERIFY(page->digis() && page->digis()->events() == 2);
        child<DetectorForm>(*page).form().setValue(QStringLiteral("layout"), std::string("phase1"));
        QTRY_COMPARE(page->digis()->slotCount(), std::size_t{2 * 1856});
        QVERIFY(idle(*page));
        QCOMPARE(child<ModuleOverview>(*page).grid().blocks().size(), std::size_t{10});
    }

    void theLayoutIsGuessedFromTheDigis() {
        const auto likely = [](const std::vector<MadeDigi>& digis) {
            return likelyLayout(tableOf(digis)).id;
        };
        std::vector<MadeDigi> tracker;
        for (std::uint16_t module = 0; module < 400; ++module)
            tracker.push_back({module * 4u, static_cast<std::uint16_t>(module % 160), module, 1});
        QCOMPARE(likely(tracker), std::string("phase1"));
        tracker.push_back({9999, 0, 0, 1});  // no module
        QCOMPARE(likely(tracker), std::string("phase1"));
        tracker.push_back({1856, 0, 0, 1});
        QCOMPARE(likely(tracker), std::string("free"));
        QCOMPARE(likely({{0, 159, 2, 1}, {0, 3, 415, 1}}), std::string("phase1"));
        QCOMPARE(likely({{0, 255, 2, 1}, {7, 3, 201, 1}}), std::string("timepix"));
        QCOMPARE(likely({{0, 256, 2, 1}}), std::string("free"));
        QCOMPARE(likely({{0, 5, 2, 1}}), std::string("free"));
    }

    // Far apart pixels make a map of the module larger than a variant with maps takes.
    void theDigisSayWhichVariantsTakeThem() {
        const auto page = shownPage();
        QVERIFY(page);
        page->setFile(file(QStringLiteral("far.csv"),
                           "module,x,y,adc\n0,65500,65500,5\n0,65501,65501,9\n"
                           "1,65500,65510,4\n"));
        QTRY_VERIFY(page->digis() && page->digis()->digis().table().x.size() == 3);
        ks::Traits traits = page->fileValues().traits;
        QCOMPARE(std::get<std::int64_t>(traits.at("module_pixels")), std::int64_t{65502} * 65511);
        QCOMPARE(std::get<std::int64_t>(traits.at("size")), std::int64_t{3});
        QCOMPARE(std::get<std::string>(traits.at("charge_sums")), std::string("32 bits"));
        page->setFile(file(QStringLiteral("large.csv"), "module,x,y,adc\n0,1,1,4294967295\n0,1,2,9\n"));
        QTRY_VERIFY(page->digis() && page->digis()->digis().table().x.size() == 2);
        QCOMPARE(std::get<std::string>(page->fileValues().traits.at("charge_sums")), std::string("32 bits"));
        child<DetectorForm>(*page).form().setValue(QStringLiteral("charge_cut"), std::string("50"));
        QCOMPARE(std::get<std::string>(page->fileValues().traits.at("charge_sums")), std::string("64 bits"));
        page->closeFile();
        QVERIFY(page->fileValues().traits.empty());
    }

    void choicesAreKept() {
        QSettings settings(folder_.filePath("page.ini"), QSettings::IniFormat);
        {
            const auto page = emptyPage();
            child<QComboBox>(*page, "colouring").setCurrentIndex(2);
            child<DetectorForm>(*page).form().setValue(QStringLiteral("charge_cut"), std::string("1500"));
            child<QAction>(*page, "centroids").setChecked(false);
            keepSettings(settings, *page->state(Page::Scope::settings));
        }
        const auto page = emptyPage();
        page->setState(pageSettings(settings, *page->state(Page::Scope::settings)), Page::Scope::settings);
        QCOMPARE(child<QComboBox>(*page, "colouring").currentIndex(), 2);
        QVERIFY(!child<QAction>(*page, "centroids").isChecked());
        // A cut is of the session, not of every window to come.
        QCOMPARE(ks::text(child<DetectorForm>(*page).form().values(), "charge_cut"), std::string("off"));
        child<DetectorForm>(*page).form().setValue(QStringLiteral("charge_cut"), std::string("1500"));
        page->resetParameters();
        QCOMPARE(ks::text(child<DetectorForm>(*page).form().values(), "charge_cut"), std::string("off"));
    }

    /// The table looked the new numbers up in the list of the run before, far behind its end.
    void aRunWithManyMoreClustersThanTheOneBeforeIsListedInEveryScope() {
        const auto page = emptyPage();
        child<DetectorForm>(*page).form().setValue(QStringLiteral("layout"), std::string("free"));
        std::string text = "index,event,module,x,y,adc\n";
        std::vector<std::int32_t> apart(20000);
        std::iota(apart.begin(), apart.end(), 0);
        for (const int i : apart)
            text += std::to_string(i) + ",0,3," + std::to_string(2 * (i % 200)) + ',' +
                    std::to_string(2 * (i / 200)) + ",9\n";
        page->resize(900, 700);
        page->show();
        page->setFile(file(QStringLiteral("many.csv"), text));
        QVERIFY(QTest::qWaitFor([&] { return page->digis() != nullptr; }, 10000) && idle(*page));
        page->show(Part::clusters);
        for (const int scope : {0, 1}) {  // module, event
            child<QComboBox>(*page, "scope").setFocus();
            while (child<QComboBox>(*page, "scope").currentIndex() > scope)
                QTest::keyClick(&child<QComboBox>(*page, "scope"), Qt::Key_Up);
            while (child<QComboBox>(*page, "scope").currentIndex() < scope)
                QTest::keyClick(&child<QComboBox>(*page, "scope"), Qt::Key_Down);
            page->setRuns({row(*page, 1, std::vector<std::int32_t>(apart.size(), 0))});
            QVERIFY(idle(*page));
            QCOMPARE(child<FilteredTable>(*page, "clusters").counts(), QString("1 of 1 cluster"));
            page->setRuns({row(*page, 2, apart)});
            QVERIFY(idle(*page));
            QCOMPARE(child<FilteredTable>(*page, "clusters").counts(), QString("20,000 of 20,000 clusters"));
        }
    }

    void clustersThatAreDecodedWhileAnotherFileIsReadAreDropped() {
        const auto page = shownPage();
        QVERIFY(page);
        QSemaphore released;
        jobs_.start(
            Jobs::Lane::files, QStringLiteral("a slow file"),
            [&released] {
                released.acquire();
                return 0;
            },
            [](int) {});
        page->setRuns({row(*page, 1, someLabels())});
        page->setFile(file(QStringLiteral("next.csv"), "module,x,y,adc\n5,1,1,9\n"));
        const bool decoded = QTest::qWaitFor([&] { return jobs_.running() == 2; }, 10000);
        const bool shown = page->shown() != nullptr;
        released.release();
        QVERIFY(decoded && !shown);
        QVERIFY(idle(*page));
        QCOMPARE(page->digis()->digis().size(), std::size_t{1});
        QVERIFY(!page->shown());
    }

    void aWidePageShowsTwoPartsAndEveryPartIsStillThere() {
        const auto page = shownPage();
        QVERIFY(page);
        page->resize(700, 700);
        page->show(Part::steps);
        QVERIFY(child<StepPanel>(*page).isVisible() && !child<FilteredTable>(*page, "clusters").isVisible());
        page->resize(1600, 900);
        QVERIFY(child<StepPanel>(*page).isVisible() && child<ModuleOverview>(*page).isVisible());
        page->show(Part::clusters);
        QVERIFY(child<StepPanel>(*page).isVisible() && child<FilteredTable>(*page, "clusters").isVisible());
        page->resize(700, 700);
        for (const Part part :
             {Part::clusters, Part::modules, Part::histograms, Part::steps, Part::difference})
            page->show(part);
        QVERIFY(child<DifferencePanel>(*page).table().isVisible());
    }

    void everyWidgetThatTakesTheKeyboardHasAName() {
        const auto page = shownPage();
        QVERIFY(page);
        for (QWidget* one : page->findChildren<QWidget*>()) {
            if (one->focusPolicy() == Qt::NoFocus || one->accessibleName().size() > 0) continue;
            const auto* button = qobject_cast<QAbstractButton*>(one);
            const bool inner = one->objectName().startsWith("qt_") || qobject_cast<QTabBar*>(one) ||
                               one->inherits("QComboBoxListView") ||  // the list of a field that has a name
                               (one->parentWidget() && !one->parentWidget()->accessibleName().isEmpty());
            QVERIFY2(inner || (button && !button->text().isEmpty()) ||
                         one->parentWidget() == &child<DetectorForm>(*page).form(),
                     qPrintable(QString(one->metaObject()->className()) + " in " +
                                one->parentWidget()->metaObject()->className()));
        }
    }
};

QTEST_MAIN(ClustersPageTest)
#include "tst_clusters_page.moc"
