#include <QComboBox>
#include <QSignalSpy>
#include <QtTest>

#include "core/xpcs/analysis.h"
#include "tests/ui/child.h"
#include "tests/ui/shell/xpcs_window.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/run_table_model.h"
#include "ui/shell/run_files.h"
#include "ui/xpcs/xpcs_page.h"

/// What Ctrl+S writes besides what the worker has computed.
class SavedFitTest : public ks::tests::WindowFixture {
    Q_OBJECT

    nlohmann::json saved(const QString& file) {
        QSignalSpy written(&window_->runFiles(), &ks::ui::RunFiles::saved);
        window_->saveRun(path(file));
        if (!QTest::qWaitFor([&] { return written.count() == 1; }, 60000)) return "not saved";
        return ks::xpcs::read_nxxpcs(path(file).toStdString()).result.facts.value("fit", nlohmann::json());
    }

  private slots:
    void isTheOneThatTheWindowShows() {
        ks::tests::generate_xpcs(path("data.h5"), 100, 80, 80, true);
        window_ = firstWindow({1280, 800});
        ks::tests::open_data(*window_, path("data.h5"));
        auto& page = dynamic_cast<ks::ui::xpcs::XpcsPage&>(*window_->page());
        QSignalSpy added(&window_->queue(), &ks::ui::RunQueue::runAdded);
        window_->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        QVERIFY(saved("none.h5").is_null());
        auto& model = ks::tests::child<QComboBox>(page, "fitModel");
        for (const char* name : {"single", "stretched"}) {
            model.setCurrentIndex(model.findData(QString(name)));
            const nlohmann::json fit = saved(QString(name) + ".h5");
            QVERIFY2(fit.is_object() && fit.value("model", "") == name, fit.dump().c_str());
        }
        // The run itself stays what the worker made of its request.
        QVERIFY(!window_->runs().rows().front().run->result.facts.contains("fit"));
        window_.reset();
    }
};

QTEST_MAIN(SavedFitTest)
#include "tst_saved_fit.moc"
