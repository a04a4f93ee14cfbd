#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QStatusBar>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <csignal>
#include <map>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/threads.h"
#include "core/data/regions/region_shapes.h"
#include "core/run/registry.h"
#include "tests/ui/badge.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/parameter_form.h"
#include "ui/clusters/cluster_plots.h"
#include "ui/clusters/clusters_page.h"
#include "ui/clusters/modules/module_map.h"
#include "ui/clusters/steps/step_panel.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/panel/geometry_form.h"
#include "ui/image/panel/image_panel.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/particles/particles_page.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/export_dialog.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/drawer.h"
#include "ui/shell/error_bar.h"
#include "ui/spots/spots_page.h"
#include "ui/xpcs/xpcs_page.h"

using namespace ks::ui;
using ks::ui::xpcs::BinTableModel;

namespace {

/// A value that the spec takes and that is not `now`.
ks::ParameterValue another(const ks::ParameterSpec& spec, const ks::ParameterValue& now) {
    const auto fits = [&spec](double value) {
        return (!spec.minimum || value >= *spec.minimum) && (!spec.maximum || value <= *spec.maximum);
    };
    if (ks::is_absent(now)) {
        const double value = std::max(1.0, spec.minimum.value_or(1.0));
        const double chosen = fits(value) ? value : *spec.maximum;
        if (spec.type == ks::ParameterType::integer) return static_cast<std::int64_t>(chosen);
        return chosen;
    }
    switch (spec.type) {
        case ks::ParameterType::boolean:
            return !std::get<bool>(now);
        case ks::ParameterType::integer: {
            const std::int64_t value = std::get<std::int64_t>(now);
            return fits(static_cast<double>(value + 1)) ? value + 1 : value - 1;
        }
        case ks::ParameterType::real: {
            const double value = std::get<double>(now);
            return fits(value + 0.5) ? value + 0.5 : value - 0.5;
        }
        case ks::ParameterType::choice: {
            const auto& choices = spec.choices;
            return *std::ranges::find_if(choices,
                                         [&](const auto& one) { return one != std::get<std::string>(now); });
        }
        case ks::ParameterType::text:
            break;
    }
    if (spec.id == "kernel") return std::string("4,4");
    if (spec.id == "modules") return std::string("64,64,2,2");
    if (spec.id == "leave_out") return std::string("1");
    return std::string("100");
}

}  // namespace

/// Every field of every page is followed by the preview, or what is shown says that it is of other
/// parameters.
class FormLiveTest : public ks::tests::WindowFixture {
    Q_OBJECT
    ks::Registry registry_;

    QString path(const QString& analysis) const {
        return folder_.filePath(analysis + (analysis == "particles" ? ".csv" : ".h5"));
    }

    void generate(const QString& id, const ks::ParameterSet& given) {
        const ks::Analysis& analysis = registry_.analysis(id.toStdString());
        ks::ParameterSet all = ks::defaults(analysis.info().generator);
        for (const auto& [name, value] : given) all[name] = value;
        ks::Progress progress;
        analysis.generate(all, path(id).toStdString(), true, progress);
    }

    bool idle() {
        return QTest::qWaitFor(
            [&] {
                return !window_->queue().busy() && !window_->queue().previewing() &&
                       window_->live().share() <= 0 && window_->jobs().running() == 0;
            },
            60000);
    }

    /// What the page says beside its result.
    QString said() {
        Page* page = window_->page();
        if (auto* xpcs = dynamic_cast<xpcs::XpcsPage*>(page)) return xpcs->curves().note().simplified();
        if (auto* spots = dynamic_cast<spots::SpotsPage*>(page)) return spots->status();
        if (auto* clusters = dynamic_cast<clusters::ClustersPage*>(page)) return clusters->status();
        return dynamic_cast<particles::ParticlesPage&>(*page).status();
    }

