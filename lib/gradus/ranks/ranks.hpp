#pragma once
/// \file
/// The processes that share one piece of work. Each has a number, its rank; all run the same program and take part in
/// the same exchanges, in the same order.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// Memory of this process that another rank gets, or that another rank fills.
struct Outgoing {
  std::size_t to;
  const void* data;
  std::size_t bytes;
};
struct Incoming {
  std::size_t from;
  void* data;
  std::size_t bytes;
};

/// A way between the GPUs of the ranks that does not pass through the memory of their machines' processors.
class GpuLink {
 public:
  virtual ~GpuLink() = default;

  /// As Ranks::exchange, with memory of GPUs. It is work of the GPU's stream: it follows all work before it, the call does
  /// not wait for it, and a recording may hold it.
  virtual void exchange(const std::vector<Outgoing>& out, const std::vector<Incoming>& in) = 0;
};

class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual std::size_t rank() const = 0;  ///< of this process, 0 to size() - 1
  virtual std::size_t size() const = 0;

  /// Sends and receives all of these at once, and returns when they have arrived. Two ranks list what goes from one
  /// to the other in the same order and with the same sizes. Nothing travels from a rank to itself.
  void exchange(const std::vector<Outgoing>& out, const std::vector<Incoming>& in) {
    for (const Outgoing& o : out) bytes_sent_ += o.bytes;
    transfer(out, in);
  }

  /// The link of the ranks' GPUs: all of them have one, or none has. It must live as long as it is set.
  void set_gpu_link(GpuLink* link) { gpu_link_ = link; }
  bool has_gpu_link() const { return gpu_link_ != nullptr; }
  void exchange_by_gpu_link(const std::vector<Outgoing>& out, const std::vector<Incoming>& in) {
    gpu_link_->exchange(out, in);
  }

  /// Ends this process and all other ranks at once. For an error of one rank while the others wait in another exchange, so
  /// that it cannot tell them.
  virtual void abort(int status) = 0;

  /// What this rank has sent so far by `exchange`.
  std::size_t bytes_sent() const { return bytes_sent_; }

  /// Whether all ranks end because of an error that they know of (`fail_together`).
  bool end_together() const { return end_together_; }
  void set_end_together(bool value) { end_together_ = value; }

 private:
  virtual void transfer(const std::vector<Outgoing>& out, const std::vector<Incoming>& in) = 0;

  GpuLink* gpu_link_ = nullptr;
  std::size_t bytes_sent_ = 0;
  bool end_together_ = false;
};

/// One process without others. This is the default everywhere, and nothing is exchanged.
class Alone final : public Ranks {
 public:
  std::size_t rank() const override { return 0; }
  std::size_t size() const override { return 1; }
  void abort(int) override {}

 private:
  void transfer(const std::vector<Outgoing>&, const std::vector<Incoming>&) override {}
};
Ranks& alone();

inline bool is_first(const Ranks& ranks) { return ranks.rank() == 0; }

/// The texts of all ranks, in their order.
std::vector<std::string> all_gather(Ranks& ranks, const std::string& mine);

/// The text of rank 0, on every rank.
std::string broadcast(Ranks& ranks, const std::string& mine);

/// The first rank whose text differs from that of rank 0, and both texts; none if all are equal. All ranks get the same
/// answer.
struct Difference {
  std::size_t rank;
  std::string first, other;
};
std::optional<Difference> difference(Ranks& ranks, const std::string& mine);

/// Consecutive numbers begin .. end - 1.
struct Interval {
  std::size_t begin = 0, end = 0;

  std::size_t size() const { return end - begin; }
  bool has(std::size_t i) const { return begin <= i && i < end; }
};

/// The piece of a rank when `ranks` ranks share `count` things.
constexpr Interval piece_of(std::size_t rank, std::size_t ranks, std::size_t count) {
  return {rank * count / ranks, (rank + 1) * count / ranks};
}

/// Each rank has computed its piece of the values; afterwards each has all of them.
void all_gather_pieces(Ranks& ranks, std::vector<double>& values);

/// The largest of the ranks' numbers. All ranks get the same answer.
std::uint8_t largest(Ranks& ranks, std::uint8_t mine);

/// Whether it is true on at least one rank. All ranks get the same answer.
bool any(Ranks& ranks, bool mine);

/// Thrown instead of an error that rank 0 reports: this rank ends without a message.
struct EndedWithOthers {
  int status;  ///< the exit status of the program
};

/// Ends all ranks because of a fault that all of them know of, as after `difference`: every rank calls it with the same
/// arguments. Rank 0 throws the error (UsageError if `status` is 2), and the others throw EndedWithOthers. The text
/// names the rank at fault.
[[noreturn]] void fail_together(Ranks& ranks, const std::string& text, int status = 1);

/// Ends all ranks with status 2 unless all have the same value. `what` is its name in the message.
void require_same(Ranks& ranks, const std::string& what, const std::string& mine);

/// Runs `work` on every rank. If it throws on at least one, all ranks end with the same exit status: rank 0 throws the
/// error of the first of them, and the others throw EndedWithOthers. The message names the rank, unless it is
/// rank 0 or all ranks have the same one.
void together(Ranks& ranks, const std::function<void()>& work);

/// The same for work that rank 0 does alone.
void on_first(Ranks& ranks, const std::function<void()>& work);

}  // namespace gradus
