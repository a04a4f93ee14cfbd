#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/request.h"

/// Whether a request that a file holds (Request::from_file) may be run: its code is compiled and its inputs
/// are read only where they are known. Code is known where it is a kernel file of the program, or in the
/// user's list (core/io/files/trust_list.h), which all code enters that this user runs. What the file says
/// about itself counts for nothing.
namespace ks {

/// All text of a request that is given to a compiler: the kernel source, defines beside it that are no whole
/// number of an upper-case name, expressions that the analysis does not read itself. Empty: there is none.
std::string code_in(const Analysis& analysis, const Request& request);
/// What it is, for people: "seed.add, other source", "expressions".
std::string title_of_code(const Request& request);

/// @param shipped texts of the program's kernel files
bool is_known_code(const std::string& code, const std::map<std::string, std::string>& shipped);
/// From now on it is known.
void know_code(const std::string& code);
/// Throws ks::Error(input) where the code of a request from a file is not known and --trust was not given;
/// its details are the code.
void require_known_code(const Analysis& analysis, const Request& request,
                        const std::map<std::string, std::string>& shipped);

/// The files that inputs of the request name; none for inputs of values and forms such as "rings:..".
std::vector<std::filesystem::path> files_named_by(const AnalysisInfo& info, const Request& request);
/// The user has opened the file by its name: runs may name it from now on.
void know_input(const std::filesystem::path& file);
/// Throws io::NotFollowed(input) where a request from a file names an input that is neither in the folder of
/// that file nor known, nor allowed in another way (core/io/files/followed_files.h).
void require_known_inputs(const AnalysisInfo& info, const Request& request);

}  // namespace ks
