"""Values that are hidden everywhere."""

import html
import json
import re
import time
import tracemalloc
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mpcbench.benchmark.agents.endpoint.models import Api, ModelEntry
from mpcbench.benchmark.agents.endpoint.secrets import SHORTEST, Secrets

KEY = "sk-\"Ab/c+d=\\e'f<g>&h?i\N{SNOWMAN} 9"
VALUES = st.text(st.characters(codec="utf-8", exclude_characters="*"), min_size=SHORTEST, max_size=40)


def entry(name: str | None = "THE_KEY", base_url: str | None = None) -> ModelEntry:
    return ModelEntry(model="some-model", api=Api.CHAT, api_key_env=name, base_url=base_url)


class TestHide:
    @pytest.mark.parametrize(
        "form",
        [
            KEY,
            json.dumps(KEY)[1:-1],
            json.dumps(KEY, ensure_ascii=False)[1:-1],
            json.dumps(json.dumps(KEY))[3:-3],
            json.dumps(KEY)[1:-1].replace("/", r"\/"),
            quote(KEY),
            quote(KEY, safe=""),
            quote_plus(KEY),
            re.sub("%..", lambda found: found[0].lower(), quote(KEY)),
            html.escape(KEY),
            b64encode(KEY.encode()).decode(),
            urlsafe_b64encode(KEY.encode()).decode(),
            KEY.upper(),
            KEY.lower(),
            KEY[::-1],
            KEY[::-1].upper(),
            KEY.encode().hex(),
            KEY.encode().hex().upper(),
            KEY.encode().hex(":"),
            KEY.encode().hex(" "),
            b64encode(KEY[::-1].encode()).decode(),
        ],
    )
    def test_every_form(self, form: str) -> None:
        """A value is hidden plain, escaped and encoded, and what is around it stays."""
        assert "before *** after ***" == Secrets([KEY]).hide(f"before {form} after {form}")

    @pytest.mark.parametrize(
        "form",
        [
            "".join(f"%{ord(one):02x}" for one in "sk-Test-0123"),
            "".join(f"%{ord(one):02X}" for one in "sk-Test-0123"),
            "sk%2DTest-0%3123",
            r"\u0073k-Test-0123",
            r"\\u0073\\u006B-Test-0123",
            r"\x73k-Test-\x30123",
            "".join(f"&#{ord(one)};" for one in "sk-Test-0123"),
            "&#x73;k-Test-0123",
            "SK%2DTEST-0123",
            "3210-tseT%2Dks",
        ],
    )
    def test_any_character_escaped(self, form: str) -> None:
        """A value is hidden whichever of its characters are escaped."""
        assert "before *** after" == Secrets(["sk-Test-0123"]).hide(f"before {form} after")

    @given(st.binary(max_size=8), VALUES, st.binary(max_size=8))
    def test_base64_of_a_text_that_holds_it(self, before: bytes, value: str, after: bytes) -> None:
        """Of a Base64 text with the value somewhere in it, as in basic authentication, the value's part is hidden."""
        text = b64encode(before + value.encode() + after).decode()
        hidden = Secrets([value]).hide(text)

        assert "***" in hidden
        # At each end one character may be left that holds at most four bits of the value.
        assert len(hidden.replace("***", "").rstrip("=")) <= (len(before) + len(after)) * 4 / 3 + 2

    @given(st.text(), VALUES, st.text())
    def test_never_leaves_the_value(self, before: str, value: str, after: str) -> None:
        """Whatever is around it, the value is gone."""
        assume(not value.isdecimal())

        assert value not in Secrets([value]).hide(before + value + after)

    @given(st.text(st.characters(blacklist_characters="k")))
    def test_leaves_other_texts_alone(self, text: str) -> None:
        """A text without the value stays as it is."""
        assert text == Secrets(["kkkkkkkk"]).hide(text)

    def test_short_values_stay(self) -> None:
        """A value of fewer than six characters is not hidden."""
        assert "abcde ***" == Secrets(["abcde", "abcdef"]).hide("abcde abcdef")

    def test_a_value_that_holds_another(self) -> None:
        """The longer of two values is hidden as a whole."""
        assert "***" == Secrets(["secret", "secret-and-more"]).hide("secret-and-more")

    def test_numbers_stay_whole(self) -> None:
        """A value of digits is not cut out of a longer number, which would leave no JSON."""
        assert '{"a": 0.12345678, "b": "***"}' == Secrets(["123456"]).hide('{"a": 0.12345678, "b": "123456"}')

    def test_hexadecimal_digits_that_are_decimal(self) -> None:
        """A value whose hexadecimal form is digits alone is hidden within longer ones."""
        value = "querysecret3"
        form = value.encode().hex()

        assert form.isdecimal()
        assert "00***00" == Secrets([value]).hide(f"00{form}00")

    def test_escapes_in_a_long_text(self) -> None:
        """An escaped value is hidden wherever it is in a long text."""
        key = "sk-Test-0123"
        for before in range(2**16 - 20, 2**16 + 1):
            assert "%" * before + "***" == Secrets([key]).hide("%" * before + r"\u0073k%2DTest-0123")

    @pytest.mark.parametrize("escape", ["%41", "&#65;"])
    def test_many_escapes(self, escape: str) -> None:
        """A text of nothing but escapes takes little memory besides its own."""
        text = escape * 300_000
        tracemalloc.start()
        try:
            hidden = Secrets(["sk-Test-0123"]).hide(text)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

        assert text == hidden
        assert peak < 8 * len(text)

    def test_many_backslashes(self) -> None:
        """A long run of backslashes is looked at once, and not again from each of them."""
        text = "%" + "\\" * 200_000
        began = time.monotonic()

        assert text == Secrets(["sk-Test-0123"]).hide(text)
        assert time.monotonic() - began < 5

    @pytest.mark.parametrize("length", [30, 60, 90])
    def test_of_a_text_that_is_cut(self, length: int) -> None:
        """No part of a value is left at either end of what is cut, which is not looked at."""
        key = "sk-Test-uvw"
        parts = [word[start : start + 3] for word in (key, key[::-1]) for start in range(len(key) - 2)]
        for before in range(length * 2):
            text = "x" * before + key + "y" * 800 + key[::-1] + "z" * (2 * length - before)
            cut = Secrets([key]).hide_and_shorten(text, length)

            assert not any(part in cut for part in parts)
            assert len(cut) <= length + len(" [... 1,000 more characters ...] ")

    def test_values_that_are_no_text(self) -> None:
        """Bytes of the environment that are not UTF-8 are hidden like any others."""
        assert "a *** b" == Secrets(["\udcff-secret"]).hide("a \udcff-secret b")

    def test_representation(self) -> None:
        """The values are not in the object's representation."""
        assert "kkkkkkkk" not in repr(Secrets(["kkkkkkkk"]))