    /// A window with one run of the analysis on the host, shown and checked.
    void showRun(const QString& analysis) {
        window_ = firstWindow();
        QVERIFY(window_->setPage(analysis));
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        window_->open(path(analysis));
        QTRY_VERIFY_WITH_TIMEOUT(window_->file() && window_->missing().isEmpty(), 30000);
        QVERIFY(idle());
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 120000);
        QVERIFY(idle());
        QVERIFY2(!said().contains("other settings"), qPrintable(said()));
    }

    const ks::ParameterSpec& spec(const QString& analysis, const QString& id) {
        const auto& all = registry_.analysis(analysis.toStdString()).info().parameters;
        return *std::ranges::find_if(all, [&](const auto& one) { return one.id == id.toStdString(); });
    }

    /// Ids of the fields that are seen.
    /// Those that change something in the run that is shown.
    QStringList fields(const QString& analysis) {
        const ks::Analysis& known = registry_.analysis(analysis.toStdString());
        const auto idle = known.idle(window_->runs().rows().back().run->request);
        QStringList ids;
        for (const ks::ParameterSpec& one : known.info().parameters)
            if (const QString id = QString::fromStdString(one.id);
                window_->parameters().field(id) &&
                std::ranges::find(idle, one.id, &ks::IdleParameter::id) == idle.end())
                ids << id;
        return ids;
    }

    static QString label(const ks::ParameterSpec& spec) { return QString::fromStdString(spec.label); }

  private slots:
    void initTestCase() {
        generate("xpcs",
                 {{"frames", std::int64_t{80}}, {"height", std::int64_t{41}}, {"width", std::int64_t{51}}});
        generate("spots", {{"frames", std::int64_t{3}},
                           {"height", std::int64_t{200}},
                           {"width", std::int64_t{180}},
                           {"spots", std::int64_t{20}}});
        generate("clusters", {{"events", std::int64_t{1}}, {"digis", std::int64_t{2000}}});
        generate("particles", {});
    }
    void cleanup() { window_.reset(); }

    void pages_data() {
        QTest::addColumn<QString>("analysis");
        for (const char* one : {"xpcs", "spots", "clusters", "particles"}) QTest::newRow(one) << QString(one);
    }

    void framesToLeaveOutAreTypedAndLeftOutOfTheRunThatFollows() {
        showRun("xpcs");
        if (QTest::currentTestFailed()) return;
        window_->action("live")->trigger();
        QWidget* const field = window_->parameters().field("leave_out");
        QVERIFY(field);
        QCOMPARE(field->accessibleName(), QString("Leave out"));
        const auto type = [field](const QString& text) {
            field->setFocus();
            QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
            QTest::keyClicks(field, text);
        };
        type("3,10-12");
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 2, 120000);
        QVERIFY(idle());
        const auto find = [&](std::size_t row) -> const ks::Run& { return *window_->runs().rows()[row].run; };
        QCOMPARE(ks::text(find(0).request.parameters, "leave_out"), std::string("3,10-12"));
        QCOMPARE(find(0).result.facts.value("left_out_frames", 0), 4);
        QVERIFY(!find(1).result.facts.contains("left_out_frames"));
        type("3,10-");
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().sentence().contains("\"10-\""), 60000);
        QCOMPARE(window_->runs().rowCount(), 2);
    }

    void aRestartedWorkerDisturbsNoField() {
        window_ = firstWindow({1280, 800});
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        window_->action("live")->trigger();
        const auto change = [this] {
            window_->desk().setCatalogue(ks::wire::Catalogue(window_->desk().catalogue()));
        };
        for (const QString& name : window_->pageIds()) {
            QVERIFY(window_->setPage(name));
            // Of each kind of field, the first and the last one.
            std::map<std::string, std::vector<QPointer<QWidget>>> kinds;
            for (QWidget* const one : window_->findChildren<QWidget*>())
                if (one->isVisible() && one->isEnabled() && (one->focusPolicy() & Qt::TabFocus) &&
                    !one->focusProxy())
                    kinds[one->metaObject()->className()].emplace_back(one);
            for (const auto& kind : kinds)
                for (const QPointer<QWidget>& field : {kind.second.front(), kind.second.back()}) {
                    if (!field || !field->isVisible() || !field->isEnabled()) continue;
                    field->setFocus();
                    if (!field->hasFocus()) continue;
                    auto* line = qobject_cast<QLineEdit*>(field);
                    if (qobject_cast<QAbstractSpinBox*>(field)) line = field->findChild<QLineEdit*>();
                    QString text;
                    int caret = 0;
                    if (line) {
                        line->setCursorPosition(0);
                        QTest::keyClicks(field, "12");
                        text = line->text();
                        line->setCursorPosition(1);
                        caret = line->cursorPosition();  // not within a prefix
                    }
                    const QString which = name + ": " + QString::fromStdString(kind.first) + ' ' +
                                          field->accessibleName() + ' ' + field->objectName();
                    change();
                    QVERIFY2(field && field->hasFocus(), qPrintable(which));
                    if (!line) continue;
                    QVERIFY2(line->text() == text, qPrintable(which + ": " + line->text()));
                    QVERIFY2(line->cursorPosition() == caret, qPrintable(which));
                }
        }
    }

    void aTextIsTypedOnWhileTheWorkerRestarts() {
        window_ = firstWindow({1280, 800});
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QVERIFY(window_->setPage("xpcs"));
        QPointer<QWidget> field = window_->parameters().field("leave_out");
        QTest::qWait(300);  // the page takes the focus once it is shown
        QTest::mouseClick(field, Qt::LeftButton);
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, "3,10");
        QSignalSpy restarted(&window_->desk(), &Desk::catalogueChanged);
        window_->setThreads(1);
        const auto again = qScopeGuard([] { ks::limit_threads({}); });
        QCOMPARE(QApplication::focusWidget(), field.data());
        QTest::keyClicks(QApplication::focusWidget(), "-1");
        QTRY_VERIFY_WITH_TIMEOUT(restarted.count() > 0, 60000);
        QCOMPARE(QApplication::focusWidget(), field.data());
        QTest::keyClicks(QApplication::focusWidget(), "2");
        QCOMPARE(qobject_cast<QLineEdit*>(field.data())->text(), QString("3,10-12"));
        QCOMPARE(ks::text(window_->parameters().values(), "leave_out"), std::string("3,10-12"));
    }

    void aModuleThatWasRecordedIsShownAgainWithoutARun() {
        showRun("clusters");
        if (QTest::currentTestFailed()) return;
        auto& page = dynamic_cast<clusters::ClustersPage&>(*window_->page());
        page.show(clusters::ClustersPage::Part::steps);
        auto& panel = *page.findChild<clusters::StepPanel*>();
        const auto record = [&] {
            QTest::mouseClick(&panel.record(), Qt::LeftButton);
            QTest::qWait(300);  // the run of the other algorithm may follow
            return idle() && panel.trace() != nullptr;
        };
        QVERIFY(record());
        const int runs = window_->runs().rowCount();
        QVERIFY(runs > 1);
        const auto first = panel.trace();
        window_->runs().tickOnly({1});
        QTRY_VERIFY(!panel.trace());
        QVERIFY(record());
        QCOMPARE(window_->runs().rowCount(), runs);
        QCOMPARE(panel.trace()->slot(), first->slot());
        QVERIFY2(window_->statusBar()->currentMessage().contains("has the same inputs"),
                 qPrintable(window_->statusBar()->currentMessage()));
        // Another cut is another input.
        page.apply({{"charge_cut", std::string("100")}});
        QVERIFY(idle());
        QVERIFY(record());
        QVERIFY(window_->runs().rowCount() > runs);
    }

    void stepsBesideAPreviewAreThoseOfTheRecordedRun() {
        showRun("clusters");
        if (QTest::currentTestFailed()) return;
        auto& page = dynamic_cast<clusters::ClustersPage&>(*window_->page());
        page.show(clusters::ClustersPage::Part::steps);
        auto& panel = *page.findChild<clusters::StepPanel*>();
        QTest::mouseClick(&panel.record(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(panel.trace() && panel.trace()->hasParents(), 60000);
        QVERIFY(idle());
        const int number = window_->runs().rows().front().number;
        const auto& trees = *page.findChild<clusters::ModuleMap*>("trees");
        const auto figure = [&](const QString& title) {
            for (const NamedPlot& one : page.plots())
                if (one.title == title) return window_->runFiles().figureFile(one).text;
            return FigureText();
        };
        const char* const ofSteps[] = {"Union-find trees", "Digis by column"};
        for (const char* title : ofSteps) QCOMPARE(figure(title).runs, QStringList(QString::number(number)));
        QCOMPARE(trees.note() + panel.columns().note(), QString());
        const QImage plain = ks::ui::drawnFigure(trees, {}), plainColumns = drawnFigure(panel.columns(), {});

        QWidget* const field = window_->parameters().field("connectivity");
        QVERIFY(field);
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Down);
        QTRY_VERIFY_WITH_TIMEOUT(said().contains("preview", Qt::CaseInsensitive), 60000);
        QVERIFY(idle());
        QCOMPARE(trees.note(), QString("outdated (Connectivity)"));
        QCOMPARE(panel.columns().note(), QString("outdated (Connectivity)"));
        QVERIFY(drawnFigure(trees, {}) != plain && drawnFigure(panel.columns(), {}) != plainColumns);
        QVERIFY(trees.csv().find(",note\n") != std::string::npos);
        for (const char* title : ofSteps) {
            const FigureText text = figure(title);
            QCOMPARE(text.runs, QStringList(QString("%1 (outdated)").arg(number)));
            QCOMPARE(text.variants.size(), 1);
            QVERIFY(!text.devices.isEmpty());
        }
        QCOMPARE(figure("Modules of the detector").runs, QStringList("none (live preview)"));
        // The histogram has the preview and both runs.
        QVERIFY2(figure("Histogram of clusters").runs.contains("live preview"),
                 qPrintable(figure("Histogram of clusters").runs.join(' ')));

        QTest::keyClick(field, Qt::Key_Up);
        QTRY_COMPARE(trees.note(), QString());
        QVERIFY(idle());
        QCOMPARE(figure("Union-find trees").runs, QStringList(QString::number(number)));
    }

    void treesThatWereNotRecordedAreNotExported() {
        showRun("clusters");
        if (QTest::currentTestFailed()) return;
        auto* const menu = window_->menuBar()->findChild<QMenu*>("exportPlot");
        QVERIFY(menu);
        emit menu->aboutToShow();
        int greyed = 0;
        for (const QAction* one : menu->actions()) {
            if (!one->text().startsWith("Union-find trees")) {
                QVERIFY2(one->isEnabled() || one->text().startsWith("Digis by column"),
                         qPrintable(one->text()));
                continue;
            }
            QVERIFY(!one->isEnabled());
            QCOMPARE(one->toolTip(), QString("Record this module to see its union-find trees"));
            ++greyed;
        }
        QCOMPARE(greyed, 1);
    }

    void textThatIsBeingTypedIsNotJudgedAndAnErrorGoesWithTheNextPreview() {
        showRun("xpcs");
        if (QTest::currentTestFailed()) return;
        QWidget* const field = window_->parameters().field("leave_out");
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QSignalSpy ready(&window_->live(), &LivePreview::ready);
        for (const char key : std::string("43-46")) {
            QTest::keyClick(field, key);
            QTest::qWait(250);
            QVERIFY2(!window_->errorBar().isError(), qPrintable(window_->errorBar().sentence()));
        }
        QTRY_VERIFY_WITH_TIMEOUT(ready.count() > 0, 30000);
        QTest::qWait(1500);
        QVERIFY(!window_->errorBar().isError());
        QTest::keyClick(field, Qt::Key_Backspace);
        QTRY_COMPARE_WITH_TIMEOUT(window_->errorBar().sentence(),
                                  QString("Leave out: the range 43-4 ends before it starts: write 4-43"),
                                  30000);
        QVERIFY(window_->errorBar().isError());
        QTest::keyClick(field, Qt::Key_7);
        QTRY_VERIFY_WITH_TIMEOUT(!window_->errorBar().isError(), 30000);
        QCOMPARE(ks::text(window_->parameters().values(), "leave_out"), std::string("43-47"));
    }

    void theMarkSpeaksOfAPreviewOnlyWhileOneIsShown() {
        showRun("xpcs");
        if (QTest::currentTestFailed()) return;
        const auto mark = [this] { return window_->page()->drawer().mark(); };
        const QString run = "Run 1 is outdated (Leave out)",
                      preview = run + "; a preview with the current inputs is shown";
        window_->parameters().setValue("leave_out", std::string("3-5"));
        QTRY_COMPARE_WITH_TIMEOUT(mark(), preview, 30000);
        window_->parameters().setValue("leave_out", std::string("3-"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->errorBar().isError(), 30000);
        QVERIFY(!window_->pageRuns().showsPreview());
        QCOMPARE(mark(), run);
        window_->parameters().setValue("leave_out", std::string("3-6"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->pageRuns().showsPreview(), 30000);
        QCOMPARE(mark(), preview);
    }

    void aPreviewOfAWrongKernelIsMarkedInItsFigures_data() {
        QTest::addColumn<QString>("analysis");
        // That of XPCS is computed by the window itself.
        for (const char* analysis : {"spots", "clusters", "particles"}) QTest::newRow(analysis) << analysis;
    }
    void aPreviewOfAWrongKernelIsMarkedInItsFigures() {
        QFETCH(QString, analysis);
        showRun(analysis);
        if (QTest::currentTestFailed()) return;
        const QString id = fields(analysis).front();
        const ks::ParameterValue before = window_->parameters().values().at(id.toStdString());
        const auto previewed = [&] {
            window_->parameters().setValue(id, another(spec(analysis, id), before));
            if (!QTest::qWaitFor([&] { return window_->pageRuns().showsPreview(); }, 30000) || !idle())
                return QImage();
            QTest::qWait(100);
            const auto all = window_->exportable();
            const auto found = std::ranges::find_if(all, [&](const NamedPlot& one) {
                return analysis == "particles"
                           ? one.title == "Maps of the three planes"
                           : one.title.startsWith(analysis == "spots" ? "Spots per frame" : "Histogram");
            });
            return found == all.end() ? QImage() : drawnFigure(*found->plot, {});
        };
        const QImage plain = previewed();
        QVERIFY(!plain.isNull());
        window_->parameters().setValue(id, before);
        QVERIFY(idle());
        QCOMPARE(previewed(), plain);
        window_->parameters().setValue(id, before);
        QVERIFY(idle());
        ks::Verdict wrong;
        wrong.state = ks::Verdict::State::fail;
        wrong.text = "fail: element 3 is 2, expected 1";
        window_->runs().setVerdict(1, wrong);
        QVERIFY(idle());
        const QImage marked = previewed();
        QVERIFY(!marked.isNull());
        QVERIFY(marked != plain);
        QVERIFY(window_->pageRuns().showsPreview());
    }

    void withoutLiveEachFieldMarksTheRun_data() { pages_data(); }
    void withoutLiveEachFieldMarksTheRun() {
        QFETCH(QString, analysis);
        showRun(analysis);
        if (QTest::currentTestFailed()) return;
        window_->action("live")->trigger();
        QVERIFY(!window_->action("live")->isChecked());
        QVERIFY(idle());
        const QStringList ids = fields(analysis);
        QVERIFY(!ids.isEmpty());
        for (const QString& id : ids) {
            const ks::ParameterSpec& one = spec(analysis, id);
            const ks::ParameterValue before = window_->parameters().values().at(one.id);
            window_->parameters().setValue(id, another(one, before));
            QVERIFY2(said().contains("computed with other settings (" + label(one) + ")"),
                     qPrintable(id + ": " + said()));
            QCOMPARE(window_->page()->drawer().mark(), "Run 1 is outdated (" + label(one) + ")");
            window_->parameters().setValue(id, before);
            QVERIFY2(!said().contains("other settings"), qPrintable(id + ": " + said()));
        }
    }

    void everyPlotMarksItsRun_data() {
        pages_data();
        QTest::newRow("no file") << QString("expression");
    }
    void everyPlotMarksItsRun() {
        QFETCH(QString, analysis);
        if (analysis == "expression") {
            window_ = firstWindow();
            QVERIFY(window_->setPage(analysis));
            QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
            window_->startRun();
            QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 1, 120000);
            QVERIFY(idle());
        } else {
            showRun(analysis);
        }
        if (QTest::currentTestFailed()) return;
        window_->action("live")->trigger();
        Drawer& drawer = window_->page()->drawer();
        // Plots in the drawer that are not on the screen may be empty until they are.
        const auto drawn = [&] {
            std::map<QString, QImage> figures;
            for (const NamedPlot& one : window_->exportable()) {
                const bool ofRuns = !window_->runFiles().figureFile(one).text.runs.isEmpty();
                if (one.measured || !ofRuns || !one.plot->whyEmpty().isEmpty()) continue;
                if (auto* widget = dynamic_cast<QWidget*>(const_cast<ExportablePlot*>(one.plot)))
                    for (QWidget* part = widget; part && part != &drawer; part = part->parentWidget())
                        if (drawer.isAncestorOf(part)) drawer.raise(part);
                if (!idle()) return std::map<QString, QImage>();
                if (one.plot->csv().find('\n') + 1 < one.plot->csv().size())
                    figures[one.title] = drawnFigure(*one.plot, {});
            }
            return figures;
        };
        const auto plain = drawn();
        QVERIFY(!plain.empty());
        const auto allDiffer = [&](const char* when) {
            const auto now = drawn();
            QStringList same;
            for (const auto& one : plain)
                if (!now.contains(one.first) || now.at(one.first) == one.second) same << one.first;
            // The times of a run are the same whatever the next one is asked for.
            if (QString(when) == "outdated") same.removeAll("Stages of the ticked runs");
            // By default, its modules are coloured by the digis of the file.
            same.removeAll("Modules of the detector");
            if (!same.isEmpty()) qWarning() << when << same;
            return same.isEmpty();
        };
        const QString id = analysis == "expression" ? QString("map_expression") : fields(analysis).front();
        const ks::ParameterValue before = window_->parameters().values().at(id.toStdString());
        window_->parameters().setValue(id, analysis == "expression" ? ks::ParameterValue(std::string("x[i]"))
                                                                    : another(spec(analysis, id), before));
        QVERIFY(idle());
        QVERIFY(allDiffer("outdated"));
        window_->parameters().setValue(id, before);
        QVERIFY(idle());
        for (const auto& one : drawn()) QVERIFY2(one.second == plain.at(one.first), qPrintable(one.first));
        ks::Verdict wrong;
        wrong.state = ks::Verdict::State::fail;
        wrong.text = "fail: element 3 is 2, expected 1";
        window_->runs().setVerdict(1, wrong);
        QVERIFY(idle());
        QVERIFY(allDiffer("wrong"));
    }

    void aHistogramOfSeveralRunsNamesTheOutdatedOne() {
        showRun("clusters");
        if (QTest::currentTestFailed()) return;
        window_->action("live")->trigger();
        window_->parameters().setValue(
            "connectivity",
            another(spec("clusters", "connectivity"), window_->parameters().values().at("connectivity")));
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 2, 120000);
        window_->runs().tickOnly({1, 2});
        QVERIFY(idle());
        const auto& histogram = window_->page()->findChild<clusters::ClusterPlots*>()->histogram();
        QTRY_COMPARE(histogram.note(), QString("run 1: outdated (Connectivity)"));
        const ks::ParameterValue now = window_->parameters().values().at("connectivity");
        window_->parameters().setValue("connectivity", another(spec("clusters", "connectivity"), now));
        QTRY_COMPARE(histogram.note(), QString("run 2: outdated (Connectivity)"));
        QVERIFY(ks::tests::hasBadge(histogram));
        window_->parameters().setValue("connectivity", now);
        QTRY_COMPARE(histogram.note(), QString("run 1: outdated (Connectivity)"));
    }

    void withoutLiveOtherInputsMarkTheRun_data() {
        QTest::addColumn<QString>("analysis");
        for (const char* one : {"xpcs", "spots"}) QTest::newRow(one) << QString(one);
    }
    void withoutLiveOtherInputsMarkTheRun() {
        QFETCH(QString, analysis);
        showRun(analysis);
        if (QTest::currentTestFailed()) return;
        window_->action("live")->trigger();
        QVERIFY(idle());
        const auto mark = [this] { return window_->page()->drawer().mark(); };
        QCOMPARE(mark(), QString());
        ImagePanel& panel = *window_->page()->findChild<ImagePanel*>();
        panel.editor().apply(
            ks::rectangle_region(panel.editor().height(), panel.editor().width(), {3, 4}, {20, 9}), true,
            "Box");
        QTRY_VERIFY2(mark().contains("Mask"), qPrintable(mark()));
        QVERIFY2(said().contains("Mask"), qPrintable(said()));
        window_->action("undo")->trigger();
        QTRY_COMPARE(mark(), QString());
        if (auto* page = dynamic_cast<xpcs::XpcsPage*>(window_->page())) {
            page->bins().setData(page->bins().index(0, BinTableModel::OnColumn), Qt::Unchecked,
                                 Qt::CheckStateRole);
            QTRY_VERIFY2(mark().contains("Run 1"), qPrintable(mark()));
        }
        ks::Geometry where = panel.geometry();
        where.beam_x += 2;
        panel.geometryForm().session().setGeometry(where, true);
        QTRY_VERIFY2(mark().contains("Run 1"), qPrintable(mark()));
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(window_->runs().rowCount(), 2, 120000);
        QVERIFY(idle());
        QTRY_COMPARE(mark(), QString());
    }

    void withoutLiveThePagesOwnFieldsMarkTheRun_data() {
        QTest::addColumn<QString>("analysis");
        for (const char* one : {"spots", "clusters", "particles"}) QTest::newRow(one) << QString(one);
    }
    void withoutLiveThePagesOwnFieldsMarkTheRun() {
        QFETCH(QString, analysis);
        showRun(analysis);
        if (QTest::currentTestFailed()) return;
        window_->action("live")->trigger();
        const ks::ParameterSet then = window_->runs().rows().front().run->request.parameters;
        int marked = 0;
        for (const QString& id : window_->analysisPage()->ownParameters().ids) {
            const ks::ParameterSpec& one = spec(analysis, id);
            const ks::ParameterSet other{{one.id, another(one, then.at(one.id))}};
            // A layout is read anew, a geometry has a form of its own, a cube has no maps.
            if (id == "layout" || id == "record" || id == "file_mask" || id == "grid") continue;
            if (id == "file_geometry" || id == "swap_xy" || id == "wavelength" || id == "distance" ||
                id.startsWith("beam_") || id.startsWith("pixel_"))
                continue;
            ks::Request request;
            request.analysis = analysis.toStdString();
            request.parameters = then;
            request.parameters[one.id] = other.at(one.id);
            const auto idle = registry_.analysis(request.analysis).idle(request);
            if (std::ranges::any_of(idle, [&](const auto& each) { return each.id == one.id; })) continue;
            window_->analysisPage()->apply(other);
            QVERIFY2(said().contains(label(one)), qPrintable(id + ": " + said()));
            window_->analysisPage()->apply({{one.id, then.at(one.id)}});
            QVERIFY2(!said().contains("other settings"), qPrintable(id + ": " + said()));
            ++marked;
        }
        QVERIFY(marked > 0);
    }

    void withLiveEachFieldAsksForAPreview_data() { pages_data(); }
    void withLiveEachFieldAsksForAPreview() {
        QFETCH(QString, analysis);
        showRun(analysis);
        if (QTest::currentTestFailed()) return;
        // A preview of spots is of one frame and is not saved: of these fields it would show nothing.
        const QStringList ofRuns{"first_frame", "last_frame", "leave_out", "save_signal", "all_spots"};
        for (const QString& id : fields(analysis)) {
            const ks::ParameterSpec& one = spec(analysis, id);
            const ks::ParameterValue before = window_->parameters().values().at(one.id);
            if (ofRuns.contains(id)) window_->analysisPage()->setPreview(nullptr);
            QSignalSpy wanted(window_->analysisPage(), &AnalysisPage::previewWanted);
            window_->parameters().setValue(id, another(one, before));
            if (analysis == "spots" && ofRuns.contains(id)) {
                QCOMPARE(wanted.count(), 0);
                QVERIFY2(said().contains(label(one)), qPrintable(id + ": " + said()));
            } else {
                QCOMPARE(wanted.count(), 1);
                QVERIFY2(window_->queue().previewing(), qPrintable(id));
            }
            window_->parameters().setValue(id, before);
            QVERIFY(idle());
        }
    }

    void theCsvOfARunIsNamedAfterItsResults_data() {
        QTest::addColumn<QString>("analysis");
        QTest::addColumn<QString>("leaf");
        QTest::newRow("xpcs") << QString("xpcs") << QString("g2");
        QTest::newRow("spots") << QString("spots") << QString("spots");
        QTest::newRow("clusters") << QString("clusters") << QString("clusters");
        QTest::newRow("particles") << QString("particles") << QString("planes");
        QTest::newRow("reduce") << QString("reduce") << QString("reduce");
    }
    void theCsvOfARunIsNamedAfterItsResults() {
        QFETCH(const QString, analysis);
        QFETCH(const QString, leaf);
        window_ = firstWindow();
        QVERIFY(window_->setPage(analysis));
        QCOMPARE(window_->resultName(), leaf);
    }

    void aFirstPreviewThatTakesLongIsComputedNotOutdated() {
        window_ = firstWindow();
        QVERIFY(window_->setPage("spots"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QVERIFY(idle());
        const auto mark = [this] { return window_->page()->drawer().mark(); };
        const auto worker = static_cast<pid_t>(window_->worker().processId());
        QCOMPARE(kill(worker, SIGSTOP), 0);
        const auto goesOn = qScopeGuard([worker] { kill(worker, SIGCONT); });
        window_->open(path("spots"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->file() && window_->missing().isEmpty(), 30000);
        window_->parameters().setValue("min_size", std::int64_t{4});
        QTRY_COMPARE_WITH_TIMEOUT(mark(), QString("Computing a preview"), 10000);
        // Once something is shown, it is outdated while a preview is computed.
        kill(worker, SIGCONT);
        QTRY_COMPARE_WITH_TIMEOUT(mark(), QString(), 60000);
        QVERIFY(idle());
        kill(worker, SIGSTOP);
        window_->parameters().setValue("min_size", std::int64_t{5});
        QTRY_COMPARE_WITH_TIMEOUT(mark(), QString("Outdated: computing a preview with the current inputs"),
                                  10000);
    }

    void aPreviewIsShownAgainWhenItsPageComesBack() {
        showRun("xpcs");
        if (QTest::currentTestFailed()) return;
        auto& page = dynamic_cast<xpcs::XpcsPage&>(*window_->page());
        window_->parameters().setValue("max_delay", std::int64_t{9});
        QTRY_COMPARE_WITH_TIMEOUT(page.curves().series().front().x.size(), qsizetype{9}, 30000);
        QVERIFY(window_->setPage("matmul"));
        QVERIFY(window_->setPage("xpcs"));
        QTRY_COMPARE_WITH_TIMEOUT(page.curves().series().front().x.size(), qsizetype{9}, 30000);
        QVERIFY2(page.curves().note().contains("preview"), qPrintable(page.curves().note()));
    }

    void aPreviewFollowsTheLargestDelay() {
        showRun("xpcs");
        if (QTest::currentTestFailed()) return;
        auto& page = dynamic_cast<xpcs::XpcsPage&>(*window_->page());
        const qsizetype all = page.curves().series().front().x.size();
        window_->parameters().setValue("max_delay", std::int64_t{9});
        QTRY_COMPARE_WITH_TIMEOUT(page.curves().series().front().x.size(), qsizetype{9}, 30000);
        QVERIFY2(page.curves().note().contains("preview"), qPrintable(page.curves().note()));
        QVERIFY(all > 9);
        // Where no preview is possible, the one before is no longer there, and the run says what it is of.
        window_->worker().restart();
        window_->parameters().setValue("max_delay", std::int64_t{8});
        QTRY_COMPARE_WITH_TIMEOUT(page.curves().series().front().x.size(), all, 30000);
        QVERIFY2(page.curves().note().contains("Maximum delay"), qPrintable(page.curves().note()));
    }
};

QTEST_MAIN(FormLiveTest)
#include "tst_form_live.moc"
