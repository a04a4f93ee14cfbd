#include <QSignalSpy>
#include <QtTest>
#include <memory>
#include <vector>

#include "ui/runs/live_preview.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/worker_client.h"

using namespace ks::ui;

/// Previews whose work can be reduced to any share, up to a most, with a worker that never answers: the test
/// does.
class ReducedPreviewsTest : public QObject {
    Q_OBJECT
    std::unique_ptr<WorkerClient> worker_;
    std::unique_ptr<RunTableModel> runs_;
    std::unique_ptr<RunQueue> queue_;
    std::unique_ptr<LivePreview> live_;
    std::vector<double> shares_;  ///< of the requests that were made, in their order
    bool reducible_ = true;       ///< else all of it is needed, whatever the share
    bool hasMost_ = false;        ///< the whole is more than is previewed

    void answer() { emit queue_->previewReady(std::make_shared<const ks::Run>()); }
    /// Answers at once until the whole meets the goal.
    void learnThatAllIsFast() {
        live_->changed();
        while (live_->share() > 0) answer();
        for (int k = 0; k < 10; ++k) {
            live_->changed();
            while (live_->share() > 0) answer();
        }
        shares_.clear();
        live_->changed();
        QCOMPARE(shares_, (std::vector<double>{1}));
        answer();
        shares_.clear();
    }

  private slots:
    void init() {
        worker_ = std::make_unique<WorkerClient>();  // is not started: jobs wait for it
        runs_ = std::make_unique<RunTableModel>();
        queue_ = std::make_unique<RunQueue>(*worker_, *runs_);
        shares_.clear();
        reducible_ = true;
        hasMost_ = false;
        live_ = std::make_unique<LivePreview>(
            *queue_,
            [this](double share) -> std::optional<LivePreview::Wanted> {
                shares_.push_back(share);
                const bool all = share >= 1 || !reducible_;
                return LivePreview::Wanted{{}, all && !hasMost_, all && hasMost_};
            },
            [] { return nullptr; });
    }
    void cleanup() {
        live_.reset();
        queue_.reset();
        runs_.reset();
        worker_.reset();
    }

    void workThatLastsTooLongIsReduced() {
        learnThatAllIsFast();
        live_->changed();  // to inputs that last much longer
        QCOMPARE(live_->share(), 1.0);
        live_->changed();
        QTRY_VERIFY_WITH_TIMEOUT(live_->share() < 1, 20 * LivePreview::patience);
        QVERIFY2(live_->share() <= 1.0 / 16, qPrintable(QString::number(live_->share())));
        // The reduced one is not given up in turn while it is as fast as it should be.
        shares_.clear();
        QSignalSpy ready(live_.get(), &LivePreview::ready);
        answer();
        QCOMPARE(ready.count(), 1);
        QVERIFY(!ready[0][1].toBool());
        QCOMPARE(live_->share(), 1.0);  // the whole, which a change gives up at once
        live_->changed();
        QVERIFY(live_->share() < 1);
    }

    void workThatCannotBeReducedIsWaitedFor() {
        learnThatAllIsFast();
        reducible_ = false;
        live_->changed();
        live_->changed();
        QTest::qWait(3 * LivePreview::patience);
        QCOMPARE(live_->share(), 1.0);
        QSignalSpy ready(live_.get(), &LivePreview::ready);
        answer();
        QCOMPARE(ready.count(), 1);
        QVERIFY(live_->share() > 0);  // the newer change
    }

    void noMoreThanTheMostIsAskedFor() {
        hasMost_ = true;
        QSignalSpy ready(live_.get(), &LivePreview::ready);
        live_->changed();
        QVERIFY(live_->share() < 1);
        answer();
        QCOMPARE(live_->share(), 1.0);
        answer();
        QCOMPARE(live_->share(), 0.0);
        QCOMPARE(ready.count(), 2);
        QVERIFY(!ready[1][1].toBool());  // something is left out
        QVERIFY(!live_->behind());
    }
};

QTEST_MAIN(ReducedPreviewsTest)
#include "tst_reduced_previews.moc"
