#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScopeGuard>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

#include "core/io/files/file_text.h"
#include "tests/full_disk/file_size_limit.h"
#include "tests/ui/child.h"
#include "ui/base/elided_label.h"
#include "ui/kernels/access/access_panel.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/trial/trial_bar.h"
#include "ui/kernels/trial/trial_history.h"
#include "ui/kernels/trial/trial_view.h"
#include "ui/kernels/trial/under_way.h"
#include "ui/kernels/user_kernel_list.h"
#include "ui/kernels/user_kernels.h"

using namespace ks::ui;
using ks::tests::child;

/// The user's own kernels: files, fields, and changes by other programs.
class UserKernelsTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<UserKernels> kernels_;
    ks::Variant base_;

    QString pathOf(const char* name) const { return folder_->filePath(QString("sums/%1.cl").arg(name)); }
    static QByteArray read(const QString& name) {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void write(const QString& name, const QByteArray& text) {
        QFile file(name + ".new");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        QFile::remove(name);
        QVERIFY(QFile::rename(name + ".new", name));
    }
    void type(const QString& text) {
        kernels_->editor().moveCursor(QTextCursor::End);
        kernels_->editor().insertPlainText(text);
    }

    /// Chooses a row of the list by the mouse.
    void click(const QString& row) {
        QListWidget& list = kernels_->list().list();
        const QList<QListWidgetItem*> found = list.findItems(row, Qt::MatchExactly);
        QVERIFY2(found.size() == 1, qPrintable(rows().join(", ")));
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(found.front()).center());
    }
    QStringList rows() const {
        QStringList all;
        for (int i = 0; i < kernels_->list().list().count(); ++i)
            all << kernels_->list().list().item(i)->text();
        return all;
    }
    ElidedLabel& headLabel() {
        for (QLabel* one : kernels_->findChildren<QLabel*>())
            if (one->accessibleName() == "Kernel being edited") return dynamic_cast<ElidedLabel&>(*one);
        qFatal("no head");
    }
    QPushButton& button(const QString& text) {
        for (QPushButton* one : kernels_->findChildren<QPushButton*>())
            if (one->text() == text) return *one;
        qFatal("no button %s", qPrintable(text));
    }
    void restart(const QString& drafts) {
        kernels_ = std::make_unique<UserKernels>();
        kernels_->setFolder(folder_->path());
        kernels_->setDraftsFolder(drafts);
        kernels_->setAnalysis("sums", {base_}, {});
        kernels_->resize(800, 500);
        kernels_->show();
    }

  private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        base_ = {};
        base_.analysis = "sums";
        base_.id = "tiles";
        base_.source_file = "gpu/sums/tiles.cl";
        base_.source = "kernel void f() {}\n";
        base_.entry_points = {"f"};
        base_.defines = {{"TILE", "16", {"16", "32"}, "Rows of a tile."}};
        kernels_ = std::make_unique<UserKernels>();
        kernels_->setFolder(folder_->path());
        kernels_->setAnalysis("sums", {base_}, {});
        kernels_->resize(800, 500);
        kernels_->show();
    }
    void cleanup() { kernels_.reset(); }

    void aCopyIsAFileOfTheUsersOwn() {
        QVERIFY(kernels_->copy(base_, kernels_->list().freeName(base_)));
        QCOMPARE(kernels_->name(), QString("tiles"));
        QVERIFY(read(pathOf("tiles")).contains("// base: tiles"));
        QCOMPARE(kernels_->list().list().count(), 1);
        QCOMPARE(kernels_->list().freeName(base_), QString("tiles-2"));
    }

    // What lies in the folders while the program lives is what a kill leaves.
    void textThatIsNotSavedOutlivesTheProgram() {
        QTemporaryDir drafts, left;
        kernels_->setDraftsFolder(drafts.path());
        QVERIFY(kernels_->copy(base_, "mine"));
        const QByteArray saved = read(pathOf("mine"));
        type("// not saved\n");
        const auto kept = [&drafts] { return QDir(drafts.path()).entryInfoList(QDir::Files); };
        QTRY_COMPARE_WITH_TIMEOUT(kept().size(), 1, 5000);
        QVERIFY(QFile::copy(kept().front().filePath(), left.filePath(kept().front().fileName())));
        const QString text = kernels_->editor().toPlainText();
        // Saved: nothing is kept beside the file.
        kernels_->save();
        QTRY_VERIFY(kept().isEmpty());
        kernels_.reset();
        write(pathOf("mine"), saved);  // the kill came before Ctrl+S
        UserKernels later;
        later.setDraftsFolder(left.path());
        later.setFolder(folder_->path());
        later.setAnalysis("sums", {base_}, {});
        QVERIFY(later.open("mine"));
        QCOMPARE(later.editor().toPlainText(), text);
        QCOMPARE(later.list().list().item(0)->text(), QString("mine *"));
        QVERIFY(child<QLabel>(later, "notice").toolTip().contains("not been saved"));
        QCOMPARE(read(pathOf("mine")), saved);
        later.editor().undo();
        QCOMPARE(later.editor().toPlainText().toUtf8(), saved);
    }

    void editsAreSavedByF7AndAskForARun() {
        QVERIFY(kernels_->copy(base_, "mine"));
        QSignalSpy wanted(kernels_.get(), &UserKernels::trialWanted);
        type("// more\n");
        QCOMPARE(kernels_->list().list().item(0)->text(), QString("mine *"));
        QVERIFY(!read(pathOf("mine")).contains("// more"));
        QVERIFY(QTest::qWaitForWindowExposed(kernels_.get()));
        kernels_->activateWindow();
        kernels_->editor().setFocus();
        QTest::keyClick(&kernels_->editor(), Qt::Key_F7);
        QCOMPARE(wanted.count(), 1);
        const auto trial = wanted[0][0].value<KernelTrial>();
        QCOMPARE(trial.id, QString("user.mine"));
        QCOMPARE(trial.base, QString("tiles"));
        QVERIFY(read(pathOf("mine")).contains("// more"));
        QCOMPARE(kernels_->list().list().item(0)->text(), QString("mine"));
    }

    void dataAreThePagesUnlessAHandChoseOthers() {
        QVERIFY(kernels_->copy(base_, "mine"));
        QSignalSpy wanted(kernels_.get(), &UserKernels::trialWanted);
        const std::vector<TrialDataChoice> generated{{TrialData::generatedSmall, "generated, small"},
                                                     {TrialData::generatedUsual, "generated"}};
        std::vector<TrialDataChoice> all = generated;
        all.insert(all.begin(), {TrialData::page, "as on the Sums page"});
        const auto taken = [&] {
            kernels_->run();
            return wanted.takeLast()[0].value<KernelTrial>().data;
        };
        kernels_->bar().setDataChoices(generated);
        QCOMPARE(taken(), TrialData::generatedSmall);
        kernels_->bar().setDataChoices(all);
        QCOMPARE(taken(), TrialData::page);
        kernels_->bar().data().setCurrentIndex(2);
        emit kernels_->bar().data().activated(2);
        QCOMPARE(taken(), TrialData::generatedUsual);
        kernels_->bar().setDataChoices(generated);
        QCOMPARE(taken(), TrialData::generatedUsual);
    }

    void repeatsAreThoseThatWereChosen() {
        QVERIFY(kernels_->copy(base_, "mine"));
        QSignalSpy wanted(kernels_.get(), &UserKernels::trialWanted);
        kernels_->run();
        QVERIFY(!wanted.takeLast()[0].value<KernelTrial>().repeats);
        kernels_->bar().repeats().setCurrentIndex(kernels_->bar().repeats().findData(30));
        kernels_->run();
        const auto trial = wanted.takeLast()[0].value<KernelTrial>();
        QCOMPARE(trial.repeats, std::optional<int>(30));
        QCOMPARE(trial.number, quint64{2});
        QVERIFY2(headLabel().whole().contains(", text " + trial.textMark + ","), qPrintable(trial.textMark));
        TrialResult result;
        result.verdict.state = ks::Verdict::State::pass;
        kernels_->history().take(trial, result);
        QCOMPARE(kernels_->history().list().count(), 1);
        QVERIFY(kernels_->copy(base_, "other"));
        QCOMPARE(kernels_->history().list().count(), 0);
        QVERIFY(kernels_->open("mine"));
        QCOMPARE(kernels_->history().list().count(), 1);
    }

    void theOpenKernelComesBackWithItsAnalysis() {
        QVERIFY(kernels_->copy(base_, "one"));
        QVERIFY(kernels_->copy(base_, "two"));
        QVERIFY(kernels_->open("one"));
        ks::Variant other = base_;
        other.analysis = "products";
        kernels_->setAnalysis("products", {other}, {});
        QCOMPARE(kernels_->name(), QString());
        kernels_->setAnalysis("sums", {base_}, {});
        QCOMPARE(kernels_->name(), QString("one"));
    }

    void aDefineIsALineOfTheHeader() {
        QVERIFY(kernels_->copy(base_, "mine"));
        QComboBox* const tile = &child<QComboBox>(*kernels_, "TILE");
        QVERIFY(tile);
        tile->setEditText("32");
        QTest::keyClick(tile->lineEdit(), Qt::Key_Return);
        QVERIFY(kernels_->editor().toPlainText().contains("// define: TILE=32"));
        kernels_->editor().undo();
        QVERIFY(!kernels_->editor().toPlainText().contains("// define"));
        QTRY_COMPARE(tile->currentText(), QString());
    }

    void aChangeByAnotherProgramIsTakenWhereNothingWasEdited() {
        QVERIFY(kernels_->copy(base_, "mine"));
        const QByteArray before = read(pathOf("mine"));
        write(pathOf("mine"), before + "// outside\n");
        QTRY_VERIFY(kernels_->editor().toPlainText().endsWith("// outside\n"));
        QVERIFY(child<QLabel>(*kernels_, "notice").isVisible());
        QVERIFY(!kernels_->editor().document()->isModified());
        kernels_->editor().undo();
        QVERIFY(!kernels_->editor().toPlainText().contains("// outside"));
        // Once more: the new file is watched, too.
        kernels_->editor().redo();
        kernels_->save();
        write(pathOf("mine"), before + "// again\n");
        QTRY_VERIFY(kernels_->editor().toPlainText().endsWith("// again\n"));
    }

    void aChangeByAnotherProgramIsOfferedWhereEditsWouldBeLost() {
        QVERIFY(kernels_->copy(base_, "mine"));
        const QByteArray before = read(pathOf("mine"));
        QSignalSpy failed(kernels_.get(), &UserKernels::failed);
        type("// inside\n");
        write(pathOf("mine"), before + "// outside\n");
        QTRY_VERIFY(button("Keep my version").isVisible());
        QVERIFY(kernels_->editor().toPlainText().endsWith("// inside\n"));
        QVERIFY(!kernels_->save());
        QCOMPARE(failed.count(), 1);
        QVERIFY(read(pathOf("mine")).contains("// outside"));
        button("Keep my version").click();
        QVERIFY(kernels_->save());
        QVERIFY(read(pathOf("mine")).contains("// inside"));
        type("// more\n");
        write(pathOf("mine"), before + "// later\n");
        QTRY_VERIFY(button("Use the file's version").isVisible());
        button("Use the file's version").click();
        QVERIFY(kernels_->editor().toPlainText().endsWith("// later\n"));
        kernels_->editor().undo();
        QVERIFY2(kernels_->editor().toPlainText().endsWith("// more\n"), "what was edited can be had again");
    }

    void aTextThatIsTypedBackToThatOfItsFileIsNotUnsaved() {
        QVERIFY(kernels_->copy(base_, "mine"));
        const QByteArray before = read(pathOf("mine"));
        QTest::keyClick(&kernels_->editor(), Qt::Key_X);
        QCOMPARE(rows(), QStringList("mine *"));
        QTest::keyClick(&kernels_->editor(), Qt::Key_Backspace);
        QCOMPARE(kernels_->editor().toPlainText().toUtf8(), before);
        QVERIFY(!kernels_->editor().document()->isModified());
        QCOMPARE(rows(), QStringList("mine"));
        QVERIFY(kernels_->keepTexts().empty());
        QTest::keyClick(&kernels_->editor(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(kernels_->editor().toPlainText().toUtf8() != before);
        QCOMPARE(rows(), QStringList("mine *"));
        QTest::keyClick(&kernels_->editor(), Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(rows(), QStringList("mine"));
        // A text without a file is unsaved, whatever it is.
        QVERIFY(QFile::remove(pathOf("mine")));
        QTRY_COMPARE(rows(), QStringList("mine *"));
        QTest::keyClick(&kernels_->editor(), Qt::Key_X);
        QTest::keyClick(&kernels_->editor(), Qt::Key_Backspace);
        QCOMPARE(rows(), QStringList("mine *"));
    }

    void theQuestionStaysWholeAndInPlaceBesideARefusal() {
        kernels_->resize(790, 500);
        QVERIFY(kernels_->copy(base_, "mine"));
        const QByteArray before = read(pathOf("mine"));
        type("// inside\n");
        write(pathOf("mine"), before + "// outside\n");
        QTRY_VERIFY(button("Keep my version").isVisible());
        const auto place = [this] {
            QPushButton& keep = button("Keep my version");
            return QRect(keep.mapTo(kernels_.get(), QPoint()), keep.size());
        };
        const auto isWhole = [this] {
            for (const QLabel* one : kernels_->findChildren<QLabel*>())
                if (one->isVisible() && one->toolTip().startsWith("Another program changed the file"))
                    return one->text() == one->toolTip() ||
                           one->text() == "Another program changed the file, too.";
            return false;
        };
        QVERIFY(isWhole());
        const QRect without = place();
        QVERIFY(!kernels_->save());
        const QLabel& notice = child<QLabel>(*kernels_, "notice");
        QTRY_VERIFY(notice.isVisible() && notice.width() > 0);
        QTest::qWait(50);
        QVERIFY(isWhole());
        QCOMPARE(place(), without);
        QVERIFY(notice.mapTo(kernels_.get(), QPoint()).y() >= without.bottom());
    }

    void theOnlyMessageOfTheCompilerIsWholeWhereItIsWiderThanTheWindow() {
        QVERIFY(kernels_->copy(base_, "mine"));
        TrialResult result;
        result.verdict.state = ks::Verdict::State::pass;
        result.buildLog = "warning: " + pathOf("mine").toStdString() + ":2:2: " + std::string(400, 'w');
        kernels_->run();
        kernels_->setResult(result);
        const QListWidget& list = kernels_->trial().messages();
        QTRY_VERIFY(list.isVisible() && list.horizontalScrollBar()->isVisible());
        QCOMPARE(list.count(), 1);
        const auto isWhole = [&list] {
            return list.viewport()->height() >= list.visualItemRect(list.item(0)).height();
        };
        QTRY_VERIFY(isWhole());
        kernels_->resize(5000, 500);
        QTRY_VERIFY(!list.horizontalScrollBar()->isVisible() && isWhole());
        kernels_->resize(700, 500);
        QTRY_VERIFY(list.horizontalScrollBar()->isVisible() && isWhole());
    }

    void theQuestionFollowsUndo() {
        QVERIFY(kernels_->copy(base_, "mine"));
        const QByteArray before = read(pathOf("mine"));
        const auto asked = [this] {
            for (const QLabel* one : kernels_->findChildren<ElidedLabel*>())
                if (one->isVisible() && one->text().startsWith("Another program changed the file"))
                    return one->toolTip().isEmpty() ? one->text() : one->toolTip();
            return QString();
        };
        type("// inside\n");
        write(pathOf("mine"), before + "// outside\n");
        QTRY_VERIFY(button("Keep my version").isVisible());
        QVERIFY2(asked().contains("you changed the text here"), qPrintable(asked()));
        while (kernels_->editor().document()->isModified()) kernels_->editor().undo();
        QCOMPARE(kernels_->editor().toPlainText().toUtf8(), before);
        QVERIFY2(!asked().isEmpty() && !asked().contains("you changed"), qPrintable(asked()));
        kernels_->editor().redo();
        QVERIFY2(asked().contains("you changed the text here"), qPrintable(asked()));
        // What is kept is not in the file, so it can be saved.
        while (kernels_->editor().document()->isModified()) kernels_->editor().undo();
        button("Keep my version").click();
        QVERIFY(asked().isEmpty());
        QVERIFY(kernels_->editor().document()->isModified());
        QVERIFY(kernels_->save());
        QCOMPARE(read(pathOf("mine")), before);
    }

    void aChangeThatCannotBeShownIsToldAndNeverOverwritten() {
        QVERIFY(kernels_->copy(base_, "mine"));
        const QString text = kernels_->editor().toPlainText();
        QSignalSpy failed(kernels_.get(), &UserKernels::failed);
        const QByteArray large(static_cast<qsizetype>(ks::io::largest_kernel) + 1, '/');
        write(pathOf("mine"), large);
        auto& notice = child<QLabel>(*kernels_, "notice");
        QTRY_VERIFY2(notice.text().contains("cannot be shown now"), qPrintable(notice.text()));
        QCOMPARE(kernels_->editor().toPlainText(), text);
        type("// inside\n");
        QVERIFY(!kernels_->save());
        QCOMPARE(failed.count(), 1);
        QVERIFY(read(pathOf("mine")) == large);
        // The reason can be read: no part of it is cut, also in a narrow window.
        for (const int width : {1200, 640}) {
            kernels_->resize(width, 700);
            QTest::qWait(1);
            const QString said = notice.text();
            QVERIFY2(said.contains("mine.cl") && said.contains("at most 4194304 bytes, found 4194305"),
                     qPrintable(said));
            QVERIFY2(notice.height() >= notice.heightForWidth(notice.width()), qPrintable(said));
        }
        // Its file may be moved away, or become a text again.
        QVERIFY(QFile::rename(pathOf("mine"), pathOf("theirs")));
        QTRY_VERIFY(kernels_->save());
        QVERIFY(read(pathOf("mine")).endsWith("// inside\n"));
        // One that comes just before.
        type("// more\n");
        write(pathOf("mine"), "// outside\n");
        QVERIFY(!kernels_->save());
        QCOMPARE(read(pathOf("mine")), QByteArray("// outside\n"));
        QTRY_VERIFY(button("Keep my version").isVisible());
    }

    void aTextBeyondTheLimitStaysInTheEditor() {
        QVERIFY(kernels_->copy(base_, "mine"));
        const QByteArray before = read(pathOf("mine"));
        const QString line = QString(63, QLatin1Char('/')) + QLatin1Char('\n');
        const QString large = line.repeated(static_cast<qsizetype>(ks::io::largest_kernel) / 64);
        type(large);
        QVERIFY(!kernels_->save());
        QCOMPARE(read(pathOf("mine")), before);
        const QString said = child<QLabel>(*kernels_, "notice").text();
        QVERIFY2(said.contains("mine.cl") && said.contains("at most 4194304 bytes"), qPrintable(said));
        QVERIFY(kernels_->editor().toPlainText().endsWith(large));
        kernels_->editor().undo();
        QVERIFY(kernels_->save());
    }

    void kernelsAreRenamedAndRemoved() {
        QVERIFY(kernels_->copy(base_, "one"));
        QVERIFY(kernels_->copy(base_, "two"));
        QCOMPARE(kernels_->name(), QString("two"));
        kernels_->rename("three");
        QCOMPARE(kernels_->name(), QString("three"));
        QVERIFY(QFile::exists(pathOf("three")) && !QFile::exists(pathOf("two")));
        QSignalSpy failed(kernels_.get(), &UserKernels::failed);
        kernels_->rename("one");
        QCOMPARE(failed.count(), 1);
        QVERIFY(QFile::exists(pathOf("three")));
        QVERIFY2(child<QLabel>(*kernels_, "notice").isVisible(), "it is told beside the text");
        QVERIFY(
            child<QLabel>(*kernels_, "notice").toolTip().contains("a kernel of this name already exists"));
        kernels_->rename("a/b");
        QCOMPARE(failed.count(), 2);
        kernels_->remove();
        QVERIFY(!QFile::exists(pathOf("three")));
        QCOMPARE(kernels_->list().list().count(), 1);
        QVERIFY(kernels_->open("one"));
    }

    void theListHasAContextMenuForTheMouseAndForTheKeyboard() {
        QVERIFY(kernels_->copy(base_, "one"));
        QVERIFY(kernels_->copy(base_, "two"));
        QListWidget& list = kernels_->list().list();
        disconnect(&kernels_->list(), &UserKernelList::removeWanted, nullptr, nullptr);
        QSignalSpy removals(&kernels_->list(), &UserKernelList::removeWanted);
        for (const auto reason : {QContextMenuEvent::Mouse, QContextMenuEvent::Keyboard}) {
            const QPoint at = list.visualItemRect(list.item(0)).center();
            QContextMenuEvent event(reason, at, list.viewport()->mapToGlobal(at));
            QWidget& to = reason == QContextMenuEvent::Mouse ? *list.viewport() : list;
            QApplication::sendEvent(&to, &event);
            auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu);
            QStringList texts;
            for (const QAction* one : menu->actions()) texts << one->text();
            QVERIFY2(texts.contains("Rename...") && texts.contains("Show folder"),
                     qPrintable(texts.join(", ")));
            menu->actions().at(texts.indexOf("Delete..."))->trigger();
            menu->close();
        }
        QCOMPARE(removals.count(), 2);
    }

    void actionsAreForAHighlightedFileThatCannotBeRead_data() {
        QTest::addColumn<bool>("link");
        QTest::newRow("broken link") << true;
        QTest::newRow("pipe") << false;
    }
    void actionsAreForAHighlightedFileThatCannotBeRead() {
        QFETCH(const bool, link);
        QVERIFY(kernels_->copy(base_, "acc"));
        if (link)
            QVERIFY(QFile::link(pathOf("nowhere"), pathOf("loop")));
        else
            QCOMPARE(mkfifo(pathOf("loop").toUtf8().constData(), 0600), 0);
        kernels_->setAnalysis("sums", {base_}, {});
        QCOMPARE(rows(), (QStringList{"acc", "loop"}));
        const QString text = kernels_->editor().toPlainText();
        click("loop");
        QListWidget& list = kernels_->list().list();
        QCOMPARE(list.currentItem()->text(), QString("loop"));
        QCOMPARE(kernels_->name(), QString("loop"));
        QVERIFY(!kernels_->editor().isEnabled() && kernels_->editor().toPlainText().isEmpty());
        QVERIFY2(kernels_->editor().placeholderText().contains(pathOf("loop")),
                 qPrintable(kernels_->editor().placeholderText()));
        QCOMPARE(kernels_->editor().placeholderText().contains("a link to " + pathOf("nowhere")), link);
        QSignalSpy wanted(kernels_.get(), &UserKernels::trialWanted);
        QTest::keyClick(kernels_.get(), Qt::Key_F7);
        QCOMPARE(wanted.count(), 0);
        QVERIFY(!kernels_->editor().document()->isModified());
        kernels_->rename("moved");
        QCOMPARE(kernels_->name(), QString("moved"));
        QCOMPARE(rows(), (QStringList{"acc", "moved"}));
        // The question names what is highlighted.
        QString asked;
        QTimer::singleShot(0, [&asked] {
            auto* const box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box) return;
            asked = box->text();
            box->button(QMessageBox::Yes)->click();
        });
        emit kernels_->list().removeWanted();
        QVERIFY2(asked.startsWith("Delete the kernel moved?"), qPrintable(asked));
        QCOMPARE(rows(), QStringList{"acc"});
        QVERIFY(!QFileInfo(pathOf("moved")).isSymLink() && !QFile::exists(pathOf("moved")));
        click("acc");
        QCOMPARE(kernels_->editor().toPlainText(), text);
        QVERIFY(kernels_->editor().isEnabled());
    }

    void aFileIsShownOnceItCanBeRead() {
        QVERIFY(kernels_->copy(base_, "acc"));
        QVERIFY(QFile::link(pathOf("later"), pathOf("loop")));
        kernels_->setAnalysis("sums", {base_}, {});
        click("loop");
        QVERIFY(!kernels_->editor().isEnabled());
        QVERIFY(QFile::remove(pathOf("loop")));
        QVERIFY(QFile::copy(pathOf("acc"), pathOf("loop")));
        QTRY_VERIFY(kernels_->editor().isEnabled());
        QCOMPARE(kernels_->editor().toPlainText(), QString::fromUtf8(read(pathOf("acc"))));
        QVERIFY(!kernels_->editor().document()->isModified());
    }

    void aNameThatWouldMakeTwoKernelsUnusableIsRefused() {
        QVERIFY(kernels_->copy(base_, "v2"));
        QVERIFY(kernels_->copy(base_, "tunes"));
        QVERIFY(QDir(folder_->path()).mkpath("sums/tries"));
        QVERIFY(QFile::copy(pathOf("v2"), pathOf("tries/deep")));
        for (const char* name : {"V2", "deep", "Deep"}) {
            kernels_->rename(name);
            QCOMPARE(kernels_->name(), QString("tunes"));
            QVERIFY2(child<QLabel>(*kernels_, "notice").toolTip().contains("already exists"),
                     qPrintable(child<QLabel>(*kernels_, "notice").toolTip()));
            QVERIFY(!kernels_->copy(base_, name));
        }
        QVERIFY(QFile::exists(pathOf("tunes")));
        kernels_->rename("Tunes");
        QCOMPARE(kernels_->name(), QString("Tunes"));
    }

    void aResultIsOutdatedOnceAFileChangesThatTheTextIncludes() {
        QVERIFY(kernels_->copy(base_, "mine"));
        write(pathOf("lib"), "#define ONE 1\n");
        type("#include \"lib.cl\"\n");
        kernels_->run();
        TrialResult result;
        result.base = "tiles";
        result.verdict.state = ks::Verdict::State::pass;
        kernels_->setResult(result);
        // The worker tells of its variants again after each change in the folder.
        const auto told = [this] { kernels_->setAnalysis("sums", {base_}, {}); };
        told();
        QVERIFY(!kernels_->trial().line().text().contains("Before the last changes"));
        write(pathOf("lib"), "#define ONE 2\n");
        told();
        QVERIFY(kernels_->trial().line().text().contains("Before the last changes"));
        write(pathOf("lib"), "#define ONE 1\n");
        told();
        QVERIFY(!kernels_->trial().line().text().contains("Before the last changes"));
    }

    void anEmptyEditorSaysInFullWhatToDo() {
        QCOMPARE(kernels_->editor().placeholderText(),
                 QString("Choose a kernel on the left, or copy a variant and edit the copy."));
        QVERIFY(kernels_->copy(base_, "mine"));
        QVERIFY(kernels_->editor().placeholderText().isEmpty());
    }

    void theTextThatIsEditedIsNamedByItsMark() {
        QVERIFY(kernels_->copy(base_, "mine"));
        const auto head = [this] { return headLabel().whole(); };
        const QRegularExpression mark("user\\.mine, text [0-9a-f]{6},");
        const QString before = head();
        QVERIFY2(mark.match(before).hasMatch(), qPrintable(before));
        type("// more\n");
        QTRY_VERIFY(head() != before);
        QVERIFY2(mark.match(head()).hasMatch(), qPrintable(head()));
        kernels_->editor().undo();
        QTRY_COMPARE(head(), before);
    }

    void theBaseOfTheTextIsReadInEveryWidth() {
        base_.id = "tiles.with.a.long.name";
        kernels_->setAnalysis("sums", {base_}, {});
        QVERIFY(kernels_->copy(base_, "mine.of.last.week"));
        ElidedLabel& head = headLabel();
        QVERIFY(head.toolTip().contains("launched as tiles.with.a.long.name\n"));
        const auto shown = [&head](int characters) {
            head.resize(head.fontMetrics().averageCharWidth() * characters, head.height());
            return head.text();
        };
        QVERIFY2(shown(200).contains("user.mine.of.last.week, text "), qPrintable(head.text()));
        QVERIFY2(shown(200).endsWith("launched as tiles.with.a.long.name"), qPrintable(head.text()));
        QVERIFY2(shown(45).endsWith("as tiles.with.a.long.name"), qPrintable(head.text()));
        QVERIFY2(shown(20).endsWith(QChar(0x2026)), qPrintable(head.text()));
    }

    void whatCameOfARunIsSaidToBeOfTheTextThatRan() {
        QVERIFY(kernels_->copy(base_, "mine"));
        kernels_->run();
        TrialResult result;
        result.base = "tiles";
        result.verdict.state = ks::Verdict::State::pass;
        kernels_->setResult(result);
        const QString said = kernels_->trial().line().text();
        QVERIFY(!said.contains("Before the last changes"));
        type("// more\n");
        QVERIFY(kernels_->trial().line().text().contains("Before the last changes"));
        QVERIFY(kernels_->save());
        QVERIFY2(kernels_->trial().line().text().contains("Before the last changes"), "saved is not run");
        kernels_->editor().undo();
        QCOMPARE(kernels_->trial().line().text(), said);
    }

    void theTipOfADefineIsMadeOfSentences() {
        base_.defines = {{"ITEMS", "4", {"1", "4"}, "work-items per compute unit"},
                         {"TILE", "16", {"16", "32"}, "Rows of a tile."}};
        kernels_->setAnalysis("sums", {base_}, {});
        QVERIFY(kernels_->copy(base_, "mine"));
        const auto tip = [this](const char* name) { return child<QComboBox>(*kernels_, name).toolTip(); };
        QVERIFY2(tip("ITEMS").startsWith("Work-items per compute unit. Default: 4. "),
                 qPrintable(tip("ITEMS")));
        QVERIFY2(tip("TILE").startsWith("Rows of a tile. Default: 16. "), qPrintable(tip("TILE")));
        // Only the launch uses ITEMS: no program is compiled with it.
        kernels_->run();
        TrialResult result;
        result.base = "tiles";
        result.verdict.state = ks::Verdict::State::pass;
        result.compiled = {{"TILE", "32"}};
        kernels_->setResult(result);
        const auto shown = [this](const char* name) {
            return child<QComboBox>(*kernels_, name).lineEdit()->placeholderText();
        };
        QCOMPARE(shown("TILE"), QString("32"));
        QCOMPARE(shown("ITEMS"), QString("auto"));
        QVERIFY2(tip("ITEMS").contains("a value that only its launch uses"), qPrintable(tip("ITEMS")));
    }

    void aDefinitionWithWordsIsShownInWordsAndAlsoTakesNumbers() {
        base_.source = "#if WAY == 1\n#endif\nkernel void f() {}\n";
        base_.defines = {{"WAY", "auto", {"auto", "plain", "fast"}, "How."}};
        kernels_->setAnalysis("sums", {base_}, {});
        QVERIFY(kernels_->copy(base_, "mine"));
        QVERIFY(QTest::qWaitForWindowExposed(kernels_.get()));
        auto& field = child<QComboBox>(*kernels_, "WAY");
        TrialResult result;
        result.base = "tiles";
        result.verdict.state = ks::Verdict::State::pass;
        result.compiled = {{"WAY", "fast"}};
        kernels_->run();
        kernels_->setResult(result);
        QCOMPARE(field.lineEdit()->placeholderText(), QString("fast"));
        // The text has the number.
        type("#define WAY 0\n");
        QTRY_COMPARE(field.lineEdit()->placeholderText(), QString("plain"));
        field.setFocus();
        QTest::keyClicks(&field, "1");
        QTest::keyClick(&field, Qt::Key_Return);
        QVERIFY(kernels_->editor().toPlainText().contains("// define: WAY=fast\n"));
        QTRY_COMPARE(field.currentText(), QString("fast"));
        QString text = kernels_->editor().toPlainText();
        kernels_->editor().replaceText(text.replace("WAY=fast", "WAY=0"));
        QTRY_COMPARE(field.currentText(), QString("plain"));
        QVERIFY(kernels_->fault().isEmpty());
    }

    void aKernelKeepsItsPlaceInTheListWhenItCannotBeRun() {
        for (const char* name : {"a", "b", "c"}) QVERIFY(kernels_->copy(base_, name));
        click("a");
        const QStringList order{"a", "b", "c"};
        QCOMPARE(rows(), order);
        // The fields of the kernel before
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        auto& field = child<QComboBox>(*kernels_, "TILE");
        field.setFocus();
        QTest::keyClicks(&field, "7");
        QTest::keyClick(&field, Qt::Key_Return);
        QVERIFY(kernels_->save());
        QVERIFY2(kernels_->fault().contains("found \"7\""), qPrintable(kernels_->fault()));
        QCOMPARE(rows(), order);
        QCOMPARE(kernels_->list().list().currentRow(), 0);
    }

    // Whether or not it can be run, and whether or not its predecessor had F7 runs.
    void theMarkedRowIsTheOpenKernelAndNoRowMovesUnderThePointer() {
        for (int i = 0; i < 40; ++i) {
            const QString name = QString("k%1").arg(i, 2, 10, QLatin1Char('0'));
            QVERIFY(kernels_->copy(base_, name));
            if (i % 3 == 1)
                write(folder_->filePath("sums/" + name + ".cl"), "// kernelscope variant\n// base: none\n");
        }
        kernels_->resize(900, 420);
        kernels_->show();
        QVERIFY(QTest::qWaitForWindowExposed(kernels_.get()));
        QVERIFY(kernels_->open("k00"));
        kernels_->history().take(
            KernelTrial{.analysis = "sums", .id = kernels_->id(), .base = "first", .number = 1},
            TrialResult());
        QListWidget& list = kernels_->list().list();
        const auto expectOpen = [&](const QString& name) {
            QCOMPARE(kernels_->name(), name);
            QCOMPARE(list.currentItem() ? list.currentItem()->text() : QString(), name);
            QCOMPARE(list.selectedItems().size(), 1);
            QCOMPARE(list.selectedItems().front()->text(), name);
        };
        for (const QString name : {"k25", "k22", "k24", "k00", "k31"}) {
            QListWidgetItem* const row = list.findItems(name, Qt::MatchExactly).front();
            list.scrollToItem(row, QAbstractItemView::PositionAtCenter);
            const QPoint at = list.visualItemRect(row).center();
            const int scrolled = list.verticalScrollBar()->value();
            const auto expectStill = [&] {
                QCOMPARE(list.verticalScrollBar()->value(), scrolled);
                QVERIFY(list.itemAt(at));
                QCOMPARE(list.itemAt(at)->text(), name);
                expectOpen(name);
            };
            QTest::mousePress(list.viewport(), Qt::LeftButton, {}, at);
            expectStill();
            QTest::mouseRelease(list.viewport(), Qt::LeftButton, {}, at);
            QCoreApplication::processEvents();
            expectStill();
        }
        // A file that another program adds above waits for the release.
        list.scrollToItem(list.item(20), QAbstractItemView::PositionAtCenter);
        const QPoint at = list.visualItemRect(list.item(20)).center();
        const QString pressed = list.item(20)->text();
        write(folder_->filePath("sums/a.cl"), "// kernelscope variant\n// base: first\n");
        QTest::mousePress(list.viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(list.itemAt(at)->text(), pressed);
        expectOpen(pressed);
        QTest::mouseRelease(list.viewport(), Qt::LeftButton, {}, at);
        expectOpen(pressed);
        QTRY_COMPARE(list.item(0)->text(), QString("a"));
        expectOpen(pressed);
        // One that is gone cannot be opened.
        QVERIFY(QFile::remove(folder_->filePath("sums/k10.cl")));
        QListWidgetItem* const gone = list.findItems("k10", Qt::MatchExactly).front();
        list.scrollToItem(gone);
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(gone).center());
        expectOpen(pressed);
        QTRY_VERIFY(list.findItems("k10", Qt::MatchExactly).isEmpty());
        expectOpen(pressed);
        list.setFocus();
        QTest::keyClick(&list, Qt::Key_Down);
        expectOpen(list.item(list.row(list.findItems(pressed, Qt::MatchExactly).front()) + 1)->text());
    }

    void fieldsAndLinesSayWhatWasCompiled() {
        base_.source = "#ifndef TILE\n#define TILE 16\n#endif\nkernel void f() {}\n";
        kernels_->setAnalysis("sums", {base_}, {});
        QVERIFY(kernels_->copy(base_, "mine"));
        const auto shown = [this] {
            return child<QComboBox>(*kernels_, "TILE").lineEdit()->placeholderText();
        };
        QCOMPARE(shown(), QString("auto"));  // the launch may choose another value than the text's
        TrialResult result;
        result.base = "tiles";
        result.verdict.state = ks::Verdict::State::pass;
        result.compiled = {{"TILE", "32"}};  // it suits the device
        kernels_->run();
        kernels_->setResult(result);
        QCOMPARE(shown(), QString("32"));
        const QStringList lines = kernels_->editor().toPlainText().split(u'\n');
        const auto at = static_cast<int>(lines.indexOf("#define TILE 16"));
        QCOMPARE(kernels_->editor().marks().keys(), QList<int>{at});
        kernels_->editor().goToLine(at);
        QVERIFY2(kernels_->editor().messageHere().contains("TILE is 32 in this run"),
                 qPrintable(kernels_->editor().messageHere()));
        // The same text has the same marks.
        child<QComboBox>(*kernels_, "TILE").lineEdit()->setFocus();
        emit child<QComboBox>(*kernels_, "TILE").lineEdit()->editingFinished();
        kernels_->editor().replaceText(kernels_->editor().toPlainText() + "\n// more\n");
        QVERIFY(kernels_->editor().marks().isEmpty());
        kernels_->editor().undo();
        QCOMPARE(kernels_->editor().marks().keys(), QList<int>{at});
        QCOMPARE(kernels_->editor().messages().keys(), QList<int>{at});
        kernels_->editor().redo();
        kernels_->editor().undo();
        // Also where lines above were added and removed.
        QTextCursor top(kernels_->editor().document());
        top.insertText("\n\n");
        QTRY_COMPARE(kernels_->editor().marks().keys(), QList<int>{at + 2});
        kernels_->editor().undo();
        QTest::qWait(0);
        QCOMPARE(kernels_->editor().marks().keys(), QList<int>{at});
        // What is changed in the text is what is taken.
        QString text = kernels_->editor().toPlainText();
        kernels_->editor().replaceText(text.replace("#define TILE 16", "#define TILE 8"));
        QTRY_COMPARE(shown(), QString("8"));
        result.compiled = {{"TILE", "8"}};
        kernels_->run();
        kernels_->setResult(result);
        QVERIFY(kernels_->editor().marks().isEmpty());
    }

    void aFieldThatIsEmptiedShowsNoFormerValueAsIfItWereChosen() {
        QVERIFY(kernels_->copy(base_, "mine"));
        auto& field = child<QComboBox>(*kernels_, "TILE");
        const auto enter = [&field](const QString& text) {
            field.setFocus();
            field.lineEdit()->selectAll();
            QTest::keyClick(&field, Qt::Key_Delete);
            QTest::keyClicks(&field, text);
            QTest::keyClick(&field, Qt::Key_Return);
        };
        enter("32");
        QTRY_VERIFY(kernels_->editor().toPlainText().contains("// define: TILE=32\n"));
        TrialResult result;
        result.base = "tiles";
        result.verdict.state = ks::Verdict::State::pass;
        result.compiled = {{"TILE", "32"}};
        kernels_->run();
        kernels_->setResult(result);
        QCOMPARE(field.currentText(), QString("32"));
        enter({});
        QTRY_VERIFY(!kernels_->editor().toPlainText().contains("define: TILE"));
        QTest::qWait(400);  // the header is read a moment after the text has changed
        QCOMPARE(field.currentText(), QString());
        QCOMPARE(field.lineEdit()->placeholderText(), QString("auto"));
        result.compiled = {{"TILE", "16"}};
        kernels_->run();
        kernels_->setResult(result);
        QCOMPARE(field.lineEdit()->placeholderText(), QString("16"));
    }

    void warningsOfAKernelThatBuildsAreMarkedAndListed() {
        base_.source = "#ifndef TILE\n#define TILE 16\n#endif\nkernel void f() {}\n";
        kernels_->setAnalysis("sums", {base_}, {});
        QVERIFY(kernels_->copy(base_, "mine"));
        const QString other = folder_->filePath("sums/lib.h");
        write(other, "int a;\n#warning of the file\n");
        type("#include \"lib.h\"\n#warning of the text\n");
        const QStringList lines = kernels_->editor().toPlainText().split(u'\n');
        const auto define = static_cast<int>(lines.indexOf("#define TILE 16")),
                   warning = static_cast<int>(lines.indexOf("#warning of the text"));
        TrialResult result;
        result.base = "tiles";
        result.verdict.state = ks::Verdict::State::pass;
        result.compiled = {{"TILE", "32"}};
        result.buildLog = "warning: " + other.toStdString() +
                          ":2:2: of the file\nwarning: " + pathOf("mine").toStdString() + ":" +
                          std::to_string(warning + 1) +
                          ":2: of the text\nwarning: " + pathOf("mine").toStdString() + ":" +
                          std::to_string(define + 1) + ":9: of the define\nCompiled f.\n";
        kernels_->run();
        kernels_->setResult(result);
        // With what was known before, and after the times have arrived.
        for (int i = 0; i < 2; ++i) {
            const QListWidget& list = kernels_->trial().messages();
            QVERIFY(list.isVisibleTo(kernels_.get()));
            QCOMPARE(list.count(), 3);
            QCOMPARE(list.item(0)->text(), other + ":2: warning: of the file");
            QCOMPARE(list.item(1)->text(), QString("Line %1: warning: of the text").arg(warning + 1));
            QList<int> marked = kernels_->editor().marks().keys();
            std::ranges::sort(marked);
            QCOMPARE(marked, (QList<int>{define, warning}));
            QCOMPARE(kernels_->editor().marks().value(warning), CodeView::Mark::warning);
            kernels_->editor().goToLine(define);
            const QString here = kernels_->editor().messageHere();
            QVERIFY2(here.contains("of the define\nTILE is 32 in this run"), qPrintable(here));
            kernels_->setResult(result);
        }
        result.buildLog.clear();
        kernels_->run();
        kernels_->setResult(result);
        QCOMPARE(kernels_->editor().marks().keys(), QList<int>{define});
        QVERIFY(kernels_->trial().messages().isHidden());
    }

    // As in Spots: `own` has WG in the text, and WG of the variant is that of a built-in program.
    void definitionsOfTwoProgramsAreNotMixedUp() {
        base_.source = "#ifndef WG\n#define WG 128\n#endif\nkernel void f() {}\n";
        base_.defines = {{"WG", "64", {"1", "64"}, "Of another program.", {}, "gpu/sums/first.cl"},
                         {"OWN_WG", "128", {"1", "32", "128"}, "Of this one.", "WG"}};
        kernels_->setAnalysis("sums", {base_}, {});
        QVERIFY(kernels_->copy(base_, "mine"));
        const auto shown = [this](const char* name) {
            return child<QComboBox>(*kernels_, name).lineEdit()->placeholderText();
        };
        QVERIFY(child<QComboBox>(*kernels_, "WG").toolTip().contains("gpu/sums/first.cl"));
        QVERIFY(!child<QComboBox>(*kernels_, "OWN_WG").toolTip().contains(".cl"));
        TrialResult result;
        result.base = "tiles";
        result.verdict.state = ks::Verdict::State::pass;
        result.compiled = {{"WG", "1"}, {"OWN_WG", "32"}};
        kernels_->run();
        kernels_->setResult(result);
        QCOMPARE(shown("WG"), QString("1"));
        QCOMPARE(shown("OWN_WG"), QString("32"));
        const QStringList lines = kernels_->editor().toPlainText().split(u'\n');
        const auto at = static_cast<int>(lines.indexOf("#define WG 128"));
        QCOMPARE(kernels_->editor().marks().keys(), QList<int>{at});
        kernels_->editor().goToLine(at);
        QVERIFY2(kernels_->editor().messageHere().contains("WG is 32 in this run"),
                 qPrintable(kernels_->editor().messageHere()));
        // What is changed in the text is the text's own.
        QString text = kernels_->editor().toPlainText();
        kernels_->editor().replaceText(text.replace("#define WG 128", "#define WG 8"));
        QTRY_COMPARE(shown("OWN_WG"), QString("8"));
        QCOMPARE(shown("WG"), QString("1"));
    }

    void anErrorInAnIncludedFileIsNotMarkedHere_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"lib.cl", "helper.h", "table"}) QTest::newRow(name) << name;
    }

    void anErrorInAnIncludedFileIsNotMarkedHere() {
        QFETCH(const QString, name);
        QVERIFY(kernels_->copy(base_, "mine"));
        const QString path = folder_->filePath("sums/" + name);
        write(path, "int a;\nint b\n");
        type("#include \"" + name + "\"\n");
        QTest::keyClick(&kernels_->editor(), Qt::Key_F7);
        const std::string other = path.toStdString();
        kernels_->setError(ks::Error(ks::ErrorKind::build, "the kernel does not build",
                                     pathOf("mine").toStdString(), {},
                                     "error: " + other + ":2:8: expected ';'\n"));
        QVERIFY(kernels_->editor().marks().isEmpty());
        QCOMPARE(kernels_->trial().messages().item(0)->text(),
                 QString("%1:2: expected ';'").arg(QString::fromStdString(other)));
        std::optional<ks::SourcePlace> wanted;
        connect(kernels_.get(), &UserKernels::placeWanted, this,
                [&](const ks::SourcePlace& place) { wanted = place; });
        emit kernels_->trial().messages().itemClicked(kernels_->trial().messages().item(0));
        QVERIFY(wanted == ks::SourcePlace(other, 2));
    }

    void closingLeavesTheFileAndTheNextStartHasTheTextUnsaved() {
        QTemporaryDir drafts;
        kernels_->setDraftsFolder(drafts.path());
        QVERIFY(kernels_->copy(base_, "mine"));
        const QByteArray saved = read(pathOf("mine"));
        QTest::keyClicks(&kernels_->editor(), "x y z");
        const QString text = kernels_->editor().toPlainText();
        QVERIFY(text != QString::fromUtf8(saved));
        kernels_.reset();
        QCOMPARE(read(pathOf("mine")), saved);
        restart(drafts.path());
        QCOMPARE(rows(), QStringList("mine *"));
        click("mine *");
        QCOMPARE(kernels_->editor().toPlainText(), text);
        QVERIFY(kernels_->editor().document()->isModified());
        QTest::keyClick(&kernels_->editor(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(kernels_->editor().toPlainText().toUtf8(), saved);
    }

    void leavingAKernelWritesNothingAndKeepsItsText() {
        QTemporaryDir drafts;
        kernels_->setDraftsFolder(drafts.path());
        QVERIFY(kernels_->copy(base_, "one"));
        QVERIFY(kernels_->copy(base_, "two"));
        const QByteArray saved = read(pathOf("two"));
        QTest::keyClicks(&kernels_->editor(), "half typed");
        const QString text = kernels_->editor().toPlainText();
        click("one");
        QCOMPARE(kernels_->name(), QString("one"));
        QCOMPARE(read(pathOf("two")), saved);
        QCOMPARE(QDir(drafts.path()).entryList(QDir::Files).size(), 1);
        QCOMPARE(rows(), (QStringList{"one", "two *"}));
        kernels_->hide();
        QCOMPARE(read(pathOf("two")), saved);
        kernels_->show();
        click("two *");
        QCOMPARE(kernels_->editor().toPlainText(), text);
        QTest::keyClick(&kernels_->editor(), Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(read(pathOf("two")), text.toUtf8());
        QCOMPARE(rows(), (QStringList{"one", "two"}));
        QVERIFY(QDir(drafts.path()).isEmpty());
    }

    void anUnsavedTextIsCopiedAndRenamedWithoutBeingSaved() {
        QTemporaryDir drafts;
        kernels_->setDraftsFolder(drafts.path());
        QVERIFY(kernels_->copy(base_, "one"));
        const QByteArray saved = read(pathOf("one"));
        type("// typed\n");
        ks::Variant own = base_;
        own.id = "user.one";
        own.user_file = pathOf("one").toStdString();
        QVERIFY(kernels_->copy(own, "two"));
        QVERIFY(read(pathOf("two")).contains("// typed"));
        QCOMPARE(read(pathOf("one")), saved);
        click("one *");
        kernels_->rename("three");
        QCOMPARE(read(pathOf("three")), saved);
        QVERIFY(kernels_->editor().toPlainText().endsWith("// typed\n"));
        QCOMPARE(rows(), (QStringList{"three *", "two"}));
        kernels_.reset();
        restart(drafts.path());
        QCOMPARE(rows(), (QStringList{"three *", "two"}));
    }

    void aFileThatIsRemovedOrRenamedOutsideIsNotMadeAgainUnasked_data() {
        QTest::addColumn<bool>("renamed");
        QTest::newRow("removed") << false;
        QTest::newRow("renamed") << true;
    }
    void aFileThatIsRemovedOrRenamedOutsideIsNotMadeAgainUnasked() {
        QFETCH(bool, renamed);
        QTemporaryDir drafts;
        kernels_->setDraftsFolder(drafts.path());
        QVERIFY(kernels_->copy(base_, "other"));
        QVERIFY(kernels_->copy(base_, "mine"));
        QTest::keyClicks(&kernels_->editor(), "typed ");
        const QString text = kernels_->editor().toPlainText();
        QVERIFY(renamed ? QFile::rename(pathOf("mine"), pathOf("new")) : QFile::remove(pathOf("mine")));
        QTRY_VERIFY(child<QLabel>(*kernels_, "notice").toolTip().contains("removed"));
        click("other");
        QCOMPARE(kernels_->name(), QString("other"));
        QVERIFY(!QFile::exists(pathOf("mine")));
        QVERIFY2(rows().contains("mine *"), "a text that is in no file can be found");
        kernels_.reset();
        QVERIFY(!QFile::exists(pathOf("mine")));
        restart(drafts.path());
        click("mine *");
        QCOMPARE(kernels_->editor().toPlainText(), text);
        QVERIFY(child<QLabel>(*kernels_, "notice").toolTip().contains("no longer exists"));
        QVERIFY(!QFile::exists(pathOf("mine")));
        QTest::keyClick(&kernels_->editor(), Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(read(pathOf("mine")), text.toUtf8());
        QVERIFY(rows().contains("mine"));
    }

    void aFileThatComesBackAsItWasIsSavedAgain() {
        QVERIFY(kernels_->copy(base_, "mine"));
        const QByteArray saved = read(pathOf("mine"));
        QVERIFY(QFile::remove(pathOf("mine")));
        QTRY_COMPARE(rows(), QStringList("mine *"));
        write(pathOf("mine"), saved);
        QTRY_COMPARE(rows(), QStringList("mine"));
        QVERIFY(child<QLabel>(*kernels_, "notice").isHidden());
    }

    void aFileThatChangedWhileItsTextWasLeftUnsavedIsAskedAbout_data() {
        QTest::addColumn<bool>("restarted");
        QTest::newRow("another kernel was open") << false;
        QTest::newRow("the program had ended") << true;
    }
    void aFileThatChangedWhileItsTextWasLeftUnsavedIsAskedAbout() {
        QFETCH(bool, restarted);
        QTemporaryDir drafts;
        kernels_->setDraftsFolder(drafts.path());
        QVERIFY(kernels_->copy(base_, "one"));
        QVERIFY(kernels_->copy(base_, "two"));
        const QByteArray before = read(pathOf("two"));
        QTest::keyClicks(&kernels_->editor(), "typed ");
        const QString text = kernels_->editor().toPlainText();
        click("one");
        if (restarted) kernels_.reset();
        write(pathOf("two"), before + "// outside\n");
        if (restarted) restart(drafts.path());
        click("two *");
        QCOMPARE(kernels_->editor().toPlainText(), text);
        QVERIFY(button("Keep my version").isVisible());
        QVERIFY2(!child<QLabel>(*kernels_, "notice").toolTip().contains("Ctrl+Z") ||
                     child<QLabel>(*kernels_, "notice").isHidden(),
                 "the file changes again, and an undo leads to its text of before");
        QTest::keyClick(&kernels_->editor(), Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(read(pathOf("two")), before + "// outside\n");
        write(pathOf("two"), before + "// again\n");
        QTest::mouseClick(&button("Use the file's version"), Qt::LeftButton);
        QTRY_VERIFY(kernels_->editor().toPlainText().endsWith("// again\n"));
    }

    // The name belongs to that text, though its file is gone.
    void aNameOfATextThatIsNotSavedIsNotGivenToAnotherKernel() {
        QTemporaryDir drafts;
        kernels_->setDraftsFolder(drafts.path());
        QVERIFY(kernels_->copy(base_, "late"));
        QTest::keyClicks(&kernels_->editor(), "// of late ");
        const QString late = kernels_->editor().toPlainText();
        QVERIFY(QFile::remove(pathOf("late")));
        QTRY_COMPARE(rows(), QStringList("late *"));
        QVERIFY(kernels_->copy(base_, "acc"));
        QTest::keyClicks(&kernels_->editor(), "// of acc ");
        kernels_->rename("late");
        QCOMPARE(kernels_->name(), QString("acc"));
        QVERIFY2(child<QLabel>(*kernels_, "notice").toolTip().contains("has not been saved"),
                 qPrintable(child<QLabel>(*kernels_, "notice").toolTip()));
        QVERIFY(!kernels_->copy(base_, "late"));
        QVERIFY(!QFile::exists(pathOf("late")));
        click("late *");
        QCOMPARE(kernels_->editor().toPlainText(), late);
        // The same with the text among the drafts only.
        kernels_.reset();
        restart(drafts.path());
        click("acc *");
        kernels_->rename("late");
        QCOMPARE(kernels_->name(), QString("acc"));
        click("late *");
        QCOMPARE(kernels_->editor().toPlainText(), late);
    }

    void aTextThatCannotBeKeptIsNamedAsLongAsThatIsSo() {
        QTemporaryDir drafts;
        kernels_->setDraftsFolder(drafts.path());
        QVERIFY(kernels_->copy(base_, "mine"));
        QSignalSpy told(kernels_.get(), &UserKernels::keepingChanged);
        {
            const ks::tests::FileSizeLimit full(16);
            QTest::keyClicks(&kernels_->editor(), "typed ");
            QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>(*kernels_, "unkept").isVisible(), 5000);
            QVERIFY2(child<QLabel>(*kernels_, "unkept").toolTip().contains("The text of the kernel mine"),
                     qPrintable(child<QLabel>(*kernels_, "unkept").toolTip()));
            QVERIFY(!child<QLabel>(*kernels_, "unkept").toolTip().contains(".draft"));
            QCOMPARE(kernels_->keepTexts().size(), std::size_t{1});
        }
        QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>(*kernels_, "unkept").isHidden(), 15000);
        QCOMPARE(told.count(), 2);
        QVERIFY(kernels_->keepTexts().empty());
        QCOMPARE(QDir(drafts.path()).entryList(QDir::Files).size(), 1);
    }

    void stepsOfUndoAndTheCursorComeBackWithTheKernel() {
        QVERIFY(kernels_->copy(base_, "one"));
        QVERIFY(kernels_->copy(base_, "two"));
        const QString before = kernels_->editor().toPlainText();
        type("// first\n");
        type("// second\n");
        kernels_->editor().goToLine(1);
        QVERIFY(kernels_->open("one"));
        QVERIFY(!kernels_->editor().document()->isUndoAvailable());
        QVERIFY(kernels_->open("two"));
        QVERIFY(kernels_->editor().toPlainText().endsWith("// second\n"));
        QCOMPARE(kernels_->editor().textCursor().blockNumber(), 1);
        QVERIFY2(kernels_->editor().document()->isModified(), "leaving does not save");
        kernels_->editor().undo();
        kernels_->editor().undo();
        QCOMPARE(kernels_->editor().toPlainText(), before);
        QCOMPARE(kernels_->list().list().currentItem()->text(), QString("two"));
        // Another name is no other text.
        kernels_->rename("three");
        kernels_->editor().redo();
        QVERIFY(kernels_->editor().toPlainText().contains("// first"));
    }

    void thePartInSightComesBackWithTheKernel() {
        QVERIFY(kernels_->copy(base_, "one"));
        QVERIFY(kernels_->copy(base_, "two"));
        for (int i = 0; i < 300; ++i) type(QString("// %1\n").arg(i));
        QScrollBar* const bar = kernels_->editor().verticalScrollBar();
        bar->setValue(120);
        const int line = kernels_->editor().textCursor().blockNumber();
        QVERIFY(kernels_->open("one"));
        QCOMPARE(bar->value(), 0);
        QVERIFY(kernels_->open("two"));
        QCOMPARE(bar->value(), 120);
        QCOMPARE(kernels_->editor().textCursor().blockNumber(), line);
    }

    void anotherTextInTheFileMeanwhileHasNoStepsOfUndo() {
        QVERIFY(kernels_->copy(base_, "one"));
        QVERIFY(kernels_->copy(base_, "two"));
        type("// mine\n");
        QVERIFY(kernels_->save());
        QVERIFY(kernels_->open("one"));
        write(pathOf("two"), read(pathOf("two")) + "// outside\n");
        QVERIFY(kernels_->open("two"));
        QVERIFY(kernels_->editor().toPlainText().endsWith("// outside\n"));
        QVERIFY2(!kernels_->editor().document()->isUndoAvailable(), "they were of another text");
        // One that is removed and made again is another one, too.
        type("// more\n");
        const QByteArray text = read(pathOf("one"));
        kernels_->remove();
        QVERIFY(kernels_->copy(base_, "two"));
        QVERIFY(!kernels_->editor().document()->isUndoAvailable());
        QVERIFY(kernels_->open("one"));
        QCOMPARE(kernels_->editor().toPlainText().toUtf8(), text);
    }

    void linesAndMarksAreThoseOfTheDocumentInSight() {
        QVERIFY(kernels_->copy(base_, "one"));
        QVERIFY(kernels_->copy(base_, "two"));
        QVERIFY(kernels_->open("one"));
        kernels_->editor().setMessages({{3, {CodeView::Mark::error, "wrong"}}});
        kernels_->editor().moveCursor(QTextCursor::Start);
        kernels_->editor().insertPlainText("// above\n");
        QTRY_COMPARE(kernels_->editor().marks().keys(), QList<int>{4});
        QVERIFY(kernels_->open("two"));
        QVERIFY(kernels_->editor().marks().isEmpty());
    }

    void shiftF7SavesAndJudgesInAProcessOfItsOwn() {
        QFile program(folder_->filePath("cli"));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write(
            "#!/bin/sh\necho '{\"runs\": [], \"findings\": [{\"id\": \"accesses\", \"state\": "
            "\"no\", \"text\": \"outside\", \"details\": \"\", \"places\": [{\"file\": \"'\"$KERNELSCOPE_"
            "VARIANTS\"'/sums/mine.cl\", \"line\": 3}]}]}' > \"$8\"\n");
        program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        program.close();
        qputenv("KERNELSCOPE_CLI", program.fileName().toUtf8());
        kernels_ = std::make_unique<UserKernels>();
        kernels_->setFolder(folder_->path());
        kernels_->setAnalysis("sums", {base_}, {});
        kernels_->show();
        QSignalSpy wrong(kernels_.get(), &UserKernels::accessesWrong);
        QVERIFY(kernels_->copy(base_, "mine"));
        type("// more\n");
        kernels_->checkAccesses();
        QVERIFY2(child<QLabel>(*kernels_, "notice").toolTip().contains("OpenCL device"), "none is chosen");
        kernels_->setDevice("0");
        QVERIFY(QTest::qWaitForWindowExposed(kernels_.get()));
        kernels_->activateWindow();
        kernels_->editor().setFocus();
        QTest::keyClick(&kernels_->editor(), Qt::Key_F7, Qt::ShiftModifier);
        QVERIFY(kernels_->accesses().isRunning());
        QVERIFY(read(pathOf("mine")).contains("// more"));
        QTRY_COMPARE_WITH_TIMEOUT(kernels_->accesses().rows().count(), 1, 10000);
        QCOMPARE(kernels_->editor().marks().keys(), QList<int>{2});
        emit kernels_->accesses().rows().itemClicked(kernels_->accesses().rows().item(0));
        QCOMPARE(kernels_->editor().markedLine(), 2);
        type("// later\n");
        QVERIFY(kernels_->accesses().line().text().contains("Before the last changes"));
        // What was found of one kernel is not shown beside another one, and is kept.
        kernels_->editor().undo();
        QVERIFY(kernels_->copy(base_, "other"));
        QCOMPARE(kernels_->accesses().rows().count(), 0);
        QVERIFY(kernels_->accesses().line().isHidden());
        click("mine");
        QCOMPARE(kernels_->accesses().rows().count(), 1);
        QVERIFY(!kernels_->accesses().line().text().contains("Before the last changes"));
        QCOMPARE(kernels_->editor().marks().keys(), QList<int>{2});
        // A run of the text says what the check found, also while another text is in the editor.
        KernelTrial trial;
        connect(kernels_.get(), &UserKernels::trialWanted, this,
                [&](const KernelTrial& one) { trial = one; });
        kernels_->run();
        TrialResult right;
        right.base = "tiles";
        right.verdict.state = ks::Verdict::State::pass;
        kernels_->history().take(trial, right);
        kernels_->endTrial();
        kernels_->setResult(right);
        const auto line = [this] { return kernels_->trial().line().text(); };
        QCOMPARE(wrong.size(), 1);
        QCOMPARE(wrong.front().at(1).toString(), trial.textMark);
        QCOMPARE(wrong.front().at(2).toStringList(), QStringList("wrong accesses"));
        const QString found = "wrong: the access check of this text found wrong accesses";
        QVERIFY2(line().contains(found), qPrintable(line()));
        QVERIFY(kernels_->history().list().item(0)->text().startsWith(u'\u2717'));
        type("// later\n");
        QVERIFY2(line().contains("Before the last changes") && line().contains(found), qPrintable(line()));
        kernels_->run();
        kernels_->history().take(trial, right);
        kernels_->endTrial();
        kernels_->setResult(right);
        QVERIFY2(line().contains("right: all values") && !line().contains("access check"),
                 qPrintable(line()));
        QVERIFY(kernels_->history().list().item(0)->text().startsWith(u'\u2713'));
        QVERIFY(kernels_->history().list().item(1)->text().startsWith(u'\u2717'));
        kernels_->rename("third");
        QCOMPARE(kernels_->accesses().rows().count(), 1);
    }

    void aCheckGoesOnWhileAnotherKernelIsLookedAt() {
        QFile program(folder_->filePath("cli"));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\nwhile ! test -e '" + folder_->filePath("go").toUtf8() +
                      "'; do sleep 0.02; done\necho '{\"runs\": [], \"findings\": [{\"id\": \"values\", "
                      "\"state\": \"no\", \"text\": \"wrong\", \"details\": \"\"}]}' > \"$8\"\n");
        program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        program.close();
        qputenv("KERNELSCOPE_CLI", program.fileName().toUtf8());
        kernels_ = std::make_unique<UserKernels>();
        kernels_->setFolder(folder_->path());
        kernels_->setAnalysis("sums", {base_}, {});
        kernels_->resize(800, 500);
        kernels_->show();
        QVERIFY(kernels_->copy(base_, "other"));
        QVERIFY(kernels_->copy(base_, "mine"));
        kernels_->run();
        TrialResult result;
        result.base = "tiles";
        result.verdict.state = ks::Verdict::State::pass;
        kernels_->setResult(result);
        const QString right = kernels_->trial().line().text();
        QVERIFY(right.contains("right"));
        kernels_->setDevice("0");
        QVERIFY(QTest::qWaitForWindowExposed(kernels_.get()));
        kernels_->activateWindow();
        kernels_->editor().setFocus();
        QTest::keyClick(&kernels_->editor(), Qt::Key_F7, Qt::ShiftModifier);
        click("other");
        AccessPanel& accesses = kernels_->accesses();
        QVERIFY(accesses.isRunning() && accesses.underWay().isVisible());
        QVERIFY2(accesses.underWay().line().text().contains("accesses of mine"),
                 qPrintable(accesses.underWay().line().text()));
        QFile go(folder_->filePath("go"));
        QVERIFY(go.open(QIODevice::WriteOnly));
        QTRY_VERIFY_WITH_TIMEOUT(!accesses.isRunning(), 10000);
        QVERIFY(accesses.rows().count() == 0 && accesses.line().isHidden());
        click("mine");
        QCOMPARE(accesses.rows().count(), 1);
        // A text whose values were found wrong is not called right.
        kernels_->run();
        kernels_->setResult(result);
        QVERIFY2(kernels_->trial().line().text().contains("found wrong values"),
                 qPrintable(kernels_->trial().line().text()));
        type("// another text\n");
        kernels_->run();
        kernels_->setResult(result);
        QCOMPARE(kernels_->trial().line().text(), right);
    }

    /// Answers the question of Delete; its text.
    QString deleteKernel(QMessageBox::StandardButton answer) {
        QString asked;
        QTimer::singleShot(0, this, [&] {
            auto* const box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box) return;
            asked = box->text();
            box->button(answer)->click();
        });
        emit kernels_->list().removeWanted();
        return asked;
    }

    void aTextThatIsNotSavedGoesToTheTrashWithItsFile() {
        const QByteArray home = qgetenv("HOME"), data = qgetenv("XDG_DATA_HOME");
        const auto back = qScopeGuard([&] {
            qputenv("HOME", home);
            data.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", data);
        });
        qputenv("HOME", folder_->path().toUtf8());
        qputenv("XDG_DATA_HOME", folder_->filePath("data").toUtf8());
        QVERIFY(QDir(folder_->path()).mkdir("data"));
        QTemporaryDir drafts;
        kernels_->setDraftsFolder(drafts.path());
        QVERIFY(kernels_->copy(base_, "mine"));
        const QByteArray saved = read(pathOf("mine"));
        QTest::keyClicks(&kernels_->editor(), "// typed ");
        const QByteArray text = kernels_->editor().toPlainText().toUtf8();
        const QString kept = deleteKernel(QMessageBox::Cancel);
        QVERIFY2(kept.contains("not saved") && kept.contains("mine-unsaved.cl"), qPrintable(kept));
        QCOMPARE(kernels_->editor().toPlainText().toUtf8(), text);
        deleteKernel(QMessageBox::Yes);
        QCOMPARE(rows(), QStringList());
        const QString trash = folder_->filePath("data/Trash/files/");
        QCOMPARE(read(trash + "mine.cl"), saved);
        QCOMPARE(read(trash + "mine-unsaved.cl"), text);
        QVERIFY(kernels_->copy(base_, "other"));
        QVERIFY(!deleteKernel(QMessageBox::Yes).contains("not saved"));
        QVERIFY(!QFile::exists(trash + "other-unsaved.cl"));
    }

    void bytesThatWereNotEditedStayAsTheyAre_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        const QByteArray head = "// kernelscope variant\n// base: tiles\n", typed = "// x\n";
        const QByteArray windows = QByteArray(head).replace("\n", "\r\n");
        QTest::newRow("Latin-1") << head + "// M\xfcller\n" << typed + head + "// M\xfcller\n";
        QTest::newRow("UTF-8") << head + "// M\xc3\xbcller\n" << typed + head + "// M\xc3\xbcller\n";
        QTest::newRow("line ends of Windows") << windows << "// x\r\n" + windows;
        QTest::newRow("two kinds of line ends") << head + windows + "// a\r\n"
                                                << "// x\r\n" + head + windows + "// a\r\n";
        QTest::newRow("byte order mark") << "\xef\xbb\xbf" + head << "\xef\xbb\xbf" + typed + head;
        QTest::newRow("no-break space") << head + "// 5\xc2\xa0px\n" << typed + head + "// 5\xc2\xa0px\n";
        QTest::newRow("no last line end") << windows + "// end"
                                          << "// x\r\n" + windows + "// end";
    }
    void bytesThatWereNotEditedStayAsTheyAre() {
        QFETCH(const QByteArray, before);
        QFETCH(const QByteArray, after);
        QVERIFY(QDir(folder_->path()).mkpath("sums"));
        write(pathOf("mine"), before);
        kernels_->setAnalysis("sums", {base_}, {});
        click("mine");
        QVERIFY(!kernels_->editor().toPlainText().contains(QChar::ReplacementCharacter));
        QVERIFY(!kernels_->editor().document()->isModified());
        kernels_->editor().moveCursor(QTextCursor::Start);
        QTest::keyClicks(&kernels_->editor(), "// x");
        QTest::keyClick(&kernels_->editor(), Qt::Key_Return);
        QTest::keyClick(&kernels_->editor(), Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(read(pathOf("mine")), after);
        // What was saved is not another program's text.
        QTest::qWait(150);
        QVERIFY(!kernels_->editor().document()->isModified());
        QVERIFY(child<QLabel>(*kernels_, "notice").isHidden());
    }

    void aCharacterThatTheFileCannotHaveIsRefused() {
        QVERIFY(QDir(folder_->path()).mkpath("sums"));
        const QByteArray before = "// kernelscope variant\n// base: tiles\n// M\xfcller\n";
        write(pathOf("mine"), before);
        kernels_->setAnalysis("sums", {base_}, {});
        click("mine");
        type(QString(QChar(0x3b1)));
        QVERIFY(!kernels_->save());
        QVERIFY(child<QLabel>(*kernels_, "notice").toolTip().contains("line 4 has a character"));
        QCOMPARE(read(pathOf("mine")), before);
        // The message goes with the character.
        QVERIFY(child<QLabel>(*kernels_, "notice").isVisible());
        QTest::keyClick(&kernels_->editor(), Qt::Key_Backspace);
        QVERIFY(child<QLabel>(*kernels_, "notice").isHidden());
    }

    void noFieldsOfAnotherKernelStayBesideAFileWithoutHeader() {
        QVERIFY(QDir(folder_->path()).mkpath("sums"));
        write(pathOf("bare"), "kernel void f() {}\n");
        const auto shown = [this] {
            return std::ranges::any_of(kernels_->findChildren<QComboBox*>("TILE"),
                                       [](const QComboBox* field) { return !field->isHidden(); });
        };
        QVERIFY(kernels_->copy(base_, "mine"));
        QTRY_VERIFY(shown());
        click("bare");
        QVERIFY(!shown());
        click("mine");
        QTRY_VERIFY(shown());
    }

    void aMessageGoesWithItsCause() {
        QVERIFY(kernels_->copy(base_, "mine"));
        const QByteArray before = read(pathOf("mine"));
        for (const char* answer : {"Keep my version", "Use the file's version"}) {
            type("// inside\n");
            write(pathOf("mine"), before + "// outside of " + answer + "\n");
            QTRY_VERIFY(button(answer).isVisible());
            QVERIFY(!kernels_->save());
            QLabel& notice = child<QLabel>(*kernels_, "notice");
            QVERIFY(notice.isVisible() && notice.toolTip().contains("keep your version before saving"));
            QTest::mouseClick(&button(answer), Qt::LeftButton);
            QVERIFY(notice.isHidden());
            QVERIFY(kernels_->save());
        }
        // A failure is one of the text that failed.
        kernels_->run();
        kernels_->setError(ks::Error(ks::ErrorKind::input, "the first line must be another one",
                                     pathOf("mine").toStdString() + ":1"));
        const auto colour = [this] { return kernels_->trial().messages().item(0)->foreground().color(); };
        const QColor failed = colour();
        type("// mended\n");
        QVERIFY(kernels_->trial().line().text().contains("Before the last changes"));
        QVERIFY(colour() != failed);
    }

    void aTrialCountsSecondsUntilItEndsOrIsCancelled() {
        QVERIFY(kernels_->copy(base_, "mine"));
        QSignalSpy cancelled(kernels_.get(), &UserKernels::cancelWanted);
        QVERIFY(!kernels_->kernelActions().back()->isEnabled());
        kernels_->run();
        UnderWay& underWay = kernels_->trial().underWay();
        QVERIFY(underWay.isVisible() && kernels_->kernelActions().back()->isEnabled());
        const QString before = underWay.line().text();
        QTRY_VERIFY(underWay.line().text() != before);
        QVERIFY(QTest::qWaitForWindowExposed(kernels_.get()));
        kernels_->activateWindow();
        kernels_->editor().setFocus();
        QTest::keyClick(&kernels_->editor(), Qt::Key_Escape);
        QCOMPARE(cancelled.count(), 1);
        kernels_->endTrial();
        kernels_->setError(ks::Error(ks::ErrorKind::cancelled, "cancelled"));
        QVERIFY(!underWay.isVisible() && !kernels_->kernelActions().back()->isEnabled());
        QCOMPARE(kernels_->trial().line().text(), QString("Cancelled"));
        // While times are awaited the verdict is there already.
        kernels_->run();
        TrialResult result;
        result.base = "tiles";
        result.verdict.state = ks::Verdict::State::pass;
        result.underWay = true;
        kernels_->setResult(result);
        QVERIFY(underWay.isVisible() && kernels_->trial().line().text().contains("right"));
        result.underWay = false;
        kernels_->endTrial();
        kernels_->setResult(result);
        QVERIFY(!underWay.isVisible());
    }

    void aRunOfAnotherKernelStaysInViewAndCanBeCancelled() {
        QVERIFY(kernels_->copy(base_, "other"));
        QVERIFY(kernels_->copy(base_, "mine"));
        QSignalSpy cancelled(kernels_.get(), &UserKernels::cancelWanted);
        kernels_->run();
        click("other");
        QCOMPARE(kernels_->name(), QString("other"));
        UnderWay& underWay = kernels_->trial().underWay();
        QVERIFY(underWay.isVisible() && kernels_->kernelActions().back()->isEnabled());
        QVERIFY2(underWay.line().text().contains("mine"), qPrintable(underWay.line().text()));
        QVERIFY(kernels_->trial().line().text().startsWith("F7 saves"));
        QTest::mouseClick(&underWay.cancelButton(), Qt::LeftButton);
        QCOMPARE(cancelled.count(), 1);
        // A result of the kernel shown, from an earlier run, does not end it.
        kernels_->setError(ks::Error(ks::ErrorKind::run, "it failed"));
        QVERIFY(underWay.isVisible());
        kernels_->endTrial();
        QVERIFY(!underWay.isVisible() && !kernels_->kernelActions().back()->isEnabled());
        QVERIFY(kernels_->trial().line().text().contains("it failed"));
    }

    void warningsAreToldFromErrorsAndListedOnce() {
        QVERIFY(kernels_->copy(base_, "mine"));
        const std::string file = pathOf("mine").toStdString();
        kernels_->setError(ks::Error(ks::ErrorKind::build, "the kernel does not build", file, {},
                                     "warning: " + file + ":5:2: look here\nerror: " + file +
                                         ":6:8: expected ';'\nwarning: " + file + ":5:2: look here\n"));
        QStringList all;
        for (int i = 0; i < kernels_->trial().messages().count(); ++i)
            all << kernels_->trial().messages().item(i)->text();
        QCOMPARE(all, (QStringList{"Line 5: warning: look here", "Line 6: expected ';'"}));
    }

    void errorsOfABuildAreMarkedAtTheirLines() {
        QVERIFY(kernels_->copy(base_, "mine"));
        const QString file = pathOf("mine");
        kernels_->setError(
            ks::Error(ks::ErrorKind::build, "the kernel does not build: CL_BUILD_PROGRAM_FAILURE (-11)",
                      file.toStdString(), {},
                      "error: " + file.toStdString() + ":6:8: expected ';'\n1 error generated.\n"));
        QCOMPARE(kernels_->editor().marks().value(5), CodeView::Mark::error);
        QVERIFY(kernels_->editor().marks().contains(5));
        QCOMPARE(kernels_->trial().messages().item(0)->text(), QString("Line 6: expected ';'"));
        QCOMPARE(kernels_->editor().markedLine(), 5);
        QVERIFY(kernels_->trial().line().text().contains("does not build"));
        // A line of the header that the program refuses.
        kernels_->setError(ks::Error(ks::ErrorKind::input, "unknown base", file.toStdString() + ":2"));
        QVERIFY(kernels_->editor().marks().contains(1));
        kernels_->run();
        QVERIFY(kernels_->editor().marks().isEmpty());
    }
};

QTEST_MAIN(UserKernelsTest)
#include "tst_user_kernels.moc"
