#pragma once

namespace ks::ui {

class History;
class SessionMask;

/// Records edits of the mask and of hand-drawn bins as steps of the history. Changes that are not edits
/// (loading the file's own mask) are not recorded. Frames of another shape start a new history. Both
/// arguments must have the same lifetime.
void keepSteps(History& history, SessionMask& mask);

}  // namespace ks::ui
