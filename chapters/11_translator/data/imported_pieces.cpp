#include "11_translator/data/imported_pieces.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

#include "gradus/io/utf8.hpp"
#include "gradus/text/pieces/piece_model.hpp"
#include "gradus/text/single_spaces.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

constexpr std::string_view imported_first_line = "gradus imported vocabulary 1";
constexpr std::string_view mark_of_space = "\u2581";
constexpr const char* not_whole = ": not a whole imported vocabulary; import or copy the model again";

/// Takes the next line from `bytes`.
std::string_view next_imported_line(std::string_view& bytes, const std::string& name) {
  const std::size_t end = bytes.find('\n');
  if (end == bytes.npos) fail(name + not_whole);
  const std::string_view line = bytes.substr(0, end);
  bytes.remove_prefix(end + 1);
  return line;
}

/// Takes the next number, and the space behind it if there is one.
std::size_t next_length(std::string_view& line, const std::string& name) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc()) fail(name + not_whole);
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  return number;
}

/// The line of lengths, in its only form.
std::string imported_lengths(std::size_t pieces, std::size_t source, std::size_t target) {
  return std::to_string(pieces) + " " + std::to_string(source) + " " + std::to_string(target);
}

/// The id of each piece; only the special ones may have the text of another.
std::unordered_map<std::string_view, int> ids_of_pieces(const std::vector<std::string>& pieces,
                                                        const std::string& name) {
  std::unordered_map<std::string_view, int> ids;
  const auto refuse = [&](std::size_t id, const std::string& what) {
    fail(name + ": piece " + std::to_string(id) + what);
  };
  for (std::size_t id = 0; id < pieces.size(); ++id) {
    const std::string& piece = pieces[id];
    if (id < Specials::count) {
      if (piece != imported_specials[id]) refuse(id, std::string(" is not ") + imported_specials[id]);
      continue;
    }
    if (piece.empty()) refuse(id, " is empty");
    if (!is_utf8(piece) || piece.find('\n') != piece.npos || piece.find('\0') != piece.npos)
      refuse(id, " is no text in UTF-8, or has a line end");
    if (!ids.emplace(piece, static_cast<int>(id)).second) refuse(id, ", " + quoted(piece) + ", comes twice");
  }
  if (pieces.size() < Specials::count) refuse(pieces.size(), " is missing");
  return ids;
}

/// The length of the language code at the start of a text; 0 if there is none.
std::size_t language_code(std::string_view text) {
  if (text.substr(0, 2) != ">>") return 0;
  const std::size_t end = text.find("<<");
  return end == text.npos ? 0 : end + 2;
}

}  // namespace

std::string imported_bytes(const ImportedVocabulary& v) {
  ids_of_pieces(v.pieces, "imported vocabulary");
  std::string bytes = std::string(imported_first_line) + "\n" +
                      imported_lengths(v.pieces.size(), v.source_model.size(), v.target_model.size()) + "\n";
  for (const std::string& piece : v.pieces) bytes += piece + "\n";
  return bytes.append(v.source_model).append(v.target_model);
}

ImportedVocabulary parse_imported(std::string_view bytes, const std::string& name) {
  if (next_imported_line(bytes, name) != imported_first_line) fail(name + not_whole);
  const std::string_view line = next_imported_line(bytes, name);
  std::string_view lengths = line;
  const std::size_t count = next_length(lengths, name), source = next_length(lengths, name),
                    target = next_length(lengths, name);
  if (line != imported_lengths(count, source, target) || count > bytes.size()) fail(name + not_whole);
  ImportedVocabulary v;
  for (std::size_t id = 0; id < count; ++id) v.pieces.emplace_back(next_imported_line(bytes, name));
  if (bytes.size() != source + target) fail(name + not_whole);
  ids_of_pieces(v.pieces, name);
  v.source_model = bytes.substr(0, source), v.target_model = bytes.substr(source);
  return v;
}

ImportedPieces::ImportedPieces(Segmenter segmenter, std::vector<std::string> list, bool has_codes)
    : segmenter_(std::move(segmenter)),
      has_codes_(has_codes),
      list_(std::make_shared<const std::vector<std::string>>(std::move(list))),
      ids_(std::make_shared<const std::unordered_map<std::string_view, int>>(ids_of_pieces(*list_, "vocabulary"))) {
}

ImportedPieces ImportedPieces::from_bytes(const std::string& bytes, const std::string& name, Side side) {
  ImportedVocabulary v = parse_imported(bytes, name);
  const bool has_two = !v.target_model.empty(), is_source = side == Side::source || !has_two;
  const std::string model = name + (is_source ? ": source model" : ": target model");
  Segmenter segmenter(is_source ? v.source_model : v.target_model, model);
  const PieceModel& read = segmenter.model();
  if (read.byte_fallback || read.normaliser.space_as_suffix || !read.normaliser.escape_spaces)
    fail(model + ": byte fallback and other marks of spaces than that before a word are not supported");
  return {std::move(segmenter), std::move(v.pieces), has_two};
}

int ImportedPieces::id_of(const std::string& piece) const {
  const auto found = ids_->find(piece);
  return found == ids_->end() ? Specials{}.unk : found->second;
}

std::vector<Subwords::Piece> ImportedPieces::pieces(const std::string& text) const {
  const std::size_t code = has_codes_ ? language_code(text) : 0;
  std::vector<Subwords::Piece> pieces;
  if (code != 0) pieces.push_back({text.substr(0, code), id_of(text.substr(0, code))});
  for (Subwords::Piece& piece : segmenter_.pieces(std::string_view(text).substr(code))) {
    const int id = id_of(piece.text);
    pieces.push_back({std::move(piece.text), id});
  }
  return pieces;
}

std::vector<int> ImportedPieces::encode(const std::string& text) const {
  std::vector<int> ids;
  for (const Subwords::Piece& piece : pieces(text)) ids.push_back(piece.id);
  return ids;
}

std::string ImportedPieces::decode(const std::vector<int>& ids) const {
  constexpr Specials specials{};
  std::string text;
  for (const int id : ids) {
    const std::string& spelled = piece(id);
    if (id == specials.unk) text += " \u2047 ";
    if (id >= Specials::count) text += spelled;
  }
  for (std::size_t at = text.find(mark_of_space); at != text.npos; at = text.find(mark_of_space, at))
    text.replace(at, mark_of_space.size(), " ");
  return single_spaces(text);
}

const std::string& ImportedPieces::piece(int id) const {
  if (id < 0 || id >= size())
    fail("piece " + std::to_string(id) + " does not exist: the vocabulary has ids 0 to " +
         std::to_string(size() - 1));
  return (*list_)[static_cast<std::size_t>(id)];
}

}  // namespace gradus
