"""Generates events for an app: sequences of steps that reach every screen, and random events."""
import base64
import json
import random

from entry_events import edited, pressed

FIELDS = ["email", "password", "code", "country", "phone", "new_password",
          "name", "search", "status", "notes", "description", "receiver", "language",
          "policy_app", "policy_value", "role", "permissions:", "permissions:north"]
LISTS = [["en-GB"], ["hi-IN", "en"], ["nb-NO", "nb", "no", "nn", "en-US"], ["fr"], []]
TEXTS = ["tech@example.com", "demo-Technician-1", "123456", "12 34 56", "１２３", "", "a@b", "é 🌱 ‏",
         "+91", "+44", "4", "9", "21", "120", "+91, +47", "{code} é", "biometric", "rider-app",
         "98123 45678", "+919812345678", "+4790000055", "0047", "NO", "CA", "en", "hi", "nb"]
BUTTONS = ["login", "forgot_password", "cancel", "verify", "resend", "call_instead", "back",
           "use_another_account", "try_again", "sign_in_again", "refresh", "account_menu",
           "sign_out", "send_code", "change_number", "sign_up", "register",
           "unlock", "use_another_way", "set_lock", "remove_lock", "not_now", "stay_signed_in",
           "console_tab", "open_account", "account_action", "confirm", "new_account",
           "save_account", "edit_account", "read_more", "where_signed_in", "end_session",
           "end_other_sessions", "switch_organization", "open_activity", "save_notes",
           "open_product", "raise_request", "send_request", "transfer_ownership",
           "continue_transfer", "confirm_transfer", "open_policy", "open_value", "save_value",
           "restore_value", "toggle_organization", "toggle_fold", "filter_products",
           "no_such_button", "toggle_differing", "clear_search"]
ITEMS = ["1", "é", "accounts", "events", "messages", "policies", "a0", "a1", "approve",
         "reject", "deactivate", "reactivate", "unlock", "end_sessions", "client-rider-app",
         "organization-north", "lockout.failures", "code.life_seconds", "countries",
         "texts.sign_in", "unlock", "expiring", "expired", "all", "products", "requests"]
ERRORS = ["invalid_credentials", "account_deactivated", "account_locked", "invalid_otp",
          "otp_expired", "resend_too_soon", "account_not_registered", "rate_limited",
          "delivery_failed", "invalid_session", "invalid_grant", "temporarily_unavailable",
          "invalid_dpop_proof", "password_too_short", "password_too_common", "own_account",
          "illegal_transition", "account_not_found", "account_exists", "precondition_failed",
          "invalid_policy", "organization_not_found", "no_such_error"]
STATUSES = ["scheduled", "on_the_way", "in_progress", "done", "unheard_of"]
# Steps through the sign-in to the home screen and out again, so that every screen occurs often.
TECHNICIAN_STEPS = [
    "forgot_password", "edit email", "send_code", "answer", "edit code",
    "edit new_password", "verify", "answer",
    "edit email", "edit password", "login", "verifier", "answer", "tick", "tick", "tick",
    "answer", "call_instead", "answer", "edit code", "verify",
    "answer", "answer", "answer", "answer", "refresh", "answer", "sign_out", "answer",
    "edit email", "edit password", "login", "verifier", "refuse account_locked"]

RIDER_STEPS = [
    "sign_up", "edit name", "edit phone", "register", "answer", "back", "edit phone",
    "send_code", "verifier", "answer", "edit code", "verify", "answer", "answer",
    "answer", "answer", "refresh", "answer", "sign_out", "answer",
    "edit phone", "send_code", "verifier", "refuse account_locked"]

MENTOR_STEPS = [
    "edit email", "edit password", "login", "verifier", "answer", "edit code",
    "verify", "answer", "answer", "answer", "answer", "open_activity:1", "answer",
    "edit notes", "tick", "answer", "type notes", "back", "answer", "account_menu",
    "where_signed_in", "answer", "back", "account_menu",
    "switch_organization:south", "answer", "answer"]

