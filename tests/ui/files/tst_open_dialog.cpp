// Names typed in the dialog that opens files.

#include <QDialogButtonBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

#include "ui/files/open_dialog.h"

using ks::ui::OpenDialog;

class OpenDialogTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    static QPushButton& openButton(const OpenDialog& dialog) {
        return *dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open);
    }
    static void type(OpenDialog& dialog, const QString& text) {
        auto* const name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        QVERIFY(name);
        name->setFocus();
        QTest::keyClicks(name, text);
    }

  private slots:
    void initTestCase() {
        for (const char* leaf : {"img_0001.tif", "img_0002.tif", "notes.txt", "scan.h5"}) {
            QFile file(folder_.filePath(QLatin1String(leaf)));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
    }

    void namesOfSeriesAndFilesAreAccepted_data() {
        QTest::addColumn<QString>("typed");
        for (const char* typed : {"img_*.tif", "img_####.tif", "img_000?.tif", "img_{0001,0002}.tif",
                                  "img_0001.tif", "scan.h5::/entry/data"})
            QTest::newRow(typed) << QString(typed);
        QTest::newRow("absolute") << folder_.filePath("img_*.tif");
        QTest::newRow("absolute object") << folder_.filePath("scan.h5::/entry/data");
    }
    void namesOfSeriesAndFilesAreAccepted() {
        QFETCH(QString, typed);
        OpenDialog dialog(nullptr, "Open", folder_.path(), {"All files (*)"});
        dialog.show();
        type(dialog, typed);
        QTRY_VERIFY(openButton(dialog).isEnabled());
        QTest::mouseClick(&openButton(dialog), Qt::LeftButton);
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
        QCOMPARE(dialog.names(), QStringList(QDir(folder_.path()).absoluteFilePath(typed)));
    }

    void aPatternWithoutFilesCannotBeOpened() {
        OpenDialog dialog(nullptr, "Open", folder_.path(), {"All files (*)"});
        dialog.show();
        type(dialog, "other_*.tif");
        QVERIFY(!openButton(dialog).isEnabled());
    }

    void anObjectOfNoFileCannotBeOpened() {
        OpenDialog dialog(nullptr, "Open", folder_.path(), {"All files (*)"});
        dialog.show();
        type(dialog, "other.h5::/entry/data");
        QVERIFY(!openButton(dialog).isEnabled());
    }

    void severalFilesCanBeChosen() {
        OpenDialog dialog(nullptr, "Open", folder_.path(), {"All files (*)"});
        dialog.show();
        dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))
            ->setText(QStringLiteral("\"img_0001.tif\" \"img_0002.tif\""));
        QTRY_VERIFY(openButton(dialog).isEnabled());
        QTest::mouseClick(&openButton(dialog), Qt::LeftButton);
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
        QCOMPARE(dialog.names(),
                 (QStringList{folder_.filePath("img_0001.tif"), folder_.filePath("img_0002.tif")}));
    }
};

QTEST_MAIN(OpenDialogTest)
#include "tst_open_dialog.moc"
