#include "ui/shell/session/session_document.h"

#include <QObject>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/io/files/data_name.h"
#include "ui/base/json_read.h"

namespace ks::ui {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* contentKind = "kernelscope window";
constexpr std::size_t mostRaised = 8, mostViews = 32, mostLeft = 16 * LeftFiles::most;

json namedJson(const std::string& name, const fs::path& folder) {
    const io::DataName data = io::DataName::parse(name);
    return {{"file", io::to_json(io::named_file(data.file, folder))}, {"object", data.object}};
}

/// Without accessing the file.
json unseenJson(const fs::path& file, const fs::path& folder) {
    io::NamedFile named;
    named.absolute = file.string();
    named.relative = file.lexically_relative(folder).generic_string();
    return io::to_json(named);
}

/// Runs are many and never read without a request: their ends are not read.
json runJson(const KeptRun& run, const fs::path& folder) {
    return {{"number", run.number}, {"ticked", run.ticked}, {"file", unseenJson(run.file, folder)}};
}

/// The folders in `folder` that do not exist and would hold files of these runs.
std::set<std::string> missingBeside(const std::vector<KeptRun>& runs, const fs::path& folder) {
    std::error_code failure;
    const fs::path whole = fs::absolute(folder, failure).lexically_normal();
    std::set<std::string> holding, missing;
    for (const KeptRun& run : runs) holding.insert(fs::path(run.file).parent_path().string());
    std::ranges::copy_if(holding, std::inserter(missing, missing.end()), [&](const fs::path& one) {
        return one.parent_path() == whole && !fs::exists(one, failure);
    });
    return missing;
}

json leftJson(const LeftFiles::Left& left, const fs::path& folder, Elsewhere elsewhere) {
    const auto named = [&](const std::string& name) -> json {
        if (elsewhere == Elsewhere::byPath) return name;
        const io::DataName data = io::DataName::parse(name);
        return {{"file", unseenJson(data.file, folder)}, {"object", data.object}};
    };
    json files = json::object();
    for (const auto& [role, name] : left.state.files) files[role] = named(name);
    return {{"page", left.page}, {"file", named(left.file)}, {"values", left.state.values}, {"files", files}};
}

std::string textAt(const json& object, const char* key) {
    return jsonText(object, key).toStdString();
}

/// The file of "FILE::/path", with links resolved.
fs::path pathOf(const std::string& name) {
    std::error_code ignored;
    return fs::weakly_canonical(io::DataName::parse(name).file, ignored);
}

/// The files of a document at their current locations.
class Reader {
  public:
    Reader(ReadDocument& read, const fs::path& folder)
        : read_(read), folder_(fs::absolute(folder).lexically_normal()) {}

    /// "FILE" or "FILE::/path" of data that are not open: nothing of them is read. Empty if none are named.
    std::string unopened(const json& kept) const {
        if (kept.is_string()) return kept.get<std::string>();
        try {
            const fs::path file = io::find_named(io::named_file_from(jsonPart(kept, "file")), folder_).file;
            return io::DataName{file, textAt(kept, "object")}.to_string();
        } catch (const std::exception&) {
            return {};
        }
    }

    /// The current path of the file; empty if it is not named.
    std::string file(const json& kept, bool remember, bool isRead = true) {
        try {
            const io::NamedFile named = io::named_file_from(kept);
            const io::FoundFile found = io::find_named(named, folder_);
            if (isRead) read_.found.push_back(found);
            if (remember) read_.named[found.file.string()] = named;
            if (isRead && found.fate == io::FileFate::there) noteMoved(named, found);
            return found.file.string();
        } catch (const std::exception&) {
            return {};
        }
    }

  private:
    /// A file found in the project's folder shows where that folder was.
    void noteMoved(const io::NamedFile& named, const io::FoundFile& found) {
        const fs::path& file = found.file;
        if (named.absolute.empty() || named.absolute == file || pathOf(named.absolute) == found.target)
            return;
        read_.moved.files[named.absolute] = file.string();
        const fs::path relative = fs::path(named.relative).lexically_normal();
        if (!read_.moved.folders.empty() || relative.empty() || *relative.begin() == "..") return;
        fs::path then = named.absolute;
        for (auto part = relative.begin(); part != relative.end(); ++part) then = then.parent_path();
        if (then / relative == named.absolute && folder_ / relative == file)
            read_.moved.folders.push_back({then, folder_});
    }

