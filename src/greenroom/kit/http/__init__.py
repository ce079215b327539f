"""Pieces of routes: who asks, what is given and told, how errors are answered, how turns are waited for.

How a world's routes are written
================================

They are a face: a module ``faces/http.py`` in the world's own folder, named by its plug-in as
``http="<package>.faces.http:routes"``. Every folder of a shipped world has one to copy, and ``greenroom new`` makes
another.

1. ``routes = APIRouter(prefix="/<world>", tags=[NAME])``. All paths begin with one prefix. If it is taken, or the
   module cannot be imported, the routes are left out and ``greenroom worlds`` says why. A house without the world has
   no routes of it.
2. A route finds the house by a parameter ``house: TheHouse``. What else belongs to the server hangs on
   ``request.app.state``: ``door``, ``patience``, ``live``, ``settings``. The world's own settings are
   ``house.settings(NAME, <Model>)``.
3. A route says who may call it by a parameter, all from ``access``:

   * ``place: Entered`` – with ``{name}`` in the path: the stream, for the operator and for whoever holds a ticket
     to it. ``place.stream`` is its row, ``place.seat`` where the caller sits, ``place.caller`` who it is. A player is
     told the same of another's stream and of one that is not there (404).
   * ``place: Acting`` – the same for routes that give a command: quicker, and ``place.stream`` may be a moment old.
   * ``place: OperatorEntered`` – the same for the operator alone.
   * ``caller: Operator``, ``caller: Guest`` (anybody with a ticket), ``caller: Anybody`` (strangers too; call
     ``door.begins(request, caller)`` where somebody can begin something).

   Where the stream is known in another way than by ``{name}``, call ``await entered(house, caller, stream)``. A route
   without any of these is open to the whole network: there should be none but webhooks.
4. A stream may be of another world: answer ``Unknown`` unless ``place.stream.world`` is yours.
5. Commands go out with ``status, told = await give(house, patience, place, kind, fields, seat=…, key=key)`` from
   ``turns`` and ``return answer(told, status)``: 200 with the reply, 202 when the turn takes longer than ten seconds.
   Take ``key: Key = None`` from ``records``, so that callers can repeat themselves.
6. Errors are raised, never answered: whatever is in ``greenroom.kernel.errors`` becomes problem+json with its own
   status. Name those a route may raise in ``responses=``: ``CHANGE``, ``STREAM``, ``ADMITTED``, ``ALWAYS`` from
   ``problems``, or ``documented(…)``; with ``200: {"model": …}`` for what it answers.
7. Bodies are subclasses of ``RequestBody`` (strict, nothing unknown), answers of ``ResponseBody``; both in
   ``records``. Numbers in paths and queries have ``ge`` and ``le``, texts a length. Return ``answer(data)``; the model
   only documents it.
8. Guests get in with ``house.access.issue_player(…)``: a ticket to one stream, or to all of an owner's. Its text is
   told once; only a digest is stored; forgetting the owner removes it.
9. Webhooks: ``webhooks`` checks signatures (HMAC, Twilio) on the body as it came; refuse with ``Forbidden``.

Of the shipped worlds, ``tests/entrypoints/http/test_access.py`` tries every route with somebody else's ticket and with
none, and ``make api-test`` fails at a status that is not documented; a new route is tried without being named there.
"""