class TestOfRun:
    def test_keys_and_urls(self) -> None:
        """Keys of the models, user, password and query values of all base URLs are hidden; host and path are not."""
        environment = {
            "THE_KEY": " sk-environment\n",
            "OTHER": "unrelated-value",
            "OPENAI_BASE_URL": "https://fallback-user@host.example/v1",
        }
        entries = [entry(), entry(None, "https://host.example/v1?api-key=of-the-entry")]
        secrets = Secrets.of_run(entries, "https://some-user:p%40ssword@host.example/v1", environment)
        text = "sk-environment of-the-entry some-user p%40ssword p@ssword fallback-user"

        assert "*** *** *** *** *** ***" == secrets.hide(text)
        assert "host.example/v1 api-key unrelated-value" == secrets.hide("host.example/v1 api-key unrelated-value")

    def test_custom_headers_and_proxies(self) -> None:
        """The values of custom headers are hidden, also without their scheme, and the passwords of proxies."""
        environment = {
            "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer of-header\nX-Team: the red team",
            "https_proxy": "http://proxy-user:proxy-password@proxy.example:3128",
        }
        secrets = Secrets.of_run([], None, environment)
        text = "of-header, Bearer of-header, the red team, proxy-user, proxy-password"

        assert "***, ***, ***, ***, ***" == secrets.hide(text)
        assert "authorization x-team proxy.example" == secrets.hide("authorization x-team proxy.example")

    def test_user_and_password_of_basic_authentication(self) -> None:
        """Short ones are hidden as the pair that goes over the wire."""
        secrets = Secrets.of_run([], "https://me:pass@host.example/v1", {})

        assert "Basic ***" == secrets.hide(f"Basic {b64encode(b'me:pass').decode()}")

    @pytest.mark.parametrize("url", [None, "", "http://[::1/v1", "https://host.example/v1"])
    def test_nothing_to_hide(self, url: str | None) -> None:
        """Without keys and without secrets in the URL every text stays."""
        assert "any text" == Secrets.of_run([entry()], url, {}).hide("any text")
