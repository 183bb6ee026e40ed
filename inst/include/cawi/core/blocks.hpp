// Rows cut into blocks. The cut depends on the problem alone, never on the number of threads, so
// that sums over blocks are rounded in the same way whoever adds them.
#ifndef CAWI_CORE_BLOCKS_HPP
#define CAWI_CORE_BLOCKS_HPP

#include <algorithm>

#include "blas.hpp"
#include "threads.hpp"
#include "types.hpp"

namespace cawi {

// Rows [first, first + count), at least one.
struct RowBlock {
  Index first = 0, count = 0;

  Index last() const { return first + count - 1; }
  Index end() const { return first + count; }
};

// Blocks of one size; the last may be shorter.
class RowBlocks {
 public:
  explicit RowBlocks(Index rows, Index size = 256) : rows_(rows), size_(size) {}

  // For products of the rows of a matrix with `columns` columns: enough rows that adding up the
  // sums costs little beside the products, few enough for the cache, and blocks enough for many
  // threads.
  static RowBlocks for_products(Index rows, Index columns) {
    const Index cached = (Index{1} << 20) / std::max<Index>(columns, 1);
    const Index wanted =
        std::min(std::clamp<Index>(cached, 256, 4096), std::max<Index>((rows + 31) / 32, 256));
    const Index count = std::max<Index>((rows + wanted - 1) / wanted, 1);
    return RowBlocks(rows, std::max<Index>((rows + count - 1) / count, 1));
  }

  Index count() const { return (rows_ + size_ - 1) / size_; }
  Index size() const { return size_; }

  RowBlock operator[](Index block) const {
    const Index first = block * size_;
    return {first, std::min(size_, rows_ - first)};
  }

 private:
  Index rows_, size_;
};

// Calls work(slot, rows) for every block, in parallel. Blocks of one slot never run at the same
// time.
template <class Work>
void for_each_block(const RowBlocks& blocks, const Threads& threads, const Work& work) {
  const SingleThreadedBlas guard;
  for_each_task(blocks.count(), threads, [&](Index b, Index slot) { work(slot, blocks[b]); });
}

// Calls work(lane, slot, rows) for every block. Lanes run in parallel, and the blocks of a lane in
// order, so that a lane may add to a sum of its own; scratch memory belongs to the slot.
template <class Work>
void for_each_block_in_lanes(const RowBlocks& blocks, Index lanes, const Threads& threads,
                             const Work& work) {
  const SingleThreadedBlas guard;
  for_each_task(lanes, threads, [&](Index lane, Index slot) {
    for (Index b = lane; b < blocks.count(); b += lanes) {
      work(lane, slot, blocks[b]);
      checkpoint();
    }
  });
}

}  // namespace cawi

#endif
