#include <QAbstractSpinBox>
#include <QDockWidget>
#include <QTabWidget>
#include <QtTest>

#include "tests/ui/window_fixture.h"

/// The form of a page keeps the height of its fields at any width of the dock, also where long rows wrap.
class SetUpRowsTest : public ks::tests::WindowFixture {
    Q_OBJECT
  private slots:
    void fieldsAreAsHighAsTheyMustBe_data() {
        QTest::addColumn<QString>("page");
        for (const char* page : {"spots", "xpcs", "particles"})
            QTest::newRow(page) << QString::fromLatin1(page);
    }
    void fieldsAreAsHighAsTheyMustBe() {
        QFETCH(QString, page);
        window_ = firstWindow({1600, 1000});
        QVERIFY(window_->setPage(page));
        auto* dock = window_->findChild<QDockWidget*>(QStringLiteral("sideDock"));
        auto* tabs = window_->findChild<QTabWidget*>(QStringLiteral("side"));
        QVERIFY(dock && tabs);
        const QString folder = qEnvironmentVariable("PICTURES");
        int fields = 0;
        for (int width = 240; width < 480; width += 8) {
            window_->resizeDocks({dock}, {width}, Qt::Horizontal);
            QTest::qWait(1);
            for (const QWidget* field : tabs->currentWidget()->findChildren<QAbstractSpinBox*>()) {
                if (!field->isVisible()) continue;
                ++fields;
                if (field->height() >= field->minimumSizeHint().height()) continue;
                if (!folder.isEmpty()) window_->grab().save(folder + "/squashed_" + page + ".png");
                QFAIL(qPrintable(QStringLiteral("%1 is %2 high in a dock of %3")
                                     .arg(field->accessibleName())
                                     .arg(field->height())
                                     .arg(dock->width())));
            }
        }
        QVERIFY(fields > 0);
        window_->resizeDocks({dock}, {300}, Qt::Horizontal);
        QTest::qWait(20);
        if (!folder.isEmpty()) QVERIFY(window_->grab().save(folder + "/rows_" + page + ".png"));
    }
};

QTEST_MAIN(SetUpRowsTest)
#include "tst_set_up_rows.moc"
