#pragma once

namespace ks {

/// Energy of a photon times its wavelength, h c; exact in the SI of 2019.
inline constexpr double kev_angstrom = 12.398419843320026;

}  // namespace ks
