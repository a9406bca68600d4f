"""What servers of many makes say when something fails, whose fault it is, and where the format comes from."""

import json
from enum import Enum
from typing import Any, NamedTuple


class Outcome(Enum):
    """What the episode is."""

    TRUNCATED = "truncated"
    REFUSED = "refused"
    FAILED_TURN = "failed turn"
    """The model is told and goes on."""

    EMPTY = "empty"
    """The model has answered, with an empty message."""

    ANSWERED = "answered"
    """The model has answered."""

    ERROR = "error"
    """The endpoint's fault, which does not pass."""

    RETRIED = "retried"
    """The endpoint's fault, which may pass."""

    RUN_ENDS = "run ends"


class ServerFault(NamedTuple):
    """One response."""

    server: str
    status: int
    body: Any
    """Text as it is, anything else as JSON."""

    outcome: Outcome
    source: str

    @property
    def content(self) -> bytes:
        """The body's bytes."""
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


def _error(message: str, kind: str | None = None, code: object = None, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "code": code, **more}}


def _vllm(message: str, code: int = 400, kind: str = "BadRequestError", param: str | None = None) -> dict[str, Any]:
    return {"object": "error", "message": message, "type": kind, "param": param, "code": code}


def _routed(raw: object, code: int = 400, provider: str = "Anthropic") -> dict[str, Any]:
    written = raw if isinstance(raw, str) else json.dumps(raw)
    metadata = {"raw": written, "provider_name": provider}
    return {"error": {"message": "Provider returned error", "code": code, "metadata": metadata}, "user_id": "user_1"}


def _finished(reason: object, message: object = None, **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": '{"candidates": []}'} if message is None else message
    return {"choices": [{"index": 0, "message": message, "finish_reason": reason, **more}]}


def _anthropic(message: str, kind: str = "invalid_request_error") -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


_CALLS = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "get_note", "arguments": '{"keyword": "colour"}'}}
    ],
}
_NOTHING = {"role": "assistant", "content": None}
_OPENAI = "https://platform.openai.com/docs/guides/error-codes"
_OPENAI_CHAT = "https://platform.openai.com/docs/api-reference/chat/object"
_AZURE = "https://learn.microsoft.com/en-us/azure/ai-foundry/openai/concepts/content-filter"
_VLLM_LENGTH = "https://github.com/vllm-project/vllm/issues/20409"
_VLLM = "https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/protocol.py"
_SGLANG = "https://github.com/sgl-project/sglang/issues/8096"
_SGLANG_CHAT = "https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/entrypoints/openai/serving_chat.py"
_LLAMA = "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md"
_LLAMA_PARSE = "https://github.com/ggml-org/llama.cpp/issues/20532"
_LM_STUDIO = "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/546"
_OLLAMA = "https://github.com/ollama/ollama/blob/main/docs/api.md"
_OLLAMA_TOOL = "https://github.com/ollama/ollama/issues/17638"
_OPENROUTER = "https://openrouter.ai/docs/api-reference/errors"
_OPENROUTER_LONG = "https://github.com/tailcallhq/forgecode/issues/1146"
_ANTHROPIC = "https://docs.anthropic.com/en/api/errors"
_ANTHROPIC_LONG = "https://github.com/RooCodeInc/Roo-Code/issues/5816"
_ANTHROPIC_STOP = "https://docs.anthropic.com/en/api/handling-stop-reasons"
_GEMINI = "https://ai.google.dev/gemini-api/docs/troubleshooting"
_GEMINI_FINISH = "https://ai.google.dev/api/generate-content#FinishReason"
_GROQ = "https://console.groq.com/docs/errors"
_GROQ_TOOL = "https://github.com/groq/groq-typescript/issues/28"
_MISTRAL = "https://docs.mistral.ai/api/"
_TGI = "https://github.com/huggingface/text-generation-inference/blob/main/router/src/validation.rs"
_DEEPSEEK = "https://api-docs.deepseek.com/quick_start/error_codes"
_DASHSCOPE = "https://help.aliyun.com/zh/model-studio/error-code"
_ZHIPU = "https://docs.bigmodel.cn/cn/faq/api-code"
_MOONSHOT = "https://platform.moonshot.ai/docs/api/chat"
_BEDROCK = "https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html"
_COHERE = "https://docs.cohere.com/reference/errors"
_LITELLM = "https://docs.litellm.ai/docs/exception_mapping"
_CEREBRAS = "https://inference-docs.cerebras.ai/support/error"
_TOGETHER = "https://docs.together.ai/docs/error-codes"
_XAI = "https://docs.x.ai/docs/key-information/debugging"
_COPILOT = "https://github.com/orgs/community/discussions/categories/copilot-conversations"
_CLOUDFLARE_AI = "https://developers.cloudflare.com/workers-ai/platform/errors/"
_CLOUDFLARE = "https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/"
_NGINX = "https://nginx.org/en/docs/http/ngx_http_core_module.html#client_max_body_size"
_LLAMA_PYTHON = "https://github.com/abetlen/llama-cpp-python/blob/main/llama_cpp/llama.py"
_TRT = "https://github.com/NVIDIA/TensorRT-LLM/blob/main/tensorrt_llm/executor/base_worker.py"
_TABBY = "https://github.com/theroyallab/tabbyAPI/blob/main/backends/exllamav2/model.py"
_FASTAPI = "https://fastapi.tiangolo.com/tutorial/handling-errors/"
_GO = "https://pkg.go.dev/context#pkg-variables"
_MINIMAX = "https://platform.minimax.io/docs/api-reference/errorcode"
_HTML = "<html>\r\n<head><title>{0}</title></head>\r\n<body><center><h1>{0}</h1></center><hr>nginx</body></html>"
_MAXIMUM = (
    "This model's maximum context length is 8192 tokens. However, you requested 9203 tokens (8691 in the messages, 512 "
    "in the completion). Please reduce the length of the messages or completion."
)
_TPM = (
    "Request too large for model `llama-3.3-70b-versatile` in organization `org_1` service tier `on_demand` on tokens "
    "per minute (TPM): Limit 6000, Requested 12000, please reduce your message size and try again."
)
_KEPT = (
    "Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context "
    "length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide "
    "a shorter input"
)
_NO_BALANCE = (
    "Your account org-1 <ak-1> is suspended due to insufficient balance, please recharge your account or check your "
    "plan and billing details"
)
_NO_CREDITS = (
    "Your team 16f2151a has either used all available credits or reached its monthly spending limit. To continue making "
    "API requests, please purchase more credits or raise your spending limit."
)
_ARREARS = "Access denied, please make sure your account is in good standing."
_FAILED_CALL = "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details."
_VLLM_SETTING = (
    "'max_tokens' or 'max_completion_tokens' is too large: {}. This model's maximum context length is 8192 tokens and "
    "your request has 1500 input tokens ({} > 8192 - 1500)."
)
_RAW_LONG = {"type": "error", "error": {"type": "invalid_request_error", "message": "Prompt is too long"}}

