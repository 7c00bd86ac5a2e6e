"""Makes another version of the web apps, as in a release: every file and the list of files."""
import hashlib
import re
import shutil

from harness import BINARY

APPS = ["technician-app", "rider-app", "product-app", "mentor-app", "console"]


def make_version(folder, mark, stale=()):
    """A program whose web apps have their version in `window.version`; `stale` files stay old."""
    folder.mkdir()
    program = folder / "fieldpass"
    shutil.copy2(BINARY, program)
    shutil.copytree(BINARY.parent / "web", folder / "web")
    for app in APPS:
        shell = folder / "web" / app
        changes = {
            "app.js": lambda text: text + f"\nglobalThis.version = {mark!r};\n",
            "app.css": lambda text: text + f"\n:root {{ --version: '{mark}'; }}\n",
        }
        worker = (shell / "sw.js").read_text()
        for name, change in changes.items():
            new = change((shell / name).read_text()).encode()
            worker = re.sub(rf'("{re.escape(name)}": ")[0-9a-f]{{64}}"',
                            rf'\g<1>{hashlib.sha256(new).hexdigest()}"', worker)
            if name not in stale:
                (shell / name).write_bytes(new)
                (shell / f"{name}.br").unlink()
        (shell / "sw.js").write_text(worker)
        (shell / "sw.js.br").unlink(missing_ok=True)
    return program
