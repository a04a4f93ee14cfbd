#include "ui/files/watched_inputs.h"

#include <utility>

#include "core/base/error.h"
#include "ui/base/jobs.h"

namespace ks::ui {

void WatchedInputs::set(const std::string& role, const QString& name) {
    const auto known = inputs_.find(role);
    if (known == inputs_.end() ? name.isEmpty() : known->second.name == name) return;
    if (known != inputs_.end()) inputs_.erase(known);
    if (name.isEmpty()) return emit this->known();
    Input input{name};
    input.watch = std::make_unique<FileWatch>();
    connect(input.watch.get(), &FileWatch::changed, this, [this, role](const QString& file) {
        emit changed(file);
        lookAt(role);
    });
    inputs_.emplace(role, std::move(input));
    lookAt(role);
}

void WatchedInputs::lookAt(const std::string& role) {
    const auto input = inputs_.find(role);
    if (input == inputs_.end()) return;
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("input ") + QString::fromStdString(role),
        [name = input->second.name] { return std::make_shared<const OpenFile>(filesOf(name)); },
        [this, role](std::shared_ptr<const OpenFile> file) {
            const auto wanted = inputs_.find(role);
            if (wanted == inputs_.end() || wanted->second.name != file->name) return;
            // Only a file that cannot be found has no hash.
            wanted->second.gone = file->record.hash.empty();
            if (!wanted->second.gone) wanted->second.seen = file;
            wanted->second.watch->setFile(std::move(file));
            emit known();
        },
        [this, role](const Error&) {
            // A name that is half typed, or of files that are no series: a run says so.
            const auto wanted = inputs_.find(role);
            if (wanted == inputs_.end() || !wanted->second.seen) return;
            wanted->second.gone = true;
            emit known();
        });
}

bool WatchedInputs::look() {
    bool any = false;
    for (const auto& [role, input] : inputs_) {
        if (!input.seen || input.gone) {
            lookAt(role);
        } else if (!input.watch->changedFile()) {
            input.watch->look();
            any = any || input.watch->changedFile();
        }
    }
    return any;
}

std::map<std::string, DataFiles> WatchedInputs::files() const {
    std::map<std::string, DataFiles> all;
    for (const auto& [role, input] : inputs_)
        if (input.seen) all[role] = {input.seen->record, input.seen->states};
    return all;
}

std::set<std::string> WatchedInputs::gone() const {
    std::set<std::string> roles;
    for (const auto& [role, input] : inputs_)
        if (input.gone) roles.insert(role);
    return roles;
}

}  // namespace ks::ui
