#pragma once

namespace ks::ui {

class History;
class SessionMask;

/// Steps of the mask, and of the bins that are drawn by hand, become steps of the history. Those that no hand
/// did (the file's own mask) do not. Other frames begin a new history. Both live as long as each other.
void keepSteps(History& history, SessionMask& mask);

}  // namespace ks::ui
