#include <QAbstractButton>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTimer>
#include <QToolButton>
#include <QtTest>
#include <algorithm>

#include "core/record/project_file.h"
#include "core/record/run_record.h"
#include "core/record/saved_run.h"
#include "tests/core/run/own_cache.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/parameter_form.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/kernel_panel.h"
#include "ui/kernels/user_kernels.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/kernel_window.h"
#include "ui/shell/session/project_code.h"
#include "ui/shell/session/window_session.h"

using ks::ui::MainWindow;

/// A run that came from somebody else is seen at once; what it compiles and reads elsewhere is asked about.
class TrustTest : public ks::tests::WindowFixture {
    Q_OBJECT
    std::unique_ptr<ks::tests::OwnCache> user_;
    const ks::Registry registry_;

    std::unique_ptr<MainWindow> window() const { return firstWindow(); }

    /// Clicks the button of that role in the next dialog; `seen` gets the text of its code, or what it names.
    static void answer(QDialogButtonBox::ButtonRole role, QString& seen) {
        auto* const timer = new QTimer(qApp);
        timer->setInterval(20);
        QObject::connect(timer, &QTimer::timeout, timer, [timer, role, &seen] {
            auto* const dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            timer->deleteLater();
            timer->stop();
            const auto* const code = dialog->findChild<QPlainTextEdit*>();
            if (auto* const box = qobject_cast<QMessageBox*>(dialog))
                seen = box->text() + box->informativeText();
            if (code) seen = code->toPlainText();
            const auto* const buttons = dialog->findChild<QDialogButtonBox*>();
            for (QAbstractButton* const one : buttons->buttons())
                if (buttons->buttonRole(one) == role) return QTest::mouseClick(one, Qt::LeftButton);
            dialog->reject();
        });
        timer->start();
    }

    /// As somebody else made it: a run of the data beside it by a changed kernel.
    void makeRun(const QString& saved, const QString& data, const std::string& kernel) {
        const auto shown = window();
        ks::tests::open_data(*shown, data);
        QSignalSpy added(&shown->queue(), &ks::ui::RunQueue::runAdded);
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        ks::Run run = *shown->runs().rows().front().run;
        run.request.variant = run.variant.id = "seed.ordered";
        run.request.defines.clear();
        run.request.parameters.erase("two_time_bin");  // which that kernel does not make
        run.tuned.clear();
        run.request.kernel_source = kernel;
        ks::Progress progress;
        registry_.analysis("xpcs").save(run, saved.toStdString(), true, progress);
    }

  private slots:
    void initTestCase() {
        QDir(folder_.path()).mkdir("sent");
        ks::tests::generate_xpcs(path("data.h5"), 20, 40, 50);
        QFile::copy(path("data.h5"), path("sent/data.h5"));
    }
    void init() {
        user_.reset();  // which restores the variable before it is set anew
        user_ = std::make_unique<ks::tests::OwnCache>("KERNELSCOPE_DATA");
    }