T, R, F, E = Outcome.TRUNCATED, Outcome.REFUSED, Outcome.FAILED_TURN, Outcome.ERROR
AGAIN, ENDS, ANSWERED = Outcome.RETRIED, Outcome.RUN_ENDS, Outcome.ANSWERED

FAULTS = (
    # The conversation does not fit.
    ServerFault("OpenAI", 400, _error(_MAXIMUM, "invalid_request_error", "context_length_exceeded", param="messages"), T, _OPENAI),
    ServerFault("OpenAI responses", 400, _error("Your input exceeds the context window of this model. Please adjust your input and try again.", "invalid_request_error", "context_length_exceeded", param="input"), T, _OPENAI),
    ServerFault("OpenAI without a code", 400, _error("Your input exceeds the context window of this model.", "invalid_request_error"), T, _OPENAI),
    ServerFault("OpenAI text", 400, _error("Invalid 'messages[3].content': string too long. Expected a string with maximum length 10485760.", "invalid_request_error", "string_above_max_length", param="messages[3].content"), T, _OPENAI),
    ServerFault("OpenAI list", 400, _error("Invalid 'messages': array too long. Expected an array with maximum length 2048.", "invalid_request_error", "array_above_max_length", param="messages"), T, _OPENAI),
    ServerFault("OpenAI status", 200, {"status": "failed", **_error("Your input exceeds the context window.", code="context_length_exceeded")}, T, _OPENAI),
    ServerFault("Azure", 400, _error(_MAXIMUM, None, "context_length_exceeded", param="messages"), T, _AZURE),
    ServerFault("vLLM", 400, _vllm(_MAXIMUM), T, _VLLM_LENGTH),
    ServerFault("vLLM wrapped", 400, {"error": _vllm(_MAXIMUM)}, T, _VLLM),
    ServerFault("vLLM in a success", 200, _vllm(_MAXIMUM), T, _VLLM),
    ServerFault("vLLM in a gateway's 502", 502, {"error": _vllm(_MAXIMUM)}, T, _VLLM),
    ServerFault("vLLM negative rest", 400, _vllm("max_tokens must be at least 1, got -186."), T, "https://github.com/vllm-project/vllm/issues/4667"),
    ServerFault("vLLM decoder", 400, _vllm("The decoder prompt (length 10127) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens."), T, "https://github.com/Gabesarch/grounded-rl/issues/16"),
    ServerFault("vLLM rest too short", 400, _vllm(_VLLM_SETTING.format(7000, 7000), param="max_tokens"), T, _VLLM),
    ServerFault("SGLang", 400, _vllm("The input (61709 tokens) is longer than the model's context length (40960 tokens)."), T, "https://github.com/QwenLM/Qwen3/issues/1321"),
    ServerFault("SGLang cache", 400, _vllm("Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens)."), T, "https://github.com/sgl-project/sglang/issues/4048"),
    ServerFault("SGLang request", 400, _vllm("Requested token count exceeds the model's maximum context length of 8192 tokens."), T, _SGLANG),
    ServerFault("llama.cpp", 400, _error("request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it", "exceed_context_size_error", 400, n_ctx=8192), T, _LLAMA),
    ServerFault("llama.cpp before types", 400, _error("the request exceeds the available context size. try increasing the context size or enable context shift", "invalid_request_error", 400), T, _LLAMA),
    ServerFault("llama.cpp while generating", 500, _error("Context size has been exceeded.", "server_error", 500), T, _LLAMA),
    ServerFault("llama-cpp-python", 400, _error("This model's maximum context length is 2048 tokens, however you requested 3000 tokens", "invalid_request_error", "context_length_exceeded"), T, _LLAMA_PYTHON),
    ServerFault("llama-cpp-python 500", 500, _error("Requested tokens (9000) exceed context window of 8192", "internal_server_error"), T, _LLAMA_PYTHON),
    ServerFault("LM Studio", 400, {"error": f"<LM Studio error> {_KEPT}. Error Data: n/a, Additional Data: n/a"}, T, "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/237"),
    ServerFault("LM Studio success", 200, {"error": {"message": _KEPT}}, T, "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2322"),
    ServerFault("LM Studio mid-generation", 500, {"error": "Reached context length of 32000 tokens with model (arch: gpt-oss) that does not currently support mid-generation context overflow."}, T, "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1024"),
    ServerFault("LM Studio event", 200, f"event: error\ndata: {json.dumps({'error': {'message': _KEPT}})}\n\n", T, "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2322"),
    ServerFault("Ollama", 400, _error("the input length exceeds the context length", "invalid_request_error"), T, _OLLAMA),
    ServerFault("Ollama prompt", 400, {"error": "prompt too long; exceeded max context length by 128 tokens"}, T, _OLLAMA),
    ServerFault("OpenRouter", 400, _error("This endpoint's maximum context length is 128000 tokens. However, you requested about 140000 tokens. Please reduce the length of either one, or use the \"middle-out\" transform.", code=400), T, _OPENROUTER),
    ServerFault("OpenRouter provider", 400, _routed(_anthropic("prompt is too long: 208732 tokens > 200000 maximum")), T, _OPENROUTER),
    ServerFault("OpenRouter success", 200, _routed(_RAW_LONG, 413, "Google"), T, _OPENROUTER_LONG),
    ServerFault("OpenRouter twice", 400, {"error": {"headers": {}, "requestID": None, **_routed(_RAW_LONG, 413)}, "code": 413}, T, _OPENROUTER_LONG),
    ServerFault("OpenRouter choice", 200, _finished("error", {"role": "assistant", "content": ""}, error={"code": 400, "message": "prompt is too long: 3 tokens > 2 maximum"}), T, _OPENROUTER),
    ServerFault("Anthropic", 400, _anthropic("prompt is too long: 208732 tokens > 200000 maximum"), T, _ANTHROPIC_LONG),
    ServerFault("Anthropic limit", 400, _anthropic("input length and `max_tokens` exceed context limit: 143653 + 64000 > 200000, decrease input length or `max_tokens` and try again"), T, "https://github.com/continuedev/continue/issues/8454"),
    ServerFault("Anthropic size", 413, _anthropic("Request exceeds the maximum size", "request_too_large"), T, _ANTHROPIC),
    ServerFault("nginx", 413, _HTML.format("413 Request Entity Too Large"), T, _NGINX),
    ServerFault("Groq", 400, _error("Please reduce the length of the messages or completion.", "invalid_request_error", "context_length_exceeded", param="messages"), T, _GROQ),
    ServerFault("Cerebras", 400, {"message": "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192", "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded"}, T, _CEREBRAS),
    ServerFault("Mistral", 400, {"object": "error", "message": "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length", "type": "invalid_request_prompt", "param": None, "code": "3051"}, T, _MISTRAL),
    ServerFault("Gemini", 400, [_error("The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).", code=400, status="INVALID_ARGUMENT")], T, _GEMINI),
    ServerFault("Gemini exceeds", 400, _error("The input token count exceeds the maximum number of tokens allowed 1048576.", code=400, status="INVALID_ARGUMENT"), T, _GEMINI),
    ServerFault("TGI", 422, {"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20 `max_new_tokens`", "error_type": "validation"}, T, _TGI),
    ServerFault("TGI inputs", 422, {"error": "Input validation error: `inputs` must have less than 1024 tokens. Given: 2000", "error_type": "validation"}, T, _TGI),
    ServerFault("Together", 422, _error("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`", "invalid_request_error"), T, _TOGETHER),
    ServerFault("Fireworks", 400, _error("The prompt is too long: 9000, model maximum context length: 8191", "invalid_request_error"), T, "https://docs.fireworks.ai/guides/inference-error-codes"),
    ServerFault("DeepSeek", 400, _error("This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages, 4000 in the completion).", "invalid_request_error", "invalid_request_error"), T, _DEEPSEEK),
    ServerFault("LiteLLM", 400, _error("litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - too big. Received Model Group=gpt", None, "400"), T, _LITELLM),
    ServerFault("LiteLLM quoting", 500, _error(f"litellm.APIError: {json.dumps(_anthropic('prompt is too long: 3 tokens > 2 maximum'))}", None, "500"), T, _LITELLM),
    ServerFault("xAI", 400, {"code": "Client specified an invalid argument", "error": "This model's maximum prompt length is 131072 but the request contains 537812 tokens."}, T, _XAI),
    ServerFault("DashScope", 400, _error("<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]", "invalid_request_error", "invalid_parameter_error"), T, _DASHSCOPE),
    ServerFault("Zhipu", 400, _error("Prompt exceeds max length", code="1261"), T, _ZHIPU),
    ServerFault("Moonshot", 400, _error("Invalid request: Your request exceeded model token limit: 8192", "invalid_request_error"), T, _MOONSHOT),
    ServerFault("MiniMax", 400, _error("invalid params, context window exceeds limit (2013)", "bad_request_error"), T, "https://platform.minimax.io/docs/api-reference/errorcode"),
    ServerFault("Bedrock", 400, {"message": "Input is too long for requested model."}, T, _BEDROCK),
    ServerFault("Cohere", 400, {"message": "too many tokens: size limit exceeded by 100 tokens. Try using shorter or fewer inputs."}, T, _COHERE),
    ServerFault("Copilot", 400, _error("prompt token count of 130000 exceeds the limit of 128000", code="model_max_prompt_tokens_exceeded"), T, _COPILOT),
    ServerFault("Workers AI", 413, {"errors": [{"message": "AiError: The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (7968)."}]}, T, _CLOUDFLARE_AI),
    ServerFault("TensorRT-LLM", 400, _vllm("The sum of prompt length (9000.0), query length (0) should not exceed max_num_tokens (8192)"), T, _TRT),
    ServerFault("TabbyAPI", 400, {"detail": "Prompt length 9000 is greater than max_seq_len 8192"}, T, _TABBY),
    ServerFault("Doubao", 400, _error("Total tokens of image and text exceed max message tokens. Request id: 1", "BadRequest", "InvalidParameter"), T, "https://www.volcengine.com/docs/82379/1299023"),
    # Words that only look like it.
    ServerFault("Groq tokens per minute", 413, _error(_TPM, "tokens", "rate_limit_exceeded"), E, _GROQ),
    ServerFault("OpenAI tokens per minute", 429, _error("Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 40000. The input or output tokens must be reduced in order to run successfully.", "tokens", "rate_limit_exceeded"), AGAIN, _OPENAI),
    ServerFault("Anthropic rate", 429, _anthropic("This request would exceed your organization's rate limit of 40,000 input tokens per minute.", "rate_limit_error"), AGAIN, _ANTHROPIC),
    ServerFault("Bedrock throttling", 429, {"message": "Too many tokens, please wait before trying again."}, AGAIN, _BEDROCK),
    ServerFault("Gemini quota", 429, [_error("You exceeded your current quota: input_token_count per minute", code=429, status="RESOURCE_EXHAUSTED")], AGAIN, _GEMINI),
    ServerFault("OpenRouter rate", 429, _routed("z-ai/glm is temporarily rate-limited upstream. Please retry shortly.", 429), AGAIN, "https://github.com/open-webui/computer/issues/293"),
    ServerFault("Go deadline", 500, {"error": 'Post "http://127.0.0.1:1/completion": context deadline exceeded'}, AGAIN, _GO),
    ServerFault("proxy deadline", 504, {"detail": "The request exceeded the maximum time of 60 seconds"}, AGAIN, _CLOUDFLARE),
    ServerFault("vLLM option", 400, _vllm(_VLLM_SETTING.format(9000, 9000), param="max_tokens"), E, _VLLM),
    ServerFault("OpenAI option", 400, _error("max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.", "invalid_request_error", "invalid_value", param="max_tokens"), E, _OPENAI),
    ServerFault("FastAPI number", 422, {"detail": [{"loc": ["body", "temperature"], "msg": "Input should be greater than or equal to 0", "input": -1}]}, E, _FASTAPI),
    ServerFault("OpenAI ID", 400, _error("Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40.", "invalid_request_error", "string_above_max_length", param="messages[2].tool_calls[0].id"), E, _OPENAI),
    ServerFault("OpenAI tools", 400, _error("Invalid 'tools': array too long. Expected an array with maximum length 128.", "invalid_request_error", "array_above_max_length", param="tools"), E, _OPENAI),
    ServerFault("Ollama memory", 500, {"error": "model requires more system memory (8.0 GiB) than is available (4.0 GiB)"}, AGAIN, _OLLAMA),
    ServerFault("nginx URI", 414, _HTML.format("414 Request-URI Too Large"), E, "https://nginx.org/en/docs/http/ngx_http_core_module.html#large_client_header_buffers"),
    ServerFault("hapi URI", 414, {"statusCode": 414, "error": "Request-URI Too Large", "message": "uri is too long"}, E, "https://hapi.dev/module/boom/api/"),
    ServerFault("URI behind a gateway", 400, _error("Request-URI Too Large", code=414), E, "https://www.rfc-editor.org/rfc/rfc9110#name-414-uri-too-long"),
    ServerFault("headers", 431, "431 Request Header Fields Too Large", E, "https://github.com/valory-xyz/open-autonomy/issues/2102"),
    ServerFault("headers behind a gateway", 502, _error("upstream: Request Header Fields Too Large", code=431), AGAIN, "https://github.com/labring/FastGPT/issues/479"),
    ServerFault("law", 451, _error("Unavailable For Legal Reasons: the content policy of this region forbids the model"), E, "https://www.rfc-editor.org/rfc/rfc7725"),
    ServerFault("queue", 503, _error("The request queue is too long", "service_unavailable"), AGAIN, "https://www.rfc-editor.org/rfc/rfc9110#name-503-service-unavailable"),
    ServerFault("Ollama queue", 503, {"error": "server busy, please try again. maximum pending requests exceeded"}, AGAIN, "https://github.com/ollama/ollama/issues/4159"),
    ServerFault("allowance", 400, _error("You have exceeded your monthly token allowance. Please upgrade your plan."), E, "https://github.com/anthropics/claude-code/issues/13659"),
    ServerFault("organization", 400, _error("The input tokens of your organization exceed the maximum for this billing period."), E, _ANTHROPIC),
    ServerFault("MiniMax plan", 400, _anthropic("usage limit exceeded, 5-hour usage limit reached for Token Plan Starter, input tokens exceed the limit, resets at 2026-05-15T15:00:00Z (2056)", "rate_limit_error"), E, "https://github.com/MiniMax-AI/MiniMax-M2.7/issues/36"),
    ServerFault("Bedrock day", 400, {"message": "litellm.BadRequestError: BedrockException - Too many tokens per day, please wait before trying again."}, E, "https://github.com/Ivy-Interactive/Ivy-Tendril/issues/1756"),
    ServerFault("LiteLLM deployments", 429, _error("No deployments available - crossed budget: Exceeded budget for deployment model_name: xxx", None, "429"), AGAIN, "https://github.com/BerriAI/litellm/issues/14144"),
    ServerFault("upstream budget", 400, _error("The request exceeds the upstream budget of 100000 tokens"), E, "https://github.com/BerriAI/litellm/pull/7220"),
    ServerFault("gRPC", 400, _error("Received message larger than max (17777780 vs. 4194304)"), E, "https://github.com/grpc/grpc.io/issues/1254"),
    ServerFault("gRPC in Go", 500, {"error": "rpc error: code = ResourceExhausted desc = grpc: received message larger than max (4561623 vs. 4194304)"}, AGAIN, "https://github.com/zeromicro/go-zero/issues/3494"),
    ServerFault("token's lifetime", 400, _error("The access token exceeded its lifetime", "invalid_token"), E, "https://www.rfc-editor.org/rfc/rfc6750#section-3.1"),
    ServerFault("network filter", 400, "Blocked by the content filter of this network: category Generative AI", E, "https://github.com/microsoft/vscode-copilot-release/issues/2258"),
    ServerFault("network filter in a success", 200, _error("The web page is blocked by your organization's content policy"), AGAIN, "https://github.com/microsoft/vscode-copilot-release/issues/2258"),
    ServerFault("tool's server", 500, _error("tool error: dial tcp 127.0.0.1:3000: connect: connection refused", "tool_error"), AGAIN, "https://github.com/saivedant169/AegisFlow/pull/89"),
    ServerFault("parser's server", 500, _error("error parsing tool call: connection refused", "api_error"), AGAIN, "https://github.com/saivedant169/AegisFlow/pull/89"),
    ServerFault("LM Studio kept", 400, {"error": "Cannot truncate prompt with n_keep (9000) >= n_ctx (4096)"}, T, "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/237"),
    ServerFault("SambaNova", 400, _error("Requested generation length 10 is not possible! The provided prompt is 9000 tokens long, so generating 10 tokens requires a sequence length of 9010, but the maximum supported sequence length is just 8192!"), T, "https://docs.sambanova.ai/cloud/docs/capabilities/error-codes"),
    ServerFault("OpenAI calls", 400, _error("Invalid 'messages[2].tool_calls': array too long. Expected an array with maximum length 128, but got an array with length 200 instead.", "invalid_request_error", "array_above_max_length", param="messages[2].tool_calls"), T, _OPENAI),
    ServerFault("gateway error true", 200, {"error": True, "message": _MAXIMUM}, T, _LITELLM),
    ServerFault("llama.cpp batch", 500, _error("input (3000 tokens) is too large to process. increase the physical batch size (current batch size: 512)", "server_error", 500), AGAIN, _LLAMA),
    # A filter.
    ServerFault("xAI filter", 403, {"code": "The caller does not have permission to execute the specified operation", "error": "Content violates usage guidelines. Team: t, API key ID: k, Model: grok-4, Failed check: SAFETY_CHECK_TYPE_BIO"}, R, "https://github.com/UKGovernmentBEIS/inspect_ai/issues/2267"),
    ServerFault("MiniMax filter", 200, {"base_resp": {"status_code": 1027, "status_msg": "output new_sensitive"}}, R, _MINIMAX),
    ServerFault("Azure filter", 400, _error("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", None, "content_filter", innererror={"code": "ResponsibleAIPolicyViolation"}), R, _AZURE),
    ServerFault("OpenAI policy", 400, _error("Invalid prompt: your prompt was flagged as potentially violating our usage policy.", "invalid_request_error", "invalid_prompt"), R, _OPENAI),
    ServerFault("OpenRouter moderation", 403, {"error": {"code": 403, "message": "Your input was flagged", "metadata": {"reasons": ["violence"], "flagged_input": "x"}}}, R, _OPENROUTER),
    ServerFault("Anthropic filter", 400, _anthropic("Output blocked by content filtering policy"), R, _ANTHROPIC),
    ServerFault("DeepSeek risk", 400, _error("Content Exists Risk", "invalid_request_error", "invalid_request_error"), R, _DEEPSEEK),
    ServerFault("DashScope inspection", 400, _error("Output data may contain inappropriate content.", "data_inspection_failed", "data_inspection_failed"), R, _DASHSCOPE),
    ServerFault("Zhipu filter", 400, _error("系统检测到输入或生成内容可能包含不安全或敏感内容", code="1301"), R, _ZHIPU),
    ServerFault("Moonshot risk", 400, _error("The request was rejected because it was considered high risk", "content_filter"), R, _MOONSHOT),
    ServerFault("LiteLLM policy", 400, _error("litellm.ContentPolicyViolationError: AzureException", None, "400"), R, _LITELLM),
    # The model wrote what its server cannot read.
    ServerFault("llama.cpp parse", 500, _error("Failed to parse input at pos 12: </tool_call>", "server_error", 500), F, _LLAMA_PARSE),
    ServerFault("llama.cpp in a success", 200, _error("Failed to parse input at pos 395: <|tool_call_start|>[x(", "server_error", 500), F, "https://github.com/ggml-org/llama.cpp/issues/23838"),
    ServerFault("llama.cpp arguments", 500, _error("Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error", "server_error", 500), F, _LLAMA),
    ServerFault("Groq call", 400, _error(_FAILED_CALL, "invalid_request_error", "tool_use_failed", failed_generation="<function=get_note>{keyword"), F, _GROQ_TOOL),
    ServerFault("Groq call without a code", 400, _error(_FAILED_CALL, "invalid_request_error"), F, "https://github.com/anomalyco/opencode/issues/1018"),
    ServerFault("Groq validation", 400, _error("tool call validation failed: attempted to call tool 'x' which was not in request.tools", "invalid_request_error", "tool_use_failed", failed_generation='{"name": "x"}'), F, _GROQ),
    ServerFault("Groq JSON", 400, _error("Failed to generate JSON. Please adjust your prompt.", "invalid_request_error", "json_validate_failed", failed_generation="{"), F, _GROQ),
    ServerFault("Groq parse", 400, _error("Parsing failed. The model generated output that could not be parsed.", "invalid_request_error", "output_parse_failed"), F, _GROQ),
    ServerFault("LiteLLM Groq", 400, _error("litellm.BadRequestError: GroqException - " + json.dumps(_error(_FAILED_CALL, "invalid_request_error", "tool_use_failed")), None, "400"), F, "https://github.com/huggingface/smolagents/issues/1119"),
    ServerFault("Ollama tool", 500, _error("error parsing tool call: raw='{\"keyword\": }', err=invalid character '}' looking for beginning of value", "api_error"), F, _OLLAMA_TOOL),
    ServerFault("Ollama odd key", 500, {"error parsing tool call": "invalid character 'c' looking for beginning of value"}, F, "https://github.com/ollama/ollama/issues/11704"),
    ServerFault("SGLang tool", 400, _vllm("Failed to parse fc related info to json format!"), F, _SGLANG_CHAT),
    ServerFault("vLLM required", 400, _vllm("1 validation error for list[function-wrap[__log_extra_fields__()]]\n  Invalid JSON: EOF while parsing"), F, _VLLM),
    ServerFault("vLLM harmony", 500, {"error": _vllm('unexpected tokens remaining in message header: Some("to=functions")', 500, "InternalServerError")}, F, _VLLM),
    ServerFault("Bedrock tool", 424, {"message": "Model produced invalid sequence as part of ToolUse. Please refer to the model tool use troubleshooting guide."}, F, _BEDROCK),
    ServerFault("TGI tool", 422, {"error": "Tool error: No tool found in generation", "error_type": "tool_error"}, F, _TGI),
    ServerFault("Cohere tool", 422, {"message": "invalid tool generation"}, F, _COHERE),
    ServerFault("Gemini", 200, _finished("function_call_filter: MALFORMED_FUNCTION_CALL", {"role": "assistant"}), F, _GEMINI_FINISH),
    ServerFault("Gemini without a message", 200, {"choices": [{"index": 0, "finish_reason": "MALFORMED_FUNCTION_CALL"}]}, F, "https://github.com/googleapis/python-genai/issues/1836"),
    ServerFault("Gemini unexpected", 200, _finished("UNEXPECTED_TOOL_CALL", _NOTHING), F, _GEMINI_FINISH),
    ServerFault("OpenRouter tool", 400, _routed({"error": {"message": _FAILED_CALL, "code": "tool_use_failed"}}, provider="Groq"), F, _OPENROUTER),
    # Why it stopped.
    *(ServerFault(f"finish {word}", 200, _finished(word), T, source) for word, source in (("length", _OPENAI_CHAT), ("max_tokens", _ANTHROPIC_STOP), ("MAX_TOKENS", _GEMINI_FINISH), ("model_length", _MISTRAL), ("model_context_window_exceeded", _ANTHROPIC_STOP))),
    *(ServerFault(f"finish {word}", 200, _finished(word), ANSWERED, source) for word, source in (("stop", _OPENAI_CHAT), (None, _OPENAI_CHAT), ("", _OLLAMA), ("eos", _TOGETHER), ("eos_token", _TGI), ("stop_sequence", _TGI), ("end_turn", _ANTHROPIC_STOP), ("STOP", _GEMINI_FINISH), ("COMPLETE", _COHERE))),
    *(ServerFault(f"finish {word}", 200, _finished(word, _NOTHING), R, source) for word, source in (("content_filter", _AZURE), ("content_filter: PROHIBITED_CONTENT", _GEMINI_FINISH), ("SAFETY", _GEMINI_FINISH), ("RECITATION", _GEMINI_FINISH), ("refusal", _ANTHROPIC_STOP), ("sensitive", _ZHIPU), ("guardrail_intervened", _BEDROCK))),
    ServerFault("calls after tool_use", 200, _finished("tool_use", _CALLS), ANSWERED, _ANTHROPIC_STOP),
    ServerFault("calls after stop", 200, _finished("stop", _CALLS), ANSWERED, _OLLAMA),
    ServerFault("a call of old", 200, _finished("function_call", {**_NOTHING, "function_call": {"name": "get_note", "arguments": '{"keyword": "colour"}'}}), ANSWERED, _OPENAI_CHAT),
    ServerFault("no calls but an answer", 200, _finished("tool_calls"), ANSWERED, _OPENAI_CHAT),
    ServerFault("empty message", 200, _finished("stop", _NOTHING), Outcome.EMPTY, _OPENAI_CHAT),
    ServerFault("finish error", 200, _finished("error"), AGAIN, _OPENROUTER),
    ServerFault("DeepSeek resources", 200, _finished("insufficient_system_resource"), AGAIN, _DEEPSEEK),
    ServerFault("Zhipu network", 200, _finished("network_error"), AGAIN, _ZHIPU),
    # The endpoint's.
    ServerFault("OpenAI server", 500, _error("The server had an error while processing your request.", "server_error"), AGAIN, _OPENAI),
    ServerFault("Anthropic overloaded", 529, _anthropic("Overloaded", "overloaded_error"), AGAIN, _ANTHROPIC),
    ServerFault("vLLM engine", 500, {"error": _vllm("EngineCore encountered an issue. See stack trace (above) for the root cause.", 500, "InternalServerError")}, AGAIN, _VLLM),
    ServerFault("llama.cpp loading", 503, _error("Loading model", "unavailable_error", 503), AGAIN, _LLAMA),
    ServerFault("nginx gateway", 502, _HTML.format("502 Bad Gateway"), AGAIN, _NGINX),
    ServerFault("Cloudflare time-out", 524, "error code: 524", AGAIN, _CLOUDFLARE),
    ServerFault("OpenAI parameter", 400, _error("Unsupported parameter: 'temperature' is not supported with this model.", "invalid_request_error", "unsupported_parameter", param="temperature"), E, _OPENAI),
    ServerFault("OpenAI quota", 429, _error("You exceeded your current quota, please check your plan and billing details.", "insufficient_quota", "insufficient_quota"), ENDS, _OPENAI),
    ServerFault("DeepSeek balance", 402, _error("Insufficient Balance", "unknown_error", "invalid_request_error"), ENDS, _DEEPSEEK),
    ServerFault("OpenRouter credits", 402, _error("This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 1000.", code=402), ENDS, _OPENROUTER),
    ServerFault("OpenRouter key limit", 402, _error("Prompt tokens limit exceeded: 230799 > 91442. To increase, visit https://openrouter.ai/settings/keys and create a key with a higher monthly limit", code=402), ENDS, "https://github.com/anomalyco/opencode/issues/12219"),
    ServerFault("Anthropic credit", 400, _anthropic("Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."), ENDS, "https://github.com/anthropics/claude-quickstarts/issues/229"),
    ServerFault("OpenAI inactive", 429, _error("Your account is not active, please check your billing details on our website.", "billing_not_active", "billing_not_active"), ENDS, "https://github.com/BerriAI/litellm/issues/2743"),
    ServerFault("OpenAI hard limit", 400, _error("Billing hard limit has been reached", "invalid_request_error", "billing_hard_limit_reached"), ENDS, "https://github.com/dfinke/PowerShellAI/issues/127"),
    ServerFault("Moonshot balance", 429, _error(_NO_BALANCE, "exceeded_current_quota_error"), ENDS, "https://github.com/MoonshotAI/kimi-code/pull/1857"),
    ServerFault("Moonshot routed", 429, _routed(_error(_NO_BALANCE, "exceeded_current_quota_error"), 429, "Moonshot AI"), ENDS, "https://github.com/anomalyco/opencode/issues/25458"),
    ServerFault("DashScope arrears", 400, _error(_ARREARS, "Arrearage", "Arrearage"), ENDS, "https://github.com/hsliuping/TradingAgents-CN/issues/170"),
    ServerFault("DashScope arrears in a success", 200, {"code": "Arrearage", "message": _ARREARS}, ENDS, "https://github.com/tencentmusic/supersonic/issues/1572"),
    ServerFault("Zhipu balance", 429, _error("Insufficient balance or no resource package. Please recharge.", code="1113"), ENDS, "https://github.com/7836246/cursor2api/issues/30"),
    ServerFault("Zhipu arrears", 429, _error("您的账户已欠费", code="1113"), ENDS, "https://github.com/langgenius/dify/issues/5850"),
    ServerFault("xAI credits", 403, {"code": "permission-denied", "error": _NO_CREDITS}, ENDS, "https://github.com/warpdotdev/warp/issues/14863"),
    ServerFault("xAI credits as text", 429, json.dumps(_NO_CREDITS), ENDS, "https://github.com/continuedev/continue/issues/10373"),
    ServerFault("Fireworks spending", 412, _error("Account mine is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.", "error", "PRECONDITION_FAILED"), ENDS, "https://github.com/pollinations/pollinations/issues/12136"),
    ServerFault("SiliconFlow balance", 403, {"code": 30011, "message": "The selected model requires paid balance. Your paid balance is insufficient. Please top up and try again.", "data": None}, ENDS, "https://github.com/FoundationAgents/OpenManus/issues/438"),
    ServerFault("Hugging Face credits", 400, {"error": "You have exceeded your monthly included credits for Inference Providers. Subscribe to PRO to get 20x more monthly included credits."}, ENDS, "https://github.com/huggingface/agents-course/issues/386"),
    ServerFault("LiteLLM budget", 400, _error("Budget has been exceeded! Current cost: 26.075, Max budget: 0.25", "budget_exceeded", "400"), ENDS, "https://github.com/BerriAI/litellm/issues/22726"),
    ServerFault("LiteLLM budget wrapped", 400, _error("litellm.BadRequestError: OpenAIException - Budget has been exceeded! Current cost: 14.2, Max budget: 100. Received Model Group=meta.llama3-8b-instruct-v1:0", None, "400"), ENDS, "https://github.com/BerriAI/litellm/issues/14144"),
    ServerFault("OpenAI key", 401, _error("Incorrect API key provided", "invalid_request_error", "invalid_api_key"), ENDS, _OPENAI),
    ServerFault("Gemini key", 400, [_error("API key not valid. Please pass a valid API key.", code=400, status="INVALID_ARGUMENT", details=[{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}])], ENDS, _GEMINI),
    ServerFault("xAI key", 400, {"code": "Client specified an invalid argument", "error": "Incorrect API key provided: sk***34. You can obtain an API key from https://console.x.ai."}, ENDS, _XAI),
    ServerFault("key in a success", 200, _error("Invalid API key", "authentication_error", 401), ENDS, _LITELLM),
    ServerFault("key in a success by its code", 200, _error("No auth credentials found", code=401), ENDS, _OPENROUTER),
    ServerFault("MiniMax key", 200, {"base_resp": {"status_code": 1004, "status_msg": "login fail: Please carry the API secret key in the 'Authorization' field of the request header"}}, ENDS, _MINIMAX),
    ServerFault("MiniMax balance", 200, {"choices": None, "base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}}, ENDS, _MINIMAX),
    ServerFault("MiniMax rate", 200, {"base_resp": {"status_code": 1002, "status_msg": "rate limit"}}, AGAIN, _MINIMAX),
    ServerFault("LM Studio URL", 200, {"error": "Unexpected endpoint or method. (POST /chat/completions). Returning 200 anyway"}, ENDS, "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/618"),
    ServerFault("Mistral model", 400, {"object": "error", "message": "Invalid model: foo", "type": "invalid_model", "param": None, "code": "1500"}, ENDS, _MISTRAL),
    ServerFault("DeepSeek model", 400, _error("Model Not Exist", "invalid_request_error", "invalid_request_error"), ENDS, _DEEPSEEK),
    ServerFault("OpenRouter model", 400, _error("foo is not a valid model ID", code=400), ENDS, _OPENROUTER),
    ServerFault("LiteLLM model", 400, _error("/chat/completions: Invalid model name passed in model=foo. Call `/v1/models` to view available models for your key.", "None", "400", param="None"), ENDS, _LITELLM),
    ServerFault("model in a success", 200, _error("model x not found", "invalid_request_error", "model_not_found"), ENDS, _LITELLM),
    ServerFault("proxy policy", 403, _HTML.format("Blocked by your organization's content policy"), ENDS, _CLOUDFLARE),
    ServerFault("Ollama model", 404, _error('model "x" not found, try pulling it first', "api_error"), ENDS, _OLLAMA),
)  # fmt: skip
