"""Words of the answer to a workload: headings, the lines of a sum, the rows of the comparison. English source texts."""

from __future__ import annotations

SIZING_LABELS: dict[str, str] = {
    "sizing": "What the task needs",
    "checklist": "Questions before buying",
    "sizing_request": "What was asked",
    "sizing_sum": "Memory on one GPU",
    "sizing_speed": "How fast",
    "sizing_counts": "1, 2, 4, 8 GPUs or several servers",
    "sizing_variants": "Variants side by side, best first",
    "sizing_bill": "What variant 1 consists of, in one server",
    "sizing_assumptions": "What was assumed",
    "sizing_why": "Why",
    "sizing_risk": "If it is wrong",
    "sizing_fails": "Why it fails",
    "sizing_quick": "Rule of thumb",
    "sizing_variant": "Variant",
    "sizing_number": "GPUs",
    "sizing_stance": "Advice",
    "question": "Question",
    "answer": "Answer",
    "open_question": "open",
    "checklist_open": "Questions before buying: {open} of {all} are open",
    "checklist_note": (
        "Answered where this configuration decides them. What is open should be settled before the order; it is no "
        "fault of the configuration."
    ),
    "sizing_note": (
        "Worked out from published figures of the model and the GPU. Times are bands with the error of the method; "
        "measure with your own requests before you promise them to anybody."
    ),
}

TERM_LABELS: dict[str, str] = {
    "weights": "weights of the model",
    "cache": "cache of the requests",
    "state": "state of the requests",
    "activations": "intermediate results",
    "runtime": "runtime of the engine",
    "exchange": "exchange between GPUs",
    "gradients": "gradients",
    "optimiser": "optimiser",
    "adapters": "adapters",
    "logits": "output layer",
    "scene": "scene",
    "reserve": "reserve",
    "profile": "virtual GPUs of the users",
    "stated": "as stated",
}

FIT_LABELS: dict[str, str] = {
    "recommended": "fits with reserve",
    "tight": "fits, but is tight",
    "unknown": "not known",
    "does-not-fit": "does not fit",
}

LINK_LABELS: dict[str, str] = {
    "none": "none needed",
    "pcie": "PCIe is enough",
    "bridge": "NVLink bridges needed",
    "nvswitch": "NVSwitch needed",
}

STANCE_LABELS: dict[str, str] = {
    "recommended": "recommended",
    "possible": "possible",
    "refused": "not advised",
}

# Rows of the comparison in their order; a row that no variant fills is left out.
ROW_LABELS: dict[str, str] = {
    "gpus": "GPUs in one server",
    "servers": "servers",
    "chassis": "chassis",
    "memory": "video memory",
    "first_token": "first token",
    "per_token": "each further token",
    "tokens": "tokens per second",
    "requests": "requests at a time",
    "duration": "one training run",
    "frames": "frames per hour",
    "users": "users",
    "targets": "targets met",
    "link": "link between GPUs",
    "power": "power at full load",
    "heat": "heat",
    "height": "rack units in all",
    "energy": "energy per million tokens",
    "price": "price net",
    "price_gpu": "price net per GPU",
    "verdict": "configuration",
    "evidence": "weakest evidence",
}

# Keys of a task as a person reads them, in the order in which they are printed.
REQUEST_LABELS: dict[str, str] = {
    "model": "model",
    "precision": "number format",
    "context_tokens": "prompt and answer together, tokens",
    "concurrent_requests": "requests at a time",
    "users": "users",
    "requests_per_user_hour": "requests of a user per hour",
    "goal": "what counts",
    "first_token_max_s": "first token within",
    "per_token_max_ms": "each further token within",
    "tokens_per_second_min": "tokens per second wanted",
    "method": "method",
    "sequence_tokens": "tokens of an example",
    "micro_batch": "examples on a GPU at a time",
    "zero_stage": "ZeRO stage",
    "jobs": "runs at the same time",
    "engine": "render engine",
    "scene_gb": "largest scene",
    "frames": "frames",
    "frame_gpu_s": "time of a frame on one GPU",
    "hypervisor": "hypervisor",
    "memory_gb": "video memory, as stated",
    "memory_per_gpu_gb": "video memory of each GPU, as stated",
}
COMMON_LABELS: dict[str, str] = {
    "growth_ratio": "growth within a year",
    "load": "load",
    "utilisation_ratio": "GPUs busy",
    "is_isolated": "teams or customers kept apart",
    "is_fault_tolerant": "goes on when one server fails",
    "has_scheduler": "scheduler at hand",
}
