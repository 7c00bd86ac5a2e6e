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

// `points` has `channels` bytes for each point: grey, grey and alpha, RGB, or RGBA. If there are
// colours, with four bytes each, it has one byte for each point: the number of its colour.
// `made` has room for `size` bytes, which becomes the number of written ones.
static inline int fp_png_encode(const uint8_t *points, uint32_t width, uint32_t height,
                                uint32_t channels, const uint8_t *colors, uint32_t color_count,
                                uint8_t *made, size_t *size) {
  static const png_uint_32 formats[] = {PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB,
                                        PNG_FORMAT_RGBA};
  png_image picture;
  memset(&picture, 0, sizeof picture);
  picture.version = PNG_IMAGE_VERSION;
  picture.width = width;
  picture.height = height;
  picture.format = color_count > 0 ? PNG_FORMAT_RGBA_COLORMAP : formats[(channels - 1) & 3];
  picture.colormap_entries = color_count;
  png_alloc_size_t bytes = *size;
  int isMade = png_image_write_to_memory(&picture, made, &bytes, 0, points, 0, colors);
  *size = bytes;
  return isMade;
}
