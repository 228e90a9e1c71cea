"""Checking values against a JSON schema that somebody else wrote."""

from typing import Any

Json = dict[str, Any]
_UNUSABLE = "the schema cannot be used"
_WITH_PATTERNS = ("pattern", "patternProperties", "additionalProperties", "unevaluatedProperties")
"""Rules that try regular expressions; unknown arguments are refused elsewhere."""

_MOST_REFERENCES = 1_000
_MOST = 200_000
"""Characters of a value: a schema can make the check of a large one take for ever."""


def complaint(value: Any, schema: Json) -> str:
    """What does not fit, in words; "" where all does.

    Regular expressions of the schema are not tried, since one can be made to run for ever, and
    no reference is followed out of the schema. A schema that is none fits nothing.
    """
    from jsonschema.exceptions import SchemaError
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    if len(str(value)) > _MOST:
        return "it is too large"
    validator = _validator()
    try:
        validator.check_schema(schema)
        registry: Registry[Any] = Registry()
        found = next(validator(schema, registry=registry).iter_errors(value), None)
    except (SchemaError, Unresolvable, RecursionError, ValueError, TypeError) as error:
        return f"{_UNUSABLE} ({type(error).__name__})"
    if found is None:
        return ""
    where = ".".join(str(part) for part in found.absolute_path)
    return f"{where}: {found.message}"[:200] if where else found.message[:200]


def takes_arguments(schema: Json) -> bool:
    """Whether a schema is one, and of an object whose fields can be told."""
    fields, required = schema.get("properties", {}), schema.get("required", [])
    return (
        isinstance(fields, dict)
        and isinstance(required, list)
        and all(isinstance(one, str) for one in required)
        and not complaint({}, {**schema, "required": []}).startswith(_UNUSABLE)
    )


def _validator() -> Any:
    """The rules of JSON schema but those with regular expressions; references are counted."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    followed = iter(range(_MOST_REFERENCES))

    def reference(rule: str) -> Any:
        follow = Draft202012Validator.VALIDATORS[rule]

        def counted(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
            if next(followed, None) is None:
                raise RecursionError
            return follow(validator, value, instance, schema)

        return counted

    rules = {rule: reference(rule) for rule in ("$ref", "$dynamicRef")}
    return extend(Draft202012Validator, {**rules, **dict.fromkeys(_WITH_PATTERNS, _anything)})


def _anything(validator: Any, rule: Any, value: Any, schema: Any) -> None:
    """A rule that lets everything through."""
