"""The decision: how many GPUs, in how many nodes, why, and what is refused."""

import pytest

from rackwright.sizing import Link, Stance
from rackwright.workloads.verdicts import Fit

from .asking import codes, sized

CHAT = {"task": "llm-inference", "precision": "fp8", "context_tokens": 8192, "concurrent_requests": 8}
SEVENTY = {**CHAT, "model": "llama-3.3-70b"}


def test_one_large_card_beats_two_smaller_ones():
    """70B in fp8 with 8 x 8 192 tokens: 67.7 + 20 + 3.5 = 91.2 GiB, on one H200 NVL or over two L40S."""
    found = sized(SEVENTY, {"gpus": ["nvidia/h200-nvl-141gb", "nvidia/l40s"]})
    best = found.options[0]
    assert (best.gpu.id, best.gpus, best.nodes, best.fit, best.link) == (
        "nvidia/h200-nvl-141gb", 1, 1, Fit.RECOMMENDED, Link.NONE,
    )  # fmt: skip
    assert str(best.reason) == (
        "Llama 3.3 70B in fp8 with 8 requests of 8 192 tokens takes 91.2 GiB of 129.7 GiB on one GPU (70 %)"
    )


def test_a_large_model_over_four_cards_without_nvlink_says_so():
    found = sized(SEVENTY, {"gpus": ["nvidia/l40s"]})
    four = next(item for item in found.options if item.gpus_per_node == 4)
    assert (four.link, four.is_link_there) == (Link.NVSWITCH, False)
    assert str(four.risk).startswith("the GPUs exchange data for every token over a connection that is too slow")


def test_eight_gpus_at_35_percent_are_refused_with_the_arithmetic():
    """8 x 0.35 = 2.8; 1.4 x 2.8 = 3.92, so four, which are then busy 2.8 / 4 = 70 % of the time."""
    found = sized({**SEVENTY, "concurrent_requests": 64, "utilisation_ratio": 0.35})
    eight = next(item for item in found.counts if item.count == "8")
    assert eight.stance is Stance.REFUSED
    assert [str(line) for line in eight.arithmetic] == [
        "eight GPUs that are busy 35 % of the time do the work of 2.8",
        "with 1.4 times as much at peak, 4 are enough",
        "a server with 4 would be busy 70 % of the time",
    ]
    assert [item.key for item in found.options if item.gpus_per_node == 8] == []


def test_at_40_percent_eight_are_not_refused_for_that():
    found = sized({**SEVENTY, "utilisation_ratio": 0.4})
    assert next(item for item in found.counts if item.count == "8").arithmetic == ()


def test_five_cards_serve_a_group_of_four_and_one():
    tasks = [
        {"task": "llm-inference", "model": "llama-3.3-70b", "tensor_parallel": 4},
        {"task": "llm-inference", "model": "llama-3.1-8b", "tensor_parallel": 1},
    ]
    found = sized({**CHAT, "tasks": tasks}, {"gpus": ["nvidia/l40s"]})
    five = next(item for item in found.options if item.gpus_per_node == 5)
    assert ([item.gpus for item in five.assignments], five.gpus_idle, five.nodes) == ([4, 1], 0, 1)


def test_frames_in_time_and_the_failure_of_one_node():
    """2 400 frames of 300 s in 24 h: 288 a GPU, so 9 GPUs: five servers with two each, and one more that may fail."""
    task = {"task": "rendering", "engine": "redshift", "scene_gb": 30, "frames": 2400, "frame_gpu_s": 300}
    found = sized({**task, "duration_max_h": 24, "is_fault_tolerant": True}, {"gpus": ["nvidia/l40s"]})
    best = found.options[0]
    assert (best.assignments[0].gpus, best.gpus_per_node, best.nodes, best.gpus_idle) == (9, 2, 6, 1)
    one = next(item for item in found.counts if item.count == "1")
    assert (one.stance, str(one.reason)) == (
        Stance.REFUSED, "the task must go on when one server fails, so one server is not enough",
    )  # fmt: skip


def test_a_scene_is_never_spread_over_cards():
    """45 GB x 1.2 = 50.3 GiB, more than the 45 GiB of an L40S, however many there are."""
    found = sized({"task": "rendering", "engine": "octane", "scene_gb": 45}, {"gpus": ["nvidia/l40s"]})
    assert found.options == ()
    assert {item.fit for item in found.refused} == {Fit.DOES_NOT_FIT}
    assert [item.stance for item in found.counts] == [Stance.REFUSED] * 5


@pytest.mark.parametrize(
    ("profile", "gpu", "users", "boards"),
    [
        ("2B", "nvidia/a16", 64, 2),
        ("1B", "nvidia/l4", 48, 2),
        ("4Q", "nvidia/l40s", 36, 3),
        ("12Q", "nvidia/l40s", 9, 3),
    ],
)
def test_users_of_a_board(profile, gpu, users, boards):
    """A16: 8 users with 2B on each of four GPUs; L4: 24 with 1B; L40S: 12 with 4Q, 4 with 12Q."""
    found = sized({"task": "vdi", "profiles": [{"profile": profile, "users": users}]}, {"gpus": [gpu]})
    assert found.options[0].assignments[0].fit in (Fit.RECOMMENDED, Fit.UNKNOWN)
    assert min(item.gpus for item in found.options if not item.gpus_idle) == boards


