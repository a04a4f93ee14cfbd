#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <map>

#include "tests/ui/child.h"
#include "tests/ui/lab/faulty_kernels.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_table_model.h"
#include "ui/lab/plan_form.h"
#include "ui/lab/strip_plot.h"
#include "ui/lab/variant_list.h"
#include "ui/shell/main_window.h"
#include "ui/shell/settings/run_settings.h"

using namespace ks::ui;
using ks::tests::child;
using ks::ui::lab::LabPage;
using ks::ui::lab::LabTableModel;
using ks::ui::lab::StripPlot;

/// Kernels of the user's own that crash, hang and flood, timed on the Lab among others, with a real worker.
class LabFaultyKernelsTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI);
        qputenv("KERNELSCOPE_VARIANTS", folder_.filePath("variants").toUtf8());
    }

    void ofEightThatAreTimedFiveAreMeasuredAndThreeSayWhyNot() {
        const QString variants = folder_.filePath("variants");
        for (const auto& [name, fault] :
             std::map<QString, int>{{"right", 1}, {"second", 2}, {"crashes", 6}, {"hangs", 7}, {"floods", 8}})
            ks::tests::write_faulty_kernel(variants, name, fault);
        auto settings = std::make_unique<QSettings>(folder_.filePath("test.ini"), QSettings::IniFormat);
        settings->setValue(kernelLimitKey, 3);
        MainWindow window(std::move(settings));
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.worker().ready(), 60000);
        QVERIFY(window.setPage("lab"));
        auto& page = dynamic_cast<LabPage&>(*window.page());
        page.form().choose("matmul");
        page.form().setSizes({{"size", "30"}});
        page.form().repeats().setValue(2);
        const QStringList wanted{"user.crashes", "blocks.16",  "user.hangs",  "private.sum",
                                 "user.floods",  "user.right", "user.second", "row.item"};
        QStringList off;
        for (const ks::Offer& offer : page.form().variants().offers())
            if (const QString id = QString::fromStdString(offer.variant.id); !wanted.contains(id)) off << id;
        page.form().variants().setOff(off, wanted);
        QCOMPARE(page.form().variants().ticked().size(), wanted.size());

        window.startRun();
        QTRY_VERIFY_WITH_TIMEOUT(
            !window.queue().busy() && page.compared().size() == 1 && page.compared().front()->complete,
            180000);
        QTRY_COMPARE_WITH_TIMEOUT(window.jobs().running(), 0, 60000);

        const std::map<QString, QString> reasons{{"user.crashes", "crashed its process"},
                                                 {"user.hangs", "did not finish within 3 s"},
                                                 {"user.floods", "bytes in one run"}};
        QCOMPARE(page.model().rowCount(), static_cast<int>(wanted.size()));
        for (int row = 0; row < page.model().rowCount(); ++row) {
            const auto text = [&](int column) { return page.model().index(row, column).data().toString(); };
            // Behind the id stands the mark of the text.
            const QString id = text(LabTableModel::VariantColumn).section(QLatin1Char(','), 0, 0),
                          verdict = text(LabTableModel::VerdictColumn);
            const auto reason = reasons.find(id);
            if (reason == reasons.end())
                QVERIFY2(verdict == "pass", qPrintable(id + ": " + verdict));
            else
                QVERIFY2(verdict.startsWith("failed: ") && verdict.contains(reason->second),
                         qPrintable(id + ": " + verdict));
        }
        const auto& strips = child<StripPlot>(page).strips();
        QCOMPARE(std::ranges::count_if(strips, [](const auto& strip) { return strip.samples.size() == 2; }),
                 std::ptrdiff_t{5});
        // The others are named, with the reason.
        QCOMPARE(strips.size(), static_cast<std::size_t>(wanted.size()));
        for (const auto& reason : reasons)
            QVERIFY(std::ranges::any_of(strips, [&reason](const auto& strip) {
                return strip.name.startsWith(reason.first) && strip.samples.empty() &&
                       strip.note.startsWith("failed: ") && strip.note.contains(reason.second);
            }));
        // The page can be used as before.
        QVERIFY(page.form().run().isEnabled() && !page.form().cancel().isEnabled());
    }
};

QTEST_MAIN(LabFaultyKernelsTest)
#include "tst_lab_faulty_kernels.moc"
