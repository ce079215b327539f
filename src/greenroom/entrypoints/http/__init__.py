"""The house over HTTP. ``create(house, settings)`` makes the application; ``serve`` runs it with worker and console.

How a world adds its routes
===========================

They are ``faces/http.py`` of its package, named as ``http`` in its plug-in. ``greenroom new`` makes some to copy:

1. ``routes = APIRouter(prefix="/<world>", tags=[…])``: all addresses begin with one word that is nobody else's. A house
   without the world gets no routes of it.
2. A route finds the house by a parameter ``house: TheHouse``. What else belongs to the server hangs on
   ``request.app.state``: ``door``, ``patience``, ``live``, ``settings``.
3. A route says who may call it by a parameter, all from ``access.py``:

   * ``place: Entered`` – with ``{name}`` in the path: the stream, for the operator and for whoever holds a ticket
     to it. ``place.stream`` is its row, ``place.seat`` where the caller sits, ``place.caller`` who it is. A player is
     told the same of another's stream and of one that is not there (404).
   * ``place: Acting`` – the same for routes that give a command: quicker, and ``place.stream`` may be a moment old.
   * ``place: OperatorEntered`` – the same for the operator alone.
   * ``caller: Operator``, ``caller: Guest`` (anybody with a ticket), ``caller: Anybody`` (strangers too; call
     ``door.rates.stranger(address(request))`` where a stranger can begin something).

   Where the stream is known in another way than by ``{name}``, call ``await entered(house, caller, stream)``. A route
   without any of these is open to the whole network: there should be none but webhooks.
4. Commands go out with ``status, told = await give(house, patience, place, kind, fields, seat=…, key=key)`` and
   ``return answer(told, status)``: 200 with the reply, 202 when the turn takes longer than ten seconds. Take
   ``key: Key = None`` from ``streams.py``, so that callers can repeat themselves.
5. Errors are raised, never answered: whatever is in ``kernel/errors.py`` becomes problem+json with its own status.
   Name those a route may raise in ``responses=``: ``CHANGE``, ``STREAM``, ``ADMITTED``, ``ALWAYS`` from
   ``problems.py``, or ``documented(…)``; with ``200: {"model": …}`` for what it answers. An undocumented status fails
   ``make api-test``.
6. Bodies are subclasses of ``Given`` (strict, nothing unknown), answers of ``Told``; both in ``records.py``. Numbers in
   paths and queries have ``ge`` and ``le``, texts a length. Return ``answer(data)``; the model only documents it.
7. Guests get in with ``issue_player`` of ``services/access.py``: a ticket to one stream, or to all of an owner's. Its
   text is told once; only a digest is stored; forgetting the owner removes it.
8. Webhooks: ``webhooks.py`` checks signatures (HMAC, Twilio) on the body as it came; refuse with ``Forbidden``.

``tests/entrypoints/http/test_access.py`` tries every route of the application with somebody else's ticket and with
none; a new route is tried without being named there.
"""

from __future__ import annotations

from greenroom.entrypoints.http.app import create

__all__ = ["create"]
