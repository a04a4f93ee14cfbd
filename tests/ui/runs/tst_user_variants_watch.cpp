#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <string>

#include "tests/ui/shell/xpcs_window.h"
#include "ui/runs/user/user_variants_watch.h"
#include "ui/runs/worker_client.h"

using ks::ui::UserVariantsWatch;
using ks::ui::WorkerClient;

/// The real worker: kernelscope-cli.
class UserVariantsWatchTest : public QObject {
    Q_OBJECT

    static void write(const QString& path, const QByteArray& text) {
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
    }

    /// Offers of spots with this id; -1: not offered, 0: with a reason why not, 1: to run.
    static int offered(const ks::wire::Catalogue& catalogue, const std::string& id) {
        const auto& offers = catalogue.offers.at("spots").front();
        const auto found =
            std::ranges::find_if(offers, [&](const ks::Offer& offer) { return offer.variant.id == id; });
        return found == offers.end() ? -1 : found->why_not.empty() ? 1 : 0;
    }

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }

    void aFolderThatIsMadeLaterIsSeen() {
        QTemporaryDir home;
        UserVariantsWatch watch(home.filePath("a/variants"));
        QSignalSpy changed(&watch, &UserVariantsWatch::changed);
        write(home.filePath("a/variants/spots/mine.cl"), "one");
        QTRY_VERIFY(changed.size() >= 1);
        // the folders that came have watches now
        QTest::qWait(500);
        changed.clear();
        write(home.filePath("a/variants/spots/mine.cl"), "another");
        QTRY_VERIFY(changed.size() >= 1);
    }

    void includedFilesAreWatched() {
        QTemporaryDir home;
        const QString included = home.filePath("spots/lib/op.h");
        write(home.filePath("spots/mine.cl"), "#include \"lib/op.h\"\n");
        write(included, "#define OP(x, y) ((x) + (y))\n");
        UserVariantsWatch watch(home.path());
        QSignalSpy changed(&watch, &UserVariantsWatch::changed);
        write(included, "#define OP(x, y) ((x) - (y))\n");
        QTRY_VERIFY(changed.size() >= 1);
    }

    void whatAnEditorOutsideWritesIsOfferedAndGoesAgain() {
        QTemporaryDir home;
        qputenv("KERNELSCOPE_VARIANTS", home.path().toUtf8());
        WorkerClient client;
        UserVariantsWatch watch(home.path());
        connect(&watch, &UserVariantsWatch::changed, &client, &WorkerClient::refreshOffers);
        ks::wire::Catalogue now;
        int times = 0;
        connect(&client, &WorkerClient::catalogueReady, this, [&](const ks::wire::Catalogue& catalogue) {
            now = catalogue;
            ++times;
        });
        client.start();
        QTRY_COMPARE_WITH_TIMEOUT(times, 1, 60000);
        QCOMPARE(offered(now, "user.mine"), -1);

        const QByteArray body =
            QByteArray::fromStdString(now.kernel_files.at("gpu/spots/tile/cooperative.cl"));
        const QString file = home.filePath("spots/mine.cl");
        write(file, "// kernelscope variant\n// base: cooperative\n\n" + body);
        QTRY_COMPARE_WITH_TIMEOUT(offered(now, "user.mine"), 1, 10000);
        write(file, "// kernelscope variant\n// base: none.of.these\n\n" + body);
        QTRY_COMPARE_WITH_TIMEOUT(offered(now, "user.mine"), 0, 10000);
        QVERIFY(QFile::remove(file));
        QTRY_COMPARE_WITH_TIMEOUT(offered(now, "user.mine"), -1, 10000);
    }

    void aTextThatChangesDuringAJobIsSeenBeforeItEnds() {
        QTemporaryDir home;
        qputenv("KERNELSCOPE_VARIANTS", home.path().toUtf8());
        const QString frames = home.filePath("long.h5"), file = home.filePath("xpcs/mine.cl");
        ks::tests::generate_xpcs(frames, 3000, 101, 121);
        WorkerClient client;
        UserVariantsWatch watch(home.path());
        connect(&watch, &UserVariantsWatch::changed, &client, &WorkerClient::refreshOffers);
        ks::wire::Catalogue now;
        connect(&client, &WorkerClient::catalogueReady, this,
                [&](const ks::wire::Catalogue& catalogue) { now = catalogue; });
        const QByteArray text = "// kernelscope variant\n// base: seed.naive\n\nkernel void correlate() {}\n";
        write(file, text);
        client.start();
        QTRY_VERIFY_WITH_TIMEOUT(client.ready(), 60000);
        const auto read = [&] { return QByteArray::fromStdString(now.user_texts.at(file.toStdString())); };
        QCOMPARE(read(), text);
        ks::Request request;
        request.analysis = "xpcs";
        request.variant = "host.reference";
        request.device = "host";
        request.inputs["frames"] = {frames.toStdString(), {}};
        request.inputs["partition"] = {"rings:60,50,0,15,4", {}};
        bool ended = false;
        client.ask(ks::ui::workerJob<ks::wire::RunJob>(&client, {request},
                                                       {.answer = [&](const auto&) { ended = true; },
                                                        .failed = [&](const ks::Error&) { ended = true; }}));
        QVERIFY(!client.idle());
        write(file, text + "// more\n");
        QTRY_COMPARE_WITH_TIMEOUT(read(), text + "// more\n", 10000);
        QVERIFY(!ended && !client.idle());
        client.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(client.idle(), 20000);
    }

    void offersThatAreTheSameTellNothing() {
        QTemporaryDir home;
        qputenv("KERNELSCOPE_VARIANTS", home.path().toUtf8());
        WorkerClient client;
        QSignalSpy catalogues(&client, &WorkerClient::catalogueReady);
        client.start();
        QTRY_COMPARE_WITH_TIMEOUT(catalogues.size(), 1, 60000);
        client.refreshOffers();
        QVERIFY(!client.idle());
        QTRY_VERIFY_WITH_TIMEOUT(client.idle(), 10000);
        QCOMPARE(catalogues.size(), 1);
    }
};

QTEST_MAIN(UserVariantsWatchTest)
#include "tst_user_variants_watch.moc"
