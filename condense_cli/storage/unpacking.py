"""Compressed sessions: which kind it is by its first bytes, and its bytes, unpacked piece by piece up to a limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol

from condense_cli.errors import UnreadableError

STEP = 1 << 10
"""Bytes unpacked at a time: they may become some thousand times as many."""

_LZMA_MEMORY = 256 << 20


class Unpacker(Protocol):
    """What unpacks one stream of a compressed file."""

    @property
    def eof(self) -> bool:
        """Say whether the stream has ended."""

    @property
    def unused_data(self) -> bytes:
        """Return what came after the end."""

    def decompress(self, data: bytes, /) -> bytes:
        """Return what these bytes unpack to."""


def _zstd() -> Unpacker:
    import zstandard

    made: Unpacker = zstandard.ZstdDecompressor().decompressobj()
    return made


def _gzip() -> Unpacker:
    import zlib

    return zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)


def _xz() -> Unpacker:
    import lzma

    return lzma.LZMADecompressor(memlimit=_LZMA_MEMORY)


def _bzip2() -> Unpacker:
    import bz2

    return bz2.BZ2Decompressor()


class Packing(NamedTuple):
    """One kind of compression: its name, the ending and first bytes of a file, the command that unpacks one, and
    what does here.
    """

    name: str
    ending: str
    magic: bytes
    command: str
    start: Callable[[], Unpacker]


PACKINGS = (
    Packing("zstd", ".zst", b"\x28\xb5\x2f\xfd", "zstd -d", _zstd),
    Packing("gzip", ".gz", b"\x1f\x8b", "gunzip -k", _gzip),
    Packing("xz", ".xz", b"\xfd7zXZ\0", "unxz -k", _xz),
    Packing("bzip2", ".bz2", b"BZh", "bunzip2 -k", _bzip2),
)
MOST_MAGIC = max(len(packing.magic) for packing in PACKINGS)


def packing_of(head: bytes) -> Packing | None:
    """Return how a file is compressed, by its first bytes; None where it is not."""
    return next((packing for packing in PACKINGS if head.startswith(packing.magic)), None)


def unpacked(path: str, packed: Iterable[bytes], packing: Packing, max_size: int) -> Iterator[bytes]:
    """Yield what the pieces of a compressed file unpack to; path is the name to show.

    Raises UnreadableError where that is more than max_size bytes, where the file is damaged or cut, or where the
    library that unpacks it is not installed.
    """
    try:
        yield from _limited(path, _streams(path, packed, packing), packing, max_size)
    except ImportError:
        raise UnreadableError(
            f"{path}: compressed with {packing.name}",
            f"pip install 'condense-cli[{packing.name}]', or unpack it: `{packing.command}`",
        ) from None
    except UnreadableError:
        raise
    except Exception as problem:  # each library has an error of its own
        raise UnreadableError(f"{path}: cannot be unpacked: {problem}", "the compressed file is damaged") from problem


def _limited(path: str, pieces: Iterable[bytes], packing: Packing, max_size: int) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > max_size:
            raise UnreadableError(
                f"{path}: unpacks to more than {max_size} bytes",
                f"unpack it first: `{packing.command}`; `condense check --max-size` allows more",
            )
        yield piece


def _streams(path: str, packed: Iterable[bytes], packing: Packing) -> Iterator[bytes]:
    """Unpack the streams of a file, which may have several in a row and NULs after the last."""
    stream: Unpacker | None = None
    for piece in packed:
        rest = piece
        while rest:
            if stream is None:
                rest = rest.lstrip(b"\0")
                if not rest:
                    break
                stream = packing.start()
            yield stream.decompress(rest)
            rest = stream.unused_data if stream.eof else b""
            stream = None if stream.eof else stream
    if stream is not None:
        raise UnreadableError(f"{path}: the compressed file ends too early", "it was cut; look for another copy")
