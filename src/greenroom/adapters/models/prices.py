"""What calls cost, in micro-dollars rounded up: from the settings, else from the price list that is installed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Protocol, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsage:
    """Tokens of one call. Those read from a cache and written to it are part of the input."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0


#: Micro-dollars of a usage.
Pricing: TypeAlias = Callable[[TokenUsage], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Dollars for a million tokens, which is micro-dollars for one. Cached tokens count as any input."""

    input: float
    output: float

    def __call__(self, usage: TokenUsage) -> int:
        dollars = Decimal(str(self.input)) * usage.input_tokens + Decimal(str(self.output)) * usage.output_tokens
        return int(dollars.to_integral_value(ROUND_CEILING))


class _Priced(Protocol):
    total_price: Decimal


def listed(provider: str, model: str) -> Pricing | None:
    """The price of a model in the installed list; None when it is not there."""
    from genai_prices import Usage as Listed  # noqa: PLC0415  comes with the extra `models`
    from genai_prices import calc_price  # noqa: PLC0415

    def price(usage: TokenUsage) -> int:
        used = Listed(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_read_tokens=usage.cached_tokens,
            cache_write_tokens=usage.written_tokens,
        )
        priced: _Priced = calc_price(used, model, provider_id=provider)
        return int((priced.total_price * 1_000_000).to_integral_value(ROUND_CEILING))

    try:
        price(TokenUsage(input_tokens=1, output_tokens=1))
    except LookupError:
        return None
    return price


def free(usage: TokenUsage) -> int:
    """For models whose price nobody gave and no list knows: a model on this machine, say."""
    return 0
