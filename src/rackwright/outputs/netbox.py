"""Device types and module types as YAML: one document a type, as NetBox imports them in one go.

A file begins with `---`, by which NetBox recognises YAML. Texts that YAML would read as something else are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rackwright.proposal.netbox import NetboxTypes

_NO_CHARACTER = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]+")


def write_device_types(types: NetboxTypes) -> bytes:
    """Return the device types."""
    return _written(types.devices)


def write_module_types(types: NetboxTypes) -> bytes:
    """Return the module types."""
    return _written(types.modules)


def _written(records: Sequence[dict[str, Any]]) -> bytes:
    import yaml

    if not records:
        return b"--- []\n"
    text = yaml.safe_dump_all(
        [_clean(record) for record in records],
        explicit_start=True,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=120,
    )
    return text.encode()


def _clean(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _clean(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(inner) for inner in value]
    return _NO_CHARACTER.sub(" ", value).strip() if isinstance(value, str) else value
