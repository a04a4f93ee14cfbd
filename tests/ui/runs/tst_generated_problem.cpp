#include <QtTest>
#include <filesystem>

#include "core/run/registry.h"
#include "ui/runs/generated_problem.h"

using namespace ks::ui;

/// Problems that analyses make for trials.
class GeneratedProblemTest : public QObject {
    Q_OBJECT
    const ks::Registry registry_;
    ks::Progress progress_;

  private slots:
    void everySmallProblemIsRead_data() {
        QTest::addColumn<QString>("id");
        int rows = 0;
        for (const ks::Analysis& one : registry_.analyses())
            if (canGenerate(one, GeneratedSize::small)) {
                QTest::addRow("%s", one.info().id.c_str()) << QString::fromStdString(one.info().id);
                ++rows;
            }
        QVERIFY2(rows >= 4, "xpcs, spots, clusters and particles have one at least");
    }
    void everySmallProblemIsRead() {
        QFETCH(QString, id);
        const ks::Analysis& analysis = registry_.analysis(id.toStdString());
        const GeneratedProblem made = generatedProblem(analysis, GeneratedSize::small, progress_);
        QCOMPARE(made.request.analysis, id.toStdString());
        QCOMPARE(made.folder != nullptr, analysis.info().needs_input());
        const auto problem = analysis.load(made.request, progress_, nullptr);
        QVERIFY(problem);
        for (const auto& [name, value] : analysis.info().small) QCOMPARE(made.sizes.at(name), value);
        const QString text = sizesText(analysis.info(), made.sizes);
        QVERIFY2(!text.isEmpty() && !text.contains(" ,") && !text.endsWith(' '), qPrintable(text));
    }

    void itsFilesGoWithIt() {
        auto made = generatedProblem(registry_.analysis("xpcs"), GeneratedSize::small, progress_);
        const std::filesystem::path folder = made.folder->path();
        QVERIFY(std::filesystem::exists(folder));
        QCOMPARE(sizesText(registry_.analysis("xpcs").info(), made.sizes),
                 QString("Frames 150, Height 32, Width 32"));
        made.folder.reset();
        QVERIFY(!std::filesystem::exists(folder));
    }
};

QTEST_GUILESS_MAIN(GeneratedProblemTest)
#include "tst_generated_problem.moc"
