#include <fcntl.h>
#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/interrupt.h"
#include "core/base/error.h"
#include "core/base/json_problem.h"
#include "core/base/threads.h"
#include "core/io/series/series.h"
#include "ui/base/appearance.h"
#include "ui/base/input/input_rules.h"
#include "ui/base/jobs.h"
#include "ui/shell/help/window_help.h"
#include "ui/shell/kernel_window.h"
#include "ui/shell/main_window.h"
#include "ui/shell/report.h"
#include "ui/shell/session/window_session.h"
#include "ui/shell/warm_start.h"

namespace {

/// Throws ks::Error(input) if there is no such page; empty: the window chooses.
void showPage(ks::ui::MainWindow& window, const QString& page) {
    if (page.isEmpty() || window.setPage(page)) return;
    throw ks::Error(ks::ErrorKind::input, "there is no page \"" + page.toStdString() + "\"", "--page",
                    "the pages are " + window.pageNames().join(QStringLiteral(", ")).toStdString());
}

int reported(const ks::Error& error) {
    QTextStream(stderr) << QString::fromStdString(ks::problem_of(error)) << '\n';
    return error.exit_code();
}

/// The only window of the process. File > New replaces it by an empty one.
class Program {
  public:
    /// Throws ks::Error(input) if there is no such page.
    void open(const QString& page, ks::ui::WindowSession::Begin begin) {
        window_ = std::make_unique<ks::ui::MainWindow>();
        window_->warmStart().setOn(true);
        showPage(*window_, page);
        window_->kept().begin(ks::ui::sessionsFolder(), begin, page);
        QObject::connect(&window_->kept(), &ks::ui::WindowSession::newWanted, window_.get(),
                         [this] { QTimer::singleShot(0, [this] { replace(); }); });
        QObject::connect(window_.get(), &ks::ui::MainWindow::newStartWanted, window_.get(),
                         [this] { QTimer::singleShot(0, [this] { startAnew(); }); });
        window_->show();
    }
    ks::ui::MainWindow& window() { return *window_; }
    void close() { window_.reset(); }
    /// Saves the session and leaves the event loop, with the exit code of a process ended by this signal.
    void endBy(int signal) {
        window_->kept().keepForEnd();
        QCoreApplication::exit(128 + signal);
    }
    /// The window was closed so that a new process replaces this one.
    bool startsAnew() const { return startsAnew_; }

  private:
    void replace() {
        const QString page = window_->page() ? window_->page()->id() : QString();
        const QRect place = window_->geometry();
        const bool kernels = window_->showsKernels();
        window_->kept().setCloseAgain([this] { QTimer::singleShot(0, [this] { replace(); }); });
        QApplication::setQuitOnLastWindowClosed(false);
        if (window_->close()) {
            window_.reset();  // its session is free for the next
            open(page, ks::ui::WindowSession::Begin::empty);
            window_->setGeometry(place);
            if (kernels) window_->kernels().show();
        }
        QApplication::setQuitOnLastWindowClosed(true);
    }

    void startAnew() {
        window_->kept().setCloseAgain([this] { startAnew(); });
        startsAnew_ = window_->close();
    }

    std::unique_ptr<ks::ui::MainWindow> window_;
    bool startsAnew_ = false;
};

/// Replaces this process by a new one of the program, with these options, even if its threads hang. Returns
/// if the system refuses.
void startAnew(const QStringList& options) {
    // Files that HDF5 has open would stay locked.
    for (const QString& one : QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::Files | QDir::System))
        if (const int descriptor = one.toInt(); descriptor > STDERR_FILENO)
            ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    std::vector<QByteArray> texts{QFile::encodeName(QCoreApplication::applicationFilePath())};
    for (const QString& one : options) texts.push_back(one.toLocal8Bit());
    std::vector<char*> arguments;
    for (QByteArray& one : texts) arguments.push_back(one.data());
    arguments.push_back(nullptr);
    ::execv(arguments.front(), arguments.data());
}

/// The options of the program.
struct CommandLine {
    CommandLine() {
        parser.setApplicationDescription(
            QStringLiteral("Workbench for detector data and the OpenCL kernels that process it."));
        parser.addHelpOption();
        parser.addVersionOption();
        parser.addOptions({demo, page, dark, light, reportFolder, swap, threads, empty});
        parser.addPositionalArgument(
            QStringLiteral("file"),
            QStringLiteral("FILE or FILE::/path/in/file; several files, a pattern or a folder of a series"),
            QStringLiteral("[file...]"));
    }

