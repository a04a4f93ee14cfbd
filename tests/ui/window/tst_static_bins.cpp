#include <QSignalSpy>
#include <QtTest>

#include "core/base/progress.h"
#include "core/data/partition/partition_builder.h"
#include "tests/core/xpcs/oracle.h"
#include "tests/ui/shell/xpcs_window.h"
#include "ui/base/parameter_form.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/run_table_model.h"
#include "ui/xpcs/xpcs_page.h"

using ks::ui::MainWindow;
using ks::ui::xpcs::PartitionChoice;
using ks::ui::xpcs::XpcsPage;

/// Static bins on their way from the form or a file to the result of the worker.
class StaticBinsTest : public ks::tests::WindowFixture {
    Q_OBJECT

    /// g2 of the estimator two-level by the file of the bins, as the command line computes it.
    std::vector<double> expected(const QString& bins) const {
        ks::Progress progress;
        ks::Request request;
        request.analysis = "xpcs";
        request.inputs["frames"].name = path("data.h5").toStdString();
        request.inputs["partition"].name = bins.toStdString();
        const ks::Analysis analysis = ks::xpcs::make_analyses().front();
        request.parameters =
            ks::checked(analysis.info().parameters, {{"estimator", std::string("two-level")}});
        const auto problem = ks::xpcs::load_problem(request, progress);
        return run_host(host_variant("host.pairs"), *problem).at("g2").values.to_doubles();
    }
    std::shared_ptr<const ks::Run> ran() {
        QSignalSpy added(&window_->queue(), &ks::ui::RunQueue::runAdded);
        window_->startRun();
        if (!QTest::qWaitFor([&] { return added.count() == 1; }, 60000)) return nullptr;
        return window_->runs().rows().front().run;
    }
    static bool isSame(const std::vector<double>& a, const std::vector<double>& b) {
        return std::ranges::equal(a, b, [](double one, double other) {
            return std::abs(one - other) <= 1e-12 || (std::isnan(one) && std::isnan(other));
        });
    }

  private slots:
    void theEstimatorTwoLevelTakesThoseOfTheForm_data() {
        QTest::addColumn<int>("sectors");
        QTest::newRow("plain rings") << 1;
        QTest::newRow("rings and sectors") << 2;
    }
    void theEstimatorTwoLevelTakesThoseOfTheForm() {
        QFETCH(int, sectors);
        ks::tests::generate_xpcs(path("data.h5"), 30, 60, 60, true);
        window_ = firstWindow({1280, 800});
        ks::tests::open_data(*window_, path("data.h5"));
        auto& page = dynamic_cast<XpcsPage&>(*window_->page());
        PartitionChoice rings;
        rings.recipe.geometry = page.imagePanel().geometry();
        rings.recipe.radial = ks::linear_levels(2, 26, 3);
        rings.recipe.sectors = static_cast<std::size_t>(sectors);
        rings.recipe.static_per_radial = 3;
        rings.recipe.static_per_sector = 6;
        page.partitionForm().setChoice(rings);
        QTRY_VERIFY_WITH_TIMEOUT(page.missing().isEmpty() && page.bins().rowCount() == 3 * sectors, 30000);
        QVERIFY(ks::ui::xpcs::plainRings(page.partitionForm().choice().recipe).has_value() == (sectors == 1));

        const auto usual = ran();
        QVERIFY(usual && !usual->request.inputs.contains("static_bins"));
        window_->parameters().setValue("estimator", std::string("two-level"));
        const auto run = ran();
        QVERIFY(run);
        QCOMPARE(run->result.at("g2").values.shape()[0], static_cast<std::size_t>(3 * sectors));

        QVERIFY(page.inputState().uses(*run, "static_bins"));

        const QString bins = path("bins.h5");
        QSignalSpy exported(&page, &XpcsPage::labelsExported);
        page.exportLabels(bins, true);
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, 30000);
        const std::vector<double> g2 = expected(bins);
        QVERIFY(isSame(run->result.at("g2").values.to_doubles(), g2));
        QVERIFY(!isSame(usual->result.at("g2").values.to_doubles(), g2));

