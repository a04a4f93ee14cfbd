#pragma once

namespace ks {

/// The fact of a result that lists the datasets which are no part of what its request asks for: they were
/// made later, by hand, such as a fit chosen in the window. A repeat of the run is not compared with them.
inline constexpr const char* made_after_run = "made_after_run";

}  // namespace ks
