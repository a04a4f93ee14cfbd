#include "ui/shell/file_session.h"

#include <QFileInfo>
#include <QScopedValueRollback>
#include <QSettings>
#include <algorithm>
#include <any>
#include <filesystem>
#include <functional>
#include <utility>
#include <variant>

#include "core/base/printable.h"
#include "core/io/files/data_name.h"
#include "core/io/files/followed_files.h"
#include "core/io/frame_format.h"
#include "core/record/made_elsewhere.h"
#include "core/record/moved_inputs.h"
#include "core/record/project_file.h"
#include "core/record/run_record.h"
#include "core/record/saved_run.h"
#include "core/run/repeats/repeats.h"
#include "core/run/user/trusted_code.h"
#include "ui/base/history.h"
#include "ui/base/jobs.h"
#include "ui/files/closable_frames.h"
#include "ui/files/repeat_names.h"
#include "ui/image/mask/session_mask.h"
#include "ui/image/panel/session_geometry.h"
#include "ui/runs/run_table_model.h"
#include "ui/shell/demo.h"

namespace ks::ui {
namespace {

constexpr int maxRecent = 10;
constexpr std::size_t longestName = 40;  ///< bytes of a column's name in a sentence
const QString recentKey = QStringLiteral("recentFiles");
const QString projectPattern = QStringLiteral("*.ksproj");

/// The present absolute name of a file that the run read; if it is not found, where a relative name would
/// lead from the folder of the run's file.
std::string absoluteName(const Run& run, const std::string& name, const std::filesystem::path& file) {
    io::DataName found = io::DataName::parse(name);
    try {
        found = io::DataName::parse(present_name(run, name, {}, file));
        found.file = std::filesystem::absolute(found.file);
    } catch (const Error&) {
        if (found.file.is_relative()) found.file = std::filesystem::absolute(file).parent_path() / found.file;
    }
    found.file = found.file.lexically_normal();
    return found.to_string();
}

/// Replaces relative names of inputs.
void beAbsolute(Run& run, const AnalysisInfo& info, const std::filesystem::path& file) {
    for (const InputSpec& spec : info.inputs) {
        const auto input = run.request.inputs.find(spec.role);
        if (input != run.request.inputs.end() && spec.names_file(input->second) &&
            io::DataName::parse(input->second.name).file.is_relative())
            input->second.name = absoluteName(run, input->second.name, file);
    }
}

/// An average whose repeats are named where they are now: beside the one of its request, which was found, or
/// relative to the file of the run. The others keep their names.
/// @param was the request as the file has it
std::shared_ptr<const Run> withPresentRepeats(const std::shared_ptr<const Run>& average, const Request& was,
                                              const std::filesystem::path& file) {
    if (names_of_repeats(*average).empty()) return average;
    MovedFiles moved;
    for (const auto& [role, input] : average->request.inputs) {
        const auto before = was.inputs.find(role);
        if (input.values || before == was.inputs.end() || before->second.name == input.name) continue;
        moved.files[io::DataName::parse(before->second.name).file.string()] =
            io::DataName::parse(input.name).file.string();
    }
    const auto isRelative = [](const std::string& name) {
        return io::DataName::parse(name).file.is_relative();
    };
    if (moved.files.empty() && !std::ranges::any_of(names_of_repeats(*average), isRelative)) return average;
    auto made = std::make_shared<Run>(*average);
    made->request = was;
    std::vector<RepeatRow> rows = repeats_of(*with_moved_inputs(made, moved));
    for (RepeatRow& row : rows)
        if (isRelative(row.name)) row.name = absoluteName(*made, row.name, file);
    made->request = average->request;
    set_repeats(made->result, rows);
    return made;
}

/// With inputs at their current locations, so that it can be repeated; otherwise with the reason why it
/// cannot.
SavedRun readRun(const Registry& registry, const std::filesystem::path& file) {
    Run run = open_run(registry, file);
    const Request was = run.request;
    SavedRun saved;
    if (made_elsewhere(run)) {
        saved.run = std::make_shared<const Run>(std::move(run));
        return saved;
    }
    try {
        const CheckMode check = run.request.check;
        run.request = repeated_request(registry, run, file, {});
        run.request.check = check;
        require_known_inputs(registry.analysis(run.request.analysis).info(), run.request);
    } catch (const io::NotFollowed& error) {
        // The window asks; its hint is for the command line.
        saved.lost = Error(error.kind(), error.message(), error.where(), "open the run again to allow it");
    } catch (const Error& error) {
        saved.lost = error;
    }
    const AnalysisInfo& info = registry.analysis(run.request.analysis).info();
    beAbsolute(run, info, file);
    saved.run = std::make_shared<const Run>(std::move(run));
    if (!saved.lost) saved.run = withPresentRepeats(saved.run, was, file);
    return saved;
}

/// "*.h5 *.hdf5" from "Frames (*.h5 *.hdf5)".
QStringList patternsOf(const QString& filter) {
    const qsizetype begin = filter.lastIndexOf(QLatin1Char('(')) + 1;
    return filter.mid(begin, filter.lastIndexOf(QLatin1Char(')')) - begin).split(QLatin1Char(' '));
}

}  // namespace

FileSession::FileSession(const PageContext& context, QSettings& settings, RunTableModel& runs)
    : context_(context), registry_(context.desk->registry()), settings_(settings), runs_(runs) {
    connect(&watch_, &FileWatch::changed, this, &FileSession::changedOnDisk);
    connect(&watch_, &FileWatch::restored, this, &FileSession::restoredOnDisk);
    const auto ended = [this] {
        reading_.clear();
        setOpening(false);
    };
    connect(this, &FileSession::opened, this, ended);
    connect(this, &FileSession::notOpened, this, ended);
    connect(this, &FileSession::resultsOpened, this, ended);
}

void FileSession::setOpening(bool opening) {
    for (Page* one : pages_) one->setOpening(opening);
}

void FileSession::setPages(std::vector<Page*> pages) {
    pages_ = std::move(pages);
    analysisPages_.clear();
    for (Page* one : pages_)
        if (auto* const role = qobject_cast<AnalysisPage*>(one)) analysisPages_.push_back(role);
}

AnalysisPage* FileSession::analysisPage(const Page& page) const {
    const auto found = std::ranges::find(analysisPages_, &page);
    return found == analysisPages_.end() ? nullptr : *found;
}

AnalysisPage* FileSession::pageOf(const QString& analysis) const {
    const auto found = std::ranges::find(analysisPages_, analysis, &Page::analysis);
    return found == analysisPages_.end() ? nullptr : *found;
}

void FileSession::setPage(Page& page) {
    page_ = &page;
    if (!file_ || page.accepts(*file_)) return;
    std::shared_ptr<const OpenFile> own = given(page);
    for (const Page* one : pages_)
        if (!own && given_.contains(one) && page.accepts(*given(*one))) own = given(*one);
    if (!own) return;
    setFile(own);
    if (!own->frames || given(page) != own) return;
    // The page already has the file; mask and geometry are those of the open file.
    context_.mask->setFile(own);
    context_.geometry->setFile(own);
}

void FileSession::giveToPage() {
    if (page_) give(*page_);
}

void FileSession::giveTo(const QString& analysis) {
    if (Page* const found = pageOf(analysis)) give(*found);
}

void FileSession::open(const QString& given) {
    // Runs, sessions and lists of files name it when they are read.
    QString name = given;
    if (io::DataName data = io::DataName::parse(given.toStdString());
        !data.file.empty() && data.file.is_relative()) {
        data.file = absolutePath(QString::fromStdString(data.file.string()));
        name = QString::fromStdString(data.to_string());
    }
    emit message(tr("Opening %1").arg(name));
    if (name.endsWith(QStringLiteral(".ksproj"))) return emit projectNamed(name);
    read(name);
}

bool FileSession::readsMore(const QString& name, Page* taker) {
    const std::vector<io::NamedElsewhere> names = io::take_not_followed();
    if (names.empty() || !trust_.follow || !trust_.follow(names)) return false;
    for (const io::NamedElsewhere& one : names) io::allow_following(one);
    read(name, taker);
    return true;
}

void FileSession::openRepeats(const QStringList& given) {
    std::vector<std::string> names;
    for (const QString& one : given) {
        io::DataName data = io::DataName::parse(one.toStdString());
        data.file = absolutePath(QString::fromStdString(data.file.string()));
        names.push_back(data.to_string());
    }
    emit message(tr("Opening repeats"));
    readRepeats([names] { return repeatsNamed(names); });
}

void FileSession::openRepeatsOf(const Run& average) {
    emit message(tr("Opening repeats"));
    readRepeats([names = names_of_repeats(average)] { return names; });
}

void FileSession::openResults(const std::vector<std::string>& names) {
    setOpening(true);
    struct Read {
        std::vector<std::pair<QString, SavedRun>> runs;
        std::vector<Error> failed;
    };
    context_.jobs.start(
        Jobs::Lane::files, this, QStringLiteral("open"),
        [names, registry = registry_] {
            Read read;
            for (const std::string& name : names) {
                try {
                    read.runs.emplace_back(QString::fromStdString(name), readRun(*registry, name));
                } catch (const Error& error) {
                    read.failed.push_back(error);
                }
            }
            if (read.runs.empty() && !read.failed.empty()) throw read.failed.front();
            return read;
        },
        [this, count = names.size()](const Read& read) {
            emit message({});
            emit wasRead();
            emit pageWanted(QString::fromStdString(read.runs.front().second.run->request.analysis));
            for (const auto& [path, saved] : read.runs) {
                remember(path);
                runs_.addRun(saved.run, false);
            }
            emit message(tr("%1 runs were opened").arg(read.runs.size()), 15000);
            QString leftOut;
            if (!read.failed.empty())
                leftOut = tr("%1 of %2 files could not be opened: %3")
                              .arg(read.failed.size())
                              .arg(count)
                              .arg(QString::fromUtf8(read.failed.front().what()));
            emit resultsOpened(leftOut);
        },
        [this](const Error& error) { emit notOpened(error); });
}

void FileSession::readRepeats(const std::function<std::vector<std::string>()>& names) {
    setOpening(true);
    struct Read {
        std::vector<std::string> names;
        OpenFile file;
    };
    context_.jobs.start(
        Jobs::Lane::files, this, QStringLiteral("open"),
        [names] {
            Read read{names(), {}};
            std::optional<Error> first;
            std::string details;
            for (const std::string& name : read.names) {
                try {
                    read.file = openAnyFile(QString::fromStdString(name));
                    if (read.file.frames) return read;
                    throw read.file.noFrames.value_or(Error(ErrorKind::input, "it contains no frames", name));
                } catch (const Error& error) {
                    if (!first) first = error;
                    details += name + ": " + error.message() + '\n';
                }
            }
            throw Error(ErrorKind::input,
                        tr("none of the %1 repeats can be opened: %2")
                            .arg(read.names.size())
                            .arg(QString::fromStdString(first->message()))
                            .toStdString(),
                        read.names.front(), first->hint(), details);
        },
        [this](Read read) {
            const auto averages = [this](const AnalysisPage* one) {
                return registry_->analysis(one->analysis().toStdString()).average != nullptr;
            };
            AnalysisPage* taker = analysisPage();
            if (!taker || !averages(taker)) {
                const auto found = std::ranges::find_if(analysisPages_, averages);
                if (found == analysisPages_.end()) return emit notOpened(noUse(read.file));
                taker = *found;
            }
            for (const std::string& name : read.names) know_input(io::DataName::parse(name).file);
            coming_ = std::move(read.names);
            takeRead(std::move(read.file), taker);
        },
        [this](const Error& error) { emit notOpened(error); });
}

void FileSession::reopen() {
    if (!file_) return;
    emit message(tr("Opening %1").arg(file_->name));
    read(file_->name, page_);
    if (const AnalysisPage* const role = analysisPage()) coming_ = role->repeats();
}

std::optional<QString> FileSession::changedFile() {
    watch_.look();
    return watch_.changedFile();
}

std::optional<QString> FileSession::changedFileLately() {
    watch_.lookAtTimes();
    return watch_.changedFile();
}

void FileSession::read(const QString& name, Page* taker) {
    setOpening(true);
    reading_ = name;
    io::take_not_followed();  // left over by others
    coming_.clear();
    const std::filesystem::path path = io::DataName::parse(name.toStdString()).file;
    if (file_ && file_->frames && path == file_->path.toStdString() && changedFile())
        context_.jobs.start(
            Jobs::Lane::files, this, QStringLiteral("close"),
            [frames = file_->frames] {
                auto* const closable = dynamic_cast<ClosableFrames*>(frames.get());
                if (closable) closable->close();
                return closable != nullptr;
            },
            [](bool) {});
    context_.jobs.start(
        Jobs::Lane::files, this, QStringLiteral("open"),
        [name, registry = registry_]() -> FileContent {
            const io::DataName data = io::DataName::parse(name.toStdString());
            if (data.object.empty() && io::is_project(data.file)) return ProjectName();
            if (data.object.empty() && holds_result(*registry, data.file))
                return readRun(*registry, data.file);
            return openAnyFile(name);
        },
        [this, name, taker](FileContent content) {
            if (readsMore(name, taker)) return;
            if (taker && file_)
                if (const auto why = otherKind(content, *taker)) return emit notOpened(*why);
            if (auto* file = std::get_if<OpenFile>(&content)) {
                takeRead(std::move(*file), taker);
            } else {
                reading_.clear();
                setOpening(false);
                if (std::holds_alternative<ProjectName>(content))
                    emit projectNamed(name);
                else
                    takeRun(name, std::get<SavedRun>(content));
            }
        },
        [this, name, taker](const Error& error) {
            if (!readsMore(name, taker)) emit notOpened(error);
        });
}

std::optional<Error> FileSession::otherKind(const FileContent& content, const Page& taker) const {
    const auto error = [this](const QString& found) {
        return Error(ErrorKind::input,
                     tr("the file was replaced on disk and is now %1").arg(found).toStdString(),
                     file_->path.toStdString(), "to use it, open it again");
    };
    if (std::holds_alternative<SavedRun>(content)) return error(tr("a saved run"));
    if (std::holds_alternative<ProjectName>(content)) return error(tr("a project"));
    if (taker.accepts(*file_) && !taker.accepts(std::get<OpenFile>(content)))
        return error(tr("a file that the %1 page cannot use").arg(taker.title()));
    return std::nullopt;
}

void FileSession::openDemo() {
    const std::vector<Demo> demos = analysisPage() ? analysisPage()->demos() : std::vector<Demo>();
    if (!demos.empty()) openDemo(demos.front());
}

void FileSession::openDemo(const Demo& demo) {
    emit message(tr("Generating the demo data"));
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("demo"),
        [registry = registry_, analysis = page_->analysis(), made = demo] {
            return demoFile(*registry, analysis, made);
        },
        [this](const QString& path) { open(path); });
}

