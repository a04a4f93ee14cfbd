#pragma once

#include <hdf5.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/element_type.h"
#include "core/io/files/library_call.h"

/// A thin layer over HDF5's C API. Handles close themselves; failures become ks::Error that name
/// file and object.
namespace ks::io::h5 {

/// Holds the one mutex that guards all HDF5 calls (the library may be built without thread safety), and keeps
/// HDF5 from printing its errors. Functions of this layer take the lock themselves; code that calls HDF5
/// directly must hold a Lock. If the library crashes or hangs meanwhile, messages name the file that was
/// named last.
class Lock {
  public:
    /// Throws ks::Error(input) that names the hanging file, once HDF5 has been abandoned.
    /// @param file from kept_name(): the file read from now on; null: as before
    explicit Lock(const char* file = nullptr, const char* doing = "reading");

  private:
    class Hold {
      public:
        explicit Hold(const char* file);
        ~Hold();
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;
    };
    Hold hold_;
    LibraryCall call_;
};

/// Declares that the thread with the Lock hangs in HDF5 on this file (from kept_name()). A thread-safe
/// library keeps an internal mutex meanwhile, so no other thread can use it either: from now on HDF5 is not
/// called, every Lock throws, including pending ones, and identifiers stay open. If the hanging call returns,
/// its thread stops forever. The process must end with std::_Exit.
void give_up(const char* file);
/// The file in which HDF5 hangs since give_up(); null: HDF5 can be used.
const char* given_up_in() noexcept;

/// Owns one HDF5 identifier of any kind: file, group, dataset, attribute, dataspace, datatype, property list.
class Handle {
  public:
    Handle() = default;
    explicit Handle(hid_t id) : id_(id) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    ~Handle();

    bool valid() const { return id_ >= 0; }
    /// Another owner of the same identifier.
    Handle share() const;
    operator hid_t() const { return id_; }

  private:
    hid_t id_ = H5I_INVALID_HID;
};

/// HDF5's message for the last failure on this thread, the most specific line first; empty if there is none.
std::string last_failure();

/// How a file is opened: `swmr` while another program writes it (single writer, multiple readers).
enum class Reading { ordinary, swmr };
/// Opens a file for reading. If nothing else works, because a program writes the file in SWMR mode or never
/// closed it, the file is opened for SWMR reading. If the file system has no locks, it is opened without a
/// lock. Throws ks::Error(input): no such file, a directory, not HDF5, truncated, damaged, locked or not
/// closed by another program.
Handle open_file(const std::filesystem::path& file, Reading reading = Reading::ordinary);
/// True if the file system of the file has no locks. HDF5 then reads zeros from the sources of a virtual
/// dataset, which it opens itself, unless HDF5_USE_FILE_LOCKING is FALSE.
bool has_no_locks(const std::filesystem::path& file);
/// True if the object's file is open for SWMR reading.
bool is_swmr(hid_t object);
/// Whether a path exists in a file; its last part may be a broken link.
bool exists(hid_t file, const std::string& path);
/// The object to which the link `name` of a group leads. It is invalid if the link is broken (last_failure()
/// gives the reason), or if a file may not be opened (named/named_files.h): the file to which the link leads,
/// or one that the dataset names. A file behind an external link is opened as open_file() does.
Handle follow(hid_t group, const std::string& name);
/// Opens a group or dataset. Throws ks::Error(input) if a part of the path is missing (naming what exists
/// instead), or if a soft or external link is broken (naming its target). Throws NotFollowed(input) if a file
/// would have to be read that the user has not allowed.
Handle open_object(const Handle& file, const std::string& file_name, const std::string& path);
/// Opens a dataset; also throws ks::Error(input) if the object is a group.
Handle open_dataset(const Handle& file, const std::string& file_name, const std::string& path);

bool is_dataset(hid_t object);
bool is_group(hid_t object);
/// The target of a soft or external link.
struct LinkTarget {
    std::optional<std::string> file;  ///< of external links, as written
    std::string object;
    std::string to_string() const;  ///< "/entry/x" or "FILE::/x"
};
/// Nothing for a hard link.
std::optional<LinkTarget> target_of(hid_t group, const std::string& name);
/// The target of the link `name` of a group: "/entry/x" (soft), "FILE::/x" (external); nothing for
/// a hard link.
std::optional<std::string> link_target(hid_t group, const std::string& name);
/// Identifies an object: the same text for all of its names, and another one for every other object. "file
/// number:address".
std::string object_id(hid_t object);

/// The name of the file that contains an object, which may be behind an external link; empty if unknown.
std::string file_of(hid_t object);

std::vector<std::size_t> shape_of(hid_t dataset);
/// "[10, 195, 487]"
std::string to_text(const std::vector<std::size_t>& shape);
/// "u16", "f64", "string", "compound", ...: the type in the file, including i8 and f16.
std::string type_name(hid_t type);
/// The element type for values of a type in the file: i8 is read as i16, f16 as f32, enumerations (booleans)
/// as their integers. Nothing for strings, compounds and the like.
std::optional<ElementType> element_type(hid_t type);
/// HDF5's native type in memory; owned by the library.
hid_t memory_type(ElementType type);

/// Text of an attribute (a number is printed; of an array, its first element), or nothing.
std::optional<std::string> attribute(hid_t object, const std::string& name);
/// The numbers of an attribute, or nothing.
std::optional<std::vector<double>> attribute_numbers(hid_t object, const std::string& name);
std::string nx_class(hid_t object);
/// Strings of a dataset. Nothing if it contains something else, or if its values are in a file that may not
/// be opened (named/named_files.h); the same holds for numbers().
std::optional<std::vector<std::string>> strings(hid_t dataset);
/// Up to `limit` values of a numeric dataset as double; nothing if it contains something else or more values.
std::optional<std::vector<double>> numbers(hid_t dataset, std::size_t limit = 4096);

}  // namespace ks::io::h5
