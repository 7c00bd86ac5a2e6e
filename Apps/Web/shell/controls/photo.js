// A photo of the offline copy, or a neutral picture while there is none. The box has the same size
// in both cases, so that nothing moves when the photo arrives.

import { element, setAttributes, symbol } from '../dom.js';
import { readPhoto } from '../storage/photos.js';

export function makePhoto({ id }) {
  const box = makePhotoBox();
  setAttributes(box.node, { id });
  return { node: box.node, update: ({ digest }) => box.show(digest) };
}

// Shows the photo with a digest. The name of the product is beside it, so a screen reader does not
// read it twice.
export function makePhotoBox() {
  const picture = element(
    'img', { alt: '', class: 'photo-picture', decoding: 'async', hidden: true });
  const node = element('div', { class: 'photo' }, symbol('parcel'), picture);
  let shown = null;

  async function draw(digest) {
    const photo = await readPhoto(digest);
    if (!photo || digest !== shown || picture.hasAttribute('src')) return;
    picture.src = URL.createObjectURL(photo);
  }

  function show(digest) {
    if (digest === shown) return;
    shown = digest;
    setAttributes(node, { 'data-photo': digest });
    clear();
    draw(digest);
  }

  function clear() {
    URL.revokeObjectURL(picture.src);
    picture.hidden = true;
    picture.removeAttribute('src');
  }

  // A loaded picture does not need its URL. A file that is no picture leaves the neutral picture.
  picture.addEventListener('load', () => {
    URL.revokeObjectURL(picture.src);
    picture.hidden = false;
  });
  picture.addEventListener('error', clear);
  node.addEventListener('photoarrived', () => draw(shown));

  return { node, show };
}
