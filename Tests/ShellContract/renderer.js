// The renderer of a page in the tests of the shell contract. A screen is its name.

export class Renderer {
  isBlank = false;

  canReload = false;

  draw(screen) {
    contract.note(`drawn ${screen}`);
  }

  fail() {
    contract.note('failed');
  }
}
