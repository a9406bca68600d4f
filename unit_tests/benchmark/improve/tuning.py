"""Fine-tunes a tiny random model in a GGUF file, and opens with transformers what was merged.

Runs with the packages for training on its path: `python tuning.py ROWS FOLDER` prints what came out as a line of JSON.
"""

import json
import sys
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from gguf.gguf_writer import GGUFWriter
from transformers import AutoModelForCausalLM

from mpcbench.benchmark.improve.conversations import read_conversations
from mpcbench.benchmark.improve.gguf_merging import check_architecture, merge
from mpcbench.benchmark.improve.weights import Recipe, train

STEPS = 3
WIDTH, INNER, HEADS, KEY_HEADS, LAYERS = 64, 96, 4, 2, 2
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def vocabulary() -> list[str]:
    """Three special tokens, the 256 bytes as GPT-2 spells them, and one merged pair."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    spelled = {byte: chr(byte) for byte in printable} | {byte: chr(256 + place) for place, byte in enumerate(others)}
    return ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *(spelled[byte] for byte in range(256)), "ab"]


def write_tiny(path: Path) -> None:
    """A llama of two layers with random weights; one of them is quantised."""
    random, tokens = np.random.default_rng(0), vocabulary()
    writer = GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(8192)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_types([3, 3, 3, *([1] * (len(tokens) - 3))])
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_pad_token_id(2)
    writer.add_chat_template(TEMPLATE)

    def add(name: str, *shape: int, quantised: bool = False) -> None:
        values = (random.standard_normal(shape) * 0.1).astype(np.float32)
        if quantised:
            kind = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, values)

    keys = WIDTH // HEADS * KEY_HEADS
    add("token_embd.weight", len(tokens), WIDTH)
    add("output_norm.weight", WIDTH)
    for layer in range(LAYERS):
        block = f"blk.{layer}"
        add(f"{block}.attn_norm.weight", WIDTH)
        add(f"{block}.ffn_norm.weight", WIDTH)
        add(f"{block}.attn_q.weight", WIDTH, WIDTH, quantised=layer == 0)
        add(f"{block}.attn_k.weight", keys, WIDTH)
        add(f"{block}.attn_v.weight", keys, WIDTH)
        add(f"{block}.attn_output.weight", WIDTH, WIDTH)
        add(f"{block}.ffn_gate.weight", INNER, WIDTH)
        add(f"{block}.ffn_up.weight", INNER, WIDTH)
        add(f"{block}.ffn_down.weight", WIDTH, INNER)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def loaded(path: Path) -> dict[str, Any]:
    """The weights in a GGUF file as transformers reads them."""
    model = AutoModelForCausalLM.from_pretrained(str(path.parent), gguf_file=path.name, dtype=torch.float32)
    return dict(model.state_dict())


def main(rows: Path, folder: Path) -> None:
    """Print the losses, and how far the merged weights are from the base and what was added."""
    base, out = folder / "tiny.gguf", folder / "trained.gguf"
    write_tiny(base)
    check_architecture(base)
    found = train(base, read_conversations(rows), Recipe(steps=STEPS, max_tokens=200, learning_rate=0.01))
    merge(base, found.adapter, out)
    before, after = loaded(base), loaded(out)
    expected = {name: before[name] + torch.from_numpy(delta) for name, delta in found.adapter.items()}
    print(
        json.dumps(
            {
                "losses": found.losses,
                "conversations": found.conversations,
                "adapted": len(found.adapter),
                "added": min(float(np.abs(delta).max()) for delta in found.adapter.values()),
                "off": max(float((after[name] - whole).abs().max()) for name, whole in expected.items()),
                "others": all(torch.equal(before[name], after[name]) for name in before.keys() - expected.keys()),
                "template": gguf.GGUFReader(out).fields["tokenizer.chat_template"].contents() == TEMPLATE,
            }
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
