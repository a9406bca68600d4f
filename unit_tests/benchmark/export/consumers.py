"""Opens exported files with datasets, and trains a tiny random model on them with TRL, for three steps each.

Runs in an environment of its own: `python consumers.py FOLDER` prints what came out as one line of JSON. Nothing is
downloaded: the tokenizer is trained on the exported rows.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer

STEPS = 3
TEMPLATE = """\
{%- if tools %}<|im_start|>tools
{%- for tool in tools %}
{{ tool | tojson }}
{%- endfor %}<|im_end|>
{% endif %}
{%- for message in messages %}
{%- if message.role == "assistant" %}<|im_start|>assistant
{% generation %}{{ message.content }}
{%- for call in message.tool_calls or [] %}
<call>{{ call.function.name }} {{ call.function.arguments }}</call>
{%- endfor %}<|im_end|>
{% endgeneration %}
{%- else %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""


def tokenizer_for(texts: Iterator[str]) -> Any:
    """A byte-level tokenizer trained on the texts."""
    trained = Tokenizer(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trained.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<pad>", "<|im_start|>", "<|im_end|>"]
    trained.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=1500, special_tokens=special, initial_alphabet=alphabet)
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=trained, pad_token="<pad>", eos_token="<|im_end|>")
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def tiny_model(tokenizer: Any, folder: Path) -> str:
    """The folder of a random model of one layer."""
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=1,
        num_key_value_heads=1,
        max_position_embeddings=512,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return str(folder)


def main(folder: Path) -> None:
    """Print the losses of each training, and what datasets found in the folder of the hub's layout."""
    found: dict[str, Any] = {}

    def loaded(name: str) -> Any:
        return datasets.load_dataset("json", data_files=str(folder / name), split="train", cache_dir=str(folder / "c"))

    tokenizer = tokenizer_for(line for line in (folder / "sft.jsonl").read_text().splitlines())
    model = tiny_model(tokenizer, folder / "model")
    shared: dict[str, Any] = {
        "max_steps": STEPS,
        "per_device_train_batch_size": 1,
        "gradient_accumulation_steps": 1,
        "logging_steps": 1,
        "max_length": 512,
        "truncation_mode": "keep_end",  # a row has up to 20,000 tokens, and what is learned comes last
        "report_to": "none",
        "save_strategy": "no",
        "use_cpu": True,
        "bf16": False,
        "gradient_checkpointing": False,
    }

    def trained(trainer: Any) -> list[float]:
        trainer.train()
        return [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]

    def sft(data: Any, **more: Any) -> list[float]:
        config = SFTConfig(str(folder / "out"), **shared, **more)
        return trained(SFTTrainer(model, config, train_dataset=data, processing_class=tokenizer))

    found["sft"] = sft(loaded("sft.jsonl"), assistant_only_loss=True)
    found["steps"] = sft(loaded("steps.jsonl"))
    config = DPOConfig(str(folder / "out"), **shared)
    found["dpo"] = trained(
        DPOTrainer(model, args=config, train_dataset=loaded("preference.jsonl"), processing_class=tokenizer)
    )
    configs = datasets.get_dataset_config_names(str(folder / "hf"))
    opened = {name: datasets.load_dataset(str(folder / "hf"), name, cache_dir=str(folder / "c")) for name in configs}
    found["hf"] = {name: {split: rows.num_rows for split, rows in one.items()} for name, one in opened.items()}
    first = next(iter(opened[configs[0]].values()))
    found["messages"] = first[0]["messages"]
    found["hf_sft"] = sft(first, assistant_only_loss=True)
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
