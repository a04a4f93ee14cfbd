#include <hdf5.h>

#include <QSemaphore>

#include "core/record/project_file.h"
#include "tests/ui/shell/session_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/jobs.h"
#include "ui/shell/bars/notice_bar.h"

namespace hdf5_hangs_test {

using ks::ui::MainWindow;

QSemaphore go;

/// A filter of HDF5 that does not come back before it is let.
std::size_t wait(unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*, void**) {
    go.acquire();
    return bytes;
}

/// Frames whose beam centre, which everybody who opens them reads, hangs.
void writeHangingFile(const QString& path) {
    const H5Z_class2_t filter{H5Z_CLASS_T_VERS, 301, 1, 1, "wait", nullptr, nullptr, wait};
    QVERIFY(H5Zregister(&filter) >= 0);
    const hid_t file = H5Fcreate(path.toLocal8Bit().constData(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                links = H5Pcreate(H5P_LINK_CREATE), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hsize_t frames[] = {2, 8, 9}, one = 1, start = 0;
    const hid_t cube = H5Screate_simple(3, frames, nullptr), line = H5Screate_simple(1, &one, nullptr);
    const hid_t data =
        H5Dcreate2(file, "/entry/data/data", H5T_STD_U16LE, cube, links, H5P_DEFAULT, H5P_DEFAULT);
    const std::vector<std::uint16_t> counts(2 * 8 * 9, 1);
    QVERIFY(H5Dwrite(data, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, counts.data()) >= 0);
    H5Dclose(data);
    H5Pset_chunk(how, 1, &one);
    H5Pset_filter(how, 301, 0, 0, nullptr);
    const hid_t beam = H5Dcreate2(file, "/entry/instrument/detector/beam_center_x", H5T_IEEE_F64LE, line,
                                  links, how, H5P_DEFAULT);
    const double x = 3;
    QVERIFY(H5Dwrite_chunk(beam, H5P_DEFAULT, 0, &start, sizeof x, &x) >= 0);
    H5Dclose(beam);
    H5Sclose(cube);
    H5Sclose(line);
    H5Pclose(how);
    H5Pclose(links);
    QVERIFY(H5Fclose(file) >= 0);
}

/// What a window does after HDF5 has hung in a file. The library cannot be used afterwards: one test.
class Hdf5HangsTest : public ks::tests::WindowFixture {
    Q_OBJECT

  private slots:

    void otherFilesAreRefusedAtOnceAndTheWindowCloses() {
        ks::tests::generate_xpcs(path("a.h5"), 20, 61, 71);
        ks::tests::generate_xpcs(path("b.h5"), 20, 61, 71);
        QFile table(path("c.csv"));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("no,columns\n1,2\n");
        table.close();
        writeHangingFile(path("hangs.h5"));
        auto window = ks::tests::session_window(path("settings.ini"));
        window->kept().begin(path("sessions"), ks::ui::WindowSession::Begin::empty);
        ks::tests::open_data(*window, path("a.h5"));
        window->jobs().setReadTimeout(std::chrono::milliseconds(2000));
        QSignalSpy failed(&window->files(), &FileSession::notOpened);
        window->open(path("hangs.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 10000);
        QVERIFY2(window->errorBar().sentence().contains("hangs.h5: the HDF5 library made no progress for "),
                 qPrintable(window->errorBar().sentence()));

        QElapsedTimer since;
        since.start();
        window->open(path("b.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 2, 10000);
        QVERIFY2(since.elapsed() < 1500, "another file waited for the one that hangs");
        const QString refused = window->errorBar().sentence().remove(folder_.path() + "/");
        QVERIFY2(
            refused.contains("b.h5: the file cannot be accessed: HDF5 hangs in hangs.h5 and cannot read or "
                             "write anything else until the program is restarted"),
            qPrintable(refused));
        QCOMPARE(window->file()->path, path("a.h5"));
        // What is no HDF5 file is told of for its own faults.
        window->open(path("c.csv"));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 3, 10000);
        QVERIFY2(!window->errorBar().sentence().contains("HDF5"), qPrintable(window->errorBar().sentence()));

        QVERIFY2(window->notices().text("hdf5").contains("HDF5 hangs in hangs.h5: "),
                 qPrintable(window->notices().text("hdf5")));
        QSignalSpy anew(window.get(), &MainWindow::newStartWanted);
        QVERIFY(window->notices().act("hdf5", "Restart"));
        QCOMPARE(anew.count(), 1);

        // A run can be saved nowhere, which is said instead of asking for a name; no folder is left behind.
        auto run = std::make_shared<ks::Run>();
        run->request.analysis = "xpcs";
        run->request.inputs["frames"] = {path("a.h5").toStdString(), {}};
        window->runs().addRun(run, false);
        window->action("saveProjectAs")->trigger();
        QVERIFY2(window->errorBar().sentence().contains("HDF5 hangs in hangs.h5 and cannot write the runs"),
                 qPrintable(window->errorBar().sentence()));
        window->kept().project().save(path("p.ksproj"), true);
        QTRY_COMPARE_WITH_TIMEOUT(window->jobs().running(), 0, 10000);
        QVERIFY(!QFileInfo::exists(path("p.ksproj")) && !QFileInfo::exists(path("p_runs")));
        QStringList lost;
        QString reason;
        window->kept().questions().loseForGood = [&](const QStringList& work, const QString& why) {
            lost = work;
            reason = why;
            return lost.isEmpty();  // stay
        };
        QVERIFY(!window->close());
        QVERIFY2(lost.contains("1 run") && reason.contains("hangs.h5"),
                 qPrintable(lost.join(';') + '|' + reason));
        window->kept().questions().loseForGood = [](const QStringList&, const QString&) { return true; };

        since.restart();
        QVERIFY(window->close());
        window.reset();
        QVERIFY2(since.elapsed() < 2000, "the end of the window waits for the library");
        QVERIFY(ks::ui::Jobs::threadsHang());
        const auto session = ks::io::read_project(path("sessions/1/session.ksproj").toStdString());
        QCOMPARE(session.content.at("data").at("file").at("absolute").get<std::string>(),
                 path("a.h5").toStdString());
        go.release(1000);  // it lets the library end
    }
};

}  // namespace hdf5_hangs_test

using hdf5_hangs_test::Hdf5HangsTest;
QTEST_MAIN(Hdf5HangsTest)
#include "tst_hdf5_hangs.moc"
