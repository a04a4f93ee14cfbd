#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/data/frame_source.h"
#include "core/input/frame_input.h"
#include "core/io/series/file_states.h"

namespace ks::xpcs {

/// Frames that are computed from those of a source, one by one unless a subclass says otherwise: all but
/// their values, their type and their identity is that of the source.
class DerivedFrames : public FrameSource, public FromFiles {
  public:
    explicit DerivedFrames(std::shared_ptr<FrameSource> source)
        : source_(std::move(source)), files_(io::files_of(*source_)) {}

    std::string name() const override { return source_->name(); }
    std::size_t frames() const override { return source_->frames(); }
    std::size_t height() const override { return source_->height(); }
    std::size_t width() const override { return source_->width(); }
    bool written(std::size_t frame) const override { return source_->written(frame); }
    std::optional<double> frame_time() const override { return source_->frame_time(); }
    std::optional<std::string> frame_time_fault() const override { return source_->frame_time_fault(); }
    std::vector<std::string> contradictions() const override { return source_->contradictions(); }
    const FileStates& files() const override { return files_; }
    const FrameSource& source() const { return *source_; }

  protected:
    std::shared_ptr<FrameSource> source_;
    FileStates files_;  ///< of the source, and what a subclass adds
};

/// The type of the counts that frames are derived from, by which values are invalid: u16 also of their mean.
inline ElementType type_of_counts(const FrameSource& frames) {
    const auto* const derived = dynamic_cast<const DerivedFrames*>(&frames);
    return derived ? type_of_counts(derived->source()) : frames.type();
}

}  // namespace ks::xpcs
