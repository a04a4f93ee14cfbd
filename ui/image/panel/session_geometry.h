#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/data/geometry.h"
#include "ui/base/history.h"
#include "ui/files/open_file.h"

namespace ks::ui {

/// The geometry of the file that the window shows, one for all of its pages: what the file says, as it was
/// changed by hand, by a tool on the image, or by a refinement. Another file begins with its own.
class SessionGeometry : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// With frames. Each page says which file it was given; only the first one that names it counts. A file
    /// that says nothing has its beam in the middle of the frame.
    void setFile(std::shared_ptr<const OpenFile> file);
    /// Null: none yet.
    const std::shared_ptr<const OpenFile>& file() const { return file_; }

    struct State {
        Geometry geometry;
        bool swapped = false;  ///< x and y of the beam were exchanged
        bool operator==(const State&) const = default;
    };
    const Geometry& geometry() const { return state_.geometry; }
    const State& state() const { return state_; }
    /// Differs from what the file says (also by exchanged x and y).
    bool edited() const { return state_.geometry != start_; }
    /// Where the beam is, is known: from the file or by hand.
    bool located() const { return fromFile() || edited(); }
    /// The file has a geometry with a beam centre that can be used.
    bool fromFile() const;

    // They emit changed() where something changes.
    void setState(const State& state) { take(state, true); }
    /// @param final false while a hand is still moving
    void setGeometry(const Geometry& geometry, bool final) { take({geometry, state_.swapped}, final); }
    /// Exchanges x and y of the beam. Without effect where the file has no geometry.
    void setSwapped(bool swapped);
    /// Back to what the file says.
    void reset() { take({start_, false}, true); }

    /// Changes by hand become steps of the history, which outlives this.
    void keepSteps(History& history);
    /// What was changed of what the file says; an empty object: nothing was.
    nlohmann::json keep() const;
    /// What keep() gave, after setFile() with a file of the same name. Nothing of it is trusted.
    void bringBack(const nlohmann::json& kept);

  signals:
    /// Another file is about to take the place of file().
    void fileLeaves();
    /// file() is another one.
    void fileChanged();
    /// @param final false while a hand is still moving
    void changed(bool final);

  private:
    void take(const State& state, bool final);

    std::shared_ptr<const OpenFile> file_;
    Geometry start_;
    State state_;
    bool moving_ = false;  ///< the last change was not final
    std::unique_ptr<Undoable<State>> steps_;
};

}  // namespace ks::ui
