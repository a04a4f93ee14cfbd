#pragma once

#include <string>
#include <vector>

/// Names of the data of several repeats, as they are saved with one of their files.
namespace ks::ui {

/// io::repeats_named(), for files that the window can open: throws ks::Error(input) for a name that is not
/// UTF-8.
std::vector<std::string> repeatsNamed(const std::vector<std::string>& given);
/// Names as a session keeps them: relative where they are in the folder of the open file.
std::vector<std::string> keptNames(const std::vector<std::string>& names, const std::string& openFile);
/// The inverse of keptNames(). Only names of files that are in the folder of the open file, or that the user
/// has opened before, are taken: what was saved may come from elsewhere. Empty if one of them is not.
std::vector<std::string> namesFrom(const std::vector<std::string>& kept, const std::string& openFile);

}  // namespace ks::ui
