#include <QElapsedTimer>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/ui/shell/xpcs_window.h"
#include "ui/base/parameter_form.h"
#include "ui/kernels/assembly_view.h"
#include "ui/kernels/code_view.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/user_kernels.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/kernel_window.h"

using namespace ks::ui;

/// F7 in the window with a real worker.
class KernelTrialTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    UserKernels& kernels() { return window_->kernels().panel().userKernels(); }
    void replace(const QString& from, const QString& to) {
        const QString text = kernels().editor().toPlainText();
        QVERIFY2(text.contains(from), qPrintable(from));
        kernels().editor().replaceText(QString(text).replace(from, to));
    }

  private slots:
    void initTestCase() {
        qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI);
        qputenv("KERNELSCOPE_VARIANTS", folder_.filePath("variants").toUtf8());
    }
    void init() {
        window_ = ks::tests::new_window(folder_.filePath("test.ini"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->worker().ready(), 60000);
        QVERIFY(window_->setPage("vector_add"));
        if (!window_->variants().setVariant("seed.add")) QSKIP("no OpenCL device");
        window_->parameters().setValues({{"size", std::int64_t{1000}}});
    }
    void cleanup() { window_.reset(); }

    void anEditedCopyRunsAndIsComparedWithItsBase() {
        window_->kernels().editCopy();
        QCOMPARE(window_->kernels().panel().tabs().currentIndex(), static_cast<int>(KernelPanel::Tab::edit));
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().result().text().contains("seed.add takes"), 60000);
        QVERIFY2(kernels().result().text().contains("right"), qPrintable(kernels().result().text()));
        const ks::Run& own = *window_->runs().rows().back().run;
        QCOMPARE(own.variant.base, std::string("seed.add"));
        QVERIFY(own.request.guarded);
        QCOMPARE(window_->runs().rowCount(), 2);
    }

    void instructionsAreAskedOfTheDriver() {
        window_->startRun();
        QTRY_VERIFY_WITH_TIMEOUT(window_->runs().rowCount() == 1 && !window_->session().busy(), 60000);
        window_->kernels().showKernel(KernelPanel::Tab::assembly);
        AssemblyView& view = window_->kernels().panel().assembly();
        QVERIFY(view.ask().isEnabled());
        view.ask().click();
        // A text, or why there is none.
        QTRY_VERIFY_WITH_TIMEOUT(
            view.note().text().contains("machine code") || view.text().toPlainText().contains("add"), 60000);
    }

    void aWrongKernelIsSaidToBeWrong() {
        window_->kernels().editCopy();
        replace("a[i] + b[i]", "a[i] - b[i]");
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(kernels().result().text().contains("wrong"), 60000);
    }

    void anErrorIsMarkedAtItsLine() {
        window_->kernels().editCopy();
        replace("a[i] + b[i]", "a[i] + d[i]");
        int line = -1;
        const QStringList lines = kernels().editor().toPlainText().split('\n');
        for (int i = 0; i < lines.size(); ++i)
            if (lines[i].contains("d[i]")) line = i;
        kernels().run();
        QTRY_VERIFY_WITH_TIMEOUT(!kernels().editor().marks().isEmpty(), 60000);
        QVERIFY2(kernels().editor().marks().contains(line), qPrintable(QString::number(line)));
        QCOMPARE(kernels().editor().marks().size(), 1);
        QVERIFY(kernels().messages().item(0)->text().contains("'d'"));
        // The next run that builds has none.
        replace("a[i] + d[i]", "a[i] + b[i]");
        kernels().run();
        QVERIFY(kernels().editor().marks().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(kernels().result().text().contains("right"), 60000);
    }
};

QTEST_MAIN(KernelTrialTest)
#include "tst_kernel_trial.moc"
