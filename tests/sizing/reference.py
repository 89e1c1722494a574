"""The reference rows, and the GPUs and models that they name."""

import csv
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from rackwright import api
from rackwright.catalog import Catalog
from rackwright.workloads.architecture import ModelSpec, find_model, spec_of
from rackwright.workloads.assumptions import Assumptions, assumptions_of
from rackwright.workloads.gpu import GpuSpec, gpu_spec, with_exchanges_of_like
from rackwright.workloads.memory import Serving, Split, pass_gib, serving_terms

DATA = Path(__file__).parent / "data"
GPUS = {
    "a10_24": "nvidia/a10",
    "a10g_24": "nvidia/a10",
    "a100_40": "nvidia/a100-pcie-40gb",
    "a100_80": "nvidia/a100-pcie-80gb",
    "a100_pcie_80": "nvidia/a100-pcie-80gb",
    "a100_sxm_80": "nvidia/a100-sxm4-80gb",
    "a40_48": "nvidia/a40",
    "b200_sxm_180": "nvidia/b200-sxm6-180gb",
    "b300_sxm_288": "nvidia/b300-sxm6",
    "h100_80": "nvidia/h100-sxm5-80gb",
    "h100_nvl_94": "nvidia/h100-nvl-94gb",
    "h100_pcie_80": "nvidia/h100-pcie-80gb",
    "h100_sxm_80": "nvidia/h100-sxm5-80gb",
    "h200_sxm_141": "nvidia/h200-sxm5-141gb",
    "h800_80": "nvidia/h100-sxm5-80gb",  # the same memory
    "l4_24": "nvidia/l4",
    "l40s_48": "nvidia/l40s",
    "mi300x_192": "amd/instinct-mi300x",
    "rtx_a6000_48": "nvidia/rtx-a6000",
    "rtx_pro_6000_se_96": "nvidia/rtx-pro-6000-blackwell-server",
    "v100_32": "nvidia/v100-pcie-32gb",
}
EXCHANGE_GIB = {1: 0.0, 2: 0.334, 4: 0.383, 8: 0.383}  # as the reference has it, see data/README.md
RUNTIME_GIB = 3.5


@cache
def workshop() -> api.Workshop:
    return api.load_workshop()


def catalog() -> Catalog:
    return workshop().catalog


@cache
def assumptions() -> Assumptions:
    return assumptions_of(workshop().ruleset.policies["default"].facts)


@cache
def gpu(name: str) -> GpuSpec:
    ratio = assumptions().vram_nominal_ratio
    every = [(gpu_spec(part, ratio), part.get("nvlink.link_gb_s")) for part in catalog().of_kind("gpu")]
    part = catalog().find(GPUS[name])
    assert part is not None, name
    return with_exchanges_of_like(gpu_spec(part, ratio), part.get("nvlink.link_gb_s"), every)


@cache
def model(name: str) -> ModelSpec:
    part = find_model(catalog(), name)
    assert part is not None, name
    spec = spec_of(part)
    assert spec is not None, name
    return spec


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def records(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load((DATA / name).read_text(encoding="utf-8"))
    return found


def own_need_gib(row: dict[str, str], spec: ModelSpec) -> float:
    """Our sum for one GPU of a modelled row: its engine reads the whole prompt in one pass.

    Its rows with two stages hold the cache of all layers, i.e. twice as many requests are in flight.
    """
    prompt, split = int(row["prompt"]), Split(int(row["tensor"]), int(row["pipeline"]))
    serving = Serving(
        row["precision"], prompt + int(row["answer"]), int(row["requests"]) * split.pipeline, row["cache"], True, prompt
    )
    terms = serving_terms(spec, serving, split, assumptions())
    return sum(term.need_gib for term in terms) + pass_gib(spec, prompt, split.tensor)
