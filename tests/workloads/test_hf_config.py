"""A Hugging Face config.json: the figures, the count of the parameters, and what is left open."""

import pytest

from rackwright.workloads.hf_config import model_data

LLAMA = {
    "model_type": "llama", "hidden_size": 8192, "num_hidden_layers": 80, "num_attention_heads": 64,
    "num_key_value_heads": 8, "intermediate_size": 28672, "vocab_size": 128256, "max_position_embeddings": 131072,
    "torch_dtype": "bfloat16", "tie_word_embeddings": False,
}  # fmt: skip
DEEPSEEK = {
    "model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61, "num_attention_heads": 128,
    "num_key_value_heads": 128, "intermediate_size": 18432, "vocab_size": 129280, "max_position_embeddings": 163840,
    "n_routed_experts": 256, "num_experts_per_tok": 8, "n_shared_experts": 1, "moe_intermediate_size": 2048,
    "first_k_dense_replace": 3, "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64, "v_head_dim": 128, "quantization_config": {"quant_method": "fp8"},
}  # fmt: skip
MIXTRAL = {
    "model_type": "mixtral", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
    "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000, "num_local_experts": 8,
    "num_experts_per_tok": 2, "torch_dtype": "bfloat16", "sliding_window": None,
}  # fmt: skip
GEMMA = {
    "model_type": "gemma2", "hidden_size": 3584, "num_hidden_layers": 42, "num_attention_heads": 16,
    "num_key_value_heads": 8, "head_dim": 256, "intermediate_size": 14336, "vocab_size": 256000,
    "max_position_embeddings": 8192, "sliding_window": 4096, "torch_dtype": "float32",
}  # fmt: skip


@pytest.mark.parametrize(
    ("config", "total", "active"),
    [(LLAMA, 70.554, 70.554), (DEEPSEEK, 671.026, 37.552), (MIXTRAL, 46.703, 12.880), (GEMMA, 9.242, 9.242)],
)
def test_parameters_agree_with_the_catalog(config, total, active):
    """Norms are left out here: a difference of less than a ten-thousandth."""
    data = model_data(config, "M")
    assert data["parameters_billion"] == pytest.approx(total, rel=2e-4)
    assert data["active_parameters_billion"] == pytest.approx(active, rel=2e-4)


def test_attention_of_each_kind():
    assert model_data(LLAMA, "M")["attention"] == {"kind": "gqa", "heads": 64, "kv_heads": 8, "head_dim": 128}
    assert model_data(DEEPSEEK, "M")["attention"] == {
        "kind": "mla", "heads": 128, "kv_heads": 1, "kv_lora_rank": 512, "qk_rope_head_dim": 64,
    }  # fmt: skip
    assert model_data(GEMMA, "M")["attention"] == {
        "kind": "gqa", "heads": 16, "kv_heads": 8, "head_dim": 256, "full_layers": 21, "window_layers": 21,
        "window": 4096,
    }  # fmt: skip


def test_the_text_part_of_a_model_with_pictures_is_taken():
    assert model_data({"model_type": "x_vl", "text_config": LLAMA}, "M")["layers"] == 80


def test_a_family_that_is_not_known_is_not_counted():
    assert "parameters_billion" not in model_data({**LLAMA, "model_type": "new"}, "M")


def test_layers_of_a_kind_that_is_not_known_leave_the_attention_open():
    kinds = ["linear_attention", "linear_attention", "full_attention"]
    assert "kind" not in model_data({**LLAMA, "layer_types": kinds}, "M")["attention"]


@pytest.mark.parametrize("wrong", [-1, 0, "80", None, True, 1.5, [80]])
def test_absurd_figures_are_left_out(wrong):
    assert "layers" not in model_data({**LLAMA, "num_hidden_layers": wrong}, "M")
