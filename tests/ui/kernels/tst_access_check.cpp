#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

#include "ui/kernels/access/access_check.h"

using namespace ks::ui;

/// The process that judges a kernel, with a program in its place that does what a test wants.
class AccessCheckTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QByteArray path(const char* name) const { return folder_.filePath(name).toUtf8(); }
    /// $2: analysis, $4: variant, $6: device, $8: file for the findings
    QString program(const char* name, const QByteArray& body) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write("#!/bin/sh\n" + body + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName();
    }
    /// Lines that write a text to the file for the findings.
    static QByteArray finds(const QByteArray& json) { return "cat > $8 <<END\n" + json + "\nEND\n"; }
    static QByteArray run(const QByteArray& title, bool simulated) {
        return "{\"title\": \"" + title + "\", \"simulated\": " + (simulated ? "true" : "false") + "}";
    }
    AccessPlan plan() const { return {"sums", "user.mine", "0", folder_.filePath("variants")}; }
    pid_t pidIn(const char* name) const {
        QFile file(folder_.filePath(name));
        return file.open(QIODevice::ReadOnly) ? static_cast<pid_t>(file.readAll().trimmed().toInt()) : 0;
    }
    /// Why the check fails.
    QString failureOf(AccessCheck& check) {
        QString why;
        const auto said = connect(&check, &AccessCheck::failed, this,
                                  [&](const ks::Error& error) { why = QString::fromUtf8(error.what()); });
        check.start(plan());
        (void)QTest::qWaitFor([&] { return !why.isEmpty(); }, 10000);
        disconnect(said);
        return why;
    }

  private slots:
    void whatJudgeFindsComesWithItsPlaces() {
        const QByteArray good = "{\"id\": \"builds\", \"state\": \"yes\", \"text\": \"\", \"details\": \"\"}";
        const QByteArray race =
            "{\"id\": \"races\", \"state\": \"no\", \"text\": \"a race\", \"details\": \"\", \"places\": "
            "[{\"file\": \"mine.cl\", \"line\": 7}, {\"file\": \"mine.cl\", \"line\": 9}]}";
        const QByteArray asked =
            "test \"$1 $2 $3 $4 $5 $6\" = \"judge sums --variant user.mine --device 0\" && "
            "test $KERNELSCOPE_VARIANTS = " +
            path("variants") + " || rm $8\nexit 1\n";
        AccessCheck check(
            program("finds", finds("{\"findings\": [" + good + ", " + race + "], \"runs\": [" +
                                   run("frames 64", false) + "," + run("frames 64", false) + "," +
                                   run("frames 18", false) + "," + run("frames 18, simulated", true) +
                                   ",{\"title\": \"frames 5, simulated\", \"simulated\": true, "
                                   "\"not_simulated\": \"oclgrind is not installed\"}], "
                                   "\"text_hash\": \"00000000000000ff\", \"more\": 1}") +
                                 asked));
        std::vector<AccessFindings> got;
        connect(&check, &AccessCheck::found, this, [&](const AccessFindings& one) { got.push_back(one); });
        check.start(plan());
        QTRY_COMPARE_WITH_TIMEOUT(got.size(), 1U, 10000);
        QVERIFY(!check.isRunning());
        QCOMPARE(got[0].findings.size(), 2U);
        QVERIFY(got[0].findings[1].state == ks::Finding::State::no);
        QCOMPARE(got[0].findings[1].places.size(), 2U);
        QCOMPARE(got[0].findings[1].places[1].line, 9U);
        QCOMPARE(got[0].textHash, QString("00000000000000ff"));
        QCOMPARE(got[0].problems, QString("frames 64; frames 18; simulated: frames 18"));
    }

    void choicesOfThePageAreItsLastArgumentsAndTheReportNamesThem() {
        AccessCheck check(program(
            "chooses",
            "for last in \"$@\"; do before=$word; word=$last; done\n"
            "test \"$before $word\" = \"--local-size=64 --window=3,3\" || exit 2\n" +
                finds("{\"findings\": [], \"choices\": \"local_size 64\", \"runs\": [" +
                      run("size 7", false) + "," + run("size 7, simulated as on the device", true) + "]}")));
        std::vector<AccessFindings> got;
        connect(&check, &AccessCheck::found, this, [&](const AccessFindings& one) { got.push_back(one); });
        AccessPlan chosen = plan();
        chosen.choices = QStringList{"--local-size=64", "--window=3,3"};
        check.start(chosen);
        QTRY_COMPARE_WITH_TIMEOUT(got.size(), 1U, 10000);
        QCOMPARE(got[0].problems, QString("with local_size 64: size 7; simulated: size 7, as on the device"));
    }

    void whatTheSimulatorsCompilerSaysIsAmongTheDetails() {
        const QByteArray unknown =
            "{\"id\": \"races\", \"state\": \"unknown\", \"text\": \"refused\", \"details\": \"\"}";
        AccessCheck check(program("refused", finds("{\"findings\": [" + unknown +
                                                   "], \"simulator_log\": \"mine.cl:3:1: error: no\", "
                                                   "\"runs\": []}")));
        std::vector<AccessFindings> got;
        connect(&check, &AccessCheck::found, this, [&](const AccessFindings& one) { got.push_back(one); });
        check.start(plan());
        QTRY_COMPARE_WITH_TIMEOUT(got.size(), 1U, 10000);
        QCOMPARE(got[0].findings[0].details, std::string("mine.cl:3:1: error: no"));
    }

    void stepsAndStagesAreTold() {
        AccessCheck check(
            program("tells",
                    "echo \"judge: a run without guard zones 0%\" >&2\necho \"kernel add 0%\" >&2\n"
                    "printf \"add \" >&2\nsleep 0.2\necho \"50%\" >&2\n" +
                        finds("{\"findings\": [], \"runs\": []}")));
        QStringList told;
        connect(&check, &AccessCheck::progress, this,
                [&](const QString& step, const QString& stage) { told << step + "|" + stage; });
        QSignalSpy found(&check, &AccessCheck::found);
        check.start(plan());
        QTRY_COMPARE_WITH_TIMEOUT(found.count(), 1, 10000);
        QCOMPARE(told, QStringList({"a run without guard zones|", "a run without guard zones|kernel add",
                                    "a run without guard zones|add"}));
    }

    void whyItIsNotJudgedIsSaid() {
        AccessCheck refuses(
            program("refuses", "echo \"kernelscope-cli: sums: there is no such variant\" >&2\nexit 2"));
        QCOMPARE(failureOf(refuses), QString("sums: there is no such variant"));
        QVERIFY(!refuses.isRunning());
        AccessCheck missing(folder_.filePath("not_there"));
        QVERIFY(!failureOf(missing).isEmpty());
        QVERIFY(!missing.isRunning());
        AccessCheck ends(program("ends", "kill -SEGV $$"));
        const QString why = failureOf(ends);
        QVERIFY2(why.contains("signal 11"), qPrintable(why));
        AccessCheck babbles(program("babbles", finds("{\"findings\": 3}")));
        const QString unread = failureOf(babbles);
        QVERIFY2(unread.contains("cannot be read"), qPrintable(unread));
    }

    void cancelEndsTheProcessAndNothingMoreComes() {
        AccessCheck check(program("waits", "trap \"touch " + path("asked") + "; exit 130\" TERM\necho $$ > " +
                                               path("pid") + "\nwhile true; do sleep 0.05; done"));
        QSignalSpy found(&check, &AccessCheck::found), failed(&check, &AccessCheck::failed);
        check.start(plan());
        QTRY_VERIFY_WITH_TIMEOUT(pidIn("pid") > 0, 10000);
        check.cancel();
        QVERIFY(!check.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder_.filePath("asked")), 10000);
        QTRY_VERIFY_WITH_TIMEOUT(::kill(pidIn("pid"), 0) != 0, 10000);
        QCOMPARE(found.count() + failed.count(), 0);
    }

    void aProcessThatDoesNotListenIsKilled() {
        AccessCheck check(
            program("deaf", "trap \"\" TERM\necho $$ > " + path("deaf_pid") + "\nexec sleep 60"));
        check.start(plan());
        QTRY_VERIFY_WITH_TIMEOUT(pidIn("deaf_pid") > 0, 10000);
        check.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(::kill(pidIn("deaf_pid"), 0) != 0, 10000);
    }
};

QTEST_MAIN(AccessCheckTest)
#include "tst_access_check.moc"
