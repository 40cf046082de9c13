"""Bytes to text whatever the mail says its charset is, and encoded words in headers (M5, M17)."""

from __future__ import annotations

import binascii
import re
from encodings.aliases import aliases
from typing import Final

_SAFE: Final = re.compile(
    r"ascii|utf_(8|16|32|16_[bl]e|32_[bl]e|7)|latin_1|iso8859_\d+|cp(125\d|437|7\d\d|8\d\d|9\d\d|1006|1026|1140)"
    r"|koi8_[rtu]|mac_\w+|gb2312|gbk|gb18030|hz|big5\w*|shift_jis\w*|euc_\w+|iso2022_\w+|johab|tis_620|ptcp154|kz1048"
)
"""Codecs that read text in linear time; `punycode`, `idna`, `unicode_escape` and their like are none."""


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


_CODECS: Final[dict[str, str]] = {
    **{_plain(alias): codec for alias, codec in aliases.items() if _SAFE.fullmatch(codec)},
    **{_plain(codec): codec for codec in aliases.values() if _SAFE.fullmatch(codec)},
    # what mailers write for them
    "uft8": "utf_8",
    "utf": "utf_8",
    "unicode11utf8": "utf_8",
    "utf8mb4": "utf_8",
    "latin1": "cp1252",
    "iso88591": "cp1252",
    "ansix341968": "cp1252",
    "usascii": "cp1252",
    "ascii": "cp1252",
    "windows1252": "cp1252",
    "xcp1252": "cp1252",
    "iso88598i": "iso8859_8",
    "iso88598e": "iso8859_8",
    "iso88596i": "iso8859_6",
    "windows31j": "cp932",
    "mswindows31j": "cp932",
    "xsjis": "cp932",
    "shiftjis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "xgbk": "gb18030",
    "ksc56011987": "cp949",
    "ksc5601": "cp949",
    "euckr": "cp949",
    "windows874": "cp874",
    "xmacroman": "mac_roman",
    "macintosh": "mac_roman",
    "xmaccyrillic": "mac_cyrillic",
}
"""Charset names without their dashes, and the codec that reads them; Latin-1 is read as cp1252, as mailers do."""

_WORD: Final = re.compile(r"=\?([!-<>@-~]*)\?([bBqQ])\?([^?\r\n]*)\?=")
_BETWEEN: Final = re.compile(r"(\?=)[ \t\r\n]+(=\?)")


def decode_text(data: bytes, charset: str) -> str:
    """Return the bytes as text: as `charset` says if that can be, else as UTF-8, else as cp1252. Never raises."""
    codec = _CODECS.get(_plain(charset.partition("*")[0])) if charset else None
    for name in (codec, "utf_8"):
        if name is None or (name == "cp1252" and not data.isascii() and _is_utf8(data)):
            continue
        try:
            return data.decode(name)
        except ValueError:
            continue
    return data.decode(codec or "cp1252", "replace")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf_8")
    except ValueError:
        return False
    return True


def decode_words(value: str) -> str:
    """Return a header's value with its encoded words (`=?UTF-8?Q?…?=`) decoded; broken ones stay as they are."""
    return _WORD.sub(_decoded, _BETWEEN.sub(r"\1\2", value))


def _decoded(match: re.Match[str]) -> str:
    charset, encoding, text = match.groups()
    data = text.encode("utf-8", "replace")
    if encoding in "qQ":
        return decode_text(binascii.a2b_qp(data, header=True), charset)
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    if len(letters) % 4 == 1:
        letters = letters[:-1]
    return decode_text(binascii.a2b_base64(letters + b"=" * (-len(letters) % 4)), charset)