PRODUCT_STEPS = [
    "edit email", "edit password", "login", "verifier", "answer", "edit code",
    "verify", "answer", "shelf", "answer", "shelf", "answer", "answer",
    "edit search", "rows", "open_product:p1", "raise_request", "edit description",
    "send_request", "answer", "back", "back", "type search", "open_product:p0",
    "transfer_ownership", "edit receiver", "continue_transfer", "confirm_transfer",
    "answer", "written", "refresh", "answer", "written", "account_menu"]

TRANSFER_STEPS = [
    "edit email", "edit password", "login", "verifier", "answer", "edit code",
    "verify", "answer", "shelf", "answer", "shelf", "answer", "answer", "open_product:p0",
    "transfer_ownership", "edit receiver", "continue_transfer", "confirm_transfer",
    "answer", "written", "back", "account_menu"]

CONSOLE_START = ["edit email", "edit password", "login", "verifier", "answer", "edit code",
                 "verify", "answer", "answer", "answer", "answer"]
CONSOLE_STEPS = [
    *CONSOLE_START, "console_tab:events", "answer", "answer", "read_more", "answer",
    "open_account:a1", "answer", "back", "console_tab:requests", "answer", "answer",
    "open_record:r0", "console_tab:products/p0", "answer", "back", "console_tab:messages", "answer",
    "console_tab:accounts", "answer", "open_account:a0", "answer", "answer", "edit_account",
    "answer", "edit role", "edit permissions:north", "type name", "back", "cancel", "back",
    "confirm", "account_action:deactivate", "confirm", "answer", "account_action:unlock", "confirm",
    "answer", "back", "edit search", "tick", "answer", "read_more", "answer", "new_account",
    "answer", "save_account", "edit name", "edit email", "edit phone", "back", "cancel",
    "save_account", "answer", "back", "console_tab:products", "answer", "answer", "edit search",
    "tick", "answer", "clear_search", "answer", "console_tab:products?account=a0", "answer",
    "console_tab:products", "answer", "open_record:p0", "transfer_ownership", "confirm",
    "edit receiver", "confirm", "answer", "answer", "back"]
POLICY_STEPS = [
    *CONSOLE_START, "console_tab:policies", "answer", "answer",
    "open_policy:organization-north", "answer", "answer",
    "answer", "open_value:lockout.failures",
    "type policy_value", "save_value", "confirm", "answer", "answer",
    "restore_value", "confirm", "answer", "answer", "back", "edit policy_app",
    "answer", "open_value:countries", "type policy_value", "save_value", "back",
    "edit search", "tick", "clear_search", "toggle_differing:differing", "tick", "type search"]

# Events that leave a screen which most other events do not leave.
EXITS = {
    "storage": [{"event": "button_pressed", "button": "try_again"},
                {"event": "storage_read", "storage": "absent"}],
    "app-lock": [{"event": "button_pressed", "button": "use_another_way"},
                 {"event": "storage_read", "storage": "absent"}],
}


def token(kind, claims):
    """A token with a made-up signature, because only the server checks signatures."""
    parts = [json.dumps(part).encode() for part in ({"typ": kind}, claims)]
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode()
                    for part in [*parts, b"signature"])


TOKEN = token("at+jwt", {"sub": "a"})


