// The functions that Embedded Swift needs from a host on wasm32: a heap, memcmp, random bytes for
// the seed of hashing, the stack protector's symbols, one 128-bit multiplication and
// empty tables of Unicode normalization.
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

__attribute__((import_module("host"), import_name("random")))
void host_random(void *bytes, u32 count);

// The heap has one list of free blocks per size. Sizes grow by a quarter of their power of two, so
// that at most a fifth of a block is unused. Memory is allocated at the end and never returned.
enum { headerSize = 16, sizeCount = 108, largestBlock = 0x60000000 };

typedef struct Block {
  struct Block *next;
} Block;

extern u8 __heap_base;
static Block *freeBlocks[sizeCount];
static uintptr_t top, limit;

// 16, 32, 48, 64, then 80, 96, 112, 128, then 160, 192, 224, 256, and so on.
static u32 sizeClass(u32 size) {
  if (size <= 64) return size == 0 ? 0 : (size - 1) >> 4;
  u32 power = 31u - (u32)__builtin_clz(size - 1);
  return (power - 5) * 4 + (((size - 1) >> (power - 2)) & 3);
}

static u32 blockSize(u32 class) {
  if (class < 4) return (class + 1) << 4;
  u32 power = class / 4 + 5;
  return (1u << power) + ((class & 3) + 1) * (1u << (power - 2));
}

static void *grow(u32 size) {
  if (top == 0) {
    top = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    limit = (uintptr_t)__builtin_wasm_memory_size(0) << 16;
  }
  if (top + size > limit) {
    u32 pages = (u32)((top + size - limit + 0xffff) >> 16);
    if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) __builtin_trap();
    limit += (uintptr_t)pages << 16;
  }
  void *block = (void *)top;
  top += size;
  return block;
}

void *malloc(size_t size) {
  if (size > largestBlock) __builtin_trap();
  u32 class = sizeClass((u32)size);
  u8 *block = (u8 *)freeBlocks[class];
  if (block) {
    freeBlocks[class] = ((Block *)block)->next;
  } else {
    block = (u8 *)grow(blockSize(class) + headerSize) + headerSize;
    ((u32 *)block)[-1] = class;
  }
  return block;
}

void free(void *block) {
  if (!block) return;
  u32 class = ((u32 *)block)[-1];
  if (class >= sizeCount) __builtin_trap();
  ((Block *)block)->next = freeBlocks[class];
  freeBlocks[class] = (Block *)block;
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment > 16) __builtin_trap();
  *block = malloc(size);
  return 0;
}

int memcmp(const void *left, const void *right, size_t count) {
  const u8 *a = left, *b = right;
  for (size_t i = 0; i < count; i++) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

void arc4random_buf(void *bytes, size_t count) { host_random(bytes, (u32)count); }

uintptr_t __stack_chk_guard = 0x5afe57acu;
__attribute__((noreturn)) void __stack_chk_fail(void) { __builtin_trap(); }

// Swift prints a message before a trap. A browser does not show it, so the output is discarded.
int putchar(int character) { return character; }

typedef struct {
  u64 low, high;
} u128;

void __multi3(u128 *product, u64 al, u64 ah, u64 bl, u64 bh) {
  u64 a0 = (u32)al, a1 = al >> 32, b0 = (u32)bl, b1 = bl >> 32;
  u64 p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
  u64 middle = (p00 >> 32) + (u32)p01 + (u32)p10;
  product->low = (p00 & 0xffffffffu) | (middle << 32);
  product->high = p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32) + al * bh + ah * bl;
}

// Texts are equal in a core if they have the same scalars. The tables of normalization would make
// a compressed core 20 kB larger. Canonically equivalent texts matter on the server only, which
// normalizes passwords. Each function says of every scalar that normalization does not change it.
const u8 *_swift_stdlib_nfd_decompositions;
u16 _swift_stdlib_getNormData(u32 scalar) { return 0; }
u32 _swift_stdlib_getDecompositionEntry(u32 scalar) { return 0; }
u32 _swift_stdlib_getComposition(u32 first, u32 second) { return 0xffffffffu; }
