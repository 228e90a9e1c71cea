"""Counting tokens and money, and keeping one policy call within what it may use."""

import time
from dataclasses import dataclass, field

from policy.endpoints import Endpoint
from policy.errors import OutOfAllowanceError
from policy.protocol import Allowance, Usage

BYTES_PER_TOKEN = 3.0
"""English has about 4.5 bytes a token and Vietnamese 3.2; 3 errs on the safe side for both."""
LEAST_REPLY = 48
"""Tokens: with less room a reply can only be cut off."""


def estimate_tokens(text: str) -> int:
    """How many tokens a text has at most in practice, without the model's vocabulary."""
    return int(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN) + 1


@dataclass
class Meter:
    """What one policy call has used so far, against its allowance."""

    allowance: Allowance = field(default_factory=Allowance)
    begun: float = field(default_factory=time.monotonic)
    input_tokens: int = 0
    output_tokens: int = 0
    money: float = 0.0
    calls: int = 0
    one_token_calls: int = 0
    estimated: bool = False
    model: str = ""

    def reserve(
        self, endpoint: Endpoint, input_tokens: int, wanted: int, *, one: bool = False
    ) -> int:
        """How many tokens the next reply may have, at most `wanted`.

        A request for `one` token is no call. Raises OutOfAllowanceError where the request, or a
        useful reply, does not fit.
        """
        if not one and self.calls + 1 > self.allowance.calls:
            raise OutOfAllowanceError("no model call is left in the budget")
        if self.seconds_left() <= 0:
            raise OutOfAllowanceError("no time is left in the budget")
        left = self.allowance.tokens - self.input_tokens - self.output_tokens - input_tokens
        if left < min(wanted, LEAST_REPLY):
            raise OutOfAllowanceError("too few tokens are left in the budget")
        money = self.allowance.money - self.money - price(endpoint, input_tokens, 0)
        affordable = money * 1_000_000 / endpoint.price[1] if endpoint.price[1] else float("inf")
        if money < 0 or affordable < min(wanted, LEAST_REPLY):
            raise OutOfAllowanceError("too little money is left in the budget")
        return int(min(wanted, left, affordable))

    def seconds_left(self) -> float:
        """Seconds that the next request may take."""
        return self.allowance.seconds - (time.monotonic() - self.begun)

    def add(
        self, endpoint: Endpoint, tokens: tuple[int, int], *, estimated: bool, one: bool
    ) -> None:
        """Count one answered request of (input, output) tokens."""
        self.input_tokens += tokens[0]
        self.output_tokens += tokens[1]
        self.money += price(endpoint, *tokens)
        self.estimated = self.estimated or estimated
        self.calls += not one
        self.one_token_calls += one
        self.model = endpoint.model

    def usage(self) -> Usage:
        """The sum, as the ledger keeps it."""
        return {
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "money": round(self.money, 8),
            "estimated": self.estimated,
            "calls": self.calls,
            "one_token_calls": self.one_token_calls,
            "model": self.model,
        }


def price(endpoint: Endpoint, input_tokens: int, output_tokens: int) -> float:
    """What so many tokens cost at an endpoint."""
    into, out = endpoint.price
    return (input_tokens * into + output_tokens * out) / 1_000_000
