// Whether a run read data as they are now: all files that the data consist of count.

#include <hdf5.h>
#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/io/files/atomic_file.h"
#include "core/io/tiff/tiff.h"
#include "core/run/repeats/repeats.h"
#include "ui/files/open_file.h"
#include "ui/runs/run_source.h"

using namespace ks::ui;

namespace {

constexpr hsize_t height = 20, width = 30;

/// Frames at /entry/data/data, made with the C library alone.
void writePart(const QString& path, hsize_t frames, int factor) {
    const hid_t file = H5Fcreate(path.toUtf8(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hsize_t shape[] = {frames, height, width};
    const hid_t space = H5Screate_simple(3, shape, nullptr);
    const hid_t data =
        H5Dcreate2(file, "/entry/data/data", H5T_STD_U16LE, space, links, H5P_DEFAULT, H5P_DEFAULT);
    std::vector<std::uint16_t> values(frames * height * width);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::uint16_t>(i * static_cast<std::size_t>(factor) % 13);
    QVERIFY(H5Dwrite(data, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    H5Dclose(data);
    H5Sclose(space);
    H5Pclose(links);
    H5Fclose(file);
}

/// A master as those of EIGER detectors, with links to the parts.
void writeMaster(const QString& path, const QStringList& parts) {
    const hid_t file = H5Fcreate(path.toUtf8(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    for (int i = 0; i < parts.size(); ++i)
        QVERIFY(H5Lcreate_external(
                    parts[i].toUtf8(), "/entry/data/data", file,
                    QStringLiteral("/entry/data/data_%1").arg(i + 1, 6, 10, QLatin1Char('0')).toUtf8(), links,
                    H5P_DEFAULT) >= 0);
    H5Pclose(links);
    H5Fclose(file);
}

/// A virtual dataset of the frames of two files.
void writeVirtual(const QString& path, const QStringList& sources, hsize_t each) {
    const hid_t file = H5Fcreate(path.toUtf8(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE), made = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hsize_t shape[] = {each * static_cast<hsize_t>(sources.size()), height, width},
                  part[] = {each, height, width};
    const hid_t space = H5Screate_simple(3, shape, nullptr), source = H5Screate_simple(3, part, nullptr);
    for (int i = 0; i < sources.size(); ++i) {
        const hsize_t start[] = {each * static_cast<hsize_t>(i), 0, 0};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, part, nullptr);
        H5Pset_virtual(made, space, sources[i].toUtf8(), "/entry/data/data", source);
    }
    H5Sselect_all(space);
    const hid_t data = H5Dcreate2(file, "/entry/data/data", H5T_STD_U16LE, space, links, made, H5P_DEFAULT);
    QVERIFY(data >= 0);
    H5Dclose(data);
    for (const hid_t one : {space, source}) H5Sclose(one);
    for (const hid_t one : {links, made}) H5Pclose(one);
    H5Fclose(file);
}

}  // namespace

class RunSourceTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    QString path(const QString& leaf) const { return folder_->filePath(leaf); }
    /// A run of the data as they are now, which read these files.
    ks::Run runOf(const OpenFile& file, const QStringList& others) const {
        ks::Run run;
        run.request.inputs["frames"] = {file.name.toStdString(), {}};
        if (!file.isSeries) run.files.push_back(file.record);
        for (const QString& one : others) {
            struct stat state = {};
            if (::stat(one.toUtf8(), &state) != 0) continue;
            run.files.push_back({one.toStdString(), static_cast<std::uint64_t>(state.st_size),
                                 state.st_mtim.tv_sec * 1'000'000'000LL + state.st_mtim.tv_nsec, "some"});
        }
        return run;
    }
    bool isOf(const ks::Run& run, const QString& name) const {
        return readFrom(run, "frames", openAnyFile(name));
    }
    void move(const QString& from, const QString& to) const {
        QFile::remove(path(to));
        QVERIFY(QFile::rename(path(from), path(to)));
    }
    void truncate(const QString& leaf) const {
        QVERIFY(QFile::resize(path(leaf), QFileInfo(path(leaf)).size() / 2));
    }

  private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void theFilesBehindLinksCount() {
        for (int i : {1, 2, 3}) writePart(path(QStringLiteral("part%1.h5").arg(i)), 4, i);
        writeMaster(path("master.h5"), {"part1.h5", "part2.h5", "part3.h5"});
        const QStringList parts{path("part1.h5"), path("part2.h5"), path("part3.h5")};
        const ks::Run run = runOf(openAnyFile(path("master.h5")), parts);
        QVERIFY(isOf(run, path("master.h5")));

        // another file of the same size
        move("part2.h5", "kept.h5");
        writePart(path("part2.h5"), 4, 7);
        QVERIFY(!isOf(run, path("master.h5")));
        move("kept.h5", "part2.h5");
        QVERIFY(isOf(run, path("master.h5")));

        QVERIFY(QFile::copy(path("part2.h5"), path("kept.h5")));
        move("part2.h5", "aside.h5");
        QVERIFY(QFile::copy(path("aside.h5"), path("part2.h5")));
        truncate("part2.h5");
        QVERIFY(!isOf(run, path("master.h5")));
        QVERIFY(QFile::remove(path("part2.h5")));
        QVERIFY(!isOf(run, path("master.h5")));
        move("aside.h5", "part2.h5");
        QVERIFY(isOf(run, path("master.h5")));
    }

    void aFileThatWasMissingCountsOnceItIsThere() {
        for (int i : {1, 3}) writePart(path(QStringLiteral("part%1.h5").arg(i)), 4, i);
        writeMaster(path("master.h5"), {"part1.h5", "part2.h5", "part3.h5"});
        const OpenFile before = openAnyFile(path("master.h5"));
        const ks::Run run = runOf(before, {path("part1.h5"), path("part3.h5")});
        QVERIFY(isOf(run, path("master.h5")));
        QVERIFY(!before.states.changed());
        writePart(path("part2.h5"), 4, 2);
        QVERIFY(!isOf(run, path("master.h5")));
        QCOMPARE(QString::fromStdString(before.states.changed().value_or("").string()), path("part2.h5"));
    }

    void theSourcesOfAVirtualDatasetCount() {
        for (int i : {1, 2}) writePart(path(QStringLiteral("part%1.h5").arg(i)), 4, i);
        writeVirtual(path("all.h5"), {"part1.h5", "part2.h5"}, 4);
        const ks::Run run = runOf(openAnyFile(path("all.h5")), {path("part1.h5"), path("part2.h5")});
        QVERIFY(isOf(run, path("all.h5")));
        writePart(path("part1.h5"), 4, 9);
        QVERIFY(!isOf(run, path("all.h5")));
    }

    void eachFileOfASeriesCounts() {
        QVERIFY(QDir().mkpath(path("sc")));
        const auto write = [this](int number, std::uint16_t value) {
            const std::vector<std::uint16_t> counts(height * width, value);
            ks::io::AtomicFile file(path(QStringLiteral("sc/img_%1.tif").arg(number)).toStdString(), true);
            ks::io::write_tiff(file, ks::Array::of({height, width}, counts));
            file.commit();
        };
        QStringList files;
        for (int number = 1; number <= 3; ++number) {
            write(number, 1);
            files << path(QStringLiteral("sc/img_%1.tif").arg(number));
        }
        const ks::Run run = runOf(openAnyFile(path("sc/img_#.tif")), files);
        QVERIFY(isOf(run, path("sc/img_#.tif")));
        // of the same size, and not the newest file
        write(2, 5);
        QFile replaced(files[1]);
        QVERIFY(replaced.open(QIODevice::ReadWrite) &&
                replaced.setFileTime(QDateTime::currentDateTime().addDays(-1), QFile::FileModificationTime));
        replaced.close();
        QVERIFY(!isOf(run, path("sc/img_#.tif")));
    }

    void repeatsOfAnAverageThatChangedAreNamed() {
        ks::Run run;
        run.started = "2026-01-02T03:04:05Z";
        const std::int64_t start = 1'767'323'045;  // s
        const auto record = [](const char* file) { return ks::FileRecord{file, 100, 7'000'000'005, "hash"}; };
        run.files = {record("/a/1.h5"), record("/a/2.h5"), record("/a/part.h5")};
        ks::RepeatRow one;
        std::vector<ks::RepeatRow> rows;
        for (const char* name : {"/a/1.h5::/entry/data", "/a/2.h5", "/a/torn.h5"}) {
            one.name = name;
            rows.push_back(one);
        }
        ks::set_repeats(run.result, rows);
        using State = std::optional<ks::io::FileState>;
        const auto state = [](std::uint64_t bytes, std::int64_t seconds, std::int64_t nanoseconds) {
            return State({1, 2, bytes, seconds, nanoseconds, true});
        };
        const State same = state(100, 7, 5), before = state(3, start - 10, 0),
                    later = state(3, start + 10, 0);
        std::map<std::string, State> now{
            {"/a/1.h5", same}, {"/a/2.h5", same}, {"/a/part.h5", same}, {"/a/torn.h5", before}, {"/b/x", {}}};
        using Names = std::vector<std::string>;
        QCOMPARE(changedRepeats(run, now), Names());
        QCOMPARE(changedRepeats(run, {}), Names());
        now["/a/2.h5"] = state(101, 7, 5);
        now["/a/1.h5"] = state(100, 7, 6);
        QCOMPARE(changedRepeats(run, now), (Names{"/a/1.h5", "/a/2.h5"}));
        // As after "touch": the same contents.
        now["/a/2.h5"] = same;
        QCOMPARE(changedRepeats(run, now, {{"/a/1.h5", "hash"}}), Names());
        QCOMPARE(changedRepeats(run, now, {{"/a/1.h5", "another"}}), Names{"/a/1.h5"});
        now["/a/1.h5"] = state(101, 7, 6);
        QCOMPARE(changedRepeats(run, now, {{"/a/1.h5", "hash"}}), Names{"/a/1.h5"});
        now["/a/1.h5"] = same;
        now["/a/2.h5"] = {};
        now["/a/part.h5"] = later;
        QCOMPARE(changedRepeats(run, now), (Names{"/a/2.h5", "/a/part.h5"}));
        now["/a/2.h5"] = now["/a/part.h5"] = same;
        // What could not be read then may be readable now.
        now["/a/torn.h5"] = later;
        QCOMPARE(changedRepeats(run, now), (Names{"/a/torn.h5"}));
        ks::Run single = run;
        single.result.facts.clear();
        QCOMPARE(changedRepeats(single, now), Names());
    }

    void aCopyInAnotherFolderIsTheSameData() {
        QVERIFY(QDir().mkpath(path("copy")));
        for (int i : {1, 2, 3}) writePart(path(QStringLiteral("part%1.h5").arg(i)), 4, i);
        writeMaster(path("master.h5"), {"part1.h5", "part2.h5", "part3.h5"});
        ks::Run run =
            runOf(openAnyFile(path("master.h5")), {path("part1.h5"), path("part2.h5"), path("part3.h5")});
        for (const char* leaf : {"master.h5", "part1.h5", "part2.h5", "part3.h5"})
            QVERIFY(QFile::copy(path(leaf), path(QStringLiteral("copy/") + leaf)));
        run.request.inputs["frames"] = {path("copy/master.h5").toStdString(), {}};
        QVERIFY(isOf(run, path("copy/master.h5")));
        truncate("copy/part2.h5");
        QVERIFY(!isOf(run, path("copy/master.h5")));
    }
};

QTEST_MAIN(RunSourceTest)
#include "tst_run_source.moc"
