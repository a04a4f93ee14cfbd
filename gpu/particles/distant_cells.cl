// Offers the limits within which squared distances may be computed from |t|^2, |s|^2 and t.s of targets t and
// sources s relative to the centre of a cell, with the precision of differences.

// Distance of the nearest target from the centre of the cell, in radii of the cell, for a singular kernel.
#define DISTANT 2.0f
// Radius of a cell of RBF, in units in which a term is 2^-r^2: then 2 t.s < 60 where |t| < FARTHEST, and
// beyond that a term is 0.
#define WIDEST 1.5f
#define FARTHEST 20.0f
