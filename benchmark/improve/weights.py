"""Fine-tuning on exported conversations: a LoRA adapter by TRL and PEFT, merged into the GGUF file that it began with.

The packages are large, and only this way of improving a model needs them: `make trainers`, or the extra `train`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from mpcbench.benchmark.improve.conversations import Conversation, ImproveError

_UNLEARNED: Final = -100
"""The label of a token that adds nothing to the loss."""

_ADAPTED: Final = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train."""

    steps: int
    """Each takes one conversation."""

    max_tokens: int
    """A conversation is cut after the last message of the model that ends within so many."""

    learning_rate: float = 5e-4
    rank: int = 16
    bf16: bool = False
    """Whether to compute in bfloat16 without a GPU, too; on one it always is."""

    seed: int = 0


@dataclass(frozen=True, slots=True)
class Trained:
    """What came out."""

    adapter: dict[str, Any]
    """For each adapted weight, by its name in transformers, what is added to it."""

    losses: tuple[float, ...]
    """Of each step."""

    conversations: int
    """How many were learned from, those that are too long left out."""

    device: str


def train(base: Path, conversations: Sequence[Conversation], recipe: Recipe) -> Trained:
    """Train an adapter of the model in a GGUF file.

    Raises:
        ImproveError: a package is missing, or no conversation is short enough.
    """
    try:
        import datasets  # noqa: PLC0415
        import torch  # noqa: PLC0415
        from peft import LoraConfig  # noqa: PLC0415
        from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415
        from trl import SFTConfig, SFTTrainer  # noqa: PLC0415
    except ImportError as error:
        raise ImproveError(
            f"weights: {error}; make trainers installs what is needed into .venv/trainers (PYTHONPATH)"
        ) from None
    folder, file = str(base.parent), base.name
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file)
    learned = (row for one in conversations if (row := _tokens(tokenizer, one, recipe.max_tokens)))
    rows = list(islice(learned, recipe.steps))
    if not rows:
        raise ImproveError(
            f"no conversation has a message of the model within {recipe.max_tokens} tokens; raise --max-tokens"
        )
    loaded = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file, dtype=torch.float32)
    # A model of its own, since one that was loaded from GGUF counts as quantised, which trainers refuse.
    del loaded.config.quantization_config
    model = AutoModelForCausalLM.from_config(loaded.config, dtype=torch.float32)
    model.load_state_dict(loaded.state_dict())
    with TemporaryDirectory() as aside:
        config = SFTConfig(
            aside,
            max_steps=recipe.steps,
            learning_rate=recipe.learning_rate,
            per_device_train_batch_size=1,
            gradient_accumulation_steps=1,
            lr_scheduler_type="linear",
            logging_steps=1,
            max_length=None,
            seed=recipe.seed,
            report_to="none",
            save_strategy="no",
            use_cpu=not torch.cuda.is_available(),
            bf16=recipe.bf16 or torch.cuda.is_available(),
            gradient_checkpointing=False,
        )
        trainer = SFTTrainer(
            model,
            config,
            train_dataset=datasets.Dataset.from_list(rows),
            processing_class=tokenizer,
            peft_config=LoraConfig(r=recipe.rank, lora_alpha=2 * recipe.rank, target_modules=list(_ADAPTED)),
        )
        trainer.train()
    losses = tuple(entry["loss"] for entry in trainer.state.log_history if "loss" in entry)
    return Trained(dict(_added(trainer.model)), losses, len(rows), str(trainer.args.device))


def _tokens(tokenizer: Any, conversation: Conversation, most: int) -> dict[str, list[int]] | None:
    """The conversation up to the last message of the model that fits, with labels for what the model says."""

    def rendered(count: int, *, asked: bool) -> list[int]:
        messages = list(conversation.messages[:count])
        text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=asked)
        return list(tokenizer(text, add_special_tokens=False)["input_ids"])

    tokens: list[int] = []
    labels: list[int] = []
    for place, message in enumerate(conversation.messages):
        if message["role"] != "assistant" or place < conversation.given:
            continue
        before = rendered(place, asked=True)
        if len(before) >= most:
            break
        after = rendered(place + 1, asked=False)
        if before[: len(tokens)] != tokens or after[: len(before)] != before:
            raise ImproveError(f"{conversation.instance_id}: the chat template rewrites earlier messages")
        if len(after) > most:
            break
        labels += [_UNLEARNED] * (len(before) - len(tokens)) + after[len(before) :]
        tokens = after
    return {"input_ids": tokens, "labels": labels} if tokens else None


def _added(model: Any) -> Iterator[tuple[str, Any]]:
    """What the adapter adds to each weight."""
    for name, module in model.named_modules():
        if hasattr(module, "lora_A") and module.lora_A:
            (adapter,) = module.lora_A
            delta = module.get_delta_weight(adapter).detach().to("cpu").float().numpy()
            yield f"{name.removeprefix('base_model.model.')}.weight", delta