    ReadDocument& read_;
    fs::path folder_;
};

std::map<std::string, PlotRanges> viewsFrom(const json& kept) {
    std::map<std::string, PlotRanges> views;
    if (!kept.is_object() || kept.size() > mostViews) return views;
    for (const auto& [plot, list] : kept.items()) {
        std::vector<double> ends;
        if (list.is_array() && list.size() == 4)
            for (const json& one : list)
                if (one.is_number()) ends.push_back(one.get<double>());
        // JSON may contain numbers that are not finite once read: 1e999.
        if (ends.size() != 4 || !std::ranges::all_of(ends, [](double one) { return std::isfinite(one); }))
            continue;
        if (ends[0] < ends[1] && ends[2] < ends[3]) views[plot] = {ends[0], ends[1], ends[2], ends[3]};
    }
    return views;
}

KeptPage pageFrom(const json& kept, Reader& reader, QStringList& damaged) {
    KeptPage page;
    page.variant = textAt(kept, "variant");
    page.drawerOpen = jsonBoolean(kept, "drawer", true);
    if (const json raised = jsonPart(kept, "raised"); raised.is_array() && raised.size() <= mostRaised)
        for (const json& one : raised)
            if (one.is_string()) page.raised << QString::fromStdString(one.get<std::string>());
    page.views = viewsFrom(jsonPart(kept, "views"));
    try {
        if (const json parameters = jsonPart(kept, "parameters"); parameters.is_object())
            page.parameters = parameter_set_from(parameters);
    } catch (const std::exception&) {
        damaged << QObject::tr("parameters");  // the defaults are used
    }
    if (const json values = jsonPart(kept, "values"); values.is_object()) page.state.values = values;
    const json files = jsonPart(kept, "files");
    if (!files.is_object()) return page;
    for (const auto& [role, named] : files.items())
        if (const std::string file = reader.file(jsonPart(named, "file"), true); !file.empty())
            page.state.files[role] = io::DataName{file, textAt(named, "object")}.to_string();
    return page;
}

LeftFiles leftFrom(const json& kept, Reader& reader) {
    LeftFiles left;
    if (!kept.is_array() || kept.size() > mostLeft) return left;
    for (auto one = kept.rbegin(); one != kept.rend(); ++one) {
        PageState state;
        if (const json values = jsonPart(*one, "values"); values.is_object()) state.values = values;
        if (const json files = jsonPart(*one, "files"); files.is_object())
            for (const auto& [role, name] : files.items()) {
                if (name.is_string())
                    state.files[role] = name.get<std::string>();
                else if (const std::string file = reader.file(jsonPart(name, "file"), false); !file.empty())
                    state.files[role] = io::DataName{file, textAt(name, "object")}.to_string();
            }
        if (const std::string file = reader.unopened(jsonPart(*one, "file")); !file.empty())
            left.leave(textAt(*one, "page"), file, state);
    }
    return left;
}

/// From values of a version that stored a geometry with each page; null: none was changed.
json geometryOfPage(const PageState& state) {
    const json image = jsonPart(state.values, "image");
    const json where = jsonPart(image, "geometry");
    if (!where.is_object()) return {};
    return {{"geometry", where}, {"swapped", jsonBoolean(image, "swapped")}};
}

/// For such a version: the geometry of the visible page, and for files that are not open the newest one.
void takeGeometriesOfPages(SessionDocument& document) {
    const std::string open = document.dataName();
    const auto take = [&](const PageState& state) {
        const auto own = state.files.find(PageState::ownData);
        const json kept = geometryOfPage(state);
        const std::string& name = own == state.files.end() ? open : own->second;
        if (!kept.is_null() && !name.empty()) document.geometries.emplace(name, kept);
    };
    if (const auto shown = document.pages.find(document.page); shown != document.pages.end())
        take(shown->second.state);
    for (const auto& [analysis, page] : document.pages) take(page.state);
    const std::vector<LeftFiles::Left> all = document.left.all();
    for (const LeftFiles::Left& one : all)
        if (const json kept = geometryOfPage(one.state);
            !kept.is_null() && !document.left.find(LeftFiles::geometry, one.file))
            document.left.leaveGeometry(one.file, kept);
}

void takeGeometries(SessionDocument& document, const json& kept, Reader& reader) {
    if (!kept.is_array() || kept.size() > mostLeft) return;
    for (const json& one : kept) {
        const std::string file = reader.file(jsonPart(one, "file"), true);
        if (const json values = jsonPart(one, "values"); !file.empty() && values.is_object())
            document.geometries[io::DataName{file, textAt(one, "object")}.to_string()] = values;
    }
}

/// @param arrays suffix of their names
json maskJson(const MaskState& mask, const std::string& arrays) {
    return {{"height", mask.height},  {"width", mask.width},     {"bins", mask.binCount},
            {"of_file", mask.ofFile}, {"changed", mask.changed}, {"arrays", arrays}};
}

std::optional<MaskState> maskFrom(const json& kept, const io::Project& project) {
    const std::string arrays = textAt(kept, "arrays");
    const auto mask = project.arrays.find("mask" + arrays), bins = project.arrays.find("bins" + arrays);
    const int height = jsonInteger(kept, "height"), width = jsonInteger(kept, "width");
    if (mask == project.arrays.end() || bins == project.arrays.end() || height < 1 || width < 1)
        return std::nullopt;
    MaskState state{static_cast<std::size_t>(height),
                    static_cast<std::size_t>(width),
                    mask->second,
                    bins->second,
                    jsonInteger(kept, "bins"),
                    jsonBoolean(kept, "of_file"),
                    jsonBoolean(kept, "changed")};
    try {
        requireSound(state);
    } catch (const Error&) {
        return std::nullopt;
    }
    return state;
}

/// Puts the mask of the open file where older programs look for it, and those of other files next to it.
void putMasks(io::Project& project, const SessionDocument& document, const fs::path& folder,
              Elsewhere elsewhere) {
    const std::set<std::string> data = document.dataFiles();
    bool openIsPut = false;
    for (const auto& [place, mask] : document.masks) {
        const std::string& file = place.file;
        const bool isOfOpen =
            file == document.file && place.object.value_or(document.object) == document.object;
        const bool ofOpen = isOfOpen && !std::exchange(openIsPut, isOfOpen);
        json& list = project.content["masks"];
        std::string arrays;
        if (!ofOpen) arrays.append("-").append(std::to_string(list.size() + 1));
        json kept = maskJson(mask, arrays);
        // Files that are not open are not accessed: their disk may not respond.
        if (data.contains(file))
            kept["file"] = io::to_json(io::named_file(file, folder));
        else if (elsewhere == Elsewhere::fromFolder)
            kept["file"] = unseenJson(file, folder);
        else
            kept["file"] = file;
        if (place.object) kept["object"] = *place.object;
        if (ofOpen)
            project.content["mask"] = std::move(kept);
        else
            list.push_back(std::move(kept));
        project.arrays.emplace("mask" + arrays, mask.mask);
        project.arrays.emplace("bins" + arrays, mask.bins);
    }
}

void takeMasks(ReadDocument& read, const io::Project& project, Reader& reader) {
    SessionDocument& document = read.document;
    std::vector<json> all;
    if (const json list = jsonPart(project.content, "masks"); list.is_array() && list.size() <= mostLeft)
        all.assign(list.begin(), list.end());
    if (const json one = jsonPart(project.content, "mask"); one.is_object()) all.push_back(one);
    for (const json& kept : all) {
        const std::optional<MaskState> mask = maskFrom(kept, project);
        if (!mask) {
            read.damaged << QObject::tr("a mask");
            continue;
        }
        const json named = jsonPart(kept, "file");
        std::set<std::string> files;
        if (named.is_string())
            files.insert(named.get<std::string>());
        else if (named.is_object())
            files.insert(reader.file(named, false, false));
        else
            files = document.dataFiles();  // of a version that kept one mask, whatever was open
        std::optional<std::string> object;
        if (const json own = jsonPart(kept, "object"); own.is_string()) object = own.get<std::string>();
        for (const std::string& file : files)
            if (!file.empty())
                document.masks.insert_or_assign({file, object, mask->height, mask->width}, *mask);
    }
}

const std::string refusedArrays = "refused/";  ///< begin of their names

/// As the project was read, without an access to its files.
void putRefused(io::Project& project, const RefusedFiles& refused) {
    if (!refused.whole) return;
    const ReadDocument& whole = *refused.whole;
    json& kept = project.content["refused"];
    kept = {{"files", refused.files}, {"folder", whole.folder.string()}, {"content", whole.content->content}};
    kept["content"].erase("refused");
    for (const auto& [name, array] : whole.content->arrays)
        if (!name.starts_with(refusedArrays)) project.arrays.emplace(refusedArrays + name, array);
}

RefusedFiles refusedFrom(const json& kept, const io::Project& project) {
    QStringList files;
    if (const json list = jsonPart(kept, "files"); list.is_array() && list.size() <= mostLeft)
        for (const json& one : list)
            if (one.is_string()) files << QString::fromStdString(one.get<std::string>());
    io::Project whole{jsonPart(kept, "content"), {}};
    if (whole.content.is_object()) whole.content.erase("refused");
    for (const auto& [name, array] : project.arrays)
        if (name.starts_with(refusedArrays)) whole.arrays.emplace(name.substr(refusedArrays.size()), array);
    return documentOf(std::move(whole), textAt(kept, "folder")).leaveOut(files);
}

}  // namespace

