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
        """The names under which this identity can stand in an access list."""
        names = self.groups | {self.user} if self.user else self.groups
        return frozenset(map(nfc, names))


def may_read(identity: Identity, access: Access) -> bool:
    """Whether the identity, or one of its groups, is let in by an access list."""
    return access is None or not identity.names().isdisjoint(access)
