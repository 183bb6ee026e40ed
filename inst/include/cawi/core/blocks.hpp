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
  // sums costs little beside the products, few enough for the cache, and where there are few rows
  // in all, a quarter of them, so that threads have work.
  static RowBlocks for_products(Index rows, Index columns) {
    const Index wanted =
        std::min<Index>(4 * columns, (Index{1} << 21) / std::max<Index>(columns, 1));
    const Index quarter = std::max<Index>((rows + 3) / 4, 128);
    return RowBlocks(rows, std::min(std::clamp<Index>(wanted, 256, 4096), quarter));
  }

  Index count() const { return (rows_ + size_ - 1) / size_; }

  RowBlock operator[](Index block) const {
    const Index first = block * size_;
    return {first, std::min(size_, rows_ - first)};
  }

 private:
  Index rows_, size_;
};

// Calls work(lane, block) for every block. Lanes run in parallel, and the blocks of a lane in
// order, so that a lane may add to a sum of its own. Between rounds the calling thread may be
// interrupted.
template <class Work>
void for_each_block(const RowBlocks& blocks, Index lanes, const Threads& threads,
                    const Work& work) {
  const SingleThreadedBlas guard;
  for (Index first = 0; first < blocks.count(); first += lanes) {
    for_each_task(std::min(lanes, blocks.count() - first), threads,
                  [&](Index lane, Index) { work(lane, blocks[first + lane]); });
  }
}

}  // namespace cawi

#endif
