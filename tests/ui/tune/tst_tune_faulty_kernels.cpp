#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QtTest>
#include <map>

#include "core/tune/tune_file.h"
#include "tests/ui/lab/faulty_kernels.h"
#include "tests/ui/tune/define_field.h"
#include "ui/shell/main_window.h"
#include "ui/shell/settings/run_settings.h"
#include "ui/tune/define_values.h"
#include "ui/tune/tune_form.h"
#include "ui/tune/tune_page.h"
#include "ui/tune/tune_table_model.h"

using namespace ks::ui;
using ks::ui::tune::TuneForm;
using ks::ui::tune::TunePage;
using ks::ui::tune::TuneTableModel;

/// A kernel of the user's own that crashes, hangs and floods for some values, tuned on the page with a real
/// worker.
class TuneFaultyKernelsTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    TunePage& page() { return dynamic_cast<TunePage&>(*window_->page()); }
    TuneForm& form() { return page().form(); }
    void waitForTheEnd() {
        QTRY_VERIFY_WITH_TIMEOUT(page().complete() && !window_->queue().busy(), 180000);
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
    }
    /// Five values have a time, three a reason.
    void verifyRows() {
        const std::map<std::string, QString> reasons{
            {"6", "crashed its process"}, {"7", "did not finish within 3 s"}, {"8", "bytes in one run"}};
        const auto& rows = page().report()->rows;
        QCOMPARE(rows.size(), std::size_t{7});  // and the default, 1
        QCOMPARE(page().model().rowCount(), 7);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::string value = rows[i].defines.at("CASE");
            const auto reason = reasons.find(value);
            const QString why = QString::fromStdString(rows[i].not_timed);
            QCOMPARE(rows[i].cost().has_value(), reason == reasons.end());
            if (reason != reasons.end()) QVERIFY2(why.contains(reason->second), qPrintable(why));
        }
        TuneTableModel& model = page().model();
        int told = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            const QString said =
                model.index(row, model.column(TuneTableModel::ReasonColumn)).data().toString();
            for (const auto& [value, reason] : reasons) told += said.contains(reason) ? 1 : 0;
        }
        QCOMPARE(told, 3);
    }

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI);
        qputenv("KERNELSCOPE_VARIANTS", folder_.filePath("variants").toUtf8());
        qputenv("KERNELSCOPE_DATA", folder_.filePath("data").toUtf8());
    }

    void valuesThatCrashHangAndFloodAreRowsWithAReasonAndResumeGoesPastThem() {
        ks::tests::write_faulty_kernel(folder_.filePath("variants"), "cases", 1);
        auto settings = std::make_unique<QSettings>(folder_.filePath("test.ini"), QSettings::IniFormat);
        settings->setValue(kernelLimitKey, 3);
        window_ = std::make_unique<MainWindow>(std::move(settings));
        window_->show();
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QVERIFY(window_->setPage("tune"));
        QVERIFY2(form().device(), "an OpenCL device is needed");
        form().analyses().setCurrentIndex(form().analyses().findData("matmul"));
        form().variants().setCurrentIndex(form().variants().findData("user.cases"));
        QCOMPARE(QString::fromStdString(form().variant()->id), QString("user.cases"));
        form().sizes().setValue("size", std::int64_t{30});
        ks::tests::define_field<QLineEdit>(form().values(), "CASE").setText("1, 2, 3, 4, 5, 6, 7, 8");
        form().repeats().setValue(1);
        QTRY_VERIFY_WITH_TIMEOUT(form().counted(), 10000);

        QTest::mouseClick(&form().run(), Qt::LeftButton);
        waitForTheEnd();
        verifyRows();
        const ks::TuneReport before = *page().report();

        QTRY_VERIFY_WITH_TIMEOUT(form().resume().isEnabled(), 10000);
        QElapsedTimer time;
        time.start();
        QTest::mouseClick(&form().resume(), Qt::LeftButton);
        QTRY_VERIFY(window_->queue().busy() || time.elapsed() > 100);
        waitForTheEnd();
        verifyRows();
        for (std::size_t i = 0; i < before.rows.size(); ++i) {
            QCOMPARE(page().report()->rows[i].tried, before.rows[i].tried);
            QCOMPARE(page().report()->rows[i].not_timed, before.rows[i].not_timed);
        }
        // Another text: the result is that of the former one, and no more configurations are added to it.
        const auto said = [this] { return page().findChild<QLabel*>(QStringLiteral("outdated"))->toolTip(); };
        QCOMPARE(said(), QString());
        ks::tests::write_faulty_kernel(folder_.filePath("variants"), "cases", 2);
        QTRY_COMPARE_WITH_TIMEOUT(said(), QString("Outdated (text of user.cases)"), 30000);
        QVERIFY(!form().resume().isEnabled());
        QVERIFY2(form().resume().toolTip().contains("for a different text of the kernel"),
                 qPrintable(form().resume().toolTip()));
        window_.reset();
    }
};

QTEST_MAIN(TuneFaultyKernelsTest)
#include "tst_tune_faulty_kernels.moc"