void keepChanges(json& kept, const json& before, const json& now) {
    if (now == before) return;
    if (!now.is_object()) {
        kept = now;
        return;
    }
    if (!kept.is_object()) kept = json::object();
    for (const auto& [key, value] : now.items())
        if (const json was = before.is_object() && before.contains(key) ? before[key] : json(); was != value)
            keepChanges(kept[key], was, value);
    if (!before.is_object()) return;
    for (const auto& [key, value] : before.items())
        if (!now.contains(key)) kept.erase(key);
}

void keepChanges(PageState& kept, const PageState& before, const PageState& now) {
    keepChanges(kept.values, before.values, now.values);
    for (const auto& [role, name] : now.files)
        if (const auto was = before.files.find(role); was == before.files.end() || was->second != name)
            kept.files[role] = name;
    for (const auto& [role, name] : before.files)
        if (!now.files.contains(role)) kept.files.erase(role);
}

void keepChanges(SessionDocument& kept, const SessionDocument& before, const SessionDocument& now,
                 const Registry& registry) {
    for (const auto& [id, page] : now.pages) {
        const auto was = before.pages.find(id);
        const auto at = kept.pages.find(id);
        if (was == before.pages.end() || at == kept.pages.end()) continue;
        if (!page.parameters.empty()) {
            ParameterSet all = defaults(registry.analysis(id).info().parameters);
            for (const auto& [parameter, value] : was->second.parameters) all[parameter] = value;
            for (const auto& [parameter, value] : page.parameters)
                if (all[parameter] != value) at->second.parameters[parameter] = value;
        }
        if (page.variant != was->second.variant) at->second.variant = page.variant;
        if (page.drawerOpen != was->second.drawerOpen) at->second.drawerOpen = page.drawerOpen;
        for (const auto& [name, ranges] : page.views)
            if (const auto view = was->second.views.find(name);
                view == was->second.views.end() || view->second != ranges)
                at->second.views[name] = ranges;
        keepChanges(at->second.state, was->second.state, page.state);
    }
    keepChanges(kept.tables, before.tables, now.tables);
}

