"""People who use several nodes at once, and a ledger of everything that was answered to them.

An answer with a status of 2xx is a promise: the ledger checks after each fault that it is kept.
"""
import collections
import http.client
import random
import threading
import time

from device import Device
from harness import ADMINISTRATOR
from operator_tools import load_person

COOLDOWN_SECONDS = 62
# A lockout lasts 15 minutes; it is checked a little less long.
LOCK_SECONDS = 14 * 60
# How long a person repeats a request that was refused for a moment.
PATIENCE_SECONDS = 100
# How long after its request a message must arrive, also if its node was lost.
MESSAGE_SECONDS = 90
OPEN_SESSIONS = 25
# Proofs of this time before the loss of the database are sent once more, and of those of the last
# second some may be lost.
PROOF_SECONDS, LOST_PROOF_SECONDS = 10, 1


class Session:
    """A session that was begun, with what is known about its end."""

    def __init__(self, device, person):
        self.device, self.person = device, person
        self.lock = threading.Lock()
        # Whether its end was requested, so that it may not exist any more.
        self.is_ending = False


class Ledger:
    """What the servers have confirmed, and everything that must not happen."""

    def __init__(self, fleet):
        self.fleet = fleet
        self.count = collections.Counter()
        self.broken, self.slowest = [], collections.Counter()
        self.open, self.ended, self.used, self.locked, self.asked = [], [], [], {}, {}
        self.served, self.proofs = [], collections.deque(maxlen=40)
        # While this is true, every request must be answered without a pause.
        self.is_strict = False
        self.lock = threading.Lock()

    def breach(self, *words):
        with self.lock:
            self.broken.append(" ".join(str(word)[:300] for word in words))

    def expect(self, is_kept, *words):
        self.count["checks"] += 1
        if not is_kept:
            self.breach(*words)

    # MARK: Requests

    def ask(self, call, name, node=None):
        """One request; `None` if it was refused for a moment or not answered.

        `node` is the node that gets the request directly; without it, haproxy gets the request.
        """
        began = time.monotonic()
        threads = self.fleet.front.threads
        threads.was_sent_again = False
        try:
            answer = call()
        except ConnectionRefusedError:
            # A node that was asked directly is stopped. haproxy never refuses a connection.
            self.count["stopped nodes asked"] += 1
            return None
        except (OSError, http.client.HTTPException) as fault:
            if node and not self.fleet.in_use(node):
                # It was chosen just before it was taken out of use.
                self.count["stopped nodes asked"] += 1
                return None
            self.note(name, "unanswered", time.monotonic() - began, repr(fault))
            return None
        seconds = time.monotonic() - began
        if answer.error == "invalid_dpop_proof" and threads.was_sent_again:
            # The first copy reached a node, whose answer was lost. An app makes a new proof.
            self.count["sent again"] += 1
            return None
        if answer.status < 500:
            self.served.append(time.monotonic())
            self.count[f"{name} {answer.status}"] += 1
            self.slowest[name] = max(self.slowest[name], seconds)
            return answer
        self.check_refusal(name, answer, seconds)
        return None

    def check_refusal(self, name, answer, seconds):
        wait = answer["Retry-After"] or ""
        is_kind = answer.error in ("temporarily_unavailable", "delivery_failed")
        self.expect(answer.status in (502, 503, 504) and is_kind and wait.isdigit()
                    and 1 <= int(wait) <= 60, "a refusal without a wait:", name, answer)
        # haproxy answers 502 if a node disappears after it got the request.
        self.expect(answer.status == 503 or answer["Request-Id"] is None, "not 503:", name, answer)
        self.note(name, answer.status, seconds, answer)

    def note(self, name, outcome, seconds, what):
        self.count[f"{outcome}"] += 1
        self.slowest[f"until {outcome}"] = max(self.slowest[f"until {outcome}"], seconds)
        if self.is_strict:
            self.breach("a refusal during the replacement of nodes:", name, outcome, what)

    def insist(self, call, name):
        """Repeats a request until it is answered."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            if answer := self.ask(call, name):
                return answer
            time.sleep(0.5)
        self.breach("no answer in", PATIENCE_SECONDS, "seconds:", name)
        return None

    def twin(self, device, server):
        """The same device at another server."""
        twin = Device(server, client=device.client)
        twin.key, twin.verifier, twin.tokens = device.key, device.verifier, device.tokens
        twin.auth_session = device.auth_session
        return twin

    def other_node(self):
        ready = [node for node in self.fleet.nodes if self.fleet.in_use(node)]
        return random.choice(ready) if ready else None

    # MARK: Signing in

    def sign_in(self, person, client):
        """Signs in; returns the session, or `None` if the person must begin again later."""
        device = Device(self.fleet.front, client=client)
        first = self.first_step(device, person)
        if first is None:
            return None
        code = self.fleet.gateway.code(person.phone, self.asked[person.phone][0] - 1, MESSAGE_SECONDS)
        if code is None:
            self.breach("a message was lost:", person.phone)
            return None
        done = self.insist(lambda: device.verify(code), "verify")
        if done is None or done.status != 200:
            return self.begin_again("verify", done)
        self.used.append((device, code))
        if random.random() < 0.3 and (node := self.other_node()):
            self.check_code(device, code, node)
        tokens = self.insist(lambda: device.redeem(done.json["authorization_code"]), "redeem")
        if tokens is None or tokens.status != 200:
            return self.begin_again("redeem", tokens)
        session = Session(device, person)
        with self.lock:
            self.open.append(session)
        self.count["sign-ins"] += 1
        return session

    def first_step(self, device, person):
        sent = len(self.fleet.gateway.codes(person.phone))
        self.asked[person.phone] = (sent + 1, time.monotonic())
        if device.client == "rider-app":
            answer = self.ask(lambda: device.challenge(
                **device.first_call(phone_number=person.phone)), "rider: code")
        else:
            answer = self.ask(lambda: device.login(person.email, person.password), "technician")
        if answer is None or answer.error != "insufficient_authorization":
            return self.begin_again("first step", answer)
        return answer

    def begin_again(self, step, answer):
        """The person begins again later.

        The first step was refused for a moment, or the answer to another one was lost and the
        repeated request finds it done.
        """
        self.count["sign-ins to begin again"] += 1
        if answer is not None:
            # Only a step after one whose answer was lost may be refused so.
            self.expect(self.count["503"] + self.count["502"] + self.count["unanswered"]
                        + self.count["504"] + self.count["sent again"] > 0, "refused without a fault:", step, answer)
        return None

    # MARK: Sessions

    def renew(self, session):
        with session.lock:
            if session.is_ending:
                return
            device = session.device
            answer = self.insist(device.refresh, "refresh")
            if answer is None:
                return
            self.expect(answer.status == 200, "a false sign-out:", session.person.email, answer)
            if answer.status == 200:
                device.tokens = answer.json

    def read(self, session):
        """Reads data, and sends the same proof to another node."""
        with session.lock:
            device, token = session.device, session.device.tokens["access_token"]
        proof = device.proof("GET", device.url("/api/me"), token)
        answer = self.ask(lambda: device.send("GET", "/api/me", token=token, proof=proof), "me")
        if answer is None or not (node := self.other_node()):
            return
        self.expect(answer.status == 200, "a valid token is refused:", answer)
        self.proofs.append((time.monotonic(), device, token, proof))
        again = self.ask(lambda: self.twin(device, node).send(
            "GET", "/api/me", token=token, proof=proof), "replayed proof", node)
        self.expect(again is None or again.error == "invalid_dpop_proof",
                    "a proof was accepted twice:", again)

    def sign_out(self, session):
        with session.lock:
            session.is_ending = True
            if self.insist(session.device.revoke, "revoke") is None:
                return
        self.end(session)
        if node := self.other_node():
            self.check_ended(session, node)

    def end(self, session):
        with self.lock:
            if session in self.open:
                self.open.remove(session)
            self.ended.append(session)
        self.count["ended sessions"] += 1

    # MARK: Checks

    def check_ended(self, session, node):
        answer = self.ask(self.twin(session.device, node).refresh, "refresh of an ended session",
                          node)
        self.expect(answer is None or answer.error == "invalid_grant", "a revocation was lost:",
                    session.person.email, answer)

    def check_code(self, device, code, node):
        answer = self.ask(lambda: self.twin(device, node).verify(code), "used code", node)
        self.expect(answer is None or answer.status != 200, "a code was accepted twice:", answer)

    def check_proofs(self, before):
        """Sends the last proofs before the loss of the database once more.

        A commit of a proof does not wait for the disk, so the proofs of the last second may be lost
        with the database. Then only the nodes that saw them refuse them.
        """
        for moment, device, token, proof in list(self.proofs):
            if not before - PROOF_SECONDS < moment < before or not (node := self.other_node()):
                continue
            answer = self.ask(lambda: self.twin(device, node).send(
                "GET", "/api/me", token=token, proof=proof), "proof from before the loss", node)
            if answer is not None and answer.status == 200:
                self.count["proofs that were lost with the database"] += 1
                self.expect(moment > before - LOST_PROOF_SECONDS, "a proof was accepted twice:",
                            before - moment)

    def check_lock(self, person, kind, node):
        device = Device(node, client="technician-app")
        answer = self.ask(lambda: device.login(person.email, person.password), "locked account",
                          node)
        self.expect(answer is None or answer.error == kind, "a lock was passed:", person.email,
                    kind, answer)

    def check_all(self):
        """Asks random nodes about everything that was promised."""
        with self.lock:
            opened, ended = list(self.open), self.ended[-60:]
            used, locked = self.used[-20:], dict(self.locked)
        for session in opened:
            self.renew(session)
        for session in ended:
            if node := self.other_node():
                self.check_ended(session, node)
        for device, code in used:
            if node := self.other_node():
                self.check_code(device, code, node)
        for person, (kind, since, until) in locked.items():
            if since < time.monotonic() < until and (node := self.other_node()):
                self.check_lock(person, kind, node)
        for phone, (number, since) in list(self.asked.items()):
            sent = len(self.fleet.gateway.codes(phone))
            self.expect(sent <= number, "more than one message for one request:", phone)
        verified = self.fleet.verify_events()
        self.expect(verified.returncode == 0, "the security log is not correct:", verified)
        self.count["rounds of checks"] += 1

    def gap(self, since):
        """The longest time without an answer after a moment."""
        moments = sorted(moment for moment in self.served if moment >= since)
        return max((after - before for before, after in zip([since, *moments], moments)), default=0)


class Crowd:
    """Threads of people and of one administrator, until the block ends."""

    def __init__(self, ledger, accounts, threads=4, pause=0.3):
        self.ledger, self.pause = ledger, pause
        self.has_ended = threading.Event()
        shared = accounts // (threads + 1)
        groups = [range(1 + n * shared, 1 + (n + 1) * shared) for n in range(threads + 1)]
        self.threads = [threading.Thread(target=self.run, args=(self.people, group))
                        for group in groups[:threads]]
        self.threads.append(threading.Thread(target=self.run, args=(self.administer, groups[-1])))

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.has_ended.set()
        for thread in self.threads:
            thread.join()

    def run(self, work, group):
        try:
            work([load_person(number) for number in group])
        except Exception as mistake:
            self.ledger.breach("the test itself failed:", repr(mistake))
            raise

    def people(self, persons):
        """One thread of people, who sign in, work and sign out."""
        ledger, own, free_at = self.ledger, [], {person: 0.0 for person in persons}
        while not self.has_ended.wait(self.pause):
            person = min(free_at, key=free_at.get)
            if free_at[person] <= time.monotonic():
                free_at[person] = time.monotonic() + COOLDOWN_SECONDS
                client = random.choice(["rider-app", "rider-app", "technician-app"])
                if session := ledger.sign_in(person, client):
                    own.append(session)
            if not own:
                continue
            ledger.renew(random.choice(own))
            ledger.read(random.choice(own))
            if len(own) > OPEN_SESSIONS:
                ledger.sign_out(own.pop(random.randrange(len(own))))

    # MARK: Administration

    def administer(self, persons):
        """The administrator, who deactivates accounts and ends sessions, and one guesser of codes."""
        ledger = self.ledger
        console = self.administrator()
        for turn, person in enumerate(persons):
            if self.has_ended.wait(self.pause):
                return
            act = [self.deactivate, self.end_sessions, self.guess][turn % 3]
            if turn % 9 == 8:
                ledger.renew(console)
            act(console, person)

    def administrator(self):
        while True:
            if session := self.ledger.sign_in(ADMINISTRATOR, "console"):
                return session
            time.sleep(COOLDOWN_SECONDS)

    def admin(self, console, method, path, document=None):
        """A request of the administrator through a random node, repeated until it is answered."""
        def call():
            node = self.ledger.other_node() or self.ledger.fleet.front
            device = self.ledger.twin(console.device, node)
            return device.api(path, method, document=document)

        answer = self.ledger.insist(call, f"admin {method}")
        if answer is not None and answer.status == 401:
            self.ledger.renew(console)
            answer = self.ledger.insist(call, f"admin {method}")
        return answer

    def account(self, console, person):
        answer = self.admin(console, "GET", f"/admin/accounts?query={person.email}")
        found = answer.json["accounts"] if answer and answer.status == 200 else []
        return next((one["id"] for one in found if one["email"] == person.email), None)

    def deactivate(self, console, person):
        """A lock that one node has set refuses at another one with the next request."""
        session = self.ledger.sign_in(person, "technician-app")
        account = self.account(console, person)
        if session is None or account is None:
            return
        with session.lock:
            session.is_ending = True
        answer = self.admin(
            console, "PATCH", f"/admin/accounts/{account}", {"status": "deactivated"})
        if answer is None or answer.status != 200:
            # A repeated request may find that the first one was done.
            self.ledger.expect(answer is None or answer.error == "illegal_transition",
                               "a deactivation was refused:", answer)
            return
        self.ledger.end(session)
        if node := self.ledger.other_node():
            self.ledger.check_ended(session, node)
        with self.ledger.lock:
            since = time.monotonic() + COOLDOWN_SECONDS
            self.ledger.locked[person] = ("account_deactivated", since, float("inf"))
        self.ledger.count["deactivated accounts"] += 1

    def end_sessions(self, console, person):
        session = self.ledger.sign_in(person, "rider-app")
        account = self.account(console, person)
        if session is None or account is None:
            return
        with session.lock:
            session.is_ending = True
        answer = self.admin(console, "DELETE", f"/admin/accounts/{account}/sessions")
        if answer is None:
            return
        self.ledger.expect(answer.status < 300, "an end of sessions was refused:", answer)
        self.ledger.end(session)
        if node := self.ledger.other_node():
            self.ledger.check_ended(session, node)

    def guess(self, console, person):
        """Wrong passwords at changing nodes lock an account everywhere."""
        ledger = self.ledger
        for _ in range(40):
            node = ledger.other_node()
            if node is None or self.has_ended.wait(0.05):
                continue
            device = Device(node, client="technician-app")
            answer = ledger.ask(lambda: device.login(person.email, "wrong-guess"), "wrong password")
            if answer is not None and answer.error == "account_locked":
                now = time.monotonic()
                with ledger.lock:
                    ledger.locked[person] = ("account_locked", now, now + LOCK_SECONDS)
                ledger.count["locked accounts"] += 1
                if node := ledger.other_node():
                    ledger.check_lock(person, "account_locked", node)
                return
