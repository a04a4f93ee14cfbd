#include "ui/files/error_causes.h"

#include <algorithm>
#include <filesystem>

#include "core/io/files/data_name.h"
#include "core/run/user/trusted_code.h"
#include "ui/files/data_identity.h"

namespace ks::ui {

ErrorCauses::ErrorCauses(Jobs& jobs, QObject* parent) : QObject(parent), disk_(jobs) {
    connect(&disk_, &DiskStates::looked, this, &ErrorCauses::compare);
}

void ErrorCauses::watch(const Error& error, const AnalysisInfo* info, const Request* request) {
    end();
    if (error.kind() != ErrorKind::input || error.where().empty()) return;
    const auto absolute = [](const std::string& file) { return absolutePath(QString::fromStdString(file)); };
    const std::string where = io::DataName::parse(error.where()).file.string(), cause = absolute(where);
    const auto isCause = [&](const std::filesystem::path& file) { return absolute(file.string()) == cause; };
    const bool isInput = info && request ? std::ranges::any_of(files_named_by(*info, *request), isCause)
                                         : std::filesystem::path(where).is_absolute();
    if (isInput) disk_.setFiles({cause});
}

void ErrorCauses::end() {
    then_.reset();
    disk_.setFiles({});
}

void ErrorCauses::compare() {
    const DiskStates::States& now = disk_.states();
    if (now.empty()) return;  // the end
    if (!then_) {
        then_ = now;
    } else if (*then_ != now) {
        end();
        emit changed();
    }
}

}  // namespace ks::ui
