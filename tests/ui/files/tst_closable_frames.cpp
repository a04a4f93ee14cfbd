// Frames of a file that was closed because it had changed, or seemed to have.

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <memory>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/io/open_frames.h"
#include "ui/files/closable_frames.h"

using ks::ui::ClosableFrames;

class ClosableFramesTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString path(const char* leaf) const { return folder_.filePath(leaf); }
    /// An array of NumPy: 2 frames of 1 x 3 bytes.
    void write(const char* leaf, const QByteArray& pixels) const {
        QByteArray header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 1, 3), }";
        header = header.leftJustified(117, ' ') + '\n';
        QFile file(path(leaf));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray all = QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + header + pixels;
        QCOMPARE(file.write(all), all.size());
    }
    static QByteArray second(ks::FrameSource& frames) {
        QByteArray values(3, '\0');
        frames.read(1, 1, std::as_writable_bytes(std::span(values.data(), 3)));
        return values;
    }
    static QString refusal(ks::FrameSource& frames) {
        try {
            second(frames);
        } catch (const ks::Error& error) {
            return QString::fromUtf8(error.what());
        }
        return {};
    }

  private slots:
    void areReadAgainIfTheFileIsWhatItWas() {
        write("a.npy", "abcdef");
        ClosableFrames frames(ks::io::open_frames(path("a.npy").toStdString()));
        QCOMPARE(second(frames), QByteArray("def"));
        QVERIFY(QFile::rename(path("a.npy"), path("aside.npy")));
        frames.close();
        QVERIFY2(refusal(frames).contains("no such file"), qPrintable(refusal(frames)));
        QVERIFY(QFile::rename(path("aside.npy"), path("a.npy")));
        QCOMPARE(second(frames), QByteArray("def"));
    }

    void ofAnotherContentAreRefused() {
        write("b.npy", "abcdef");
        ClosableFrames frames(ks::io::open_frames(path("b.npy").toStdString()));
        frames.close();
        QVERIFY(QFile::remove(path("b.npy")));
        QTest::qWait(20);  // another time
        write("b.npy", "ABCDEF");
        QVERIFY2(refusal(frames).contains("has changed on disk"), qPrintable(refusal(frames)));
        QCOMPARE(frames.frames(), std::size_t{2});
    }
};

QTEST_GUILESS_MAIN(ClosableFramesTest)
#include "tst_closable_frames.moc"
