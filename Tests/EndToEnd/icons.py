"""Renders the PNG icons of the apps from their logos."""

import base64
import pathlib

from playwright.sync_api import sync_playwright

from browser import CHROMIUM

WEB = pathlib.Path(__file__).parents[2] / "Apps/Web"

# Draws the logo and returns the PNG file. A mask of the system cuts the corners of `square` icons.
# A monochrome icon has only alpha: the white parts of the logo.
DRAW = """async ([svg, size, style]) => {
  const text = style === "rounded" ? svg : svg.replace(' rx="13"', "");
  const image = new Image(size, size);
  image.src = "data:image/svg+xml;base64," + btoa(text);
  await image.decode();
  const canvas = new OffscreenCanvas(size, size);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0, size, size);
  if (style === "monochrome") {
    const pixels = context.getImageData(0, 0, size, size);
    const ground = pixels.data[0];
    for (let at = 0; at < pixels.data.length; at += 4) {
      const share = (pixels.data[at] - ground) / (255 - ground);
      pixels.data.set([255, 255, 255, 255 * share], at);
    }
    context.putImageData(pixels, 0, 0);
  }
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
}"""

ICONS = {
    "icon-180.png": (180, "square"),
    "icon-192.png": (192, "rounded"),
    "icon-512.png": (512, "rounded"),
    "maskable-512.png": (512, "square"),
    "monochrome-512.png": (512, "monochrome"),
}


def render(page, logo):
    """The icons made from one logo: file name to bytes."""
    svg = logo.read_text()
    return {
        name: base64.b64decode(page.evaluate(DRAW, [svg, size, style]))
        for name, (size, style) in ICONS.items()
    }


def main():
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]).new_page()
        for logo in sorted(WEB.glob("*/icons/logo.svg")):
            if logo.parts[-3] == "shell":
                continue
            for name, data in render(page, logo).items():
                (logo.parent / name).write_bytes(data)
            print(logo.parent.relative_to(WEB))


if __name__ == "__main__":
    main()
