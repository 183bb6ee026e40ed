// Rows of which only some numbers are stored; the others are zero. As CSR matrices have it, row i
// has its columns and values at [start[i], start[i + 1]).
#ifndef CAWI_FEATURES_SPARSE_ROWS_HPP
#define CAWI_FEATURES_SPARSE_ROWS_HPP

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "../core/errors.hpp"
#include "../core/types.hpp"

namespace cawi {

class SparseRows {
 public:
  // The stored numbers of one row.
  struct Row {
    const int* column;
    const double* value;
    Index count;
  };

  struct Storage {
    std::vector<int> start{0}, column;
    std::vector<double> value;
  };

  // Memory of another owner, which must outlive this. Nothing is trusted before check().
  SparseRows(const int* start, Index rows, const int* column, const double* value, Index columns)
      : rows_(rows), columns_(columns), start_(start), column_(column), value_(value) {}

  SparseRows(Storage storage, Index columns) : columns_(columns) {
    own_ = std::make_shared<const Storage>(std::move(storage));
    rows_ = own_->start.size() - 1;
    start_ = own_->start.data();
    column_ = own_->column.data();
    value_ = own_->value.data();
  }

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  Index stored() const { return static_cast<Index>(start_[rows_]); }

  Row row(Index i) const {
    const Index first = static_cast<Index>(start_[i]);
    return {column_ + first, value_ + first, static_cast<Index>(start_[i + 1]) - first};
  }

  // Do the places fit `stored` numbers, in order within each row? An index out of range would read
  // memory of others.
  bool fits(Index stored) const {
    if (start_[0] != 0 || static_cast<Index>(start_[rows_]) != stored) return false;
    for (Index i = 0; i < rows_; ++i) {
      if (start_[i + 1] < start_[i] || static_cast<Index>(start_[i + 1]) > stored) return false;
    }
    for (Index i = 0; i < rows_; ++i) {
      const Row own = row(i);
      for (Index k = 0; k < own.count; ++k) {
        const int before = k == 0 ? -1 : own.column[k - 1];
        if (own.column[k] <= before || static_cast<Index>(own.column[k]) >= columns_) return false;
      }
    }
    return true;
  }

  // Some rows, in any order and with repetitions.
  SparseRows some(const arma::uvec& numbers) const {
    Storage part;
    Index total = 0;
    for (const Index i : numbers) {
      require(i < rows_, "x", "a row is out of range");
      total += row(i).count;
      require(total <= most_stored, "x", "there are too many numbers that are not zero");
      part.start.push_back(static_cast<int>(total));
    }
    part.column.reserve(total);
    part.value.reserve(total);
    for (const Index i : numbers) {
      const Row own = row(i);
      part.column.insert(part.column.end(), own.column, own.column + own.count);
      part.value.insert(part.value.end(), own.value, own.value + own.count);
    }
    return SparseRows(std::move(part), columns_);
  }

  // Columns as rows.
  SparseRows transposed() const {
    Storage turned;
    turned.start.assign(columns_ + 1, 0);
    turned.column.resize(stored());
    turned.value.resize(stored());
    for (Index k = 0; k < stored(); ++k) ++turned.start[static_cast<Index>(column_[k]) + 1];
    for (Index j = 0; j < columns_; ++j) turned.start[j + 1] += turned.start[j];
    std::vector<int> next(turned.start.begin(), turned.start.end() - 1);
    for (Index i = 0; i < rows_; ++i) {
      const Row own = row(i);
      for (Index k = 0; k < own.count; ++k) {
        const Index place = static_cast<Index>(next[own.column[k]]++);
        turned.column[place] = static_cast<int>(i);
        turned.value[place] = own.value[k];
      }
    }
    return SparseRows(std::move(turned), rows_);
  }

 private:
  static constexpr Index most_stored = static_cast<Index>(std::numeric_limits<int>::max());

  Index rows_ = 0, columns_ = 0;
  const int* start_;
  const int* column_;
  const double* value_;
  std::shared_ptr<const Storage> own_;
};

}  // namespace cawi

#endif
