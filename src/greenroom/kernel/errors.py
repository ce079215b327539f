"""Every error Greenroom raises on purpose; the branch of the tree is the policy.

GreenroomError
├── UsageError            the caller asked for something it may not have       → 4xx, exit 2
│   ├── Unknown           no such stream, world, attempt, letter or file       → 404
│   ├── NotInstalled      the package that brings the stream's world is absent → 501
│   ├── OutOfRange        a version outside what the stream holds              → 404
│   ├── Refused           the rules, or a unique table column, forbid it       → 422
│   ├── KeyReused         the same key came with another body                  → 409
│   ├── Malformed         input, content or an import file of the wrong form   → 422
│   ├── Forgotten         it was there and has been removed for good           → 410
│   ├── NotAdmitted       no ticket was shown, or none that this house knows   → 401
│   ├── Forbidden         the ticket does not open this, or the page is foreign → 403
│   ├── TooLarge          more bytes than are taken at once                    → 413
│   └── TooMany           more requests than are taken in this time            → 429
├── Conflict              somebody wrote first: reload and decide again        → 409, exit 4
│   └── LeaseLost         another worker holds the stream now                  → 409, exit 4
├── CorruptHistory        stored bytes and this code disagree: stop            → 500, exit 3
│   └── NewerSchema       the database was written by a newer Greenroom        → 500, exit 3
└── BackendError          the outside failed; the cause is in ``__cause__``    → 503, exit 5
    ├── DiskFull          no room to write; nothing was lost                   → 503, exit 5
    ├── ReadOnly          the database may not be written                      → 503, exit 5
    ├── Locked            another program holds the database                   → 503, exit 5
    └── TryLater          an ask cannot be answered yet; the turn is parked    → 503, exit 5
"""

from __future__ import annotations


class GreenroomError(Exception):
    """Anything Greenroom raises on purpose."""

    exit_code = 1
    status = 500


class UsageError(GreenroomError):
    """The caller asked for something it may not have; nothing was changed."""

    exit_code = 2
    status = 400


class Unknown(UsageError):
    """There is no such stream, world, attempt, letter or file."""

    status = 404


class NotInstalled(UsageError):
    """The stream is there; the package that brings its world is not installed here."""

    status = 501


class OutOfRange(UsageError):
    """The stream does not hold that version."""

    status = 404


class Refused(UsageError):
    """The rules forbid it; the attempt is recorded as refused and made no events."""

    status = 422


class KeyReused(UsageError):
    """This key was used before with another body."""

    status = 409


class Malformed(UsageError):
    """Input, a content file or an import file does not have the right form."""

    status = 422


class Forgotten(UsageError):
    """It was there and has been removed for good."""

    status = 410


class NotAdmitted(UsageError):
    """No ticket was shown, or none that this house knows."""

    status = 401


class Forbidden(UsageError):
    """The ticket that was shown does not open this, or a page of another site asks."""

    status = 403


class TooLarge(UsageError):
    """More bytes were sent than are taken at once."""

    status = 413


class TooMany(UsageError):
    """More was asked than is answered in this time."""

    status = 429

    def __init__(self, reason: str, *, seconds: float = 60.0) -> None:
        super().__init__(reason)
        self.seconds = seconds


class Conflict(GreenroomError):
    """Somebody wrote first: reload and decide again."""

    exit_code = 4
    status = 409


class LeaseLost(Conflict):
    """Another worker holds the stream now; nothing was written."""


class CorruptHistory(GreenroomError):
    """Stored bytes and this code disagree; nothing is written until a person has looked."""

    exit_code = 3


class NewerSchema(CorruptHistory):
    """The database was written by a newer Greenroom than this one."""


class BackendError(GreenroomError):
    """Something outside failed; the cause is chained."""

    exit_code = 5
    status = 503


class DiskFull(BackendError):
    """There is no room to write; nothing acknowledged was lost."""


class ReadOnly(BackendError):
    """The database may not be written."""


class Locked(BackendError):
    """Another program holds the database."""


class TryLater(BackendError):
    """An ask cannot be answered yet: the turn is parked and driven again."""

    def __init__(self, reason: str, *, seconds: float = 1.0) -> None:
        super().__init__(reason)
        self.seconds = seconds
