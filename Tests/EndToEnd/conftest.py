"""The fixtures that every end-to-end test may use, and the order of the tests."""
import importlib
import itertools
import shutil
import zlib

import pytest

import description
from browser import App, RiderApp, chromium
from device import Device
from engine_chromium import Chromium
from harness import BINARY, LAUNCHED, Server
from localhost import NamedServer
from production import ConfiguredServer, configuration

serial = itertools.count(1)


@pytest.fixture(autouse=True)
def described():
    """Checks every answer of the server against the OpenAPI document."""
    description.MISTAKES.clear()
    yield
    assert not description.MISTAKES, description.MISTAKES


@pytest.fixture(scope="session", autouse=True)
def closed_servers():
    """Checks after the last test that no server is left running."""
    yield
    left = [server for server in LAUNCHED if not server.has_ended]
    for server in left:
        server.close()
    assert not left, [server.data.name for server in left]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fieldpass")


@pytest.fixture(scope="session")
def demo_data(folder):
    """The data of a server that started once and stopped. The other servers copy it."""
    assert BINARY.exists(), f"{BINARY} is missing; run `make build`"
    server = Server(folder / "demo").start()
    assert server.stop() == 0
    server.close()
    return server.data


@pytest.fixture(scope="session")
def new_server(folder, demo_data):
    """Makes a server that has its own copy of the demo data. The server is not started yet."""
    def make():
        data = folder / f"server-{next(serial)}"
        shutil.copytree(demo_data, data)
        return Server(data)
    return make


@pytest.fixture(scope="session")
def new_folder(folder):
    """Returns the path of a folder that no server has used yet."""
    return lambda: folder / f"empty-{next(serial)}"


@pytest.fixture
def server(new_server):
    """A started server for one test, at the first day of the demo data."""
    server = new_server().start()
    yield server
    server.close()


@pytest.fixture
def named_server(folder, new_server):
    """A server with a host name, because browsers create passkeys for host names only."""
    server = NamedServer(new_server().data).start()
    yield server
    server.close()


@pytest.fixture
def device(server):
    return Device(server)


@pytest.fixture(scope="session")
def production(folder):
    """The configuration of a production server."""
    return configuration(folder)


@pytest.fixture(scope="session")
def production_server(folder, production):
    server = ConfiguredServer(folder / "production").begin(production)
    yield server
    server.close()


@pytest.fixture(scope="session")
def tls_server(folder, production):
    """A development server with TLS."""
    members = production | {
        "issuer": "https://localhost", "messengers": [{"name": "inbox", "kind": "inbox"}]}
    server = ConfiguredServer(folder / "tls").begin(members, "--development")
    yield server
    server.close()


@pytest.fixture(scope="session")
def chrome():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session", params=["chromium", "webkit", "firefox"])
def engine_process(request):
    """One browser for all tests of an engine."""
    if request.param == "chromium":
        browser = Chromium(request.getfixturevalue("chrome"))
    else:
        # The libraries of the other engines load slowly, and only one worker needs each of them.
        browser = importlib.import_module(f"engine_{request.param}").start()
    yield browser
    browser.close()


@pytest.fixture
def engine(engine_process):
    """A browser of each engine."""
    yield engine_process
    engine_process.close_pages()


@pytest.fixture
def app(chrome, server):
    """The technicians' app, opened for the first time."""
    app = App(chrome, server).open()
    yield app
    app.close()


@pytest.fixture
def timed_app(chrome, server):
    """The technicians' app with a clock that the test can move."""
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
    # The libraries that drive WebKit and Firefox warn about each other.
    config.addinivalue_line(
        "filterwarnings", "ignore::DeprecationWarning:(mozinfo|mozrunner|selenium)")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Orders the tests and assigns them to workers.

    A long test, or a file of tests, starts first, so that it does not run alone at the end. A long
    test runs by itself. The other tests of a file run on one worker, or if they are for several
    engines, those of one engine. Files are mixed, so that tests that wait run beside tests that use
    the browser. The search through the logs comes last, when every secret has been used.
    """
    for item in items:
        own = getattr(item.function, "pytestmark", [])
        is_alone = any(mark.name == "long" for mark in own)
        engine = item.callspec.params.get("engine_process") if hasattr(item, "callspec") else None
        file = f"{item.path.stem}-{engine}" if engine else item.path.stem
        item.add_marker(pytest.mark.xdist_group(item.name if is_alone else file))
    items.sort(key=lambda item: (
        "test_wire_logs" in str(item.path), not item.get_closest_marker("long"),
        zlib.crc32(item.path.stem.encode())))


def pytest_collection_finish(session):
    """Checks the groups, because pytest 9.2 and pytest-xdist 3.8 together ignore them silently."""
    if hasattr(session.config, "workerinput"):
        assert all("@" in item.nodeid for item in session.items), "tests are not in their groups"