    void codeIsShownAndCompiledAfterYesAlone() {
        QFile shipped(QStringLiteral(KERNELSCOPE_SOURCE_DIR "/gpu/xpcs/seed_ordered.cl"));
        QVERIFY(shipped.open(QIODevice::ReadOnly));
        const std::string kernel = shipped.readAll().toStdString() + "// changed\n";
        makeRun(path("sent/run.h5"), path("sent/data.h5"), kernel);
        const auto shown = window();
        QSignalSpy opened(shown.get(), &MainWindow::fileOpened);
        shown->open(path("sent/run.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        const auto& runs = shown->runs();
        const QString variant = runs.index(0, ks::ui::RunTableModel::VariantColumn).data().toString();
        QVERIFY2(variant.startsWith("seed.ordered, other source "), qPrintable(variant));
        const int number = runs.rows().front().number;

        QString seen;
        answer(QDialogButtonBox::RejectRole, seen);
        shown->repeat(number);
        QCOMPARE(seen, QString::fromStdString(kernel));
        QVERIFY(!shown->queue().busy());

        QSignalSpy repeated(&shown->pageRuns(), &PageRuns::repeated);
        seen.clear();
        answer(QDialogButtonBox::AcceptRole, seen);
        shown->repeat(number);
        QCOMPARE(seen, QString::fromStdString(kernel));
        QTRY_COMPARE_WITH_TIMEOUT(repeated.count(), 1, 120000);
        shown->repeat(number);  // asked once
        QTRY_COMPARE_WITH_TIMEOUT(repeated.count(), 2, 60000);
    }

    void dataElsewhereAreReadAfterYesAlone() {
        makeRun(path("sent/far.h5"), path("data.h5"), "");
        init();  // somebody else opens it
        const auto shown = window();
        QSignalSpy opened(shown.get(), &MainWindow::fileOpened),
            runs(&shown->files(), &FileSession::runOpened);
        QString seen;
        answer(QDialogButtonBox::NoRole, seen);
        shown->open(path("sent/far.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(runs.count(), 1, 30000);
        QVERIFY2(seen.contains(QStringLiteral("data.h5")), qPrintable(seen));
        QTest::qWait(200);
        QCOMPARE(opened.count(), 0);

        answer(QDialogButtonBox::YesRole, seen);
        shown->open(path("sent/far.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        shown->open(path("sent/far.h5"));  // asked once
        QTRY_COMPARE_WITH_TIMEOUT(runs.count(), 3, 30000);
    }

    void expressionsOfAProjectAreShownAndStayAfterNo() {
        ks::ui::SessionDocument project;
        ks::ui::KeptPage& page = project.pages["group Basics"];
        page.parameters = {{"map_expression", std::string("twice(x[i])")},
                           {"preamble", std::string("float twice(float v) { return 2 * v; }")}};
        page.state.values["sizes"]["expression"]["sizes"] = {{"map_expression", "x[i];other(x[i])"},
                                                             {"reduce_expression", "a+b"}};
        QStringList asked;
        ks::ui::TrustQuestions trust;
        bool answer = false;
        trust.compile = [&](const QString&, const QString&, const QString& code) {
            asked << code;
            return answer;
        };
        const QStringList refused = ks::ui::askForCode(project, registry_, trust, "p.ksproj");
        QCOMPARE(asked.size(), 1);
        for (const char* part : {"twice(float v)", "twice(x[i])", "other(x[i])"})
            QVERIFY2(asked.front().contains(QLatin1String(part)), part);
        for (const char* text : {"twice(x[i])", "other(x[i])", "float twice(float v) { return 2 * v; }"})
            QVERIFY2(refused.contains(QLatin1String(text)), text);
        QVERIFY(!refused.contains("a+b"));

        answer = true;
        QVERIFY(ks::ui::askForCode(project, registry_, trust, "p.ksproj").isEmpty());
        QVERIFY(ks::ui::askForCode(project, registry_, trust, "p.ksproj").isEmpty());
        QCOMPARE(asked.size(), 2);
    }

    void whatIsRefusedOfAProjectStaysAndRunsAfterYesAlone() {
        const std::string map = "thrice(x[i])", preamble = "float thrice(float v) { return 3 * v; }";
        const auto save = [](MainWindow& window, const QString& file) {
            QSignalSpy saved(&window.kept().project(), &ks::ui::WindowProject::saved);
            window.kept().project().save(file, true);
            QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
        };
        {
            const auto author = window();
            QVERIFY(author->setPage("expression"));
            QTRY_VERIFY_WITH_TIMEOUT(author->parameters().field("preamble"), 60000);
            author->parameters().setValues({{"x", std::string("range:20")},
                                            {"y", std::string("range:20")},
                                            {"map_expression", map},
                                            {"preamble", preamble}});
            save(*author, path("sent/sums.ksproj"));
        }
        init();  // somebody else opens it
        const auto shown = window();
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QSignalSpy back(&shown->kept(), &ks::ui::WindowSession::broughtBack);
        QString seen;
        answer(QDialogButtonBox::RejectRole, seen);
        shown->open(path("sent/sums.ksproj"));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QVERIFY2(seen.contains(QString::fromStdString(preamble)), qPrintable(seen));
        QCOMPARE(shown->page()->analysis(), QString("expression"));
        QCOMPARE(ks::text(shown->parameters().values(), "map_expression"), map);
        QCOMPARE(ks::text(shown->parameters().values(), "preamble"), preamble);
        save(*shown, path("sent/again.ksproj"));
        QVERIFY(QString::fromStdString(
                    ks::io::read_project(path("sent/again.ksproj").toStdString()).content.dump())
                    .contains("thrice(x[i])"));

        seen.clear();
        answer(QDialogButtonBox::RejectRole, seen);
        shown->action("run")->trigger();
        QVERIFY2(seen.contains(QString::fromStdString(map)), qPrintable(seen));
        QVERIFY(!shown->queue().busy());
        QTest::qWait(200);
        QCOMPARE(shown->runs().rowCount(), 0);

        answer(QDialogButtonBox::AcceptRole, seen);
        shown->action("run")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 1, 120000);
        shown->action("run")->trigger();  // asked once
        QTRY_COMPARE_WITH_TIMEOUT(shown->runs().rowCount(), 2, 60000);
    }

    // A project with a kernel of its author is opened by somebody who does not have it.
    void aKernelThatDoesNotExistHereIsNamedAndTakenFromARun() {
        const QByteArray folderBefore = qgetenv("KERNELSCOPE_VARIANTS");
        const QScopeGuard back([&] { qputenv("KERNELSCOPE_VARIANTS", folderBefore); });
        const auto textOf = [this](const QString& file) {
            QFile kernel(path(file));
            return kernel.open(QIODevice::ReadOnly) ? kernel.readAll() : QByteArray("none");
        };
        const QString leaf = QStringLiteral("/vector_add/seed.add.cl");
        qputenv("KERNELSCOPE_VARIANTS", path("author").toUtf8());
        int number = 0;
        {
            const auto shown = window();
            QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
            QVERIFY(shown->setPage("vector_add"));
            QVERIFY(shown->variants().setVariant("seed.add"));
            shown->kernels().editCopy();
            const auto own = [&] { return shown->variants().findChild<QAbstractButton*>("user.seed.add"); };
            QTRY_VERIFY_WITH_TIMEOUT(own() && own()->isEnabled(), 30000);
            QTest::mouseClick(own(), Qt::LeftButton);
            QSignalSpy added(&shown->queue(), &ks::ui::RunQueue::runAdded);
            shown->startRun();
            QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
            QCOMPARE(shown->runs().rows().front().run->variant.id, std::string("user.seed.add"));
            number = shown->runs().rows().front().number;
            QVERIFY(QDir().mkpath(path("course")));
            QSignalSpy saved(&shown->kept().project(), &ks::ui::WindowProject::saved);
            shown->kept().project().save(path("course/p.ksproj"), true);
            QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 30000);
        }
        const QByteArray text = textOf("author" + leaf);
        QVERIFY(text.contains("kernel"));
        qputenv("KERNELSCOPE_VARIANTS", path("reader").toUtf8());
        init();  // somebody else opens it
        const auto shown = window();
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        shown->open(path("course/p.ksproj"));
        const QString id = "absent kernel of vector_add",
                      take = QStringLiteral("Take it from run %1").arg(number);
        QTRY_VERIFY_WITH_TIMEOUT(!shown->notices().text(id).isEmpty() && shown->runs().rowCount() == 1,
                                 30000);
        const QString chosen = shown->variants().variant();
        QVERIFY(!chosen.isEmpty() && !chosen.startsWith("user."));
        QCOMPARE(shown->notices().text(id),
                 "user.seed.add, which the project uses for Vector addition, is not on this computer; "
                 "Vector addition uses " +
                     chosen + " instead.");
        // What is saved here still names it.
        QCOMPARE(shown->kept().document().pages.at("vector_add").variant, std::string("user.seed.add"));
        const auto offers = [&] {
            const QList<QToolButton*> buttons = shown->notices().findChildren<QToolButton*>();
            return std::ranges::count(buttons, take, &QToolButton::text) > 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(offers(), 10000);
        QString seen;
        answer(QDialogButtonBox::RejectRole, seen);
        QVERIFY(shown->notices().act(id, take));
        QCOMPARE(seen.toUtf8(), text);
        QCOMPARE(textOf("reader" + leaf), QByteArray("none"));
        answer(QDialogButtonBox::AcceptRole, seen);
        QVERIFY(shown->notices().act(id, take));
        QCOMPARE(textOf("reader" + leaf), text);
        QTRY_COMPARE_WITH_TIMEOUT(shown->variants().variant(), QString("user.seed.add"), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(shown->notices().text(id).isEmpty(), 10000);
        // A copy of what the run used gets a free name, and no text is replaced.
        QMenu menu;
        shown->findChild<ks::ui::RunsPanel*>()->fillMenu(menu, number);
        const QList<QAction*> actions = menu.actions();
        const auto edit = std::ranges::find_if(
            actions, [](const QAction* one) { return one->text().startsWith("Edit a copy of the kernel"); });
        QVERIFY(edit != actions.end());
        (*edit)->trigger();
        ks::ui::UserKernels& kernels = shown->kernels().panel().userKernels();
        QTRY_COMPARE_WITH_TIMEOUT(kernels.name(), QString("seed.add-2"), 10000);
        QVERIFY(kernels.editor().toPlainText().contains("kernel void"));
        QCOMPARE(textOf("reader" + leaf), text);
    }
};

QTEST_MAIN(TrustTest)
#include "tst_trust.moc"
