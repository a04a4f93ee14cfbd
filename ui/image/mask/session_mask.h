#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/data/pixel_mask.h"
#include "core/run/request.h"
#include "ui/files/open_file.h"
#include "ui/image/mask/frozen_mask.h"
#include "ui/image/mask/mask_state.h"
#include "ui/image/mask/region_editor.h"

namespace ks::ui {

class Jobs;

/// The mask of the file that the window shows, one for all of its pages: what is drawn, the file's own mask,
/// which becomes what is drawn where a hand has drawn nothing, and what the file says of saturation. It stays
/// while the file does; another file begins without, and a file that comes back has what was drawn on it.
/// Bins drawn by hand are in the same editor.
class SessionMask : public QObject {
    Q_OBJECT
  public:
    explicit SessionMask(Jobs& jobs, QObject* parent = nullptr);

    /// With frames. Each page says which file it was given; only the first one that names it counts.
    void setFile(std::shared_ptr<const OpenFile> file);
    const std::shared_ptr<const OpenFile>& file() const { return file_; }
    /// The frame of file() on the screen, for tools that look at counts.
    void setFrame(std::shared_ptr<const Array> frame);
    /// Empty until there is a frame.
    RegionEditor& editor() { return editor_; }

    /// [y][x], anything but 0: ignore; null while the editor is not of the file's shape.
    const std::vector<std::uint8_t>* drawn() const;
    /// A copy that stays as it is; null where no pixel is ignored.
    std::shared_ptr<const std::vector<std::uint8_t>> copy() const;
    bool ignoresAll() const;
    /// Sets the input "mask" where something is drawn, and the parameter "file_mask".
    void fill(Request& request) const;
    /// The largest valid count as the file says.
    const std::optional<double>& saturation() const { return saturation_; }
    /// The same as the text that Page::saidByFile() gives.
    QString saturationText() const;
    /// The file's own mask is in the editor.
    bool fileMaskLoaded() const { return own_ == Own::loaded; }
    /// What the file, or an earlier session, says of the mask is still to come: with the first frame, or when
    /// it is read. settled() follows.
    bool awaited() const { return kept_ || own_ == Own::reading || (waiting_ && !waiting_->empty()); }
    /// The mask changes, but not by hand.
    bool loading() const { return loading_; }
    /// Counts changes of the mask.
    quint64 revision() const { return revision_; }

    /// Mask and drawn bins; nothing while there is no frame.
    std::optional<MaskState> keep() const;
    /// They come back with the first frame, in place of the file's own mask; left out where the frame has
    /// another shape. After setFile().
    void bringBack(const MaskState& state);

    /// What was drawn by hand on file() and on the files before it, by absolute path.
    std::map<std::string, MaskState> keepAll() const;
    /// Forgets what is drawn on all files; these states take its place, each after the next setFile() with
    /// its file.
    void bringBackAll(std::map<std::string, MaskState> states);
    /// A file that is not open lies elsewhere now.
    void move(const std::string& from, const std::string& to);

    /// "FILE::/path" where the object of the file can be the mask: whole numbers of the frames' shape.
    QString maskAt(const QString& path) const;

  signals:
    /// The file's own mask has become the mask, or has left it. Not emitted as maskEdited by hand: see
    /// loading().
    void maskLoaded();
    /// Nothing is awaited() any more.
    void settled();
    void failed(const ks::Error& error);

  private:
    enum class Own { none, reading, loaded, besides, unusable };

    void readOwn();
    void takeOwn();
    /// Takes what waits, as far as there is a frame for it.
    void takeWaiting();
    void replace(const PixelMask& mask);
    /// Keeps what was drawn on the file that is no longer the open one.
    void leave();
    void takeKept();
    /// The mask is no longer what the file's own mask was when it was loaded.
    bool fileMaskChanged(const std::vector<std::uint8_t>& now) const;

    Jobs& jobs_;
    RegionEditor editor_;
    std::shared_ptr<const OpenFile> file_;
    FrozenMask frozen_;
    Own own_ = Own::none;
    std::shared_ptr<const PixelMask> newest_;   ///< what was taken from the file
    std::shared_ptr<const PixelMask> waiting_;  ///< read before there was a frame; empty: the file has none
    std::optional<double> saturation_;
    std::map<std::string, MaskState> left_;  ///< drawn on files that are not open, by absolute path
    std::optional<MaskState> kept_;          ///< waits for a frame
    mutable std::optional<Array> binRuns_;   ///< of the editor's bins as they are
    bool loading_ = false;
    quint64 revision_ = 0;
};

}  // namespace ks::ui
