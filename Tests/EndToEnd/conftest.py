"""What every end-to-end test may ask for."""
import itertools
import shutil
import zlib

import pytest

import description
from browser import App, RiderApp, chromium
from device import Device
from harness import BINARY, Server
from localhost import NamedServer
from production import ConfiguredServer, configuration

serial = itertools.count(1)


@pytest.fixture(autouse=True)
def described():
    """Every answer of the server is as the OpenAPI document describes it."""
    description.MISTAKES.clear()
    yield
    assert not description.MISTAKES, description.MISTAKES


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fieldpass")


@pytest.fixture(scope="session")
def demo_data(folder):
    """The data of a server that started once and stopped, to be copied by the others."""
    assert BINARY.exists(), f"{BINARY} is missing; run `make build`"
    server = Server(folder / "demo").start()
    assert server.stop() == 0
    server.close()
    return server.data


@pytest.fixture(scope="session")
def new_server(folder, demo_data):
    """Makes a server that has its own copy of the demo data and is not started yet."""
    def make():
        data = folder / f"server-{next(serial)}"
        shutil.copytree(demo_data, data)
        return Server(data)
    return make


@pytest.fixture(scope="session")
def new_folder(folder):
    """Names a folder that no server has used yet."""
    return lambda: folder / f"empty-{next(serial)}"


@pytest.fixture
def server(new_server):
    """A server of this test's own, at the demo data's first day."""
    server = new_server().start()
    yield server
    server.close()


@pytest.fixture
def named_server(folder, new_server):
    """A server by the name that browsers make credentials for."""
    server = NamedServer(new_server().data).start()
    yield server
    server.close()


@pytest.fixture
def device(server):
    return Device(server)


@pytest.fixture(scope="session")
def production(folder):
    """The configuration of a server in production."""
    return configuration(folder)


@pytest.fixture(scope="session")
def production_server(folder, production):
    server = ConfiguredServer(folder / "production").begin(production)
    yield server
    server.close()


@pytest.fixture(scope="session")
def tls_server(folder, production):
    """A development server that speaks TLS."""
    members = production | {
        "issuer": "https://localhost", "messengers": [{"name": "inbox", "kind": "inbox"}]}
    server = ConfiguredServer(folder / "tls").begin(members, "--development")
    yield server
    server.close()


@pytest.fixture(scope="session")
def chrome():
    with chromium() as browser:
        yield browser


@pytest.fixture
def app(chrome, server):
    """The technicians' app, opened for the first time."""
    app = App(chrome, server).open()
    yield app
    app.close()


@pytest.fixture
def timed_app(chrome, server):
    """The same, with a clock that the test can move."""
    app = App(chrome, server)
    app.page.clock.install()
    yield app.open()
    app.close()


@pytest.fixture
def rider(chrome, server):
    """The riders' app with a clock that the test can move."""
    app = RiderApp(chrome, server)
    app.page.clock.install()
    yield app.open()
    app.close()


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes half a minute or more, so it starts first")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Orders the tests and says which ones one worker runs together.

    A long test, or file of tests, starts first, so that no worker is left with it at the end. A
    long test runs by itself; the other tests of a file run on one worker. Files are mixed, so that
    tests that wait run beside tests that keep a browser busy. The search through the logs comes
    last, when every secret has been used.
    """
    for item in items:
        own = getattr(item.function, "pytestmark", [])
        is_alone = any(mark.name == "long" for mark in own)
        item.add_marker(pytest.mark.xdist_group(item.name if is_alone else item.path.stem))
    items.sort(key=lambda item: (
        "test_wire_logs" in str(item.path), not item.get_closest_marker("long"),
        zlib.crc32(item.path.stem.encode())))


def pytest_collection_finish(session):
    """Workers obey the groups: pytest 9.2 and pytest-xdist 3.8 together ignore them silently."""
    if hasattr(session.config, "workerinput"):
        assert all("@" in item.nodeid for item in session.items), "tests are not in their groups"
