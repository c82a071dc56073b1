// The loops of core/sliders/timing.py in C++17, to be compared with.
//
//     g++ -std=c++17 -O3 -march=native sliders.cpp -o sliders
//     ./sliders INPUTS     (written by tools/sliders/slider_yardstick.py: for each section all squares, then all occupancies)
//
// Each line of standard input names a technique, a section and a number of passes; the answer is the checksum and
// the nanoseconds. Tables are made by a slow walker, as over there, and magic numbers by trying.

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>
#ifdef __BMI2__
#include <immintrin.h>
#endif

using Word = uint64_t;

constexpr int SECTIONS = 2;
constexpr Word FILE_A = 0x0101010101010101, FILE_B = FILE_A << 1;
constexpr Word NOT_FILE_A = ~FILE_A, NOT_FILE_H = ~(FILE_A << 7), FULL = ~Word(0);

// --- geometry, square by square ---------------------------------------------------------------------------

struct Step {
    int files, ranks;
};

using Steps = std::vector<Step>;

const Steps ROOK_STEPS = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
const Steps BISHOP_STEPS = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
const Steps RANK = {{1, 0}, {-1, 0}}, FILE_STEPS = {{0, 1}, {0, -1}};
const Steps DIAGONAL = {{1, 1}, {-1, -1}}, ANTIDIAGONAL = {{1, -1}, {-1, 1}};

bool on_board(int file, int rank) { return file >= 0 && file < 8 && rank >= 0 && rank < 8; }

Word slides(int square, const Steps& steps, Word occupied = 0) {
    Word attacked = 0;
    for (auto [files, ranks] : steps) {
        int file = square % 8 + files, rank = square / 8 + ranks;
        for (; on_board(file, rank); file += files, rank += ranks) {
            Word target = Word(1) << (8 * rank + file);
            attacked |= target;
            if (occupied & target) break;
        }
    }
    return attacked;
}

Word relevant_occupancy(int square, const Steps& steps) {
    Word relevant = 0;
    for (auto [files, ranks] : steps) {
        int file = square % 8 + files, rank = square / 8 + ranks;
        for (; on_board(file + files, rank + ranks); file += files, rank += ranks)
            relevant |= Word(1) << (8 * rank + file);
    }
    return relevant;
}

Word first_rank_attacks(int file, int inner) { return slides(file, RANK, Word(inner) << 1) & 0xFF; }

// --- hyperbola quintessence ---------------------------------------------------------------------------------

struct Hyperbola {
    struct Masks {
        Word file, diagonal, antidiagonal, spare;
    };
    alignas(64) static inline Masks masks[64];
    alignas(64) static inline uint8_t first_rank[64 * 8];

    static void prepare() {
        for (int square = 0; square < 64; square++)
            masks[square] = {slides(square, FILE_STEPS), slides(square, DIAGONAL), slides(square, ANTIDIAGONAL), 0};
        for (int inner = 0; inner < 64; inner++)
            for (int file = 0; file < 8; file++) first_rank[inner * 8 + file] = first_rank_attacks(file, inner);
    }

    static Word line(Word square, Word occupied, Word mask) {
        Word up = occupied & mask, down = __builtin_bswap64(up);
        up -= Word(1) << square;
        down -= Word(1) << (square ^ 56);
        return (up ^ __builtin_bswap64(down)) & mask;
    }

    static Word queen(Word square, Word occupied) {
        const Masks& mask = masks[square];
        Word rank = square & 56;
        Word along = Word(first_rank[((occupied >> rank) & 126) * 4 + (square & 7)]) << rank;
        return along | line(square, occupied, mask.file) | line(square, occupied, mask.diagonal) |
               line(square, occupied, mask.antidiagonal);
    }
};

// Its three lines with a byte swap side by side, as in core/sliders/lines/hyperbola_simd.py.
struct HyperbolaVectors {
    typedef Word Four __attribute__((vector_size(32)));
    typedef uint8_t Bytes __attribute__((vector_size(32)));

    static void prepare() {}

    static Four swapped(Four words) {
        const Bytes order = {7,  6,  5,  4,  3,  2,  1,  0,  15, 14, 13, 12, 11, 10, 9,  8,
                             23, 22, 21, 20, 19, 18, 17, 16, 31, 30, 29, 28, 27, 26, 25, 24};
        return Four(__builtin_shuffle(Bytes(words), order));
    }

    static Word queen(Word square, Word occupied) {
        const Four mask = *reinterpret_cast<const Four*>(&Hyperbola::masks[square]);
        Word slider = Word(1) << square, mirrored = Word(1) << (square ^ 56);
        Four up = Four{occupied, occupied, occupied, occupied} & mask;
        Four down = swapped(up) - Four{mirrored, mirrored, mirrored, mirrored};
        up -= Four{slider, slider, slider, slider};
        Four all = (up ^ swapped(down)) & mask;
        Word rank = square & 56;
        Word along = Word(Hyperbola::first_rank[((occupied >> rank) & 126) * 4 + (square & 7)]) << rank;
        return along | all[0] | all[1] | all[2];
    }
};

