"""Routes that anybody may call, and why. Whatever is not here wants a ticket and is tried without being named."""

from __future__ import annotations

OPEN = {
    ("GET", "/health"): "tells that the process answers",
    ("GET", "/ready"): "tells that the database answers",
    ("GET", "/docs"): "the description of the API",
    ("GET", "/openapi.json"): "the description of the API",
    ("GET", "/enter"): "a page that takes a ticket",
    ("POST", "/enter"): "takes a ticket and refuses a wrong one",
    ("POST", "/leave"): "puts one's own cookie away",
    ("GET", "/me"): "tells a caller who he is",
    # lighthouse
    ("POST", "/lighthouse/visits"): "anybody may begin a visit of his own",
    # phantom
    ("GET", "/phantom"): "the page on which people sign up",
    ("GET", "/phantom/inbox"): "a page without anything in it; what it shows wants a ticket",
    ("POST", "/phantom/players"): "anybody may sign up",
    ("POST", "/phantom/entry"): "asks for a code, sent to the address and nowhere else",
    ("POST", "/phantom/entry/code"): "the code is the ticket",
    ("GET", "/phantom/stop/{name}/{signature}"): "the signed link in every letter",
    ("POST", "/phantom/stop/{name}/{signature}"): "the signed link in every letter",
    ("POST", "/phantom/inbound/email"): "a webhook, signed",
    ("POST", "/phantom/inbound/sms"): "a webhook, signed",
    ("GET", "/phantom/access/{key}"): "the key is the ticket",
    ("POST", "/phantom/access/{key}/documents/{document}"): "the key is the ticket",
    # bar: a session id is a bearer of its own (ruling 19)
    ("GET", "/bar"): "the page for guests, with nothing of anybody's in it",
    ("GET", "/bar/page.css"): "a file of the page",
    ("GET", "/bar/page.js"): "a file of the page",
    ("GET", "/bar/visit"): "shows whoever has a guest's cookie that guest's own session",
    ("POST", "/bar/session/start"): "anybody may knock",
    ("POST", "/bar/message"): "the session id is the key",
    ("GET", "/bar/session/{id}/status"): "the session id is the key",
    ("GET", "/bar/session/{id}/messages"): "the session id is the key",
    ("POST", "/bar/session/end"): "the session id is the key",
    ("POST", "/bar/session/take_back"): "the session id is the key",
    ("POST", "/bar/mute"): "the session id is the key",
}