bool SessionDocument::holdsWork() const {
    const auto byHand = [](const auto& one) { return one.second.byHand(); };
    const auto changed = [](const auto& one) { return !one.second.empty(); };
    return !runs.empty() || !work.empty() || std::ranges::any_of(masks, byHand) ||
           std::ranges::any_of(geometries, changed) || !left.all().empty();
}

std::string SessionDocument::dataName() const {
    return file.empty() ? std::string() : io::DataName{file, object}.to_string();
}

std::set<std::string> SessionDocument::dataNames() const {
    std::set<std::string> names;
    for (const auto& [id, page] : pages)
        if (const auto own = page.state.files.find(PageState::ownData); own != page.state.files.end())
            names.insert(own->second);
    if (!file.empty()) names.insert(dataName());
    return names;
}

std::set<std::string> SessionDocument::dataFiles() const {
    std::set<std::string> files;
    for (const std::string& name : dataNames()) files.insert(io::DataName::parse(name).file.string());
    return files;
}

io::Project projectOf(const SessionDocument& document, const fs::path& projectFolder, Elsewhere elsewhere) {
    std::error_code ignored;
    const fs::path folder = fs::absolute(projectFolder, ignored).lexically_normal();
    io::Project project;
    json& content = project.content;
    content = {{"kind", contentKind},          {"page", document.page},   {"device", document.device},
               {"last_run", document.lastRun}, {"pages", json::object()}, {"runs", json::array()}};
    if (!document.file.empty())
        content["data"] = {{"file", io::to_json(io::named_file(document.file, folder))},
                           {"given", document.given},
                           {"object", document.object}};
    for (const auto& [analysis, page] : document.pages) {
        json& kept = content["pages"][analysis];
        kept = {{"variant", page.variant}, {"drawer", page.drawerOpen}, {"values", page.state.values}};
        for (const QString& title : page.raised) kept["raised"].push_back(title.toStdString());
        for (const auto& [plot, at] : page.views)
            kept["views"][plot] = {at.xLower, at.xUpper, at.yLower, at.yUpper};
        if (!page.parameters.empty()) kept["parameters"] = to_json(page.parameters);
        for (const auto& [role, name] : page.state.files) kept["files"][role] = namedJson(name, folder);
    }
    if (!document.tables.empty()) content["tables"] = document.tables;
    if (!document.work.empty()) content["work"] = document.work;
    if (document.project && elsewhere == Elsewhere::byPath) content["project"] = to_json(*document.project);
    content["geometries"] = json::array();
    for (const auto& [name, kept] : document.geometries) {
        content["geometries"].push_back(namedJson(name, folder));
        content["geometries"].back()["values"] = kept;
    }
    for (const LeftFiles::Left& one : document.left.all())
        content["left"].push_back(leftJson(one, folder, elsewhere));
    for (const KeptRun& run : document.runs) content["runs"].push_back(runJson(run, folder));
    putMasks(project, document, folder, elsewhere);
    if (elsewhere == Elsewhere::byPath) putRefused(project, document.refused);
    return project;
}

