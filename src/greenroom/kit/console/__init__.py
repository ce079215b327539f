"""Pieces of pages: elements, words, drawings, and the stage on which a stream is played.

How a world's page is written
=============================

A world is playable at once: without a page of its own it gets the plain one, which offers whatever is legal. A page of
its own is a face: a module ``faces/console.py`` in the world's own folder, named by its plug-in as
``console="<package>.faces.console:PAGE"``. Every folder of a shipped world has one to copy, and ``greenroom new`` makes
another.

1. ``PAGE = WorldPage(world=…, title=…, sentence=…, picture=…, seat=…, find=…, play=…)``. Home makes the
   world's card of it. ``find(house)`` gives the stream that one click on "play" leads to (``go_on_or_begin`` of
   ``greenroom.kit.numbered`` does for most worlds); ``play(scene)`` builds the page of one stream, at
   ``/play/<world>?stream=<name>``. Where people have to choose something first, ``lobby(lobby)`` builds the page at
   ``/play/<world>`` instead.
2. ``play`` lays out the page with the pieces of ``parts`` and then calls ``await scene.follow(tell=…, see=…)``:
   ``tell(event)`` is called once for every event that the seat may see, in order, past and future, whoever caused it
   and in whatever process; ``see(look, legal)`` is called after each batch with what the seat sees and what it may do.
   Draw from these two and from nothing else, and two browsers always show the same, before and after a lost
   connection. Both are plain functions and only make or change elements.
3. Commands go out with ``await scene.send(kind, fields, key)``. Inside a ``parts.form`` the key is given: pressing the
   button again after a broken connection sends the same key, so nothing is done twice. A refusal is said on the page.
   Do not draw the reply; it comes back through ``tell`` like everything else.
4. Link a reply to ``addresses.why(stream, version)`` and the page to ``addresses.stream(stream)``.
5. Colours, type and spacing are the variables and classes of the console's own style sheet. Rules of the world stand
   under ``.world-<name>``, in the folder that ``WorldPage(static=…)`` names: its style sheets and scripts are loaded
   with every page. Every field has a label, every control works by keyboard, and the page fits 390 pixels.
6. Show it in a test, and look at it: wide and narrow, light and dark.

Nothing is registered by importing it: the plug-in names the page, and the console makes the routes.
"""
