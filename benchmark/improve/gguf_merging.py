"""A GGUF file with an adapter merged in: the adapted weights in half precision, everything else as it was."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mpcbench.benchmark.agents.local.gguf import read_header
from mpcbench.benchmark.improve.conversations import ImproveError

_ARCHITECTURE: Final = "llama"
"""The one whose names, and whose order of rows, are written here."""

_NAMES: Final = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def check_architecture(base: Path) -> None:
    """Raise `ImproveError` if an adapter cannot be merged into a GGUF file; raises `GgufError` if it is none."""
    architecture = read_header(base).architecture
    if architecture != _ARCHITECTURE:
        raise ImproveError(f"{base}: architecture {architecture!r}; only {_ARCHITECTURE} can be merged")


def merge(base: Path, added: Mapping[str, Any], out: Path) -> None:
    """Write the file with what an adapter adds to its weights.

    Args:
        base: The GGUF file that was trained.
        added: By name of the weight in transformers, such as `model.layers.0.mlp.up_proj.weight`.
        out: The new file.
    """
    import gguf  # noqa: PLC0415 - one of the packages for training
    import numpy as np  # noqa: PLC0415

    reader = gguf.GGUFReader(base)
    writer = gguf.GGUFWriter(out, _ARCHITECTURE)
    for field in reader.fields.values():
        kind = field.types[0]
        if not field.name.startswith("GGUF.") and field.name != gguf.Keys.General.ARCHITECTURE:
            element = field.types[-1] if kind is gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(field.name, field.contents(), kind, sub_type=element)
    heads = {
        "attn_q": reader.fields[f"{_ARCHITECTURE}.attention.head_count"].contents(),
        "attn_k": reader.fields[f"{_ARCHITECTURE}.attention.head_count_kv"].contents(),
    }
    deltas = {_name(name): delta for name, delta in added.items()}
    for tensor in reader.tensors:
        delta = deltas.pop(tensor.name, None)
        if delta is None:
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
            continue
        weight = tensor.name.split(".")[2]
        if weight in heads:
            delta = _interleaved(delta, heads[weight])
        whole = gguf.quants.dequantize(tensor.data, tensor.tensor_type) + delta
        writer.add_tensor(tensor.name, whole.astype(np.float16))
    assert not deltas, f"no such weights: {sorted(deltas)}"
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _name(name: str) -> str:
    """The name in the GGUF file of `model.layers.N.NAME.weight`."""
    _, _, layer, *rest = name.split(".")
    return f"blk.{layer}.{_NAMES['.'.join(rest[:-1])]}.weight"


def _interleaved(delta: Any, heads: int) -> Any:
    """The rows in the order of GGUF, where the two halves of each head's rotary embedding alternate."""
    rows, *rest = delta.shape
    return delta.reshape(heads, 2, rows // heads // 2, *rest).swapaxes(1, 2).reshape(delta.shape)
