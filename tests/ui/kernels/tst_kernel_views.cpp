#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "core/base/hash.h"
#include "core/run/user/user_includes.h"
#include "tests/ui/child.h"
#include "ui/kernels/assembly_view.h"
#include "ui/kernels/bars/find_bar.h"
#include "ui/kernels/build_log_view.h"
#include "ui/kernels/code_view.h"
#include "ui/kernels/difference_view.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/kernel_panel.h"
#include "ui/kernels/resolved_view.h"
#include "ui/kernels/resources_view.h"
#include "ui/kernels/user_kernel_list.h"
#include "ui/kernels/user_kernels.h"

using namespace ks::ui;
using ks::tests::child;

namespace {

const std::map<std::string, std::string> shippedFiles{{"lib/a.cl", "float a;\nfloat b;\n"}};

ks::Variant variantOf(const char* id, const char* source) {
    ks::Variant variant;
    variant.analysis = "sums";
    variant.id = id;
    variant.title = id;
    variant.source_file = std::string("gpu/sums/") + id + ".cl";
    variant.source = source;
    variant.entry_points = {"f"};
    return variant;
}

ks::wire::Catalogue catalogueOf(std::vector<ks::Variant> variants) {
    ks::wire::Catalogue catalogue;
    ks::DeviceInfo device;
    device.index = 0;
    device.name = "GPU of a test";
    catalogue.devices = {device};
    catalogue.properties = {
        {{"compute_capability_major_nv", "", "", "", 8U}, {"compute_capability_minor_nv", "", "", "", 0U}}};
    catalogue.kernel_files = shippedFiles;
    std::vector<ks::Offer> offers;
    for (ks::Variant& one : variants) {
        if (one.from_user())
            catalogue.user_texts[one.user_file] = one.source;
        else
            catalogue.kernel_files[one.source_file] = one.source;
        one.source.clear();
        offers.push_back({one, {}});
    }
    catalogue.offers["sums"] = {offers};
    return catalogue;
}

}  // namespace

/// Source, difference, build log and resources of kernels.
class KernelViewsTest : public QObject {
    Q_OBJECT
    QTemporaryDir own_;

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_VARIANTS", own_.filePath("variants").toLocal8Bit()); }

    void includedLinesAreFoldedAndUnfolded() {
        ResolvedView view;
        view.resize(500, 300);
        view.setSource(ks::resolve_source("own.cl", "// x\n#include \"lib/a.cl\"\nkernel\n", shippedFiles));
        view.show();
        QCOMPARE(view.toPlainText(), QString("// x\n#include \"lib/a.cl\"\nfloat a;\nfloat b;\nkernel"));
        view.toggleFold(1);
        QVERIFY(!view.document()->findBlockByNumber(2).isVisible());
        QVERIFY(!view.document()->findBlockByNumber(3).isVisible());
        QVERIFY(view.document()->findBlockByNumber(4).isVisible());
        view.toggleFold(0);  // no directive
        QVERIFY(view.document()->findBlockByNumber(1).isVisible());
        // A place within it unfolds it.
        QVERIFY(view.showPlace({"lib/a.cl", 2}));
        QCOMPARE(view.textCursor().blockNumber(), 3);
        QVERIFY(view.document()->findBlockByNumber(3).isVisible());
        QCOMPARE(view.place(), (ks::SourcePlace{"lib/a.cl", 2}));
        QVERIFY(!view.showPlace({"lib/b.cl", 2}));
    }