ReadDocument documentOf(io::Project given, const fs::path& folder) {
    const auto whole = std::make_shared<const io::Project>(std::move(given));
    const io::Project& project = *whole;
    const json& content = project.content;
    if (textAt(content, "kind") != contentKind)
        throw Error(ErrorKind::input,
                    "expected a project saved by the Kernelscope window, found another kind of project",
                    folder.string());
    ReadDocument read;
    read.content = whole;
    read.folder = folder;
    SessionDocument& document = read.document;
    Reader reader(read, folder);
    document.page = textAt(content, "page");
    document.device = textAt(content, "device");
    document.lastRun = std::max(jsonInteger(content, "last_run"), 0);
    const json data = jsonPart(content, "data");
    if (data.is_object()) {
        document.file = reader.file(jsonPart(data, "file"), true);
        document.object = textAt(data, "object");
        document.given = document.file;
        read.writtenFiles = {textAt(jsonPart(data, "file"), "absolute"), textAt(data, "given")};
    }
    if (const json pages = jsonPart(content, "pages"); pages.is_object())
        for (const auto& [analysis, kept] : pages.items())
            document.pages[analysis] = pageFrom(kept, reader, read.damaged);
    document.left = leftFrom(jsonPart(content, "left"), reader);
    if (const json tables = jsonPart(content, "tables"); tables.is_object()) document.tables = tables;
    if (const json work = jsonPart(content, "work"); work.is_object() && work.size() <= mostLeft)
        for (const auto& [name, digest] : work.items())
            if (digest.is_string()) document.work[name] = digest.get<std::string>();
    if (const json own = jsonPart(content, "project"); own.is_object()) try {
            document.project = from_json<FileRecord>(own, "the project");
        } catch (const Error&) {
            read.damaged << QObject::tr("the name of the project");
        }
    if (const json refused = jsonPart(content, "refused"); refused.is_object()) try {
            document.refused = refusedFrom(refused, project);
        } catch (const Error&) {
            read.damaged << QObject::tr("what the project says of files that were not read");
        }
    if (content.contains("geometries"))
        takeGeometries(document, content["geometries"], reader);
    else
        takeGeometriesOfPages(document);
    takeMasks(read, project, reader);
    if (const json runs = jsonPart(content, "runs"); runs.is_array())
        for (const json& kept : runs) {
            KeptRun run{jsonInteger(kept, "number"), jsonBoolean(kept, "ticked"),
                        reader.file(jsonPart(kept, "file"), false)};
            if (run.number > 0 && !run.file.empty())
                document.runs.push_back(std::move(run));
            else
                read.damaged << QObject::tr("a run");
        }
    read.missingFolders = missingBeside(document.runs, folder);
    return read;
}