void FileSession::closeAll() {
    const History::Quiet quiet(*context_.history);
    context_.history->clear();
    given_.clear();
    for (Page* one : pages_) one->closeFile();
    context_.mask->setFile(nullptr);
    context_.geometry->setFile(nullptr);
    if (file_) setFile(nullptr);
}

void FileSession::takeRead(OpenFile file, Page* wanted) {
    Page* const taker = wanted && wanted->accepts(file) ? wanted : pageFor(file);
    if (!taker) return emit notOpened(noUse(file));
    const std::function<std::any()> reader = taker->reader(file);
    if (!reader) return take(std::move(file), *taker);
    context_.jobs.start(
        Jobs::Lane::files, this, QStringLiteral("open"), reader,
        [this, file, taker](const std::any& content) {
            OpenFile whole = file;
            whole.content = content;
            take(std::move(whole), *taker);
        },
        [this](const Error& error) { emit notOpened(error); });
}

void FileSession::take(OpenFile file, Page& taker) {
    emit message({});
    emit wasRead();
    // Changes to other data cannot be undone here.
    if (file_ && !isSameData(*file_, file)) context_.history->clear();
    emit fileComes(file);
    know_input(file.path.toStdString());
    setFile(std::make_shared<const OpenFile>(std::move(file)));
    // When a session is restored, it decides which page is shown in the end.
    const bool staysThere = staysOnPage_ && page_;
    const bool stays = staysThere || (wantedPage_.isEmpty() && page_ && page_->takesDataOf(taker.analysis()));
    if (!stays) {
        const QScopedValueRollback leads(leads_, true);
        emit pageWanted(taker.analysis());
    }
    give(taker);
    const std::vector<std::string> repeats = std::exchange(coming_, {});
    if (AnalysisPage* const role = analysisPage(taker); role && !repeats.empty()) role->setRepeats(repeats);
    remember(file_->name);
    emit opened(file_->name);
    // The open file is one of the visible page where that has one.
    if (staysThere) setPage(*page_);
}

