// When the worker is asked for pairs of frames: once for the same inputs, also if it fails.

#include <QtTest>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/run/registry.h"
#include "ui/base/jobs.h"
#include "ui/runs/desk.h"
#include "ui/xpcs/series/pairs_of_inputs.h"

using namespace ks::ui;
using ks::ui::xpcs::PairsOfInputs;

class PairsOfInputsTest : public QObject {
    Q_OBJECT

    static ks::Request request(const std::string& leaveOut) {
        ks::Request made;
        made.analysis = "xpcs";
        made.inputs["frames"] = {"a.h5"};
        made.parameters["leave_out"] = leaveOut;
        return made;
    }

    /// Pairs, and what the worker is asked for them.
    struct Asking {
        Asking() {
            connect(&desk, &Desk::asked, &desk, [this](const WorkerJob& job) { asked.push_back(job); });
        }
        Jobs jobs;
        Desk desk{std::make_shared<const ks::Registry>()};
        PairsOfInputs pairs{desk, jobs};
        std::vector<WorkerJob> asked;
    };
    static constexpr PairsOfInputs::Sizes sizes{10, 10, 2, 100};

  private slots:
    void whatFailedIsNotAskedForAgainUntilAParameterChanges() {
        Asking asking;
        PairsOfInputs& pairs = asking.pairs;
        std::vector<WorkerJob>& asked = asking.asked;
        // As the page does.
        ks::Request next = request("none");
        connect(&pairs, &PairsOfInputs::changed, this, [&] { pairs.want(next, sizes); });
        pairs.want(next, sizes);
        QTRY_COMPARE(asked.size(), std::size_t{1});
        asked.back().failed(ks::Error(ks::ErrorKind::input, "frame 3 is damaged", "a.h5"));
        QCOMPARE(pairs.problem(), QString("frame 3 is damaged"));
        pairs.want(next, sizes);
        QTest::qWait(600);
        QCOMPARE(asked.size(), std::size_t{1});
        QCOMPARE(pairs.problem(), QString("frame 3 is damaged"));
        next = request("3");
        pairs.want(next, sizes);
        QVERIFY(pairs.problem().isEmpty());
        QTRY_COMPARE(asked.size(), std::size_t{2});
        // First with the pairs of all frames, then without those that are left out.
        asked.back().failed(ks::Error(ks::ErrorKind::input, "frame 3 is damaged", "a.h5"));
        QTRY_COMPARE(asked.size(), std::size_t{3});
        QVERIFY(pairs.problem().isEmpty());
        QVERIFY(pairs.areOf(next));
        pairs.drop();
        QVERIFY(!pairs.areOf(next));
    }

    void ofAFileThatIsAnotherOneNowTheyAreAskedForAgain() {
        Asking asking;
        PairsOfInputs& pairs = asking.pairs;
        std::vector<WorkerJob>& asked = asking.asked;
        const ks::Request next = request("none");
        PairsOfInputs::Files files{{"dark", {{"/d.npy", 8, 1, "a"}, {}}}};
        pairs.want(next, sizes, files);
        QTRY_COMPARE(asked.size(), std::size_t{1});
        QVERIFY(pairs.areOf(next, files));
        files["dark"].record.hash = "b";
        QVERIFY(!pairs.areOf(next, files));
        pairs.want(next, sizes, files);
        QTRY_COMPARE(asked.size(), std::size_t{2});
        // What the first question leads to is of the earlier file.
        asked.front().failed(ks::Error(ks::ErrorKind::input, "no such file", "/d.npy"));
        QVERIFY(pairs.problem().isEmpty());
        asked.back().failed(ks::Error(ks::ErrorKind::input, "no such file", "/d.npy"));
        QCOMPARE(pairs.problem(), QString("no such file"));
    }
};

QTEST_GUILESS_MAIN(PairsOfInputsTest)
#include "tst_pairs_of_inputs.moc"
