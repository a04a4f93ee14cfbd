#include <QFile>
#include <QtTest>

#include "core/io/files/followed_files.h"
#include "tests/ui/shell/xpcs_window.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/error_bar.h"

/// What the window says where a name leads to no file that it opens at once.
class OpeningFilesTest : public ks::tests::WindowFixture {
    Q_OBJECT
  private slots:
    void aPatternOfFilesOfManyFramesMeansRepeats() {
        for (const char* leaf : {"scan_1.h5", "scan_2.h5"}) ks::tests::generate_xpcs(path(leaf), 8, 20, 20);
        window_ = firstWindow();
        window_->open(QStringList{path("scan_*.h5")});
        QTRY_VERIFY_WITH_TIMEOUT(window_->notices().ids().contains("repeats"), 30000);
        QVERIFY(!window_->errorBar().isError());
        window_.reset();
    }

    void refusalsSayWhatCanBeDoneInTheWindow() {
        window_ = firstWindow();
        QVERIFY(QDir(folder_.path()).mkdir("sent"));
        for (const char* leaf : {"other.raw", "sent/data.h5"}) {
            QFile file(path(leaf));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        try {
            ks::io::require_followed(path("other.raw").toStdString(), path("sent/data.h5").toStdString(),
                                     "data");
            QFAIL("followed");
        } catch (const ks::io::NotFollowed& error) {
            QCOMPARE(error.hint(), std::string("open data.h5 again, and answer Yes if you trust other.raw"));
        }
        window_.reset();
    }
};

QTEST_MAIN(OpeningFilesTest)
#include "tst_opening_files.moc"