// --- Kogge-Stone --------------------------------------------------------------------------------------------

struct KoggeStone {
    static void prepare() {}

    template <int STEP>
    static Word up(Word sliders, Word empty, Word fence) {
        Word road = empty & fence;
        sliders |= road & (sliders << STEP);
        road &= road << STEP;
        sliders |= road & (sliders << 2 * STEP);
        road &= road << 2 * STEP;
        sliders |= road & (sliders << 4 * STEP);
        return (sliders << STEP) & fence;
    }

    template <int STEP>
    static Word down(Word sliders, Word empty, Word fence) {
        Word road = empty & fence;
        sliders |= road & (sliders >> STEP);
        road &= road >> STEP;
        sliders |= road & (sliders >> 2 * STEP);
        road &= road >> 2 * STEP;
        sliders |= road & (sliders >> 4 * STEP);
        return (sliders >> STEP) & fence;
    }

    static Word queen(Word square, Word occupied) {
        Word queen = Word(1) << square, empty = ~occupied;
        return up<8>(queen, empty, FULL) | up<1>(queen, empty, NOT_FILE_A) | up<9>(queen, empty, NOT_FILE_A) |
               up<7>(queen, empty, NOT_FILE_H) | down<8>(queen, empty, FULL) | down<1>(queen, empty, NOT_FILE_H) |
               down<9>(queen, empty, NOT_FILE_H) | down<7>(queen, empty, NOT_FILE_A);
    }
};

struct KoggeStoneVectors {
    typedef Word Four __attribute__((vector_size(32)));

    static void prepare() {}

    static Word queen(Word square, Word occupied) {
        const Four step = {1, 8, 7, 9};
        const Four fence_up = {NOT_FILE_A, FULL, NOT_FILE_H, NOT_FILE_A};
        const Four fence_down = {NOT_FILE_H, FULL, NOT_FILE_A, NOT_FILE_H};
        Word queen = Word(1) << square, empty = ~occupied;
        Four above = {queen, queen, queen, queen}, below = above;
        Four road_up = Four{empty, empty, empty, empty} & fence_up;
        Four road_down = Four{empty, empty, empty, empty} & fence_down;
        above |= road_up & (above << step);
        below |= road_down & (below >> step);
        road_up &= road_up << step;
        road_down &= road_down >> step;
        above |= road_up & (above << 2 * step);
        below |= road_down & (below >> 2 * step);
        road_up &= road_up << 2 * step;
        road_down &= road_down >> 2 * step;
        above |= road_up & (above << 4 * step);
        below |= road_down & (below >> 4 * step);
        Four all = ((above << step) & fence_up) | ((below >> step) & fence_down);
        return all[0] | all[1] | all[2] | all[3];
    }
};

// --- kindergarten -------------------------------------------------------------------------------------------

struct Kindergarten {
    struct Masks {
        Word rank, diagonal, antidiagonal, spare;
    };
    alignas(64) static inline Masks masks[64];
    alignas(64) static inline Word filled[8][64], on_file_a[8][64];

    static constexpr Word file_to_rank() {
        Word product = 0;
        for (int rank = 1; rank < 7; rank++) product |= Word(1) << (64 - 9 * rank);
        return product;
    }

    static void prepare() {
        for (int square = 0; square < 64; square++)
            masks[square] = {slides(square, RANK), slides(square, DIAGONAL), slides(square, ANTIDIAGONAL), 0};
        for (int line = 0; line < 8; line++)
            for (int inner = 0; inner < 64; inner++) {
                Word occupied = 0;
                for (int i = 0; i < 6; i++)
                    if (inner >> i & 1) occupied |= Word(1) << (8 * (6 - i));
                filled[line][inner] = first_rank_attacks(line, inner) * FILE_A;
                on_file_a[line][inner] = slides(8 * line, FILE_STEPS, occupied);
            }
    }

    static Word line(Word square, Word occupied, Word mask) {
        return filled[square & 7][((occupied & mask) * FILE_B) >> 58] & mask;
    }

    static Word queen(Word square, Word occupied) {
        constexpr Word turn = file_to_rank();
        const Masks& mask = masks[square];
        Word file = square & 7;
        Word along = on_file_a[square >> 3][(((occupied >> file) & FILE_A) * turn) >> 58] << file;
        return along | line(square, occupied, mask.rank) | line(square, occupied, mask.diagonal) |
               line(square, occupied, mask.antidiagonal);
    }
};

// --- fancy magic --------------------------------------------------------------------------------------------

struct FancyMagic {
    struct Square {
        Word mask, magic, shift;
        const Word* attacks;
    };
    alignas(64) static inline Square rooks[64], bishops[64];
    alignas(64) static inline Word table[102400 + 5248];

