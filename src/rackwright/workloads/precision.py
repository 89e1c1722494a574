"""Number formats: bytes of a parameter, what a GPU must be able to do, and how they are called."""

from __future__ import annotations

# Bytes of one parameter. int4 has a 16-bit scale and a 4-bit zero point for 128 weights, nf4 an 8-bit scale for 64 and
# its own scale for 256 of them, nvfp4 an 8-bit scale for 16, mxfp4 an 8-bit scale for 32. Whole-model factors of
# aiconfigurator-core 0.12.0 agree: fp8 0.515 to 0.565, int4 0.272 to 0.286, nvfp4 0.303 of bf16 (read 2026-12-01).
BYTES: dict[str, float] = {
    "fp32": 4.0,
    "bf16": 2.0,
    "fp16": 2.0,
    "fp8": 1.0,
    "int8": 1.0,
    "int4": 0.53,
    "nf4": 0.516,
    "nvfp4": 0.5625,
    "mxfp4": 0.53125,
}
# Embedding and output stay at 16 bits in quantised files.
EMBEDDING_BYTES = 2.0
# Rule of thumb of the trade: 2, 1 or 0.5 byte (GPU-Server für LLM-Inferenz richtig wählen (2026), article of
# ChangFan, read 2026-12-01).
QUICK_BYTES: dict[str, float] = {
    "fp32": 4.0,
    "bf16": 2.0,
    "fp16": 2.0,
    "fp8": 1.0,
    "int8": 1.0,
    "int4": 0.5,
    "nf4": 0.5,
    "nvfp4": 0.5,
    "mxfp4": 0.5,
}
# Formats that the tensor cores compute in; the others are weights only and are unpacked to 16 bits on any GPU.
COMPUTED_IN: dict[str, str] = {"fp32": "bf16", "bf16": "bf16", "fp16": "bf16", "fp8": "fp8", "nvfp4": "fp4"}


def cache_bytes(name: str | None) -> float:
    """Bytes of one figure of the KV cache: bf16 unless the engine is told to keep fp8."""
    return 1.0 if name == "fp8" else 2.0