def test_a_profile_that_the_maker_does_not_offer_is_refused():
    """1B is not supported on Blackwell (NVIDIA Virtual PC Sizing and GPU Selection Guide, table 1)."""
    found = sized(
        {"task": "vdi", "profiles": [{"profile": "1B", "users": 4}]},
        {"gpus": ["nvidia/rtx-pro-4500-blackwell-server"]},
    )
    assert (found.options, found.refused[0].fit) == ((), Fit.DOES_NOT_FIT)


def test_growth_counts():
    """8 requests and half as much again are 12: 67.7 + 30 + 3.5 = 101.2 of 129.7 GiB, 78 %; with 16 it is 86 %."""
    found = sized({**SEVENTY, "growth_ratio": 0.5}, {"gpus": ["nvidia/h200-nvl-141gb"]})
    best = found.options[0]
    assert (best.gpus, best.assignments[0].speed.concurrency_per_replica) == (1, 12)


def test_the_power_of_the_site_refuses():
    found = sized(SEVENTY, {"gpus": ["nvidia/h200-nvl-141gb"], "power_max_w": 500})
    assert found.options == ()
    assert str(found.refused[0].reason) == "1 x NVIDIA H200 NVL 141 GB draw 600 W at their peak; the site allows 500 W"


def test_training_shares_only_as_much_as_it_must():
    """8B in full: 16 x 8.03 = 128.5 GB of states; on 8 x H100 stage 2 leaves 2 + 14/8 = 3.75 bytes, 28 GiB."""
    task = {"task": "training", "model": "llama-3.1-8b", "method": "full", "sequence_tokens": 2048}
    found = sized(task, {"gpus": ["nvidia/h100-sxm5-80gb"]})
    best = found.options[0].assignments[0]
    assert (best.tensor_parallel, best.fit, best.link) == (4, Fit.RECOMMENDED, Link.NVSWITCH)


def test_the_same_request_gives_the_same_answer():
    assert sized(SEVENTY) == sized(SEVENTY)


BAD = [
    ({**CHAT, "model": "llama-3.3-70"}, "CFG062", "no model of the catalog is called llama-3.3-70"),
    (
        {**CHAT, "model": "llama-2-7b"},
        "CFG064",
        "8 192 tokens are more than Llama 2 7B can take, which is 4 096",
    ),
    (
        {**CHAT, "model": "phi-4", "tensor_parallel": 4},
        "CFG065",
        "40 attention heads and 10 KV heads of Phi 4 do not divide over 4 GPUs",
    ),
    (
        {**SEVENTY, "prompt_tokens": 8000, "answer_tokens": 500},
        "CFG067",
        "prompt and answer are 8 500 tokens together, more than the context of 8 192",
    ),
    ({"task": "rendering"}, "CFG068", "rendering cannot be sized without `scene_gb`"),
    ({"task": "vdi"}, "CFG068", "vdi cannot be sized without `profiles`"),
    ({"task": "llm-inference"}, "CFG068", "llm-inference cannot be sized without `model`"),
    ({"task": "mixed"}, "CFG068", "the mixed workload has no tasks"),
    ({**SEVENTY, "scene_gb": 3}, "CFG061", "`scene_gb` says nothing about llm-inference"),
    ({**SEVENTY, "users": 4}, "CFG067", "8 requests at a time are more than one for each of 4 users"),
    (
        {"task": "llm-inference", "model": "llama-3.1-8b"},
        "CFG068",
        "`context_tokens` is not stated; worked out with 8 192",
    ),
    (
        {**CHAT, "model": "phi-3.5-mini"},
        "CFG064",
        "how many tokens Phi 3.5 mini instruct can take at most is not known",
    ),
]


@pytest.mark.parametrize(("workload", "code", "message"), BAD, ids=[code + message[:30] for _, code, message in BAD])
def test_bad_input_is_told(workload, code, message):
    told = codes(sized(workload))
    assert any(found == code and text.startswith(message) for found, text in told), told


def test_nearest_models_are_named():
    found = sized({**CHAT, "model": "llama-3.3-70"}).findings[0]
    assert str(found.fix).startswith("did you mean llama-3.3-70b")


def test_a_card_that_does_not_compute_in_the_format_says_so_and_comes_later():
    found = sized(SEVENTY, {"gpus": ["nvidia/a100-pcie-80gb", "nvidia/h100-nvl-94gb"]})
    assert [item.gpu.id for item in found.options if item.nodes == 1 and item.gpus == 2] == [
        "nvidia/h100-nvl-94gb", "nvidia/a100-pcie-80gb",
    ]  # fmt: skip
    notes = [str(note) for item in found.options for note in item.assignments[0].speed.notes]
    text = "NVIDIA A100 PCIe 80 GB does not compute in fp8: the weights are stored in it and computed in 16 bits"
    assert text in notes


def test_a_gpu_that_is_not_in_the_catalog_is_told():
    assert codes(sized(SEVENTY, {"gpus": ["nvidia/l40x"]})) == [
        ("CFG069", "no GPU of the catalog is called nvidia/l40x")
    ]


def test_zero_on_the_command_line_is_told(capsys, monkeypatch):
    """A zero is an answer, and no wrong one is taken for none."""
    from rackwright.cli.start import main

    words = ["rackwright", "size", "--model", "phi-4", "--context", "8192", "--concurrency", "0"]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "concurrent_requests is 0, below the least allowed 1" in "".join(capsys.readouterr())
