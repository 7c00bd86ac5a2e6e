"""A Debian without Swift for tests of the package. debootstrap makes it once."""
import os
import re
import subprocess

from harness import ROOT

ROOT_FOLDER = ROOT / ".build/debian-root"
MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
AS_ROOT = [] if os.geteuid() == 0 else ["sudo"]


def run(*arguments, seconds=120, **more):
    return subprocess.run([*AS_ROOT, *arguments], capture_output=True, text=True, timeout=seconds,
                          **more)


def checked(*arguments, **more):
    done = run(*arguments, **more)
    assert done.returncode == 0, done
    return done


# The program finds its web apps through /proc. The mount exists for this one command only.
WITH_PROCESSES = ["unshare", "--mount", "sh", "-c", 'mount --bind /proc "$0/proc" && exec "$@"']


class Debian:
    """The root folder of the other system."""

    def __init__(self, packages):
        self.path = ROOT_FOLDER
        stamp = self.path.with_suffix(".stamp")
        wanted = " ".join(sorted(packages))
        if not stamp.exists() or stamp.read_text() != wanted:
            self.remove()
            checked("debootstrap", "--variant=minbase", f"--include={','.join(sorted(packages))}",
                    "bookworm", self.path, MIRROR, seconds=1200)
            stamp.write_text(wanted)
        self.forget()

    def remove(self):
        """Removes the folder; debootstrap leaves its mounts there when it fails."""
        with open("/proc/mounts") as mounts:
            places = [line.split()[1] for line in mounts]
        for place in sorted(places, reverse=True):
            if place.startswith(f"{self.path}/"):
                run("umount", place)
        run("rm", "-rf", "--one-file-system", self.path)

    def forget(self):
        """Removes the files of an earlier run."""
        run("chroot", self.path, "dpkg", "--purge", "fieldpass")
        run("chroot", self.path, "deluser", "--system", "fieldpass")
        run("rm", "-rf", *(self.path / place for place in (
            "var/lib/fieldpass", "etc/fieldpass", "root/backups")))

    def run(self, *arguments, user=None, **more):
        """Runs a command in the other system."""
        return run(*self.arguments(arguments, user), **more)

    def start(self, *arguments, user=None, log=subprocess.DEVNULL):
        """Starts a process in the other system."""
        return subprocess.Popen([*AS_ROOT, *self.arguments(arguments, user)], text=True,
                                stdout=subprocess.PIPE, stderr=log)

    def arguments(self, arguments, user):
        place = ["chroot", f"--userspec={user}:{user}"] if user else ["chroot"]
        return [*WITH_PROCESSES, self.path, *place, self.path, "/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                *arguments]

    def read(self, path):
        return checked("cat", self.path / path.lstrip("/")).stdout

    def write(self, path, text):
        checked("tee", self.path / path.lstrip("/"), input=text)

    def owner(self, path):
        """Owner, group and mode of a file in the other system."""
        done = self.run("stat", "-c", "%U %G %a", path)
        assert done.returncode == 0, done
        return done.stdout.strip()


def dependencies(package):
    """The packages that a package depends on."""
    field = checked("dpkg-deb", "-f", package, "Depends").stdout
    return {re.match(r"[a-z0-9.+-]+", part.strip())[0] for part in field.split(",")}


def linked_packages(program):
    """The packages with the libraries that a program names directly."""
    found = set()
    listed = checked("readelf", "-d", program).stdout
    for name in re.findall(r"\(NEEDED\).*\[(.+)\]", listed):
        if name.startswith("ld-linux"):
            continue
        owners = checked("dpkg-query", "-S", f"*/{name}").stdout.splitlines()
        found |= {line.split(":")[0] for line in owners}
    return found


