#pragma once

#include <QStringList>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/io/files/file_record.h"
#include "core/record/moved_inputs.h"
#include "core/record/project_file.h"
#include "core/record/project_files.h"
#include "core/run/parameter_spec.h"
#include "core/run/registry.h"
#include "ui/image/mask/mask_state.h"
#include "ui/plots/plot_view.h"
#include "ui/shell/session/left_files.h"
#include "ui/shell/session/page_state.h"

namespace ks::ui {

/// A run in a session: its record and result are an HDF5 file.
struct KeptRun {
    int number = 0;
    bool ticked = false;
    std::string file;
    bool operator==(const KeptRun&) const = default;
};

/// Stored state of one page.
struct KeptPage {
    ParameterSet parameters;  ///< of the form that pages share
    std::string variant;
    bool drawerOpen = true;
    QStringList raised = {};                       ///< chosen tabs of the drawer
    std::map<std::string, PlotRanges> views = {};  ///< as Drawer::views()
    PageState state;
    bool operator==(const KeptPage&) const = default;
};

struct SessionDocument;
struct ReadDocument;

/// What a project names of files that the user did not agree to read.
struct RefusedFiles {
    std::set<std::string> files = {};
    std::shared_ptr<const ReadDocument> whole = {};  ///< the project as read; null: there are none
    bool operator==(const RefusedFiles& other) const;
    /// Adds what the project says of these files, as far as the document says nothing of its own, so that it
    /// stays in the project when that is written.
    /// @param needsFile ids of pages that show nothing without a file
    void keepIn(SessionDocument& document, const std::set<std::string>& needsFile) const;
    /// "FILE" or "FILE::/path"
    bool has(const std::string& name) const;
};

/// Everything a session restores, as a value. Files are named by absolute paths.
struct SessionDocument {
    std::string file;                       ///< of the data; empty: none
    std::string given;                      ///< the same as named by the user, and in runs
    std::string object;                     ///< in it; empty: not given
    std::string page;                       ///< analysis of the visible page
    std::string device;                     ///< title
    std::map<std::string, KeptPage> pages;  ///< by analysis
    Masks masks;                            ///< and bins drawn by hand, of all files
    /// Changes to the geometries in files, by "FILE" or "FILE::/path", as SessionGeometry::keep().
    std::map<std::string, nlohmann::json> geometries;
    std::vector<KeptRun> runs;                         ///< newest first
    nlohmann::json tables = nlohmann::json::object();  ///< TableStates::all(), by page
    LeftFiles left;                                    ///< of files that are not open
    int lastRun = 0;                                   ///< highest number of a run so far
    std::map<std::string, std::string> work;           ///< PageWork::in()
    /// The file of the window's project, as the window read or wrote it. A project does not name itself.
    std::optional<FileRecord> project = {};
    /// Of that project. A project contains what it says of them like everything else.
    RefusedFiles refused = {};
    bool operator==(const SessionDocument&) const = default;

    /// "FILE" or "FILE::/path" of the data; empty: none.
    std::string dataName() const;
    /// Of these data and of those held by individual pages.
    std::set<std::string> dataNames() const;
    /// Only their files.
    std::set<std::string> dataFiles() const;
    /// More than a file that was viewed: masks, bins, geometries, runs, and what PageWork names.
    bool holdsWork() const;
};

/// What differs in `now` from `before` replaces what `kept` says of it: a user changed it while `kept` was
/// being read. Objects are compared key by key, everything else as a whole.
void keepChanges(nlohmann::json& kept, const nlohmann::json& before, const nlohmann::json& now);
void keepChanges(PageState& kept, const PageState& before, const PageState& now);
/// The same for fields, drawers and tables of the pages. The tabs of drawers are not compared: they also
/// change with the size of the window.
/// @param registry has the initial values of parameters that `before` does not contain
void keepChanges(SessionDocument& kept, const SessionDocument& before, const SessionDocument& now,
                 const Registry& registry);

// Calls visit("name", field) for each field. A new field that is not listed here does not compile.

void eachField(const KeptPage& page, auto&& visit) {
    const auto& [parameters, variant, drawerOpen, raised, views, state] = page;
    visit("parameters", parameters);
    visit("variant", variant);
    visit("drawerOpen", drawerOpen);
    visit("raised", raised);
    visit("views", views);
    visit("state", state);
}

void eachField(const SessionDocument& document, auto&& visit) {
    const auto& [file, given, object, page, device, pages, masks, geometries, runs, tables, left, lastRun,
                 work, project, refused] = document;
    visit("file", file);
    visit("given", given);
    visit("object", object);
    visit("page", page);
    visit("device", device);
    visit("pages", pages);
    visit("masks", masks);
    visit("geometries", geometries);
    visit("runs", runs);
    visit("tables", tables);
    visit("left", left);
    visit("lastRun", lastRun);
    visit("work", work);
    visit("project", project);
    visit("refused", refused);
}

/// How files that are not open are named: a session never accesses them, since their disk may not respond; a
/// project may move together with them.
enum class Elsewhere { byPath, fromFolder };
/// @param folder of the project, relative to which files are named. Reads the ends of the data file and of
/// files named by pages.
io::Project projectOf(const SessionDocument& document, const std::filesystem::path& folder,
                      Elsewhere elsewhere);

/// A project as read, with files at their current locations.
struct ReadDocument {
    SessionDocument document;
    std::map<std::string, io::NamedFile> named;  ///< by the path in `document`; without runs
    std::vector<std::string> writtenFiles;       ///< names of the data when the project was written
    std::vector<io::FoundFile> found;            ///< files that the project wants to read
    MovedFiles moved;     ///< since then: the project's folder, and files that it names
    QStringList damaged;  ///< parts that exist but could not be read: "the mask"
    /// Folders for runs beside the project that do not exist: "/data/lesson_runs".
    std::set<std::string> missingFolders = {};
    std::shared_ptr<const io::Project> content = {};  ///< from which it was made
    std::filesystem::path folder = {};                ///< of the project

    /// Files outside of the project's folder: they are read only after the user has agreed.
    QStringList outside() const;
    /// Removes the files that the user did not agree to from the document, and returns what it said of them.
    RefusedFiles leaveOut(const QStringList& files);
    /// The user has agreed to read `document.refused` after all: it is part of the document again.
    /// @param needsFile as for RefusedFiles::keepIn()
    void takeRefused(const std::set<std::string>& needsFile);
    bool dataFileIsThere() const { return isThere(document.file); }
    /// Names of the data files, including those held by individual pages, that have changed since the project
    /// was written. Reads their ends.
    QStringList changed() const;
    /// Sets another path of the data file. Other missing files of pages move with it if they are at the same
    /// place relative to it: accesses them.
    void moveDataFile(const std::string& file);

  private:
    bool isThere(const std::string& file) const;
    void moveFile(const std::string& before, const std::string& file);
};

/// Opens nothing. Invalid entries are ignored. Throws ks::Error(input) if the content is not a session.
ReadDocument documentOf(io::Project project, const std::filesystem::path& folder);

}  // namespace ks::ui