    QCommandLineParser parser;
    const QCommandLineOption demo{QStringLiteral("demo"),
                                  QStringLiteral("Open the synthetic demo data of the page.")};
    const QCommandLineOption page{
        QStringLiteral("page"),
        QStringLiteral("Show the page of an analysis, given by its name in kernelscope-cli (such as xpcs)."),
        QStringLiteral("ANALYSIS")};
    const QCommandLineOption dark{QStringLiteral("dark"), QStringLiteral("Dark palette.")};
    const QCommandLineOption light{QStringLiteral("light"), QStringLiteral("Light palette.")};
    const QCommandLineOption reportFolder{
        QStringLiteral("report"),
        QStringLiteral("Open the file (or the demo data), run the analysis, write pictures, plots and the "
                       "run into FOLDER, and exit."),
        QStringLiteral("FOLDER")};
    const QCommandLineOption swap{
        QStringLiteral("swap-xy"),
        QStringLiteral("With --report: exchange x and y of the file's beam centre.")};
    const QCommandLineOption threads{
        QStringLiteral("threads"),
        QStringLiteral(
            "Number of threads for computing on the host, 1 to %1, in place of the number in the settings.")
            .arg(ks::max_threads_asked),
        QStringLiteral("N")};
    const QCommandLineOption empty{
        QStringLiteral("new"),
        QStringLiteral("Start with an empty window, without restoring the last session.")};
};

int report(const QString& name, const QString& page, const QString& folder, const ks::ParameterSet& given) {
    // The user's layout and parameters would make the pictures differ from one machine to the next.
    const QTemporaryDir settings;
    ks::ui::MainWindow window(
        std::make_unique<QSettings>(settings.filePath(QStringLiteral("report.ini")), QSettings::IniFormat));
    try {
        showPage(window, page);
        QTextStream out(stdout);
        QTextStream notes(stderr);
        const auto say = [&notes](const QString& line) { notes << line << Qt::endl; };
        for (const QString& file : ks::ui::writeReport(window, name, QDir(folder), given, say))
            out << file << '\n';
        out.flush();
        if (out.status() != QTextStream::Ok)
            throw ks::Error(ks::ErrorKind::run, "standard output could not be written");
        return 0;
    } catch (const ks::Error& error) {
        return reported(error);
    } catch (const std::exception& error) {
        QTextStream(stderr) << QString::fromStdString(ks::problem_of(error)) << '\n';
        return 1;
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::atomic<Program*> atWork{nullptr};
    const ks::cli::InterruptEnds guard([&atWork](int signal) {
        Program* const program = atWork.load();
        if (program == nullptr) return false;
        QMetaObject::invokeMethod(
            qApp, [program, signal] { program->endBy(signal); }, Qt::QueuedConnection);
        return true;
    });
    // Options that are answered without a window need no display.
    const bool answers = std::any_of(argv + 1, argv + argc, [](const std::string_view one) {
        return one == "--help" || one == "-h" || one == "--help-all" || one == "--version" || one == "-v";
    });
    if (answers) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    ks::ui::applyInputRules(application);
    ks::ui::showLabelsAsPlainText(application);
    QApplication::setApplicationName(QStringLiteral("kernelscope"));
    QApplication::setOrganizationName(QStringLiteral("kernelscope"));
    QApplication::setApplicationVersion(QStringLiteral(KERNELSCOPE_VERSION));
    // the desktop entry, which gives a Wayland window its icon
    QApplication::setDesktopFileName(QStringLiteral("org.kernelscope.Kernelscope"));

    CommandLine line;
    QCommandLineParser& parser = line.parser;
    parser.process(application);

    QString name;
    try {
        std::vector<std::string> files;
        for (const QString& file : parser.positionalArguments()) files.push_back(file.toStdString());
        if (!files.empty()) name = QString::fromStdString(ks::io::series_name(files));
        if (parser.isSet(line.threads))
            ks::limit_threads(ks::parse_threads(parser.value(line.threads).toStdString(), "--threads"));
    } catch (const ks::Error& error) {
        return reported(error);
    }
    const bool forReport = parser.isSet(line.reportFolder);
    ks::ui::applyAppearance(
        application, parser.isSet(line.dark) ? ks::ui::Appearance::dark
                     : parser.isSet(line.light) || forReport
                         ? ks::ui::Appearance::light
                         : ks::ui::appearanceFrom(QSettings().value(QStringLiteral("theme")).toString()));
    if (forReport)
        return report(name, parser.value(line.page), parser.value(line.reportFolder),
                      parser.isSet(line.swap) ? ks::ParameterSet{{"swap_xy", true}} : ks::ParameterSet{});

    Program program;
    try {
        const bool begins = parser.isSet(line.empty) || parser.isSet(line.demo) || !name.isEmpty();
        program.open(parser.value(line.page),
                     begins ? ks::ui::WindowSession::Begin::empty : ks::ui::WindowSession::Begin::bySetting);
    } catch (const ks::Error& error) {
        return reported(error);
    }
    if (!name.isEmpty())
        program.window().open(name);
    else if (parser.isSet(line.demo))
        program.window().openDemo();
    if (QGuiApplication::platformName() != QLatin1String("offscreen"))
        program.window().help().offerTourSoon(!name.isEmpty());
    atWork = &program;
    const int code = QApplication::exec();
    atWork = nullptr;
    program.close();
    if (program.startsAnew()) {
        QStringList options;
        for (const QCommandLineOption& one : {line.dark, line.light})
            if (parser.isSet(one)) options << QStringLiteral("--") + one.names().front();
        if (parser.isSet(line.threads)) options << QStringLiteral("--threads") << parser.value(line.threads);
        startAnew(options);
    }
    // A library that a thread hangs in cannot be closed, as a normal exit would do.
    if (ks::ui::Jobs::threadsHang()) std::_Exit(code);
    return code;
}
