// libjpeg reports a fault with a jump, which Swift cannot make. So each function here contains its
// own jumps. Each returns 1, or 0 if the picture is damaged or the memory does not suffice.
#pragma once
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>

struct fp_jpeg_errors {
  struct jpeg_error_mgr manager;
  jmp_buf place;
};

static void fp_jpeg_fail(j_common_ptr common) {
  longjmp(((struct fp_jpeg_errors *)common->err)->place, 1);
}

// A warning (level -1) says that data is missing or damaged.
static void fp_jpeg_message(j_common_ptr common, int level) {
  if (level < 0) fp_jpeg_fail(common);
}

static inline struct jpeg_error_mgr *fp_jpeg_errors_begin(struct fp_jpeg_errors *errors) {
  struct jpeg_error_mgr *manager = jpeg_std_error(&errors->manager);
  manager->error_exit = fp_jpeg_fail;
  manager->emit_message = fp_jpeg_message;
  return manager;
}

// Reads the points, with three bytes for each, or only the size if `points` is NULL.
static inline int fp_jpeg_read(const uint8_t *bytes, size_t count, uint32_t *width,
                               uint32_t *height, uint8_t *points) {
  struct fp_jpeg_errors errors;
  struct jpeg_decompress_struct picture;
  picture.err = fp_jpeg_errors_begin(&errors);
  jpeg_create_decompress(&picture);
  if (setjmp(errors.place)) {
    jpeg_destroy_decompress(&picture);
    return 0;
  }
  jpeg_mem_src(&picture, bytes, count);
  jpeg_read_header(&picture, TRUE);
  if (points) {
    picture.out_color_space = JCS_RGB;
    jpeg_start_decompress(&picture);
    size_t line = (size_t)picture.output_width * 3;
    while (picture.output_scanline < picture.output_height) {
      JSAMPROW row = points + line * picture.output_scanline;
      jpeg_read_scanlines(&picture, &row, 1);
    }
    jpeg_finish_decompress(&picture);
  } else {
    *width = picture.image_width;
    *height = picture.image_height;
  }
  jpeg_destroy_decompress(&picture);
  return 1;
}

// Writes the same picture without its markers. Free `made` with `free`.
static inline int fp_jpeg_copy(const uint8_t *bytes, size_t count, uint8_t **made,
                               unsigned long *size) {
  struct fp_jpeg_errors errors;
  struct jpeg_decompress_struct picture;
  struct jpeg_compress_struct copy;
  picture.err = fp_jpeg_errors_begin(&errors);
  copy.err = picture.err;
  *made = NULL;
  *size = 0;
  jpeg_create_decompress(&picture);
  jpeg_create_compress(&copy);
  if (setjmp(errors.place)) {
    jpeg_destroy_compress(&copy);
    jpeg_destroy_decompress(&picture);
    return 0;
  }
  jpeg_mem_src(&picture, bytes, count);
  jpeg_read_header(&picture, TRUE);
  jvirt_barray_ptr *coefficients = jpeg_read_coefficients(&picture);
  jpeg_copy_critical_parameters(&picture, &copy);
  copy.optimize_coding = TRUE;
  if (picture.progressive_mode) jpeg_simple_progression(&copy);
  jpeg_mem_dest(&copy, made, size);
  jpeg_write_coefficients(&copy, coefficients);
  jpeg_finish_compress(&copy);
  jpeg_finish_decompress(&picture);
  jpeg_destroy_compress(&copy);
  jpeg_destroy_decompress(&picture);
  return 1;
}

// `points` has three bytes for each point.
static inline int fp_jpeg_encode(const uint8_t *points, uint32_t width, uint32_t height,
                                 int quality, uint8_t **made, unsigned long *size) {
  struct fp_jpeg_errors errors;
  struct jpeg_compress_struct picture;
  picture.err = fp_jpeg_errors_begin(&errors);
  *made = NULL;
  *size = 0;
  jpeg_create_compress(&picture);
  if (setjmp(errors.place)) {
    jpeg_destroy_compress(&picture);
    return 0;
  }
  jpeg_mem_dest(&picture, made, size);
  picture.image_width = width;
  picture.image_height = height;
  picture.input_components = 3;
  picture.in_color_space = JCS_RGB;
  jpeg_set_defaults(&picture);
  jpeg_set_quality(&picture, quality, TRUE);
  picture.optimize_coding = TRUE;
  jpeg_start_compress(&picture, TRUE);
  while (picture.next_scanline < height) {
    JSAMPROW row = (JSAMPROW)(points + (size_t)width * 3 * picture.next_scanline);
    jpeg_write_scanlines(&picture, &row, 1);
  }
  jpeg_finish_compress(&picture);
  jpeg_destroy_compress(&picture);
  return 1;
}