    void aClickOnADirectiveFoldsIt() {
        ResolvedView view;
        view.resize(500, 300);
        view.setSource(ks::resolve_source("own.cl", "#include \"lib/a.cl\"\nkernel\n", shippedFiles));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          view.cursorRect(QTextCursor(view.document()->firstBlock())).center());
        QVERIFY(view.isFolded(0));
        QVERIFY(!view.document()->findBlockByNumber(1).isVisible());
    }

    void aTextIsFoundForwardsAndBackwards() {
        CodeView view;
        view.setPlainText("one\ntwo\nOne\n");
        FindBar bar(view);
        bar.field().setText("one");
        QCOMPARE(bar.found().text(), QString("2 matches"));
        QCOMPARE(view.textCursor().blockNumber(), 0);
        QTest::keyClick(&bar.field(), Qt::Key_Return);
        QCOMPARE(view.textCursor().blockNumber(), 2);
        QTest::keyClick(&bar.field(), Qt::Key_Return);
        QCOMPARE(view.textCursor().blockNumber(), 0);
        QTest::keyClick(&bar.field(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(view.textCursor().blockNumber(), 2);
        bar.field().setText("four");
        QCOMPARE(bar.found().text(), QString("not found"));
    }

    void differencesAreSideBySideAndSteppedThrough() {
        DifferenceView view;
        view.resize(700, 300);
        view.setTexts("a\nb\nc\nd\n", "a\nx\nc\nd\ne\n");
        QCOMPARE(view.summary().text(), QString("1 changed, 0 removed, 1 added"));
        QCOMPARE(view.stretches(), (std::vector<int>{1, 4}));
        QCOMPARE(view.left().blockCount(), view.right().blockCount());
        QCOMPARE(view.left().document()->findBlockByNumber(4).text(), QString());
        QCOMPARE(view.right().document()->findBlockByNumber(4).text(), QString("e"));
        view.next();
        QCOMPARE(view.row(), 1);
        view.next();
        QCOMPARE(view.row(), 4);
        view.next();
        QCOMPARE(view.row(), 1);
        view.previous();
        QCOMPARE(view.row(), 4);
        view.setTexts("a\n", "a\n");
        QCOMPARE(view.summary().text(), QString("The texts are identical"));
        view.next();
    }

    void linesOfADifferenceHaveTheNumbersOfTheirFiles() {
        DifferenceView view;
        view.resize(700, 300);
        const char* const mine = "// x\n#include \"lib/a.cl\"\nkernel\n";
        view.setSources(ks::resolve_source("own.cl", mine, shippedFiles),
                        ks::resolve_source("own.cl", std::string(mine) + "more\n", shippedFiles));
        QCOMPARE(view.right().toPlainText(), QString("// x\nfloat a;\nfloat b;\nkernel\nmore"));
        QCOMPARE(view.right().labels(), (QStringList{"1", "1", "2", "3", "4"}));
        QCOMPARE(view.left().labels(), (QStringList{"1", "1", "2", "3", ""}));
    }

    void theEditedTextIsShownAndSaidNotToBeSaved() {
        QTemporaryDir folder;
        ks::Variant base = variantOf("first", "kernel void f() {}\n"), own = base;
        own.id = "user.mine";
        own.base = "first";
        own.user_file = folder.filePath("sums/mine.cl").toStdString();
        KernelPanel panel;
        panel.userKernels().setFolder(folder.path());
        panel.setCatalogue(catalogueOf({base, own}));
        panel.setAnalysis("sums", 0);
        panel.resize(1100, 720);
        panel.show();
        QVERIFY(panel.userKernels().copy(base, "mine"));
        QCOMPARE(panel.variant(), QString("user.mine"));
        panel.showTab(KernelPanel::Tab::edit);
        panel.userKernels().editor().moveCursor(QTextCursor::End);
        QTest::keyClicks(&panel.userKernels().editor(), "// typed");
        const auto choose = [&panel](KernelPanel::Tab tab) {
            QTest::mouseClick(panel.tabs().tabBar(), Qt::LeftButton, {},
                              panel.tabs().tabBar()->tabRect(static_cast<int>(tab)).center());
        };
        choose(KernelPanel::Tab::source);
        QVERIFY(panel.source().toPlainText().endsWith("// typed"));
        QVERIFY(child<QLabel>(panel, "unsavedSource").isVisible());
        choose(KernelPanel::Tab::difference);
        QVERIFY(panel.difference().right().toPlainText().contains("// typed"));
        QVERIFY(child<QLabel>(panel, "unsavedSides").isVisible());
        QVERIFY(child<QLabel>(panel, "unsavedSides").text().startsWith("Right"));
        choose(KernelPanel::Tab::edit);
        QVERIFY(panel.userKernels().save());
        choose(KernelPanel::Tab::source);
        QVERIFY(child<QLabel>(panel, "unsavedSource").isHidden());
    }

    void keysDoNotWriteOrRunATextThatIsNotInView() {
        QTemporaryDir folder;
        ks::Variant base = variantOf("first", "kernel void f() {}\n"), own = base;
        own.id = "user.mine";
        own.base = "first";
        own.user_file = folder.filePath("sums/mine.cl").toStdString();
        KernelPanel panel;
        panel.userKernels().setFolder(folder.path());
        panel.setCatalogue(catalogueOf({base, own}));
        panel.setAnalysis("sums", 0);
        panel.resize(1100, 720);
        // As the window has them.
        for (QAction* one : panel.userKernels().kernelActions()) {
            one->setShortcutContext(Qt::WindowShortcut);
            panel.addAction(one);
            connect(one, &QAction::triggered, &panel, [&] { panel.showTab(KernelPanel::Tab::edit); });
        }
        panel.show();
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        UserKernels& kernels = panel.userKernels();
        QSignalSpy wanted(&kernels, &UserKernels::trialWanted);
        QVERIFY(kernels.copy(base, "mine"));
        panel.showTab(KernelPanel::Tab::edit);
        kernels.editor().moveCursor(QTextCursor::End);
        QTest::keyClicks(&kernels.editor(), "// typed");
        const auto isWritten = [&] {
            QFile file(folder.filePath("sums/mine.cl"));
            return file.open(QIODevice::ReadOnly) && file.readAll().contains("// typed");
        };
        auto& notice = child<QLabel>(panel, "notice");
        for (const QKeySequence& key : {QKeySequence(Qt::Key_F7), QKeySequence(Qt::SHIFT | Qt::Key_F7),
                                        QKeySequence(QKeySequence::Save)}) {
            panel.showTab(KernelPanel::Tab::source);
            QVERIFY(panel.setVariant("first"));
            QTest::keySequence(&panel, key);
            QCOMPARE(wanted.count(), 0);
            QVERIFY(!isWritten());
            // The text is in view now, and it is said why nothing ran.
            QVERIFY(kernels.editor().isVisible());
            QCOMPARE(panel.variant(), QString("user.mine"));
            QVERIFY2(notice.isVisible() && notice.toolTip().contains("Nothing was saved or run"),
                     qPrintable(notice.toolTip()));
        }
        // Its own source is a view of it.
        panel.showTab(KernelPanel::Tab::source);
        QTest::keySequence(&panel, QKeySequence(Qt::Key_F7));
        QCOMPARE(wanted.count(), 1);
        QVERIFY(isWritten());
        QVERIFY(notice.isHidden());
    }

    void noticesOfTheSourceAreApart() {
        KernelPanel panel;
        QWidget* const unsaved = &child<QLabel>(panel, "unsavedSource");
        const QBoxLayout* row = nullptr;
        for (const QBoxLayout* one : panel.findChildren<QBoxLayout*>())
            if (one->indexOf(unsaved) >= 0) row = one;
        QVERIFY(row);
        QVERIFY2(row->spacing() >= panel.fontMetrics().horizontalAdvance(u' ') * 2,
                 qPrintable(QString::number(row->spacing())));
    }

    void aKernelWhoseFileCameLaterIsOpenOnceTheEditorIsShown() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("sums"));
        const QString file = folder.filePath("sums/one.cl");
        ks::Variant first = variantOf("first", "kernel void f() {}\n"), own = first;
        own.id = "user.one";
        own.base = "first";
        own.user_file = file.toStdString();
        KernelPanel panel;
        panel.userKernels().setFolder(folder.path());
        panel.setCatalogue(catalogueOf({first, own}));
        panel.setAnalysis("sums", 0);
        panel.show();
        // An editor of another program replaces the file just now.
        QTest::keyClick(&panel.variants(), Qt::Key_Down);
        QCOMPARE(panel.variant(), QString("user.one"));
        QCOMPARE(panel.userKernels().name(), QString());
        QFile written(file);
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write("// kernelscope variant\n// base: first\n\nkernel void f() {}\n");
        written.close();
        QTest::mouseClick(panel.tabs().tabBar(), Qt::LeftButton, {},
                          panel.tabs().tabBar()->tabRect(static_cast<int>(KernelPanel::Tab::edit)).center());
        QCOMPARE(panel.userKernels().name(), QString("one"));
        QVERIFY(panel.userKernels().editor().isEnabled());
    }

    void aKernelChosenAtTheTopIsOpenInTheEditor() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("sums"));
        std::vector<ks::Variant> all{variantOf("first", "kernel void f() {}\n")};
        for (const char* name : {"one", "two"}) {
            QFile file(folder.filePath(QString("sums/%1.cl").arg(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("// kernelscope variant\n// base: first\n\nkernel void f() {}\n");
            ks::Variant own = variantOf("user.one", "kernel void f() {}\n");
            own.id = std::string("user.") + name;
            own.base = "first";
            own.user_file = file.fileName().toStdString();
            all.push_back(own);
        }
        KernelPanel panel;
        panel.userKernels().setFolder(folder.path());
        panel.setCatalogue(catalogueOf(all));
        panel.setAnalysis("sums", 0);
        panel.show();
        QCOMPARE(panel.userKernels().name(), QString());
        QTest::keyClick(&panel.variants(), Qt::Key_Down);
        QCOMPARE(panel.variant(), QString("user.one"));
        QCOMPARE(panel.userKernels().name(), QString("one"));
        QTest::keyClick(&panel.variants(), Qt::Key_Down);
        QCOMPARE(panel.userKernels().name(), QString("two"));
        QVERIFY(panel.userKernels().editor().isEnabled());
        // A shipped variant is not edited: the text stays.
        QTest::keyClick(&panel.variants(), Qt::Key_Home);
        QCOMPARE(panel.variant(), QString("first"));
        QCOMPARE(panel.userKernels().name(), QString("two"));
        // Where the editor is in sight, the edited one is chosen.
        QTest::mouseClick(panel.tabs().tabBar(), Qt::LeftButton, {},
                          panel.tabs().tabBar()->tabRect(static_cast<int>(KernelPanel::Tab::edit)).center());
        QCOMPARE(panel.variant(), QString("user.two"));
        QCOMPARE(panel.userKernels().name(), QString("two"));
        // A shipped one can still be chosen there, to be copied; a click on the list takes it back.
        QTest::keyClick(&panel.variants(), Qt::Key_Home);
        QCOMPARE(panel.variant(), QString("first"));
        QListWidget& list = panel.userKernels().list().list();
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {},
                          list.visualItemRect(list.currentItem()).center());
        QCOMPARE(panel.variant(), QString("user.two"));
        // The page's variant, chosen by the program while nothing is open.
        KernelPanel other;
        other.userKernels().setFolder(folder.path());
        other.setCatalogue(catalogueOf(all));
        other.setAnalysis("sums", 0);
        QVERIFY(other.setVariant("user.two"));
        QCOMPARE(other.userKernels().name(), QString("two"));
    }

    void bothSidesScrollTogether() {
        QStringList left, right;
        for (int i = 0; i < 200; ++i) left << QString::number(i);
        right = left;
        right.removeAt(3);
        DifferenceView view;
        view.resize(500, 200);
        view.setTexts(left.join('\n'), right.join('\n'));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.left().verticalScrollBar()->setValue(77);
        QCOMPARE(view.right().verticalScrollBar()->value(), 77);
    }

    void instructionsLeadToTheLineThatTheyBelongTo() {
        AssemblyView view;
        QVERIFY(!view.ask().isEnabled());
        QSignalSpy wanted(&view, &AssemblyView::wanted), clicked(&view, &AssemblyView::placeClicked);
        ks::ResolvedSource source =
            ks::resolve_source("own.cl", "// x\n#include \"lib/a.cl\"\nkernel\n", shippedFiles);
        view.setPrograms({{{"0", "own.cl", source.text(), "-DA=1"}, source}});
        view.ask().click();
        QCOMPARE(wanted.count(), 1);
        ks::Assembly made;
        made.language = "PTX";
        made.text = ".version 9.0\n{\n.loc 1 3 0\nret;\n}\n";
        view.setAssembly(made);
        emit view.text().marginClicked(0);
        QCOMPARE(clicked.count(), 0);
        emit view.text().marginClicked(3);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked[0][0].value<ks::SourcePlace>(), (ks::SourcePlace{"lib/a.cl", 2}));
        made.language.clear();
        made.text = "It gives machine code.";
        view.setAssembly(made);
        QCOMPARE(view.note().text(), QString("There are no instructions to show."));
        QCOMPARE(view.text().placeholderText(), QString("It gives machine code."));
        QCOMPARE(view.text().toPlainText(), QString());
    }

    void aVariantIsNotComparedWithItself() {
        ks::Variant baseline = variantOf("first", "kernel void f() {}\n");
        baseline.baseline = true;
        ks::Variant own = variantOf("user.mine", "kernel void f() { }\n");
        own.base = "second";
        own.user_file = "/v/sums/mine.cl";
        KernelPanel panel;
        panel.setCatalogue(catalogueOf({baseline, variantOf("second", "kernel void f() {;}\n"), own}));
        panel.setAnalysis("sums", 0);
        QCOMPARE(panel.variant(), QString("first"));
        QCOMPARE(panel.others().currentText(), QString("second"));
        QVERIFY(panel.setVariant("user.mine"));
        QCOMPARE(panel.others().currentText(), QString("second"));
        QVERIFY(panel.setVariant("second"));
        QCOMPARE(panel.others().currentText(), QString("first"));
        // One that a hand chose stays, unless it is the same.
        const int mine = panel.others().findData("user.mine");
        panel.others().setCurrentIndex(mine);
        emit panel.others().activated(mine);
        QVERIFY(panel.setVariant("first"));
        QCOMPARE(panel.others().currentText(), QString("user.mine"));
        QVERIFY(panel.setVariant("user.mine"));
        QCOMPARE(panel.others().currentText(), QString("second"));
    }

    void aMessageOfTheLogLeadsToItsLineAlsoInAnIncludedFile() {
        KernelPanel panel;
        panel.setCatalogue(
            catalogueOf({variantOf("first", "// x\n#include \"lib/a.cl\"\nkernel void f() {}\n"),
                         variantOf("second", "kernel void f() {}\n")}));
        panel.setAnalysis("sums", 0);
        QVERIFY(panel.setVariant("first"));
        QCOMPARE(panel.source().toPlainText().count('\n'), 4);
        ks::Run run;
        run.request.analysis = "sums";
        run.variant = variantOf("first", "// x\n#include \"lib/a.cl\"\nkernel void f() {}\n");
        run.device.name = "GPU of a test";
        ks::BuildLog build;
        build.source_file = run.variant.source_file;
        build.log = "warning: /tmp/tempfile_x.cl:3:1: unused\n";
        build.cache = "built";
        build.entry_points = {"f"};
        ks::KernelResources kernel;
        kernel.entry_point = "f";
        kernel.registers = 64;
        kernel.group = 256;
        build.resources = {kernel};
        // Of another text the line says nothing.
        run.builds = {build};
        panel.setRuns({{1, std::make_shared<const ks::Run>(run), true, false}});
        QVERIFY(!panel.buildLog().toHtml().contains("lib/a.cl"));
        run.builds[0].text_hash =
            ks::hash_text(ks::hash_of("// x\nfloat a;\nfloat b;\nkernel void f() {}\n"));
        panel.setRuns({{1, std::make_shared<const ks::Run>(run), true, false}});
        QVERIFY(panel.buildLog().toPlainText().contains("lib/a.cl:2"));
        panel.showTab(KernelPanel::Tab::buildLog);
        emit panel.buildLog().anchorClicked(QUrl("0"));
        QCOMPARE(panel.source().place(), (ks::SourcePlace{"lib/a.cl", 2}));
        QVERIFY2(
            panel.resources().toPlainText().contains("4 work-groups of 256 work-items fit on a compute unit"),
            qPrintable(panel.resources().toPlainText()));
        QVERIFY(panel.setVariant("second"));
        QVERIFY(panel.buildLog().toPlainText().contains("Run this variant"));
    }

    void aRunOfAnotherTextThanTheOneShownIsSaidToBeSo() {
        KernelPanel panel;
        ks::Variant own = variantOf("user.mine", "kernel void f() {;}\n");
        own.user_file = "/v/sums/mine.cl";
        panel.setCatalogue(catalogueOf({variantOf("first", "kernel void f() {}\n"), own}));
        panel.setAnalysis("sums", 0);
        const auto isOther = [&panel](const char* variant, const char* text) {
            panel.setVariant(variant);
            ks::Run run;
            run.request.analysis = "sums";
            run.request.kernel_source = text;
            run.variant.id = variant;
            panel.setRuns({{1, std::make_shared<const ks::Run>(run), true, false}});
            return std::ranges::any_of(panel.findChildren<QLabel*>(), [](const QLabel* one) {
                return !one->isHidden() && one->text().contains("used a different source");
            });
        };
        QVERIFY(isOther("first", "kernel void g() {}\n"));
        QVERIFY(!isOther("first", "kernel void f() {}\n"));
        QVERIFY(!isOther("first", ""));
        QVERIFY(isOther("user.mine", "kernel void f() {}\n"));
        QVERIFY(!isOther("user.mine", "kernel void f() {;}\n"));
    }

    void theTextThatTheHostInsertedInTheNewestRunPrecedesTheSource() {
        KernelPanel panel;
        panel.setCatalogue(catalogueOf({variantOf("first", "kernel void f() {}\n")}));
        panel.setAnalysis("sums", 0);
        QVERIFY(panel.setVariant("first"));
        ks::Run run;
        run.request.analysis = "sums";
        run.variant.id = "first";
        ks::BuildLog build;
        build.source_file = "gpu/sums/first.cl";
        build.inserted = "float typed;\nfloat more;\n";
        run.builds = {build};
        panel.setRuns({{1, std::make_shared<const ks::Run>(run), true, false}});
        QCOMPARE(panel.source().toPlainText(), QString("float typed;\nfloat more;\nkernel void f() {}"));
        panel.source().moveCursor(QTextCursor::End);
        QCOMPARE(panel.source().place(), (ks::SourcePlace{"gpu/sums/first.cl", 1}));
        panel.setRuns({});
        QCOMPARE(panel.source().toPlainText(), QString("kernel void f() {}"));
    }

    void privateMemoryThatIsTheSameOfEveryKernelIsLeftOutWithTheReason() {
        ks::BuildLog build;
        ks::KernelResources kernel;
        kernel.entry_point = "f";
        kernel.private_bytes = 1024;
        kernel.work_group = 77;
        build.resources = {kernel};
        ks::DeviceInfo device;
        device.platform_name = "NVIDIA CUDA";
        ResourcesView view;
        view.setBuilds("Run 1", {build}, device, {});
        QVERIFY2(view.toPlainText().contains("1,024 B"), qPrintable(view.toPlainText()));
        device.platform_name = "Portable Computing Language";
        view.setBuilds("Run 1", {build}, device, {});
        QVERIFY2(!view.toPlainText().contains("1,024 B"), qPrintable(view.toPlainText()));
        QVERIFY(view.toPlainText().contains("PoCL reports the same private memory for every kernel"));
    }

    void theLogOfARefusedKernelStaysUntilItRuns() {
        QTemporaryDir folder;
        ks::Variant base = variantOf("first", "kernel void f() {}\n"),
                    own = variantOf("user.mine", "kernel void f() {}\n");
        own.base = "first";
        own.user_file = folder.filePath("sums/mine.cl").toStdString();
        KernelPanel panel;
        panel.userKernels().setFolder(folder.path());
        panel.setCatalogue(catalogueOf({base, own}));
        panel.setAnalysis("sums", 0);
        QVERIFY(panel.userKernels().copy(base, "mine"));
        QCOMPARE(panel.variant(), QString("user.mine"));
        RunRow row;
        row.number = 1;
        ks::Run run;
        run.request.analysis = "sums";
        run.variant = own;
        row.run = std::make_shared<const ks::Run>(run);
        panel.setRuns({row});
        QVERIFY(panel.buildLog().toPlainText().contains("Run 1"));
        panel.userKernels().setError(ks::Error(ks::ErrorKind::build, "the kernel does not build",
                                               own.user_file, {},
                                               "<source>:3:1: error: expected expression"));
        QVERIFY(panel.buildLog().toPlainText().contains("user.mine, which does not build"));
        QVERIFY(panel.buildLog().toPlainText().contains("expected expression"));
        // Neither what the worker tells of the file that was saved nor a look elsewhere brings the old one.
        panel.setCatalogue(catalogueOf({base, own}));
        QVERIFY(panel.setVariant("first"));
        QVERIFY(!panel.buildLog().toPlainText().contains("expected expression"));
        QVERIFY(panel.setVariant("user.mine"));
        QVERIFY(panel.buildLog().toPlainText().contains("expected expression"));
        RunRow next = row;
        next.number = 2;
        next.run = std::make_shared<const ks::Run>(run);
        panel.setRuns({next, row});
        QVERIFY(panel.buildLog().toPlainText().contains("Run 2"));
    }

    void theIdeaOfAVariantIsFollowedByWhatIsExpectedToBeFasterThanItsNewestRun() {
        KernelPanel panel;
        panel.setCatalogue(catalogueOf({variantOf("first", "kernel void f() {}\n")}));
        panel.setAnalysis("sums", 0);
        const auto story = [&panel] {
            for (const QLabel* one : panel.findChildren<QLabel*>())
                if (one->accessibleName() == "Idea of the variant") return one->text();
            return QString();
        };
        const QString idea = story();
        QVERIFY(!idea.isEmpty());
        ks::Run run;
        run.request.analysis = "sums";
        run.variant.id = "first";
        run.result.facts["faster"] = "the correlator sparse is expected to take 20 % of the time";
        panel.setRuns({{3, std::make_shared<const ks::Run>(run), true, false}});
        QCOMPARE(story(), idea + "\nRun 3: The correlator sparse is expected to take 20 % of the time");
        run.result.facts["faster"] = 5;  // as a file may have it
        panel.setRuns({{4, std::make_shared<const ks::Run>(run), true, false}});
        QCOMPARE(story(), idea);
    }

    void filesThatAUsersKernelIncludesAreFoldedAsWell() {
        QTemporaryDir folder;
        KernelPanel panel;
        panel.userKernels().setFolder(folder.path());
        const ks::Variant base = variantOf("first", "kernel void f() {}\n");
        panel.setCatalogue(catalogueOf({base}));
        panel.setAnalysis("sums", 0);
        QVERIFY(panel.userKernels().copy(base, "mine"));
        QFile header(folder.filePath("sums/helper.h"));
        QVERIFY(header.open(QIODevice::WriteOnly));
        header.write("int helper;\n");
        header.close();
        ks::Variant own = base;
        own.id = "user.mine";
        own.base = "first";
        own.user_file = folder.filePath("sums/mine.cl").toStdString();
        std::set<std::filesystem::path> read;
        own.source = ks::with_own_includes("#include \"helper.h\"\nkernel void f() {}\n", own.user_file,
                                           {folder.path().toStdString(), {}}, read);
        panel.setCatalogue(catalogueOf({base, own}));
        QVERIFY(panel.setVariant("user.mine"));
        panel.resize(900, 500);
        panel.show();
        ResolvedView& view = panel.source();
        QCOMPARE(view.toPlainText(), QString("#include \"helper.h\"\nint helper;\nkernel void f() {}"));
        QVERIFY(panel.showPlace({folder.filePath("sums/helper.h").toStdString(), 1}));
        QCOMPARE(view.textCursor().blockNumber(), 1);
        const auto isShown = [&view](int line) {
            return view.document()->findBlockByNumber(line).isVisible();
        };
        for (const char* text : {"Fold includes", "Unfold"}) {
            const auto buttons = panel.findChildren<QToolButton*>();
            const auto button = std::ranges::find(buttons, QString(text), &QToolButton::text);
            QVERIFY(button != buttons.end());
            QTest::mouseClick(*button, Qt::LeftButton);
            QVERIFY(isShown(0) && isShown(2));
            QCOMPARE(isShown(1), text == std::string("Unfold"));
        }
    }

    void theHeadNamesAKernelThatCannotBeRunAndShowsNoOtherInItsPlace() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("sums"));
        QFile file(folder.filePath("sums/broken.cl"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("// kernelscope variant\n// base: first\n// define: FOO=3\n\nkernel void f() {}\n");
        file.close();
        const ks::Variant base = variantOf("first", "kernel void f() {}\n");
        KernelPanel panel;
        panel.userKernels().setFolder(folder.path());
        panel.setCatalogue(catalogueOf({base}));
        panel.setAnalysis("sums", 0);
        panel.resize(1100, 720);
        panel.show();
        panel.showTab(KernelPanel::Tab::edit);
        QCOMPARE(panel.variant(), QString("first"));
        QListWidget& list = panel.userKernels().list().list();
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(0)).center());
        QCOMPARE(panel.userKernels().name(), QString("broken"));
        const auto story = [&panel] {
            for (const QLabel* one : panel.findChildren<QLabel*>())
                if (one->accessibleName() == "Idea of the variant") return one->text();
            return QString();
        };
        const auto expectBroken = [&] {
            QVERIFY(panel.variant().isEmpty());
            QCOMPARE(panel.variants().placeholderText(), QString("user.broken"));
            QVERIFY2(story().startsWith("user.broken cannot be run: line ") && story().contains("FOO") &&
                         !story().contains(".cl"),
                     qPrintable(story()));
            QVERIFY(panel.source().toPlainText().isEmpty());
            QCOMPARE(panel.source().placeholderText(), story());
            // Two sides without a text are no identical texts.
            QCOMPARE(panel.difference().summary().text(), story());
        };
        expectBroken();
        panel.setCatalogue(catalogueOf({base}));  // told again, it is refused still
        expectBroken();
        // Also where the kernel chosen before is no longer there, so that the first one has taken its place.
        ks::Variant gone = variantOf("user.gone", "kernel void f() {}\n");
        gone.base = "first";
        gone.user_file = folder.filePath("sums/gone.cl").toStdString();
        panel.setCatalogue(catalogueOf({base, gone}));
        QVERIFY(panel.setVariant("user.gone"));
        panel.setCatalogue(catalogueOf({base}));
        QCOMPARE(panel.variant(), QString("first"));
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(0)).center());
        expectBroken();
        QPushButton* copy = nullptr;
        for (QPushButton* one : panel.findChildren<QPushButton*>())
            if (one->text() == "Copy variant") copy = one;
        QVERIFY(copy);
        QVERIFY(!copy->isEnabled());
        // Mended and saved: the fault is gone at once, although the worker, which is busy, reports it later.
        QString text = panel.userKernels().editor().toPlainText();
        panel.userKernels().editor().replaceText(text.remove("// define: FOO=3\n"));
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        panel.userKernels().editor().setFocus();
        QTest::keyClick(&panel.userKernels().editor(), Qt::Key_F7);
        QVERIFY2(!story().contains("cannot be run"), qPrintable(story()));
        QVERIFY(copy->isEnabled());
        QVERIFY(copy->toolTip().contains("user.broken"));
        QTest::mouseClick(copy, Qt::LeftButton);
        QCOMPARE(panel.userKernels().name(), QString("broken-2"));
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(0)).center());
        QCOMPARE(panel.userKernels().name(), QString("broken"));
        ks::Variant mended = variantOf("user.broken", "kernel void f() {}\n");
        mended.base = "first";
        mended.user_file = file.fileName().toStdString();
        panel.setCatalogue(catalogueOf({base, mended}));
        QCOMPARE(panel.variant(), QString("user.broken"));
        panel.userKernels().remove();
        panel.setCatalogue(catalogueOf({base}));
        QCOMPARE(panel.variant(), QString("first"));
    }

    void anotherExerciseAwaitsNoKernelOfTheOneBefore() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("sums"));
        QFile file(folder.filePath("sums/mine.cl"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("// kernelscope variant\n// base: first\n\nkernel void f() {}\n");
        file.close();
        const ks::Variant base = variantOf("first", "kernel void f() {}\n");
        ks::Variant mine = variantOf("user.mine", "kernel void f() {}\n"),
                    other = variantOf("other", "kernel void g() {}\n");
        mine.base = "first";
        mine.user_file = file.fileName().toStdString();
        ks::wire::Catalogue catalogue = catalogueOf({base, mine});
        other.analysis = "products";
        catalogue.kernel_files[other.source_file] = other.source;
        other.source.clear();
        catalogue.offers["products"] = {{{other, {}}}};
        KernelPanel panel;
        panel.userKernels().setFolder(folder.path());
        panel.setCatalogue(catalogue);
        panel.setAnalysis("sums", 0);
        panel.show();
        panel.showTab(KernelPanel::Tab::edit);
        QListWidget& list = panel.userKernels().list().list();
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(0)).center());
        QCOMPARE(panel.variant(), QString("user.mine"));
        panel.setAnalysis("products", 0);
        QCOMPARE(panel.variant(), QString("other"));
        panel.setCatalogue(catalogue);
        QCOMPARE(panel.variant(), QString("other"));
    }

    void aViewWithoutTextNumbersNoLine() {
        CodeView view;
        view.setReadOnly(true);
        view.resize(300, 200);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto coloursOfMargin = [&view] {
            const QImage margin = view.grab(QRect(0, 2, view.viewport()->x(), 24)).toImage();
            std::set<QRgb> colours;
            for (int y = 0; y < margin.height(); ++y)
                for (int x = 0; x < margin.width(); ++x) colours.insert(margin.pixel(x, y));
            return colours.size();
        };
        QCOMPARE(coloursOfMargin(), std::size_t{1});
        view.setPlainText("int x;");
        QVERIFY(coloursOfMargin() > 1);
        view.clear();
        QCOMPARE(coloursOfMargin(), std::size_t{1});
        // Where something is to be written there is a first line.
        view.setReadOnly(false);
        QVERIFY(coloursOfMargin() > 1);
        // Without a file nothing can be written.
        view.setEnabled(false);
        QCOMPARE(coloursOfMargin(), std::size_t{1});
    }

    void optionsAreNotCutBehindTheirHyphenAndAreCopiedAsTheyAre() {
        const QString options = "-cl-std=CL1.2 -DELEMENT=uchar -DPRODUCT=3 -DWORK_GROUP=64";
        ks::BuildLog build;
        build.ok = true;
        build.source_file = "gpu/sums/first.cl";
        build.options = options.toStdString();
        BuildLogView view;
        view.setBuilds("Run 1", {build}, {});
        // Whatever the width, a line ends between options.
        for (int width = 160; width < 700; width += 20) {
            view.resize(width, 300);
            view.show();
            for (QTextBlock block = view.document()->begin(); block.isValid(); block = block.next())
                for (int i = 0; i + 1 < block.layout()->lineCount(); ++i) {
                    const QTextLine line = block.layout()->lineAt(i);
                    QString shown = block.text().mid(line.textStart(), line.textLength()).trimmed();
                    QVERIFY2(!shown.remove(QChar(0x2060)).endsWith('-'), qPrintable(shown));
                }
        }
        view.selectAll();
        view.copy();
        QVERIFY2(QGuiApplication::clipboard()->text().contains(options),
                 qPrintable(QGuiApplication::clipboard()->text()));
    }
};

QTEST_MAIN(KernelViewsTest)
#include "tst_kernel_views.moc"
