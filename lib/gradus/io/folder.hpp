#pragma once
/// \file
/// Where files go: folders that are made for them, and links that lead elsewhere.

#include <string>

namespace gradus {

/// Makes the folder, with those that it lies in, unless it is there. A symbolic link to a folder is that folder; one that
/// leads nowhere is an Error and stays, since its target is somebody else's to make. Throws Error, with the path and the
/// reason, where there can be no folder.
void make_folder(const std::string& path);

/// The same check without making anything: throws Error where the path is taken by something that is no folder, or is a
/// link that leads nowhere.
void check_folder(const std::string& path);

/// The file that a write to `path` makes or replaces: what symbolic links lead to, though it may not be there yet. Throws
/// Error for a link into a folder that is not there, and for links that lead in a circle.
std::string file_behind(const std::string& path);

/// Throws Error if there is no folder for the file `path`: better before the work than after it. No path is none.
void check_place(const std::string& path);

}  // namespace gradus
