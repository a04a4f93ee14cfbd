#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/request.h"

/// These functions decide whether a request from a file (Request::from_file) may be run: its code is compiled
/// and its inputs are read only if they are known. Code is known if it is a built-in kernel file, or if it is
/// in the user's list (core/io/files/trust_list.h). All code that this user runs is added to that list.
/// Statements of the file about itself do not count.
namespace ks {

/// All text of a request that is passed to a compiler: the kernel source, defines (except whole numbers for
/// upper-case names), and expressions that the analysis does not parse itself. Empty: there is none.
std::string code_in(const Analysis& analysis, const Request& request);
/// A description of the code for users: "seed.add, other source", "expressions".
std::string title_of_code(const Request& request);

/// @param shipped texts of the built-in kernel files
bool is_known_code(const std::string& code, const std::map<std::string, std::string>& shipped);
/// Adds code to the known code.
void know_code(const std::string& code);
/// Adds the code of a request of the user, and the text of its kernel (know_kernel_text()).
void know_code_of(const Analysis& analysis, const Request& request);
/// Throws ks::Error(input) if the code of a request from a file is unknown and --trust was not given; the
/// details contain the code. The message also names the inputs that require_known_inputs() would refuse,
/// since --trust would allow them as well.
void require_known_code(const Analysis& analysis, const Request& request,
                        const std::map<std::string, std::string>& shipped);

/// Adds a text, with the files that it includes, to the kernel texts that may run unasked. The user has run
/// it, or has written it in the program.
void know_kernel_text(const std::string& text);
/// Throws ks::Error(input) if a run that nobody asked for (Request::unasked) would compile a kernel text that
/// is not known.
void require_known_kernel_text(const Request& request);

/// The files named by inputs of the request; none for values and forms such as "rings:..". A series counts as
/// one file with its name.
std::vector<std::filesystem::path> files_named_by(const AnalysisInfo& info, const Request& request);
/// To be called if the user has opened the file by name. From then on, runs may refer to it.
void know_input(const std::filesystem::path& file);
/// Throws io::NotFollowed(input) if a request from a file names an input that is neither in the folder of
/// that file, nor known, nor allowed otherwise (core/io/files/followed_files.h). All such inputs are named.
void require_known_inputs(const AnalysisInfo& info, const Request& request);

}  // namespace ks