    static void prepare() {
        Word* next = table;
        for (int square = 0; square < 64; square++) next = find(rooks[square], square, ROOK_STEPS, next);
        for (int square = 0; square < 64; square++) next = find(bishops[square], square, BISHOP_STEPS, next);
    }

    // Tries sparse random numbers until one keeps different attacks apart; the end of its table.
    static Word* find(Square& entry, int square, const Steps& steps, Word* table) {
        Word mask = relevant_occupancy(square, steps);
        int bits = __builtin_popcountll(mask), size = 1 << bits;
        std::vector<Word> occupancies, attacks;
        for (Word subset = 0, first = 1; first || subset; subset = (subset - mask) & mask, first = 0) {
            occupancies.push_back(subset);
            attacks.push_back(slides(square, steps, subset));
        }
        std::vector<int> owner(size);
        for (int attempt = 1;; attempt++) {
            Word magic = random() & random() & random();
            int i = 0;
            for (; i < size; i++) {
                Word index = (occupancies[i] * magic) >> (64 - bits);
                if (owner[index] != attempt)
                    owner[index] = attempt, table[index] = attacks[i];
                else if (table[index] != attacks[i])
                    break;
            }
            if (i == size) {
                entry = {mask, magic, Word(64 - bits), table};
                return table + size;
            }
        }
    }

    static Word random() {
        static Word state = 0x9E3779B97F4A7C15;
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return state;
    }

    static Word look_up(const Square& entry, Word occupied) {
        return entry.attacks[((occupied & entry.mask) * entry.magic) >> entry.shift];
    }

    static Word queen(Word square, Word occupied) {
        return look_up(rooks[square], occupied) | look_up(bishops[square], occupied);
    }
};

// --- PEXT ---------------------------------------------------------------------------------------------------

#ifdef __BMI2__
struct Pext {
    struct Square {
        Word mask;
        const Word* attacks;
    };
    alignas(64) static inline Square rooks[64], bishops[64];
    alignas(64) static inline Word table[102400 + 5248];

    static void prepare() {
        Word* next = table;
        for (int square = 0; square < 64; square++) next = fill(rooks[square], square, ROOK_STEPS, next);
        for (int square = 0; square < 64; square++) next = fill(bishops[square], square, BISHOP_STEPS, next);
    }

    static Word* fill(Square& entry, int square, const Steps& steps, Word* table) {
        Word mask = relevant_occupancy(square, steps);
        entry = {mask, table};
        for (Word i = 0; i < Word(1) << __builtin_popcountll(mask); i++)
            *table++ = slides(square, steps, _pdep_u64(i, mask));
        return table;
    }

    static Word queen(Word square, Word occupied) {
        const Square &rook = rooks[square], &bishop = bishops[square];
        return rook.attacks[_pext_u64(occupied, rook.mask)] | bishop.attacks[_pext_u64(occupied, bishop.mask)];
    }
};
#endif

// --- the loop -----------------------------------------------------------------------------------------------

struct Inputs {
    std::vector<Word> squares, occupancies;
};

template <class Technique>
Word run(const Inputs& inputs, int passes) {
    Word checksum = 0;
    for (int pass = 0; pass < passes; pass++)
        for (size_t i = 0; i < inputs.squares.size(); i++) {
            Word attacks = Technique::queen(inputs.squares[i], inputs.occupancies[i]);
            checksum = (checksum << 1 | checksum >> 63) ^ attacks;
        }
    return checksum;
}

std::map<std::string, Word (*)(const Inputs&, int)> techniques;

template <class Technique>
void offer(const char* name) {
    Technique::prepare();
    techniques[name] = run<Technique>;
}

// Nanoseconds that this thread has had a processor: others on the core do not count.
int64_t processor_time() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

int main(int count, char** arguments) {
    if (count != 2) return std::fputs("usage: sliders INPUTS\n", stderr), 2;
    std::ifstream file(arguments[1], std::ios::binary | std::ios::ate);
    const size_t lookups = size_t(file.tellg()) / (SECTIONS * 2 * sizeof(Word));
    file.seekg(0);
    Inputs sections[SECTIONS];
    for (Inputs& inputs : sections)
        for (auto* words : {&inputs.squares, &inputs.occupancies}) {
            words->resize(lookups);
            file.read(reinterpret_cast<char*>(words->data()), lookups * sizeof(Word));
        }
    offer<Hyperbola>("hyperbola");
    offer<HyperbolaVectors>("hyperbola-simd");
    offer<KoggeStone>("kogge-stone");
    offer<KoggeStoneVectors>("kogge-stone-simd");
    offer<Kindergarten>("kindergarten");
    offer<FancyMagic>("fancy-magic");
#ifdef __BMI2__
    offer<Pext>("pext");
#endif
    std::string name;
    for (int section, passes; std::cin >> name >> section >> passes;) {
        int64_t began = processor_time();
        Word checksum = techniques.at(name)(sections[section], passes);
        std::cout << checksum << ' ' << processor_time() - began << std::endl;
    }
}
