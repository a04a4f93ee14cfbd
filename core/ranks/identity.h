#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/fields.h"
#include "core/ranks/exchange.h"
#include "core/run/request.h"

namespace ks {

/// One thing that must be the same at all ranks.
struct IdentityRow {
    std::string what;   ///< "the version of the program", "the size of scan.h5"
    std::string value;  ///< "0.1.0", "1048 bytes"
};

KS_FIELDS(IdentityRow, what, value)

/// What a rank is about to compute with.
struct Identity {
    std::string host;
    std::vector<IdentityRow> rows;
};

KS_FIELDS(Identity, host, rows)

/// The version of this program.
IdentityRow version_row();
/// One row per value of a request, named as in its record; kernel texts by their hash.
std::vector<IdentityRow> rows_of(const Request& request);
/// Size, modification time and a hash of the first 64 KiB of a file. If the file does not exist, a single row
/// says so.
std::vector<IdentityRow> rows_of(const std::filesystem::path& file);

/// Throws ks::Error(input) for the first row in which a rank differs from rank 0, naming both
/// ranks and values.
/// @param all by rank
void require_alike(const std::vector<Identity>& all);

/// The same for the rows that each rank passes. Rank 0 compares and is the only one that throws; it then
/// ends the others.
void require_alike(Exchange& exchange, std::vector<IdentityRow> rows);

}  // namespace ks
