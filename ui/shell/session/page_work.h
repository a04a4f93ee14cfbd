#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/run/parameter_spec.h"
#include "core/run/registry.h"
#include "ui/shell/session/session_document.h"

namespace ks::ui {

class FileSession;

/// What the user did on the pages of a window, apart from runs and from masks, geometries and files that are
/// listed by themselves: changed parameters, chosen variants, texts in fields, measurements, bins, filters of
/// tables. Not what is only looked at (the visible page, tabs, zoom, the frame, the device), nor what an open
/// file contains or what is proposed for it.
class PageWork {
  public:
    /// Both outlive it.
    PageWork(const Registry& registry, const FileSession& files) : registry_(registry), files_(files) {}

    /// The window is empty now: what it contains is no work.
    void setFresh(SessionDocument document) { fresh_ = std::move(document); }
    /// Work by name: what in() returned for a session that is being restored. It holds for pages whose file
    /// is not open yet, since only part of their state is on the page.
    struct Waiting {
        std::set<std::string> pages;  ///< their ids
        std::map<std::string, std::string> work;
    };
    /// A digest of each piece of work in the document by its name for people. Before setFresh(), none.
    /// @param changed by analysis: parameters that differ from the defaults and from those in the data
    std::map<std::string, std::string> in(const SessionDocument& document,
                                          const std::map<std::string, ParameterSet>& changed,
                                          const Waiting& waiting) const;

  private:
    const Registry& registry_;
    const FileSession& files_;
    std::optional<SessionDocument> fresh_;
};

}  // namespace ks::ui
