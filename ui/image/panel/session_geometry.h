#pragma once

#include <QObject>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/data/geometry.h"
#include "ui/base/history.h"
#include "ui/files/open_file.h"

namespace ks::ui {

/// The geometry of the open file, shared by all pages: the file's values as changed in the form, by a tool on
/// the image, or by a refinement. Another file starts with its geometry.
class SessionGeometry : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// With frames. Every page calls this; only the first call for a file takes effect. If the file has no
    /// usable beam centre, the beam is in the middle of the frame.
    void setFile(std::shared_ptr<const OpenFile> file);
    /// Null: no file yet.
    const std::shared_ptr<const OpenFile>& file() const { return file_; }

    struct State {
        Geometry geometry;
        bool swapped = false;  ///< x and y of the beam were exchanged
        bool operator==(const State&) const = default;
    };
    const Geometry& geometry() const { return state_.geometry; }
    const State& state() const { return state_; }
    /// The file's values.
    const Geometry& start() const { return start_; }
    /// Differs from the file's values (also if x and y are exchanged).
    bool edited() const { return state_.geometry != start_; }
    /// The beam position is known, from the file or from the user.
    bool located() const { return fromFile() || edited(); }
    /// The file has a geometry with a usable beam centre.
    bool fromFile() const;

    // Emit changed() if something changes.
    void setState(const State& state) { take(state, true); }
    /// @param final false during a drag
    void setGeometry(const Geometry& geometry, bool final) { take({geometry, state_.swapped}, final); }
    /// Exchanges x and y of the beam. No effect if the file has no geometry.
    void setSwapped(bool swapped);
    /// Restores the file's values.
    void reset() { take({start_, false}, true); }

    /// Records edits as steps of the history, which must outlive this object.
    void keepSteps(History& history);
    /// Changes against the file's values; an empty object if there are none.
    nlohmann::json keep() const;
    /// Restores what keep() returned, after setFile() with a file of the same name. The input is validated.
    void bringBack(const nlohmann::json& kept);

  signals:
    /// Another file is about to replace file().
    void fileLeaves();
    /// file() has changed.
    void fileChanged();
    /// @param final false during a drag
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