void FileSession::takeRun(const QString& path, const SavedRun& saved) {
    emit message({});
    emit wasRead();
    remember(path);
    const Request& request = saved.run->request;
    emit pageWanted(QString::fromStdString(request.analysis));
    const int number = runs_.addRun(saved.run, false);
    emit message(tr("%1 was opened as run %2").arg(QFileInfo(path).fileName()).arg(number), 15000);
    emit runOpened(number, saved);
    const std::string data = registry_->analysis(request.analysis).info().data_of(request);
    if (saved.lost || data.empty()) return;
    const std::vector<std::string> repeats = namesFrom(names_of_repeats(*saved.run), path.toStdString());
    const bool isOpen = file_ && runs_.isOfFile(*runs_.find(number));
    if (!isOpen && repeats.empty()) return open(QString::fromStdString(data));
    if (!repeats.empty()) readRepeats([repeats] { return repeats; });
}

void FileSession::setFile(std::shared_ptr<const OpenFile> file) {
    file_ = std::move(file);
    runs_.setFile(file_ ? file_->path : QString(), file_ ? file_->record : FileRecord(),
                  file_ ? file_->name : QString(), file_ ? file_->states : FileStates());
    emit fileChanged();
    watch_.setFile(file_);
}

void FileSession::give(Page& page) {
    // A hidden page waits for it: reading and binning for all of them would delay the visible one.
    if (!file_ || given(page) == file_ || !page.accepts(*file_)) return;
    if (given(page)) emit pageLeaves(&page);
    given_[&page] = file_;
    const History::Quiet quiet(*context_.history);
    emit pageComes(&page);
    page.setFile(file_);
    emit pageGiven(&page);
}