QStringList ReadDocument::outside() const {
    std::vector<io::FoundFile> all = found;
    // A session refers to files that are not open by their path alone.
    for (const LeftFiles::Left& left : document.left.all())
        for (const auto& [role, name] : left.state.files)
            if (std::error_code failure; !std::ranges::count(all, pathOf(name), &io::FoundFile::target) &&
                                         fs::is_regular_file(pathOf(name), failure))
                all.push_back({name, io::FilePlace::absolute, io::FileFate::there, pathOf(name)});
    QStringList files;
    for (const fs::path& file : io::files_outside(all)) files << QString::fromStdString(file.string());
    return files;
}

bool RefusedFiles::operator==(const RefusedFiles& other) const {
    if (files != other.files || !whole != !other.whole) return false;
    return whole == other.whole || whole->document == other.whole->document;
}

bool RefusedFiles::has(const std::string& name) const {
    return std::ranges::any_of(
        files, [&](const std::string& file) { return name == file || name.starts_with(file + "::"); });
}

void RefusedFiles::keepIn(SessionDocument& document, const std::set<std::string>& needsFile) const {
    if (!whole) return;
    const SessionDocument& project = whole->document;
    const bool isOpen = !document.file.empty(), wasOpen = has(project.file);
    if (wasOpen && !isOpen) {
        document.file = project.file;
        document.given = project.given;
        document.object = project.object;
        document.work.insert(project.work.begin(), project.work.end());
    }
    for (const auto& [id, page] : project.pages) {
        const auto own = page.state.files.find(PageState::ownData);
        const bool ofRefused = own == page.state.files.end() ? wasOpen : has(own->second);
        PageState& now = document.pages[id].state;
        if (ofRefused && needsFile.contains(id)) {
            if (!isOpen)
                now = page.state;
            else if (own == page.state.files.end() && !document.left.find(id, project.dataName()))
                document.left.leave(id, project.dataName(), page.state);
        } else {
            for (const auto& [role, name] : page.state.files)
                if (has(name)) now.files.emplace(role, name);
        }
    }
    for (const auto& [place, mask] : project.masks)
        if (has(place.file)) document.masks.try_emplace(place, mask);
    for (const auto& [name, kept] : project.geometries)
        if (has(name)) document.geometries.try_emplace(name, kept);
    for (const KeptRun& run : project.runs)
        if (has(run.file) && !std::ranges::count(document.runs, run.number, &KeptRun::number))
            document.runs.push_back(run);
    const std::vector<LeftFiles::Left>& left = project.left.all();
    for (auto one = left.rbegin(); one != left.rend(); ++one)
        if (std::ranges::any_of(one->state.files,
                                [&](const auto& file) { return has(pathOf(file.second).string()); }) &&
            !document.left.find(one->page, one->file))
            document.left.leave(one->page, one->file, one->state);
}

