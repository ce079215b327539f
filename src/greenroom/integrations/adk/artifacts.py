"""Files of ADK agents in a house."""

from __future__ import annotations

from typing import Any

from google.adk.artifacts import artifact_util
from google.adk.artifacts.base_artifact_service import ArtifactVersion, BaseArtifactService, ensure_part
from google.adk.errors.input_validation_error import InputValidationError
from google.adk.platform import time as platform_time
from google.genai import types
from pydantic_core import to_jsonable_python

from greenroom.ports import AgentFile, FileKey
from greenroom.services.house import House

#: What the name of a file begins with that a user has in every session.
USER = "user:"
#: How many references to other artifacts are followed.
MOST_REFERENCES = 5


class HouseArtifactService(BaseArtifactService):  # type: ignore[misc]
    """ADK's artifact service on the database of a house.

    A file is the user's own, in every session, if its name begins with ``user:`` or no session is given; it is listed
    with that beginning.
    """

    def __init__(self, house: House) -> None:
        self._files = house.agents.files

    async def save_artifact(
        self,
        *,
        app_name: str,
        user_id: str,
        filename: str,
        artifact: types.Part | dict[str, Any],
        session_id: str | None = None,
        custom_metadata: dict[str, Any] | None = None,
    ) -> int:
        """Keep a new version of a file; returns its number, 0 for the first."""
        key = _key(app_name, user_id, filename, session_id)
        part = ensure_part(artifact)
        file = AgentFile(
            at=float(platform_time.get_time()),
            mime=_mime(part, key),
            meta=to_jsonable_python(custom_metadata or {}, serialize_unknown=True),
            part=_without_bytes(part).model_dump_json(exclude_none=True),
            data=part.inline_data.data if part.inline_data else None,
        )
        return await self._files.save(key, file)

    async def load_artifact(
        self,
        *,
        app_name: str,
        user_id: str,
        filename: str,
        session_id: str | None = None,
        version: int | None = None,
    ) -> types.Part | None:
        """A version of a file, or its newest; None if there is none, or nothing in it."""
        key = _key(app_name, user_id, filename, session_id)
        for _ in range(MOST_REFERENCES + 1):
            found = await self._files.load(key, version)
            part = None if found is None else _part(found)
            if part is None or part.file_data is None or not artifact_util.is_artifact_ref(part):
                return part
            key, version = _followed(key, str(part.file_data.file_uri))
        raise InputValidationError(f"More than {MOST_REFERENCES} references lead from {filename} to nowhere.")

    async def list_artifact_keys(self, *, app_name: str, user_id: str, session_id: str | None = None) -> list[str]:
        """The names of a user's files, and with a session of the files in it, in order."""
        key = _key(app_name, user_id, USER, session_id)
        own = await self._files.names(key.app, key.user, "")
        if session_id is None:
            return list(own)
        artifact_util.validate_path_segment(session_id, "session_id")
        return sorted([*own, *await self._files.names(key.app, key.user, session_id)])

    async def delete_artifact(
        self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None
    ) -> None:
        """Remove a file with all its versions."""
        await self._files.remove(_key(app_name, user_id, filename, session_id))

    async def list_versions(
        self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None
    ) -> list[int]:
        """The numbers of a file's versions."""
        found = await self._files.versions(_key(app_name, user_id, filename, session_id))
        return [file.version for file in found]

    async def list_artifact_versions(
        self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None
    ) -> list[ArtifactVersion]:
        """What is known of each version of a file."""
        key = _key(app_name, user_id, filename, session_id)
        return [_described(key, file) for file in await self._files.versions(key)]

    async def get_artifact_version(
        self,
        *,
        app_name: str,
        user_id: str,
        filename: str,
        session_id: str | None = None,
        version: int | None = None,
    ) -> ArtifactVersion | None:
        """What is known of one version of a file, or of its newest."""
        key = _key(app_name, user_id, filename, session_id)
        found = await self._files.load(key, version)
        return None if found is None else _described(key, found)


def _key(app: str, user: str, name: str, session: str | None) -> FileKey:
    artifact_util.validate_path_segment(app, "app_name")
    artifact_util.validate_path_segment(user, "user_id")
    if session is None or name.startswith(USER):
        return FileKey(app, user, "", USER + name.removeprefix(USER))
    artifact_util.validate_path_segment(session, "session_id")
    return FileKey(app, user, session, name)


def _mime(part: types.Part, key: FileKey) -> str | None:
    """What sort of file it is; a reference to another is known by that one."""
    if part.inline_data is not None:
        return part.inline_data.mime_type
    if part.text is not None:
        return "text/plain"
    if part.file_data is None:
        raise InputValidationError("An artifact is text, bytes or the address of a file.")
    if artifact_util.is_artifact_ref(part):
        _followed(key, str(part.file_data.file_uri))
        return None
    return part.file_data.mime_type


def _followed(key: FileKey, address: str) -> tuple[FileKey, int]:
    """What a reference names; nobody's may lead out of what its reader may read."""
    parsed = artifact_util.parse_artifact_uri(address)
    if parsed is None:
        raise InputValidationError(f"Invalid artifact reference URI: {address}")
    artifact_util.validate_artifact_reference_scope(
        app_name=key.app, user_id=key.user, session_id=key.session or None, parsed_uri=parsed
    )
    return _key(parsed.app_name, parsed.user_id, parsed.filename, parsed.session_id), parsed.version


def _without_bytes(part: types.Part) -> types.Part:
    if part.inline_data is None:
        return part
    return part.model_copy(update={"inline_data": part.inline_data.model_copy(update={"data": b""})})


def _part(file: AgentFile) -> types.Part | None:
    """The part as it was saved; None for an empty one, and for what a rewound session leaves in a file's place."""
    part = types.Part.model_validate_json(file.part)
    if part.inline_data is not None:
        part.inline_data.data = file.data
        if not file.data and part.inline_data.mime_type == "application/octet-stream":
            return None
    return None if part == types.Part() else part


def _described(key: FileKey, file: AgentFile) -> ArtifactVersion:
    place = f"sessions/{key.session}/" if key.session else ""
    address = f"greenroom://apps/{key.app}/users/{key.user}/{place}artifacts/{key.name}/versions/{file.version}"
    return ArtifactVersion(
        version=file.version,
        canonical_uri=address,
        custom_metadata=dict(file.meta),
        create_time=file.at,
        mime_type=file.mime,
    )
