// q that only the file of the bins gives stays with the bins of runs, whichever of them are switched on.

#include <QtTest>
#include <cmath>

#include "core/io/labels/label_file.h"
#include "tests/ui/shell/session_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/plots/curve_plot.h"

using namespace ks::ui;
using ks::ui::xpcs::BinTableModel;
using ks::ui::xpcs::XpcsPage;

class QOfBinsTest : public ks::tests::WindowFixture {
    Q_OBJECT

    static constexpr std::size_t bins = 4;
    XpcsPage& page() { return ks::tests::xpcs_page(*window_); }
    static double qOf(int label) { return 0.001 * label * label; }
    void switchOff(int label) {
        page().bins().setData(page().bins().index(label - 1, BinTableModel::OnColumn), Qt::Unchecked,
                              Qt::CheckStateRole);
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty(), 30000);
    }
    std::vector<double> ran() {
        ks::tests::run_in(*window_);
        return window_->runs().rows().front().run->result.at("q").values.to_doubles();
    }

  private slots:
    void initTestCase() {
        ks::tests::generate_xpcs(path("a.h5"), 20, 61, 71);
        std::vector<std::int32_t> labels(61 * 71);
        for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i % (bins + 1));
        ks::io::LabelFile file{ks::QPartition(61, 71, labels, bins)};
        for (int label = 1; label <= static_cast<int>(bins); ++label) {
            file.q.push_back(qOf(label));
            file.phi.push_back(30.0 * label);
        }
        ks::io::write_labels(path("bins.h5").toStdString(), file, true);
    }
    void init() {
        window_ = firstWindow({1280, 800});
        ks::tests::open_data(*window_, path("a.h5"));
        page().importLabels(path("bins.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(page().bins().rowCount(), static_cast<int>(bins), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(page().missing().isEmpty(), 30000);
    }
    void cleanup() { window_.reset(); }

    void allBinsHaveTheirs() {
        const std::vector<double> q = ran();
        QCOMPARE(q.size(), bins);
        for (std::size_t bin = 0; bin < bins; ++bin) QCOMPARE(q[bin], qOf(static_cast<int>(bin) + 1));
    }

    void theRemainingBinsKeepTheirs() {
        switchOff(2);
        switchOff(4);  // the highest label is another one now
        const std::vector<double> q = ran();
        QCOMPARE(q.size(), std::size_t{3});
        QCOMPARE(q[0], qOf(1));
        QCOMPARE(q[2], qOf(3));
        QCOMPARE(window_->runs().rows().front().run->result.at("phi").values.to_doubles()[2], 90.0);
        for (const CurveSeries& one : page().curves().series())
            QVERIFY2(one.labelInFull.contains("1/"), qPrintable(one.label));
        // The run is that of the page, and a map of one of its bins can be computed.
        QVERIFY2(page().curves().note().isEmpty(), qPrintable(page().curves().note()));
        page().pickBin(3);
        QTRY_VERIFY2_WITH_TIMEOUT(page().noMapText().isEmpty() && !window_->queue().busy(),
                                  qPrintable(page().noMapText()), 60000);
    }
};

QTEST_MAIN(QOfBinsTest)
#include "tst_q_of_bins.moc"
