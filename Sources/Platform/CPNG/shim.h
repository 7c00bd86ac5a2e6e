// The simplified interface of libpng, which reports a fault without a jump.
#pragma once
#include <png.h>
#include <stdint.h>
#include <string.h>

static inline int fp_png_size(const uint8_t *bytes, size_t count, uint32_t *width,
                              uint32_t *height) {
  png_image picture;
  memset(&picture, 0, sizeof picture);
  picture.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&picture, bytes, count)) return 0;
  *width = picture.width;
  *height = picture.height;
  png_image_free(&picture);
  return 1;
}

// `points` has four bytes for each point.
static inline int fp_png_decode(const uint8_t *bytes, size_t count, uint8_t *points) {
  png_image picture;
  memset(&picture, 0, sizeof picture);
  picture.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&picture, bytes, count)) return 0;
  picture.format = PNG_FORMAT_RGBA;
  return png_image_finish_read(&picture, NULL, points, 0, NULL);
}

// `made` has room for `size` bytes, which becomes the number of written ones.
static inline int fp_png_encode(const uint8_t *points, uint32_t width, uint32_t height,
                                uint8_t *made, size_t *size) {
  png_image picture;
  memset(&picture, 0, sizeof picture);
  picture.version = PNG_IMAGE_VERSION;
  picture.width = width;
  picture.height = height;
  picture.format = PNG_FORMAT_RGBA;
  png_alloc_size_t bytes = *size;
  int isMade = png_image_write_to_memory(&picture, made, &bytes, 0, points, 0, NULL);
  *size = bytes;
  return isMade;
}