RefusedFiles ReadDocument::leaveOut(const QStringList& files) {
    RefusedFiles refused;
    refused.whole = std::make_shared<const ReadDocument>(*this);
    for (const QString& file : files) refused.files.insert(file.toStdString());
    const auto isRefused = [&refused](const std::string& name) { return refused.has(name); };
    if (isRefused(document.file)) {
        document.file.clear();
        document.given.clear();
        document.object.clear();
    }
    std::erase_if(document.runs, [&](const KeptRun& run) { return isRefused(run.file); });
    std::erase_if(moved.files, [&](const auto& one) { return isRefused(one.second); });
    for (auto& [analysis, page] : document.pages)
        std::erase_if(page.state.files, [&](const auto& one) { return isRefused(one.second); });
    std::erase_if(document.geometries, [&](const auto& one) { return isRefused(one.first); });
    std::erase_if(document.masks, [&](const auto& one) { return isRefused(one.first.file); });
    const std::vector<LeftFiles::Left> left = document.left.all();
    for (const LeftFiles::Left& one : left)
        if (std::ranges::any_of(one.state.files,
                                [&](const auto& file) { return isRefused(pathOf(file.second).string()); }))
            document.left.leave(one.page, one.file, std::nullopt);
    return refused;
}

void ReadDocument::takeRefused(const std::set<std::string>& needsFile) {
    const RefusedFiles refused = std::exchange(document.refused, {});
    if (!refused.whole) return;
    const ReadDocument& whole = *refused.whole;
    refused.keepIn(document, needsFile);
    named.insert(whole.named.begin(), whole.named.end());
    found.insert(found.end(), whole.found.begin(), whole.found.end());
    moved.files.insert(whole.moved.files.begin(), whole.moved.files.end());
    moved.folders.insert(moved.folders.end(), whole.moved.folders.begin(), whole.moved.folders.end());
    if (!document.file.empty() && document.file == whole.document.file) writtenFiles = whole.writtenFiles;
}

bool ReadDocument::isThere(const std::string& file) const {
    return std::ranges::any_of(found, [&file](const io::FoundFile& one) {
        return one.file == file && one.fate == io::FileFate::there;
    });
}

QStringList ReadDocument::changed() const {
    QStringList leaves;
    for (const std::string& file : document.dataFiles())
        if (const auto known = named.find(file);
            known != named.end() && isThere(file) && io::is_changed(known->second, file))
            leaves << QString::fromStdString(fs::path(file).filename().string());
    return leaves;
}

void ReadDocument::moveDataFile(const std::string& file) {
    const std::string before = document.file;
    const fs::path folder = fs::path(file).parent_path();
    std::vector<MovedFiles::Folder> folders{{fs::path(before).parent_path(), folder}};
    for (const std::string& name : writtenFiles)
        if (fs::path(name).is_absolute()) folders.push_back({fs::path(name).parent_path(), folder});
    std::map<std::string, std::string> along;
    for (const auto& [other, then] : named)
        if (const auto now = place_now(other, folders.front()); now && other != before && !isThere(other) &&
                                                                fs::is_regular_file(*now) &&
                                                                !io::is_changed(then, *now))
            along[other] = now->string();
    moveFile(before, file);
    document.file = document.given = file;
    for (const auto& [other, now] : along) moveFile(other, now);
    moved.folders.insert(moved.folders.end(), folders.begin(), folders.end());
}

void ReadDocument::moveFile(const std::string& before, const std::string& file) {
    const auto move = [&](std::string& name) {
        if (name == before)
            name = file;
        else if (name.starts_with(before + "::"))
            name = file + name.substr(before.size());
    };
    for (auto& [analysis, page] : document.pages)
        for (auto& [role, name] : page.state.files) move(name);
    std::map<std::string, nlohmann::json> geometries;
    for (const auto& [name, kept] : document.geometries) {
        std::string now = name;
        move(now);
        geometries[now] = kept;
    }
    document.geometries = std::move(geometries);
    renameMasks(document.masks, [&move](std::string name) {
        move(name);
        return name;
    });
    document.left.move(before, file);
    moved.files[before] = file;
    if (const auto known = named.find(before); known != named.end()) {
        moved.files[known->second.absolute] = file;
        named[file] = known->second;
    }
    found.push_back({file, io::FilePlace::absolute, io::FileFate::there, pathOf(file)});
}

}  // namespace ks::ui
