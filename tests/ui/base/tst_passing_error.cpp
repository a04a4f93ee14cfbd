#include <QSignalSpy>
#include <QtTest>

#include "ui/base/passing_error.h"

using ks::ui::PassingError;

/// An error that is shown as long as what caused it is there.
class PassingErrorTest : public QObject {
    Q_OBJECT

    static ks::Error error(const char* text) { return {ks::ErrorKind::input, text}; }

  private slots:
    void itGoesOnceItsCauseHasChanged() {
        PassingError shown;
        QSignalSpy failed(&shown, &PassingError::failed), mended(&shown, &PassingError::mended);
        QStringList gone;
        connect(&shown, &PassingError::mended, this,
                [&gone](const ks::Error& error) { gone << QString::fromStdString(error.message()); });
        int size = 3;
        shown.review();
        QVERIFY(mended.isEmpty());
        shown.show(error("3 is too small"), [&size] { return size == 3; });
        QCOMPARE(failed.count(), 1);
        shown.review();
        QVERIFY(shown.isShown() && mended.isEmpty());
        size = 4;
        shown.review();
        QVERIFY(!shown.isShown());
        QCOMPARE(mended.count(), 1);
        QCOMPARE(gone, QStringList{"3 is too small"});
        shown.review();
        QCOMPARE(mended.count(), 1);
    }

    void withoutACauseAnyChangeEndsIt() {
        PassingError shown;
        QSignalSpy mended(&shown, &PassingError::mended);
        shown.show(error("no sizes"));
        shown.review();
        QCOMPARE(mended.count(), 1);
        shown.show(error("no sizes"));
        shown.forget();
        shown.review();
        QCOMPARE(mended.count(), 1);
    }
};

QTEST_MAIN(PassingErrorTest)
#include "tst_passing_error.moc"