Error FileSession::noUse(const OpenFile& file) const {
    std::vector<std::string> taken, found;
    for (const Page* one : pages_)
        if (const QString columns = one->tableColumns(); !columns.isEmpty())
            taken.push_back(QStringLiteral("%1 (%2)").arg(columns, one->title()).toStdString());
    for (const std::string& column : file.columns) found.push_back(printable(column.substr(0, longestName)));
    if (!taken.empty() && !found.empty())
        return Error(
            ErrorKind::input,
            tr("expected a header with the columns %1, found %2")
                .arg(QString::fromStdString(alternatives(taken)), QString::fromStdString(listed(found)))
                .toStdString(),
            file.name.toStdString());
    // A file of no known format is none of the tables of a page either.
    const io::DataName name = io::DataName::parse(file.name.toStdString());
    if (!taken.empty() && file.noFrames && !io::format_of(name) && io::suffix_of(name.file) != ".csv") {
        const QString what = tr("a file in CSV, %1 format").arg(QString::fromStdString(io::format_titles()));
        return Error(ErrorKind::input,
                     (file.record.bytes == 0 ? tr("expected %1, found an empty file") : tr("not %1"))
                         .arg(what)
                         .toStdString(),
                     name.file.string());
    }
    return file.noFrames.value_or(
        Error(ErrorKind::input, "no page can use this file", file.name.toStdString()));
}

