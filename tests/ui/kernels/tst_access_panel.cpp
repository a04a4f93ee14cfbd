#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "core/base/hash.h"
#include "ui/kernels/access/access_panel.h"
#include "ui/kernels/trial/under_way.h"

using namespace ks::ui;

/// What a check found, as rows below the text.
class AccessPanelTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<AccessPanel> panel_;
    std::optional<AccessResult> judged_;  ///< of the newest check
    static constexpr const char* text = "kernel void f() {\n    int a;\n    int b;\n}\n";

    /// judge writes these findings, once `go` is there.
    void judgeFinds(const QByteArray& findings, const QString& hash = {}) {
        QFile file(folder_.filePath("cli"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\nwhile ! test -e " + folder_.filePath("go").toUtf8() +
                   "; do sleep 0.02; done\ncat > $8 <<'END'\n{\"runs\": [{\"title\": \"size 512\", "
                   "\"simulated\": false}, "
                   "{\"title\": \"size 19, simulated\", \"simulated\": true}], \"text_hash\": \"" +
                   hash.toUtf8() + "\", \"findings\": [" + findings + "]}\nEND\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        file.close();
        qputenv("KERNELSCOPE_CLI", file.fileName().toUtf8());
        panel_ = std::make_unique<AccessPanel>();
        judged_.reset();
        connect(panel_.get(), &AccessPanel::judged, this,
                [this](const AccessPlan& plan, const std::string& whole, const AccessResult& result) {
                    QCOMPARE(plan.variant, QString("user.mine"));
                    QVERIFY(whole.ends_with(text));
                    judged_ = result;
                });
        panel_->resize(700, 300);
        panel_->show();
    }
    void go() const {
        QFile file(folder_.filePath("go"));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    void check() {
        panel_->check({"sums", "user.mine", "0", folder_.path()}, "/k/mine.cl", text,
                      std::string("#line 1 \"/k/table\"\nint t;\n#line 1 \"/k/mine.cl\"\n") + text,
                      {{"gpu/lib/a.cl", "int x;\n"}});
    }
    void clickRow(int i) const {
        QListWidget& rows = panel_->rows();
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, rows.visualItemRect(rows.item(i)).center());
    }
    QString row(int i) const { return panel_->rows().item(i)->text(); }

    static constexpr const char* race =
        R"({"id": "races", "state": "no", "text": "/k/mine.cl:2 and gpu/lib/a.cl:1: a data race", "details": "",
            "places": [{"file": "/k/mine.cl", "line": 2}, {"file": "gpu/lib/a.cl", "line": 1}],
            "at": ["size 64, simulated"]})";
    static constexpr const char* good = R"({"id": "values", "state": "yes", "text": "pass", "details": ""})";

  private slots:
    void cleanup() {
        panel_.reset();
        QFile::remove(folder_.filePath("go"));
    }

    void everyFindingIsARowAndAWrongOneLeadsToItsLine() {
        judgeFinds(
            QByteArray(good) + "," + race +
            R"(,{"id": "accesses", "state": "unknown", "text": "oclgrind is not installed", "details": ""})");
        go();
        QHash<int, KernelEditor::Message> marks;
        connect(panel_.get(), &AccessPanel::marked, this,
                [&](const QHash<int, KernelEditor::Message>& lines) { marks = lines; });
        check();
        QTRY_COMPARE_WITH_TIMEOUT(panel_->rows().count(), 4, 10000);
        QVERIFY2(row(0).contains("Values: right, pass"), qPrintable(row(0)));
        QVERIFY2(row(1).endsWith(
                     "Data races: found, line 2 and gpu/lib/a.cl:1: a data race (at size 64, simulated)"),
                 qPrintable(row(1)));
        QVERIFY2(row(2).contains("and gpu/lib/a.cl:1"), qPrintable(row(2)));
        QVERIFY2(row(3).contains("Wrong accesses: not known, oclgrind is not installed"), qPrintable(row(3)));
        QVERIFY(row(1).startsWith(u'\u2717') && row(0).startsWith(u'\u2713') && row(3).startsWith(u'?'));
        const QString line = panel_->line().text();
        QVERIFY2(
            line.contains("1 of 3 checks failed; 1 unknown") && line.contains("size 512; simulated: size 19"),
            qPrintable(line));
        QCOMPARE(marks.keys(), QList<int>{1});
        QVERIFY(marks[1].text.contains("a data race"));
        int wantedLine = -1;
        std::optional<ks::SourcePlace> wantedPlace;
        connect(panel_.get(), &AccessPanel::lineWanted, this, [&](int one) { wantedLine = one; });
        connect(panel_.get(), &AccessPanel::placeWanted, this,
                [&](const ks::SourcePlace& place) { wantedPlace = place; });
        clickRow(1);
        QCOMPARE(wantedLine, 1);
        QVERIFY(!wantedPlace);
        clickRow(2);
        QVERIFY(wantedPlace == ks::SourcePlace("gpu/lib/a.cl", 1));
    }

    void answersDifferInWordAndColourInLightAndDark() {
        judgeFinds(R"({"id": "races", "state": "yes", "text": "", "details": ""},)" + QByteArray(race) +
                   R"(,{"id": "races", "state": "unknown", "text": "cut off at 60 s", "details": ""})");
        go();
        check();
        QTRY_COMPARE_WITH_TIMEOUT(panel_->rows().count(), 4, 10000);
        QCOMPARE(row(0).mid(2), QString("Data races: none found"));
        QVERIFY2(row(1).mid(2).startsWith("Data races: found, line 2"), qPrintable(row(1)));
        QCOMPARE(row(3).mid(2), QString("Data races: not known, cut off at 60 s"));
        const auto colour = [&](int i) { return panel_->rows().item(i)->foreground().color(); };
        for (const bool dark : {false, true}) {
            panel_->setPalette(QPalette(dark ? QColor(0x20, 0x20, 0x20) : QColor(0xf0, 0xf0, 0xf0)));
            const QColor good = colour(0), wrong = colour(1), open = colour(3);
            const QByteArray seen = (good.name() + wrong.name() + open.name()).toLatin1();
            QVERIFY2(good.hsvHue() > 90 && good.hsvHue() < 150, seen);
            QVERIFY2(wrong.hsvHue() < 20 || wrong.hsvHue() > 340, seen);
            QVERIFY2(open.hsvHue() > 25 && open.hsvHue() < 60, seen);
            for (const QColor& one : {good, wrong, open})
                QVERIFY2(dark ? one.lightness() > 110 : one.lightness() < 130, seen);
        }
    }

    void whatIsNotKnownIsNoGoodNews_data() {
        QTest::addColumn<QByteArray>("findings");
        QTest::addColumn<QString>("headline");
        QTest::addColumn<int>("hue");
        const QByteArray none = R"({"id": "races", "state": "yes", "text": "", "details": ""})",
                         open = R"({"id": "races", "state": "unknown", "text": "cut off", "details": ""})";
        QTest::newRow("all well") << none << "no faults found" << 130;
        QTest::newRow("not known") << open << "no faults found; 1 unknown" << 36;
        QTest::newRow("wrong") << QByteArray(race) << "1 of 1 check failed" << 0;
        QTest::newRow("one run saw none, another one was cut off")
            << none + "," + open << "no faults found; 1 unknown" << 36;
        QByteArray elsewhere = race;
        elsewhere.replace("/k/mine.cl:2 and", "/k/mine.cl:1 and").replace("size 64", "size 65");
        QTest::newRow("a check with several findings counts once")
            << good + QByteArray(",") + race + "," + elsewhere << "1 of 2 checks failed" << 0;
    }
    void whatIsNotKnownIsNoGoodNews() {
        QFETCH(const QByteArray, findings);
        QFETCH(const QString, headline);
        QFETCH(const int, hue);
        judgeFinds(findings);
        go();
        check();
        QTRY_VERIFY_WITH_TIMEOUT(panel_->rows().count() > 0, 10000);
        const QString line = panel_->line().text();
        const auto found = QRegularExpression("color:(#[0-9a-f]{6})'>([^<]*)<").match(line);
        QCOMPARE(found.captured(2), headline);
        QVERIFY2(std::abs(QColor(found.captured(1)).hsvHue() - hue) < 20, qPrintable(line));
        QVERIFY(judged_);
        QCOMPARE(judged_->racesLookedFor, hue != 36);
        QCOMPARE(judged_->faults, hue == 0 ? QStringList{"data races"} : QStringList());
    }

    void findingsAreOfTheTextThatWasJudged() {
        judgeFinds(good, QString::fromStdString(ks::hash_text(ks::hash_of(std::string_view(text)))));
        go();
        check();
        QTRY_COMPARE_WITH_TIMEOUT(panel_->rows().count(), 1, 10000);
        QVERIFY(!panel_->line().text().contains("Before the last changes"));
        panel_->setText(std::string(text) + "// more\n");
        QVERIFY(panel_->line().text().contains("Before the last changes"));
        QVERIFY2(panel_->rows().item(0)->toolTip().contains(
                     "This is the result for the kernel's text as it was before the last changes"),
                 qPrintable(panel_->rows().item(0)->toolTip()));
        panel_->setText(text);
        QVERIFY(!panel_->line().text().contains("Before the last changes"));
    }

    void findingsCanBeClosedAndTheirMarksGoWithThem() {
        judgeFinds(race);
        go();
        std::optional<QHash<int, KernelEditor::Message>> marks;
        connect(panel_.get(), &AccessPanel::marked, this,
                [&](const QHash<int, KernelEditor::Message>& lines) { marks = lines; });
        check();
        QTRY_COMPARE_WITH_TIMEOUT(panel_->rows().count(), 2, 10000);
        QVERIFY(marks && !marks->isEmpty());
        QTest::mouseClick(&panel_->closeButton(), Qt::LeftButton);
        QCOMPARE(panel_->rows().count(), 0);
        QVERIFY(!panel_->line().isVisible() && !panel_->closeButton().isVisible());
        QVERIFY(marks->isEmpty());
    }

    void aFileThatWasWrittenBeforeJudgeReadItIsSaidToBeAnotherText() {
        judgeFinds(good, "0123456789abcdef");
        go();
        check();
        QTRY_COMPARE_WITH_TIMEOUT(panel_->rows().count(), 1, 10000);
        QVERIFY(panel_->line().text().contains("Before the last changes"));
        QVERIFY(!judged_);
    }

    void whyATextWasNotJudgedIsSaidOfThatTextOnly() {
        judgeFinds(good);
        check();
        panel_->cancel("the first line is wrong");
        QVERIFY(panel_->line().text().contains("the first line is wrong"));
        QVERIFY(!panel_->line().text().contains("Before the last changes"));
        panel_->setText(std::string(text) + "// mended\n");
        QVERIFY(panel_->line().text().contains("Before the last changes"));
    }

    void whatIsUnderWayIsSaidWithSecondsAndCanBeCancelled() {
        judgeFinds(good);
        QSignalSpy changed(panel_.get(), &AccessPanel::runningChanged);
        check();
        QVERIFY(panel_->isRunning() && changed.count() > 0);
        QVERIFY(panel_->underWay().isVisible());
        const QString before = panel_->underWay().line().text();
        QVERIFY2(before.contains("Checking accesses") && before.endsWith(" s"), qPrintable(before));
        QTRY_VERIFY(panel_->underWay().line().text() != before);
        panel_->underWay().cancelButton().click();
        QVERIFY(!panel_->isRunning() && !panel_->underWay().isVisible());
        QVERIFY(panel_->line().text().contains("Cancelled"));
        go();
        QTest::qWait(200);
        QCOMPARE(panel_->rows().count(), 0);
    }

    void itWaitsUntilTheWorkerHasNothingToDo() {
        judgeFinds(good);
        go();
        panel_->setWorkerBusy(true);
        check();
        QVERIFY(panel_->underWay().line().text().contains("is waiting"));
        QTest::qWait(200);
        QCOMPARE(panel_->rows().count(), 0);
        panel_->setWorkerBusy(false);
        QTRY_COMPARE_WITH_TIMEOUT(panel_->rows().count(), 1, 10000);
    }

    void linesOfTheCompilersLogAreRowsOfTheirOwn() {
        judgeFinds(R"({"id": "builds", "state": "no", "text": "/k/mine.cl: it does not build",
                       "details": "error: /k/mine.cl:3:5: expected an expression\n1 error generated."})");
        go();
        check();
        QTRY_COMPARE_WITH_TIMEOUT(panel_->rows().count(), 3, 10000);
        QVERIFY2(row(1).contains("line 3: expected an expression"), qPrintable(row(1)));
        QVERIFY2(row(0).endsWith("no, it does not build"), qPrintable(row(0)));
        QVERIFY2(!panel_->line().text().contains("size 512"), qPrintable(panel_->line().text()));
    }

    void messagesAboutIncludedFilesNameThem() {
        judgeFinds(R"({"id": "builds", "state": "no", "text": "/k/mine.cl: it does not build",
                       "details": "error: /k/table:1:7: expected ';'\n/k/helper.h:2:3: error: unknown type"})");
        QSignalSpy marked(panel_.get(), &AccessPanel::marked);
        go();
        check();
        QTRY_COMPARE_WITH_TIMEOUT(panel_->rows().count(), 3, 10000);
        QVERIFY2(row(1).contains("/k/table:1: expected ';'"), qPrintable(row(1)));
        QVERIFY2(row(2).contains("/k/helper.h:2: unknown type"), qPrintable(row(2)));
        using Marks = QHash<int, KernelEditor::Message>;
        QCOMPARE(marked.count(), 1);
        QVERIFY(marked[0][0].value<Marks>().isEmpty());
    }
};

QTEST_MAIN(AccessPanelTest)
#include "tst_access_panel.moc"
