#pragma once
/// \file
/// Checks that a text is well-formed XML, and lists its elements. No namespaces, no document types, no comments,
/// because gradus writes none.

#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gradus/io/utf8.hpp"

namespace gradus::test {

struct Element {
  std::string name, text;  ///< the text between its tags, without that of its children
  std::map<std::string, std::string> attributes;

  std::string operator[](const std::string& key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? "" : found->second;
  }
};

/// Reads a document; `fault` says what is wrong, and is empty for well-formed XML.
class Xml {
 public:
  explicit Xml(std::string text) : text_(std::move(text)) {
    if (!is_utf8(text_)) fault = "no UTF-8";
    for (const char c : text_) {
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') fault = "a control character";
    }
    while (fault.empty() && at_ < text_.size()) text_[at_] == '<' ? tag() : character();
    if (fault.empty() && !open_.empty()) fault = "never closed: " + elements[open_.back()].name;
  }

  std::vector<Element> elements;
  std::string fault;

  std::vector<Element> all(const std::string& name, const std::string& class_name = "") const {
    std::vector<Element> found;
    for (const Element& e : elements) {
      const std::string classes = " " + e["class"] + " ";
      if (e.name == name && (class_name.empty() || classes.find(" " + class_name + " ") != std::string::npos))
        found.push_back(e);
    }
    return found;
  }

 private:
  bool skip(const std::string& what) {
    if (text_.compare(at_, what.size(), what) != 0) return false;
    at_ += what.size();
    return true;
  }
  std::string until(const std::string& stop) {
    std::string taken;
    while (at_ < text_.size() && stop.find(text_[at_]) == std::string::npos) taken += text_[at_++];
    return taken;
  }

  /// One character of content or of an attribute, entities undone.
  std::string one() {
    if (text_[at_] != '&') return {text_[at_++]};
    static const std::map<std::string, std::string> entities{{"&amp;", "&"},   {"&lt;", "<"},  {"&gt;", ">"},
                                                             {"&quot;", "\""}, {"&#39;", "'"}, {"&#10;", "\n"}};
    for (const auto& [entity, meaning] : entities) {
      if (skip(entity)) return meaning;
    }
    fault = "a naked & at byte " + std::to_string(at_);
    return "";
  }
  void character() {
    const std::string c = one();
    if (!open_.empty()) elements[open_.back()].text += c;
  }

  void tag() {
    if (skip("<!DOCTYPE") || skip("<?xml")) {
      until(">");
      ++at_;
      return;
    }
    if (skip("</")) {
      const std::string name = until(">");
      if (open_.empty() || elements[open_.back()].name != name) fault = "closes what is not open: " + name;
      if (!open_.empty()) open_.pop_back();
      ++at_;
      return;
    }
    ++at_;
    Element element;
    element.name = until(" \n/>");
    if (element.name.empty() || std::isalpha(static_cast<unsigned char>(element.name[0])) == 0) fault = "a naked <";
    for (until_word(); at_ < text_.size() && text_[at_] != '>' && text_[at_] != '/'; until_word())
      attribute(element);
    const bool closed = skip("/");
    if (!skip(">")) fault = "a tag without end: " + element.name;
    elements.push_back(element);
    if (!closed) open_.push_back(elements.size() - 1);
  }
  void until_word() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  void attribute(Element& element) {
    const std::string name = until("= >/");
    if (!skip("=\"")) fault = "an attribute without quotes: " + name;
    std::string value;
    while (fault.empty() && at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '<') fault = "a naked < in " + name;
      value += one();
    }
    ++at_;
    if (!element.attributes.emplace(name, value).second) fault = "twice: " + name;
  }

  std::string text_;
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;
};

}  // namespace gradus::test