        // Other static bins make other inputs.
        rings.recipe.static_per_sector = 2;
        page.partitionForm().setChoice(rings);
        QTRY_COMPARE_WITH_TIMEOUT(window_->page()->missing(), QString(), 30000);
        QTRY_VERIFY(!page.inputState().uses(*run, "static_bins"));
        QVERIFY(page.inputState().uses(*usual, "static_bins"));

        // From the file.
        page.importLabels(bins);
        QTRY_VERIFY_WITH_TIMEOUT(
            page.missing().isEmpty() && page.partitionForm().choice().source == PartitionChoice::Labels,
            30000);
        const auto ofFile = ran();
        QVERIFY(ofFile);
        QVERIFY(isSame(ofFile->result.at("g2").values.to_doubles(), g2));
        page.bins().setOff({2});
        const auto less = ran();
        QVERIFY(less);
        const std::vector<double> some = less->result.at("g2").values.to_doubles();
        QVERIFY(isSame({some.begin(), some.begin() + 30}, {g2.begin(), g2.begin() + 30}));
        QVERIFY(std::isnan(some[30 + 1]));
        window_.reset();
    }

    void onlyWhatWasChangedIsSaidToBeOutdated() {
        // Of a file without a geometry; rings are around the middle of its image, labels are around nothing.
        ks::tests::generate_xpcs(path("plain.h5"), 30, 40, 40);
        window_ = firstWindow({1280, 800});
        ks::tests::open_data(*window_, path("plain.h5"));
        auto& page = dynamic_cast<XpcsPage&>(*window_->page());
        PartitionChoice rings;
        rings.recipe.geometry = page.imagePanel().geometry();
        rings.recipe.radial = ks::linear_levels(2, 18, 3);
        const auto choose = [&](const PartitionChoice& choice) {
            page.partitionForm().setChoice(choice);
            return QTest::qWaitFor(
                [&] {
                    return page.missing().isEmpty() && page.bins().rowCount() > 0 &&
                           window_->jobs().running() == 0;
                },
                30000);
        };
        const auto mark = [this] { return window_->page()->drawer().mark(); };
        PartitionChoice labels = page.partitionForm().choice();
        if (labels.source != PartitionChoice::Labels) {
            QVERIFY(choose(rings));
            const QString file = path("labels.h5");
            QSignalSpy exported(&page, &XpcsPage::labelsExported);
            page.exportLabels(file, true);
            QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, 30000);
            page.importLabels(file);
            QTRY_VERIFY_WITH_TIMEOUT(
                page.missing().isEmpty() && page.partitionForm().choice().source == PartitionChoice::Labels,
                30000);
            labels = page.partitionForm().choice();
        }
        const auto first = ran();
        QVERIFY(first && ks::is_absent(first->request.parameters.at("beam_x")));
        QTRY_COMPARE_WITH_TIMEOUT(mark(), QString(), 10000);
        QVERIFY(choose(rings));
        QTRY_COMPARE_WITH_TIMEOUT(mark(), QString("Run 1 is outdated (Bins)"), 10000);
        const auto second = ran();
        QVERIFY(second && !ks::is_absent(second->request.parameters.at("beam_x")));
        QVERIFY(choose(labels));
        QTRY_COMPARE_WITH_TIMEOUT(mark(), QString("Run 2 is outdated (Bins)"), 10000);
        // A centre that is moved is one.
        QVERIFY(choose(rings));
        QTRY_COMPARE_WITH_TIMEOUT(mark(), QString(), 10000);
        ks::Geometry moved = page.imagePanel().geometry();
        moved.beam_x += 1;
        rings.recipe.geometry = moved;
        page.imagePanel().geometryForm().session().setGeometry(moved, true);
        QTRY_VERIFY_WITH_TIMEOUT(mark().contains("Beam x"), 10000);
        window_.reset();
    }
};

QTEST_MAIN(StaticBinsTest)
#include "tst_static_bins.moc"
