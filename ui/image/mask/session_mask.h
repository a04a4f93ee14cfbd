#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/data/pixel_mask.h"
#include "core/run/request.h"
#include "ui/files/open_file.h"
#include "ui/image/mask/mask_state.h"
#include "ui/image/mask/region_editor.h"

namespace ks::ui {

class History;
class Jobs;

/// The mask of the open file, shared by all pages: what is drawn, the file's own mask (which becomes the
/// drawn mask unless the user has drawn one), and the file's saturation value. It lasts as long as the
/// frames are open. Other frames (of another file, another object in it, or of another size) start without a
/// mask; when they are opened again, under whatever name, they get back what was drawn on them. Hand-drawn
/// bins are in the same editor.
class SessionMask : public QObject {
    Q_OBJECT
  public:
    explicit SessionMask(Jobs& jobs, QObject* parent = nullptr);

    /// With frames. Every page calls this; only the first call for a file takes effect.
    void setFile(std::shared_ptr<const OpenFile> file);
    const std::shared_ptr<const OpenFile>& file() const { return file_; }
    /// The frame of file() on the screen, for tools that use counts.
    void setFrame(std::shared_ptr<const Array> frame);
    /// Empty until there is a frame.
    RegionEditor& editor() { return editor_; }

    /// [y][x], nonzero: ignored; null while the editor does not have the file's shape.
    const std::vector<std::uint8_t>* drawn() const;
    /// A copy that later edits do not change; null if no pixel is ignored.
    std::shared_ptr<const std::vector<std::uint8_t>> copy() const;
    bool ignoresAll() const;
    /// Sets the input "mask" if something is drawn, and the parameter "file_mask".
    void fill(Request& request) const;
    /// The largest valid count according to the file.
    const std::optional<double>& saturation() const { return saturation_; }
    /// The same, as the text in FileValues::parameters.
    QString saturationText() const;
    /// The file's own mask is in the editor.
    bool fileMaskLoaded() const { return own_.at == Own::loaded; }
    /// A mask of the file or of an earlier session is still to be applied: with the first frame, or once it
    /// is read. settled() follows.
    bool awaited() const { return kept_ || own_.at == Own::reading || own_.at == Own::waiting; }
    /// The mask is changing, but not by an edit.
    bool loading() const { return loading_; }
    /// Counts changes of the mask.
    quint64 revision() const { return revision_; }

    /// Records edits of the mask and of hand-drawn bins as steps of the history, which must live as long as
    /// this object. Changes that are not edits (loading the file's own mask) are not recorded. Frames of
    /// another shape start a new history.
    void keepSteps(History& history);
    /// Mask and drawn bins; nullopt while there is no frame.
    std::optional<MaskState> keep() const;
    /// To be called after setFile(). Applied with the first frame, in place of the file's own mask; ignored
    /// until there are frames of its shape.
    void bringBack(const MaskState& state);

    /// Reverts and repeats replace().
    struct Replaced {
        std::function<void()> undo, redo;
    };
    /// Replaces mask and bins by an edit, which the caller records as part of a step of the history. Without
    /// a frame: as bringBack(), which nothing reverts.
    Replaced replace(const MaskState& state);

    /// What was drawn on the frames of file() and on those before it.
    Masks keepAll() const;
    /// Replaces what is drawn on all files. Each state is applied after the next setFile() with its frames.
    void bringBackAll(Masks states);
    /// A file that is not open has moved.
    void move(const std::string& from, const std::string& to);

    /// "FILE::/path" if the object at `path` can serve as the mask: whole numbers in the frames' shape.
    QString maskAt(const QString& path) const;

  signals:
    /// The file's own mask was put into the mask or removed from it. This is not an edit: see loading().
    void maskLoaded();
    /// awaited() has become false.
    void settled();
    void failed(const ks::Error& error);

  private:
    /// Where the file's own mask is.
    enum class Own {
        none,  ///< the file has none
        reading,
        waiting,  ///< read, for the first frame
        loaded,   ///< in the editor
        besides,  ///< not in the editor, since the user has drawn one
        unusable
    };
    /// The file's own mask. Of `waiting` and `loaded`, the mask itself; otherwise the one that an earlier
    /// content of the file has put into the editor, where it stays until the next frame; null: none.
    struct OwnMask {
        Own at = Own::none;
        std::shared_ptr<const PixelMask> mask = {};
        bool operator==(const OwnMask&) const = default;
    };

    void readOwn();
    /// @param read null: the file has no usable mask
    void takeOwn(std::shared_ptr<const PixelMask> read);
    /// Applies what is waiting, as far as there is a frame for it.
    void takeWaiting();
    void replaceMask(const PixelMask& mask);
    /// Where the file's own mask is once a state is in the editor, which is the user's decision.
    void takeDecision(const MaskState& state);
    void setOwn(const OwnMask& own);
    /// Stores what was drawn on the frames that are being closed.
    /// @param data their identity from now on
    void leave(const std::string& data);
    /// The stored state for the frames of a file; it is no longer stored.
    std::optional<MaskState> takeLeft(const OpenFile& file);
    /// If a state for other frames of the same file is stored: that it is not shown.
    /// @param before frames of the previous file
    void tellLeft(const std::optional<std::string>& before);
    void takeKept();

    Jobs& jobs_;
    RegionEditor editor_;
    std::shared_ptr<const OpenFile> file_;
    FrozenMask frozen_;
    OwnMask own_;
    std::optional<double> saturation_;
    Masks left_;                            ///< drawn on frames that are not open
    std::optional<MaskState> kept_;         ///< waits for a frame
    mutable std::optional<Array> binRuns_;  ///< of the editor's current bins
    bool loading_ = false;
    quint64 revision_ = 0;
};

}  // namespace ks::ui
