// A target without libFuzzer: its corpus, then inputs of random bytes from a seed. The input that
// ends it is written to `crash`.
//
// Usage: <target> runs seed folder crash
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::uint8_t> input;
const char* crash = nullptr;

void write_input(int) {
  std::ofstream out(crash, std::ios::binary);
  for (std::uint8_t b : input) out.put(static_cast<char>(b));
}

void run(const std::vector<std::uint8_t>& bytes) {
  input = bytes;
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int count, char** argument) {
  if (count != 5) return 2;
  crash = argument[4];
  std::signal(SIGABRT, write_input);
  const long runs = std::atol(argument[1]);
  std::mt19937_64 random(std::strtoull(argument[2], nullptr, 10));
  for (const auto& file : std::filesystem::directory_iterator(argument[3])) {
    std::ifstream in(file.path(), std::ios::binary);
    run({std::istreambuf_iterator<char>(in), {}});
  }
  for (long i = 0; i < runs; ++i) {
    std::vector<std::uint8_t> bytes(random() % 180);
    // Small numbers and the ends of a byte are the interesting ones.
    const std::uint64_t kind = random() % 3;
    for (std::uint8_t& b : bytes) {
      const std::uint64_t r = random();
      b = static_cast<std::uint8_t>(kind == 0      ? r
                                    : kind == 1    ? r % 16
                                    : (r & 1) != 0 ? 255
                                                   : r >> 8);
    }
    run(bytes);
  }
  std::printf("Done %ld runs\n", runs);
  return 0;
}
