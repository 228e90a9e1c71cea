"""Office files are ZIP archives: what is checked before a library unpacks one."""

import io
import zipfile

from ingest.errors import RefusedError

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LARGEST = 500 * 1024**2
_MOST_ENTRIES = 50_000


def check_archive(data: bytes, part: str, kind: str) -> None:
    """Raise `RefusedError` unless the bytes are an archive of that kind with the given part."""
    if data.startswith(_OLE):
        raise RefusedError(
            f"it is encrypted, or in the old binary format: save it as {kind} without a password"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            size = sum(entry.file_size for entry in entries)
            if size > _LARGEST or len(entries) > _MOST_ENTRIES:
                raise RefusedError(
                    f"unpacked it would take {size / 1024**2:.0f} MB in {len(entries)} parts, "
                    f"the limits are {_LARGEST // 1024**2} MB and {_MOST_ENTRIES}"
                )
            if any(entry.flag_bits & 1 for entry in entries):
                raise RefusedError("it is encrypted: save a copy without a password")
            if part not in archive.namelist():
                raise RefusedError(f"it is called {kind}, but it is another kind of file")
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise RefusedError(f"it is damaged, or no {kind} file ({error})") from error
