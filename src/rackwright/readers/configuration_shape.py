"""The records of a configuration as pydantic models: to explain what is wrong with a file, and for its JSON Schema.

Built from the dataclasses when they are needed, so that types and limits are kept once and a file without faults never
pays for pydantic.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model

from rackwright.limits import Limits


@cache
def model_of(kind: Any) -> type[BaseModel]:
    """Return the pydantic model of a dataclass whose limits are annotations; unknown keys are refused."""
    fields: dict[str, Any] = {field.name: (_shape(field.type), _field(field)) for field in dataclasses.fields(kind)}
    config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)
    return create_model(kind.__name__, __config__=config, __doc__=kind.__doc__, __module__=kind.__module__, **fields)


def _field(field: Any) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return Field(default_factory=field.default_factory, **field.metadata)
    if field.default is dataclasses.MISSING:
        return Field(**field.metadata)
    is_record = dataclasses.is_dataclass(field.default)
    default = _model_of(type(field.default))() if is_record else field.default  # such records say nothing themselves
    return Field(default, **field.metadata)


def _limit(limit: Any) -> Any:
    if isinstance(limit, Limits):
        return Field(**{name: value for name, value in limit._asdict().items() if value is not None})
    return AfterValidator(limit)


def _shape(hint: Any) -> Any:
    """Return an annotation with pydantic's limits in place of ours, and models in place of dataclasses."""
    if dataclasses.is_dataclass(hint):
        return _model_of(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[(_shape(arguments[0]), *map(_limit, arguments[1:]))]
    if origin is Literal:
        return hint
    if origin in (Union, UnionType):
        return Union[tuple(_shape(member) for member in arguments)]  # noqa: UP007 - its members are known at run time
    if origin is not None:
        return origin[tuple(_shape(member) for member in arguments)]
    return hint


def _model_of(kind: Any) -> type[BaseModel]:
    return model_of(kind)