Page* FileSession::pageFor(const OpenFile& file) const {
    const auto accepting = [&file](const Page* one) { return one->accepts(file); };
    if (staysOnPage_ && page_ && accepting(page_)) return page_;
    if (Page* const wanted = pageOf(wantedPage_); wanted && accepting(wanted)) return wanted;
    const auto preferring =
        std::ranges::find_if(pages_, [&file](const Page* one) { return one->prefers(file); });
    if (preferring != pages_.end()) return *preferring;
    if (page_ && accepting(page_)) return page_;
    const QString looked = page_ ? page_->kernelChoice().analysis : QString();
    if (Page* const lookedAt = pageOf(looked); lookedAt && accepting(lookedAt)) return lookedAt;
    const auto first = std::ranges::find_if(pages_, accepting);
    return first == pages_.end() ? nullptr : *first;
}

QStringList FileSession::recent() const {
    return settings_.value(recentKey).toStringList();
}

void FileSession::remember(const QString& name) {
    opened_.insert(name);
    QStringList names = recent();
    names.removeAll(name);
    names.prepend(name);
    while (names.size() > maxRecent) names.removeLast();
    settings_.setValue(recentKey, names);
    emit recentChanged();
}

QStringList FileSession::everOpened() const {
    return recent() + opened_.values();
}

QStringList FileSession::filters() const {
    QStringList filters = page_ ? page_->fileFilters() : QStringList();
    for (const Page* one : pages_) filters << one->fileFilters();
    filters << tr("Projects (%1)").arg(projectPattern);
    filters.removeDuplicates();
    QStringList known;
    for (const QString& filter : std::as_const(filters)) known << patternsOf(filter);
    known.removeDuplicates();
    filters.prepend(tr("All known files (%1)").arg(known.join(QLatin1Char(' '))));
    return filters << tr("All files (*)");
}

}  // namespace ks::ui
