"""Who may read what. The identity comes from the run's context, never from a model."""

from dataclasses import dataclass

from state.text import nfc

Access = tuple[str, ...] | None
"""Names of the users and groups that may read a document; None is everybody, () nobody."""


@dataclass(frozen=True)
class Identity:
    """Who asks. Without a user and groups only documents open to everybody are seen."""

    user: str | None = None
    groups: frozenset[str] = frozenset()

    def names(self) -> frozenset[str]:
        """The names, in NFC and never empty, under which it can stand in an access list."""
        return frozenset(nfc(name) for name in {*self.groups, self.user or ""} if name)


def may_read(identity: Identity, access: Access) -> bool:
    """Whether the identity, or one of its groups, is let in by an access list."""
    return access is None or not identity.names().isdisjoint(access)
