#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtTest>
#include <algorithm>

#include "ui/shell/error_bar.h"

using ks::Error;
using ks::ErrorKind;
using ks::ui::ErrorBar;

class ErrorBarTest : public QObject {
    Q_OBJECT
    static QToolButton* button(const ErrorBar& bar, const QString& text) {
        for (auto* one : bar.findChildren<QToolButton*>())
            if (one->text() == text) return one;
        return nullptr;
    }

  private slots:
    void anErrorStaysUntilItIsDismissed() {
        QWidget parent;
        ErrorBar bar(&parent);
        parent.show();
        bar.showError(
            Error(ErrorKind::build, "the kernel did not build", "gram.cl", "look at the log", "line 3: x"));
        QVERIFY(bar.isError());
        QVERIFY(bar.sentence().contains("gram.cl"));
        bar.showWarning("nothing to see");
        QVERIFY(bar.isError());
        button(bar, "Copy")->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains("line 3: x"));
        auto* details = bar.findChild<QPlainTextEdit*>();
        QVERIFY(!details->isVisible());
        button(bar, "Details")->click();
        QVERIFY(details->isVisible());
        // What could not be shown until now.
        bar.dismiss();
        QVERIFY(bar.isVisible() && !bar.isError());
        QCOMPARE(bar.sentence(), QString("nothing to see"));
        bar.dismiss();
        QVERIFY(!bar.isVisible());
        bar.showWarning("careful");
        QVERIFY(bar.isVisible());
        QVERIFY(!bar.isError());
    }

    void aTextDoesNotEndAtANul() {
        using namespace std::string_literals;
        QWidget parent;
        ErrorBar bar(&parent);
        parent.show();
        bar.showError(Error(ErrorKind::input, "found \"cou\0nts\" in the header"s, "a.h5", "use another file",
                            "line 1: \0"s));
        QCOMPARE(bar.sentence(), QString("a.h5: found \"cou\\x00nts\" in the header; use another file"));
        QCOMPARE(bar.details(), QString("line 1: \\x00"));
        bar.dismiss();
        bar.showWarning(QString::fromStdString("the unit \"s\0\" is unknown"s));
        QCOMPARE(bar.sentence(), QString("the unit \"s\\x00\" is unknown"));
    }

    void aWarningThatIsWithdrawnDoesNotFollowAnError() {
        QWidget parent;
        ErrorBar bar(&parent);
        parent.show();
        bar.showWarning("3 sums are not finite", {}, ErrorBar::Of::run);
        bar.withdraw(ErrorBar::Of::run);
        QVERIFY(!bar.isVisible());
        bar.showError(Error(ErrorKind::input, "no such file", "a.h5"));
        bar.showWarning("3 sums are not finite", {}, ErrorBar::Of::run);
        bar.withdraw(ErrorBar::Of::run);
        QVERIFY(bar.isError());
        bar.dismiss();
        QVERIFY(!bar.isVisible());
    }

    void theErrorOfATrialGoesWithTheNextOneAndOtherErrorsStay() {
        QWidget parent;
        ErrorBar bar(&parent);
        parent.show();
        bar.showError(Error(ErrorKind::input, "no such file", "a.h5"));
        bar.leave(ErrorBar::Of::trial);
        QVERIFY(bar.isError());
        bar.showError(Error(ErrorKind::build, "it does not build"), ErrorBar::Of::trial);
        bar.leave(ErrorBar::Of::trial);
        QVERIFY(!bar.isVisible());
        // One of a trial, then another one in its place.
        bar.showError(Error(ErrorKind::build, "it does not build"), ErrorBar::Of::trial);
        bar.showError(Error(ErrorKind::input, "no such file", "a.h5"));
        bar.leave(ErrorBar::Of::trial);
        QVERIFY(bar.isError());
    }

    void theErrorOfAPreviewGoesWithTheNextPreviewAndNotWithATrial() {
        QWidget parent;
        ErrorBar bar(&parent);
        parent.show();
        bar.showError(Error(ErrorKind::input, "the range ends before it starts"), ErrorBar::Of::preview);
        bar.leave(ErrorBar::Of::trial);
        QVERIFY(bar.isError());
        bar.leave(ErrorBar::Of::preview);
        QVERIFY(!bar.isVisible());
    }

    void theErrorOfATrialGoesWithThePageOnceItWasSeen() {
        QWidget parent;
        ErrorBar bar(&parent);
        bar.showError(Error(ErrorKind::build, "it does not build"), ErrorBar::Of::trial);
        bar.leavePage();
        QVERIFY2(bar.isError(), "nobody saw it");
        parent.show();
        parent.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&parent));
        bar.leavePage();
        QVERIFY(!bar.isError());
    }

    void theWarningOfARunGoesWithItsAnalysisAndOtherWarningsStay() {
        QWidget parent;
        ErrorBar bar(&parent);
        parent.show();
        parent.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&parent));
        bar.showWarning("the disk is full");
        bar.leavePage();
        QVERIFY(bar.isVisible());
        bar.showWarning("Run 5: the sum is nan", {}, ErrorBar::Of::run);
        bar.leave(ErrorBar::Of::preview);
        QVERIFY(bar.isVisible());
        bar.leavePage();
        QVERIFY(!bar.isVisible());
    }

    void aMessageMovesNothing() {
        QWidget parent;
        auto* rows = new QVBoxLayout(&parent);
        auto* page = new QWidget;
        rows->addWidget(page);
        ErrorBar bar(&parent);
        parent.resize(600, 400);
        parent.show();
        const QRect before = page->geometry();
        bar.showError(
            Error(ErrorKind::build, "it does not build", "gram.cl", "look", "line 1\nline 2\nline 3"));
        QCoreApplication::processEvents();
        QCOMPARE(page->geometry(), before);
        QVERIFY(bar.isVisible());
        QCOMPARE(bar.geometry().bottom(), parent.rect().bottom());
        QCOMPARE(bar.width(), parent.width());
        const int low = bar.height();
        button(bar, "Details")->click();
        QTRY_VERIFY(bar.height() > low);
        QCOMPARE(bar.geometry().bottom(), parent.rect().bottom());
        QCOMPARE(page->geometry(), before);
        parent.resize(500, 300);
        QTRY_COMPARE(bar.geometry().bottom(), parent.rect().bottom());
        QCOMPARE(bar.width(), 500);
        bar.dismiss();
        QCoreApplication::processEvents();
        QVERIFY(!bar.isVisible());
    }

    void aLongSentenceIsBrokenIntoLinesAndOnlyItsOriginIsShortened() {
        QWidget parent;
        ErrorBar bar(&parent);
        parent.resize(600, 400);
        parent.show();
        bar.showError(Error(ErrorKind::input, "no such file", "a.h5"));
        QCoreApplication::processEvents();
        const int low = bar.height();
        const QString cause =
            "1 of 60 frames are missing, but a correlation needs all frames: 19 (there is no file "
            "img_00019.tif in the folder of the series)";
        const std::string origin = "/data/" + std::string(200, 'x') + "/img_#####.tif";
        bar.showError(Error(ErrorKind::input, cause.toStdString(), origin, "leave them out"));
        QCoreApplication::processEvents();
        const auto labels = bar.findChildren<QLabel*>();
        const auto text =
            std::ranges::find_if(labels, [](const QLabel* one) { return !one->text().isEmpty(); });
        QVERIFY(text != labels.end());
        QVERIFY2((*text)->text().contains(cause + "; leave them out"), qPrintable((*text)->text()));
        QVERIFY((*text)->text().contains(QChar(0x2026)));
        QVERIFY(bar.height() > low);
        QVERIFY((*text)->height() >= (*text)->heightForWidth((*text)->width()));
        QCOMPARE(bar.geometry().bottom(), parent.rect().bottom());
        bar.showError(Error(ErrorKind::input, "no such file", "a.h5"));
        QCoreApplication::processEvents();
        QCOMPARE(bar.height(), low);
    }

    void detailsAreOfferedOnlyWhereThereAreSome() {
        QWidget parent;
        ErrorBar bar(&parent);
        parent.show();
        bar.showError(Error(ErrorKind::input, "no such file", "a.h5"));
        QVERIFY(!button(bar, "Details")->isVisible());
    }
};

QTEST_MAIN(ErrorBarTest)
#include "tst_error_bar.moc"