class EventGenerator:
    """Generates the next event from the requests that the core made before."""

    def __init__(self, seed):
        self.chance, self.at = random.Random(seed), 1_700_000_000_000
        self.calls, self.step, self.screen = [], 0, None
        # Every second seed is for the riders' app.
        self.app = ["technician-app", "rider-app"][seed % 2]
        self.steps = [TECHNICIAN_STEPS, RIDER_STEPS][seed % 2]
        if seed % 12 == 4:
            self.app, self.steps = "console", [CONSOLE_STEPS, POLICY_STEPS][seed // 12 % 2]
        if seed % 12 == 10:
            self.app = "product-app"
            self.steps = [PRODUCT_STEPS, TRANSFER_STEPS][seed // 12 % 2]
        if seed % 12 in (2, 8):
            self.app, self.steps = "mentor-app", MENTOR_STEPS
        # The riders' app has no such screen.
        self.restart_step = self.steps.index("login") - 2 if "login" in self.steps else 0

    def next_event(self):
        is_scripted = self.chance.random() < 0.8
        pauses = [0, 400, 1000] if is_scripted else [0, 5000, 61_000, 900_000]
        self.at += self.chance.choice(pauses)
        event = self.scripted_event() if is_scripted else self.random_event()
        if self.screen in EXITS and self.chance.random() < 0.3:
            event = self.chance.choice(EXITS[self.screen])
        monotonic = {} if self.chance.random() < 0.3 else {"monotonic": self.at - 1_600_000_000_000}
        event = {**event, "at": self.at, **monotonic}
        return json.dumps(event, ensure_ascii=self.chance.random() < 0.5)

    def observe(self, answer):
        before, self.screen = self.screen, answer.get("screen", {}).get("id")
        if self.screen == "credentials" and before not in (self.screen, "reset", "reset-code"):
            # After a sign-out the steps begin again.
            self.step = self.restart_step
        for effect in answer.get("effects", []):
            if effect["effect"] == "send_request":
                self.calls.append(effect)

    def scripted_event(self):
        step, self.step = self.steps[self.step % len(self.steps)], self.step + 1
        match step.split():
            case ["edit", "email"]:
                return edited("email", "tech@example.com")
            case ["edit", "password"]:
                return edited("password", "demo-Technician-1")
            case ["edit", "new_password"]:
                return edited("new_password", "mossy stones & lichen")
            case ["edit", "name"]:
                return edited("name", "Asha Rao")
            case ["edit", "phone"]:
                return edited("phone", "+91 98123 45678")
            case ["edit", "search"]:
                return edited("search", "tess & é")
            case ["edit", "policy_app"]:
                return edited("policy_app", "rider-app")
            case ["tick"]:
                self.at += 1000
                return {"event": "ticked"}
            case ["edit", "code"]:
                return edited("code", "123456")
            case ["verifier"]:
                return {"event": "verifier_made", "verifier": "v", "challenge": "c"}
            case ["edit", "role"]:
                return edited("role", "administrator")
            case ["edit", "permissions:north"]:
                return edited("permissions:north", "support")
            case ["type", field]:
                return edited(field, self.chance.choice(TEXTS))
            case ["edit", "description"]:
                return edited("description", "It hums.")
            case ["edit", "receiver"]:
                return edited("receiver", "new-owner@example.com")
            case ["rows"]:
                return {"event": "rows_shown", "first": self.chance.randrange(4)}
            case ["shelf"]:
                return self.shelf()
            case ["written"]:
                return {"event": "offline_copy_written", "outcome": self.chance.choice(
                    ["done", "done", "full", "conflict", "closed", "failed"])}
            case ["edit", "notes"]:
                return edited("notes", "The gate sticks.")
            case ["answer"]:
                return self.answered(self.success)
            case ["refuse", error]:
                return self.answered(lambda call: (403, self.refusal(error)))
            case [button] if ":" in button:
                button, item = button.split(":")
                return {**pressed(button), "item": item}
            case [button]:
                return pressed(button)

    def random_event(self):
        chance = self.chance
        return chance.choice([
            lambda: edited(chance.choice(FIELDS), chance.choice(TEXTS)),
            lambda: pressed(chance.choice(BUTTONS)),
            lambda: pressed(chance.choice(BUTTONS)),
            lambda: self.started(),
            lambda: self.read("storage_read"),
            lambda: self.read("renewal_claimed"),
            lambda: self.answered(self.failure),
            lambda: self.answered(self.failure),
            lambda: {"event": "answered", "request": chance.randrange(50),
                     "failure": chance.choice(["timed_out", "unreachable"])},
            lambda: {"event": chance.choice([
                "ticked", "ticked", "ticked", "password_reveal_toggled", "banner_dismissed",
                "session_save_failed", "network_returned", "hidden", "shown", "user_active",
                "user_active_in_other_tab", "lock_set", "no_such_event"])},
            lambda: {"event": "lock_support_checked", "supported": chance.random() < 0.8},
            lambda: {"event": chance.choice(["lock_failed", "unlock_failed"]),
                     "failure": chance.choice(["cancelled", "busy", "changed", "impossible"])},
            lambda: self.read(chance.choice(
                ["unlocked", "session_changed", "stored_session_replaced"])),
            lambda: {"event": "lockouts_read", "value": chance.choice([None, "{", json.dumps(
                {"version": 1, "salt": "s", "stored_at": {"device": 1, "server": 1, "told": True},
                 "lockouts": [{"account": "a", "until": self.at // 1000 + 60}]})])},
            lambda: {**pressed(chance.choice(BUTTONS)), "item": chance.choice(TEXTS + ITEMS)},
            lambda: {**pressed("open_activity"), "item": "1"},
            lambda: {**pressed("open_product"), "item": "p1"},
            self.shelf,
            lambda: {**pressed("console_tab"), "item": chance.choice(
                ["accounts", "events", "messages", "policies", "products", "requests"])},
            lambda: {**pressed("switch_organization"), "item": "south"},
            lambda: {**pressed("open_policy"),
                     "item": chance.choice(["client-rider-app", "organization-north"])},
            lambda: {**pressed("open_value"), "item": chance.choice(
                ["lockout.failures", "code.life_seconds", "texts.sign_in", "unlock"])},
            lambda: {"event": "screen_state_read", "value": chance.choice(
                ["{", '{"version":1,"open":"1","drafts":[{"activity":"1","text":"é"}]}'])},
        ])()

    def started(self):
        chance = self.chance
        return {"event": "started", "languages": chance.choice(LISTS),
                "utc_offset": chance.choice([-18000, 0, 19800]),
                "clock_changes": chance.choice([[], [
                    {"at": self.at // 1000 + chance.randrange(-100_000, 100_000),
                     "utc_offset": chance.choice([-14400, 3600, 7200])}]])}

    def read(self, name):
        kept = json.dumps({"version": 1, "access_token": TOKEN, "refresh_token": "r",
                           "access_expires_at": self.at // 1000 + 100, "session": self.terms()})
        return {"event": name, **self.chance.choice([
            {"storage": "absent"}, {"storage": "unavailable"}, {"storage": "value", "value": kept},
            {"storage": "value", "value": "{"},
            {"storage": "locked",
             "account_summary": '{"version":1,"name":"Tess É","organization":"north"}'},
            {"storage": "value", "value": '{"version":1,"revoke":"r"}'}]),
            "last_seen": self.chance.choice([None, "{", self.seen()]),
            "username": self.chance.choice([None, "tech@example.com", "+919812345678", "é"])}

    def shelf(self):
        return {"event": "offline_copy_read", "storage": self.chance.choice(
            ["absent", "absent", "value", "damaged", "unavailable"]), "keys": ["head"],
            "texts": ["{"]}

    def seen(self):
        ago = self.chance.choice([0, 100_000, 400_000, 4_000_000, -60_000])
        sighting = {"device": self.at - ago, "server": self.at - ago + 500}
        return json.dumps({"version": 1, "shown": sighting, "used": sighting})

    def answered(self, answer):
        if not self.calls:
            return {"event": "ticked"}
        # Mostly the newest request, because an older one is often replaced. The request for news of
        # the session waits all the time.
        newest = max(range(len(self.calls)), key=lambda number: (
            not self.calls[number]["path"].startswith(("/api/session/events", "/apps/")), number))
        some = self.chance.randrange(len(self.calls))
        call = self.calls.pop(self.chance.choice([newest, newest, some]))
        status, body = answer(call)
        return {"event": "answered", "request": call["request"], "status": status, "body": body,
                "date": self.at // 1000 + self.chance.choice([0, 0, 0, -1, 7200])}

    def success(self, call):
        now = self.at // 1000
        if call["path"].startswith("/admin/"):
            return self.administration_answer(call["path"], call["method"])
        if call["path"].startswith("/api/session/events"):
            return 200, {"version": f"v{now // 1000}", "session": self.terms()}
        if call["path"] == "/api/activities":
            return 200, {"activities": [
                self.activity(number) for number in range(self.chance.randrange(5))],
                "lease": self.lease("activities")}
        if call["path"].startswith("/api/activities/"):
            return 200, self.activity(1)
        if call["path"] == "/api/sessions":
            return 200, {"sessions": [
                {"id": str(number), "client_id": self.app, "started_at": now - 90_000,
                 "last_used_at": now - self.chance.choice([60, 90_000]), "current": number == 1}
                for number in range(4)]}
        if call["path"].startswith("/api/sessions/"):
            return 204, None
        if call["path"] == "/api/jobs":
            return 200, {"jobs": [self.job(number) for number in range(self.chance.randrange(5))],
                         "lease": self.lease("jobs")}
        if call["path"] == "/api/dashboard":
            return 200, {"day_at": now, "deliveries": [
                self.delivery(number) for number in range(self.chance.randrange(5))],
                "summary": {"total": 4, "delivered": 1, "failed": 1, "remaining": 2},
                "lease": self.lease("dashboard")}
        if call["path"].split("?")[0] == "/api/products":
            return 200, {"products": [self.product(n) for n in range(self.chance.randrange(40))],
                         "removed": self.chance.choice([[], ["p2"]]), "cursor": f"c{now}",
                         "complete": self.chance.random() < 0.8, "synced_at": now,
                         "lease": self.lease("products")}
        if call["path"] in ("/api/service-requests", "/api/products/p0/transfer"):
            return 201, {"id": "r1", "product_id": "p1", "product_name": "Kettle",
                         "account": "a", "description": "It hums.", "created_at": now,
                         "to": "new-owner@example.com", "transferred_at": now}
        if call["path"].startswith("/apps/"):
            return 200, {"client_id": self.app, "name": "Riders",
                         "default_country": self.chance.choice(["+91", "+47", "+1", "no"])}
        if call["path"] == "/livez":
            return 200, "alive\n"
        if call["path"] == "/api/me":
            return 200, {"id": "a", "name": "Tess É Technician", "phone": "***-***-1234",
                         "role": "technician", "organizations": [], "session": self.terms(),
                         "permissions": [{"level": "administrator"}]}
        if call["path"] == "/oauth/token":
            return 200, {"access_token": TOKEN, "token_type": "DPoP", "expires_in": 300,
                         "refresh_token": f"r{now}", "session": self.terms()}
        if call["path"] == "/accounts":
            sent = {"status": "code_sent", "registration_session": "s", "challenge": self.prompt()}
            return 202, self.chance.choice([{"status": "pending"}, sent])
        if call["path"] == "/accounts/verify":
            return 200, {"status": self.chance.choice(["pending", "active"])}
        if call["path"] == "/password/reset":
            return 204, None
        if call["path"] == "/password/forgot":
            return 200, {"reset_session": "s", "challenge": self.prompt()}
        asks_status = "status=true" in call["form"]
        if "otp=" in call["form"] and not asks_status:
            return 200, {"authorization_code": "ac"}
        return 403, {"error": "insufficient_authorization", "auth_session": "s",
                     "challenge": self.prompt() | (self.delivered() if asks_status else {})}

    def administration_answer(self, path, method):
        now, some = self.at // 1000, range(self.chance.randrange(4))
        cursor = self.chance.choice([{}, {"cursor": "next"}])
        if method == "DELETE":
            return 204, None
        if path == "/admin/overview":
            counts = self.chance.choice([{}, {"sign_ins": 3, "failures": 1200, "locks": 1}])
            return 200, {
                "days": [{"day": f"2026-11-{number + 1:02}", **counts} for number in some],
                "open_sessions": 12, "pending_accounts": 1, "locked_accounts": 0,
                "failed_messages": 2, **self.chance.choice([{}, {"organizations": ["north"]}])}
        if path.endswith("/sessions"):
            return 200, {"sessions": [
                {"id": f"s{number}", "client_id": "rider-app", "amr": ["otp"], "started_at": now,
                 "last_used_at": now, "expires_at": now + 60, "current": False}
                for number in some]}
        if path.startswith("/admin/accounts/"):
            return 200, self.account(0)
        if path.startswith("/admin/accounts"):
            if method == "POST":
                return 201, self.account(9)
            return 200, {"accounts": [self.account(number) for number in some], **cursor}
        if path.startswith("/admin/products/"):
            return 200, {**self.product(0), "account": "a1"}
        if path.startswith("/admin/products"):
            holder = self.chance.choice([{"owner": "a0"}, {"awaiting": "new-owner@example.com"}])
            return 200, {"products": [{**self.product(number), "created_at": now, **holder}
                                      for number in some], **cursor}
        if path.startswith("/admin/service-requests"):
            return 200, {"service_requests": [
                {"id": f"r{number}", "product_id": "p0", "product_name": "Kettle é", "account": "a0",
                 "description": "It hums. " * 9, "created_at": now} for number in some], **cursor}
        if path.startswith("/admin/events"):
            return 200, {"events": [
                {"sequence": number, "at": self.at, "account": f"a{number}", "detail": "a1 é",
                 "code": self.chance.choice(["sign_in.locked", "account.changed", "é"])}
                for number in some], **cursor}
        if path.startswith("/admin/messages"):
            return 200, {"messages": [
                {"id": f"m{number}", "to": "***-***-1234", "tries": number, "created_at": now,
                 "state": self.chance.choice(["waiting", "handed_over", "failed", "unheard_of"]),
                 "expires_at": now + 300} for number in some], **cursor}
        if path.startswith("/admin/organizations"):
            return 200, {"organizations": [
                {"id": "north", "name": "North é", "changes": {},
                 "policy": self.chance.choice([{}, {"code": {"digits": 8, "life_seconds": 60}}])}]}
        if "/policy" in path:
            return 200, self.sheet("organization" in path)
        return 200, {"clients": [
            {"id": "rider-app", "name": "Riders", "disclosure": "disclosed",
             "lockout": {"failures": 5, "lock_seconds": 900},
             "code": {"digits": 6, "life_seconds": 300, "resend_seconds": 1},
             "messages": {"per_number_per_hour": 5}, "session_seconds": 86400,
             "idle_seconds": 3601, "background_seconds": 0, "changes": {"unlock": "none"}}]}

    def sheet(self, is_organization):
        chance = self.chance

        def value(key, value, form, **more):
            return {"key": key, "value": value, "form": form, "configured": value,
                    "own": chance.choice([None, value]) if is_organization else None,
                    "source": chance.choice(["standard", "configuration", "changed", "client"]),
                    "changed": chance.random() < 0.6, **more}
        return {"client": "rider-app", "client_name": "Riders", "tag": f"t{self.at}",
                **({"organization": {"id": "north", "name": "North é"}} if is_organization else {}),
                "values": [
                    value("lockout.failures", chance.randrange(3, 20), "number",
                          minimum=3, maximum=20),
                    value("code.life_seconds", 300, "number", minimum=60, maximum=600),
                    value("messages.minimum_conversion_percent", 10, "number", minimum=0,
                          maximum=100),
                    value("countries", chance.choice([None, ["+91"]]), "calling_codes"),
                    value("texts.sign_in", chance.choice([None, "{code} é 🌱"]), "message"),
                    value("unlock", "biometric", "choice", choices=["none", "biometric"]),
                    value("unheard.of", 1, "number", minimum=0, maximum=2)]}

    def account(self, number):
        now, chance = self.at // 1000, self.chance
        locked = chance.choice([{}, {"locked_until": now + 900}])
        return {"id": f"a{number}", "name": f"Tess É {number}", "phone_number": "+4790000001",
                "email": "tess@example.com", "role": chance.choice(["technician", "rider", "odd"]),
                "status": chance.choice(["active", "pending", "deactivated", "rejected", "odd"]),
                "organizations": ["north", "south"][:number % 3], "has_password": number == 0,
                "failures_in_row": number, "locked_devices": number, "created_at": now, **locked}

    def prompt(self):
        now = self.at // 1000
        return {"destination": "***-***-1234", "digits": 6, "expires_at": now + 300,
                "resend_at": now + 60, "attempts_left": 5}

    def delivered(self):
        return {"channel": self.chance.choice(["sms", "voice"]),
                "channels": self.chance.choice([["sms"], ["sms", "voice"]]),
                "resend_at": self.at // 1000 + self.chance.choice([0, 60]),
                "delivery": self.chance.choice(
                    ["sending", "sent", "delayed", "delivered", "failed", "unheard_of"])}

    def failure(self, _):
        return (self.chance.choice([400, 401, 403, 429, 503]),
                self.refusal(self.chance.choice(ERRORS)))

    def refusal(self, error):
        now = self.at // 1000
        return {
            "error": error, "attempts_left": self.chance.randrange(4),
            "locked_until": now + 900, "retry_in": self.chance.randrange(200),
            "resend_at": now + 60, "auth_session": "t",
            "superseded": self.chance.choice([True, False]),
            "reason": self.chance.choice(["revoked", "another_device"])}

    def job(self, number):
        start = self.at // 1000 + self.chance.randrange(-200_000, 200_000)
        return {"id": f"j{number}", "title": f"Job {number}", "customer": "A. Larsen",
                "place": "Fjellveien 48", "starts_at": start, "ends_at": start + 3600,
                "status": self.chance.choice(STATUSES)}

    def product(self, number):
        day = self.chance.choice([None, "2023-11-14", "2023-12-01", "2031-02-28"])
        names = ["Kettle", "Ærlig", "चाय", "tess"]
        return {"id": f"p{number}", "name": self.chance.choice(names), "model": f"M-{number}",
                "serial_number": f"SN {number}", "category": "Kitchen",
                "warranty_provider": self.chance.choice([None, "Acme é"]), "purchased_on": day,
                "warranty_expires_on": day, "status": "active"}

    def lease(self, shelf):
        now = self.at // 1000
        claims = {"iss": "http://127.0.0.1", "sub": "a", "aud": self.app, "org": "north",
                  "shelf": shelf, "sid": "s", "iat": now, "exp": now + 86400}
        return token("offline-lease+jwt", claims)

    def activity(self, number):
        start = self.at // 1000 + self.chance.randrange(-200_000, 200_000)
        return {"id": str(number), "title": "Walk", "starts_at": start, "ends_at": start + 3600,
                "place": "Frogner", "with": "Ola N.", "notes": self.chance.choice(["", "é 🌱"]),
                "status": self.chance.choice(["planned", "held", "cancelled", "unheard_of"])}

    def delivery(self, number):
        start = self.at // 1000 + self.chance.randrange(-40_000, 40_000)
        return {"id": f"d{number}", "recipient": "Anita Rao", "place": "14 MG Road",
                "parcels": self.chance.randrange(1, 4), "starts_at": start,
                "ends_at": start + 3600, "status": self.chance.choice(
                    ["assigned", "picked_up", "delivered", "failed", "unheard_of"])}

    def terms(self):
        return {"id": "s", "expires_at": self.at // 1000 + 86400, "idle_timeout": 3600,
                "background_timeout": 300, "organization": "north",
                "unlock": "biometric" if self.chance.random() < 0.1 else "none"}
