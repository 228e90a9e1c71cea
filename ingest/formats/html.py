"""HTML pages → Markdown text: headings, lists and tables stay, what nobody reads goes."""

import re
import warnings

from ingest.errors import RefusedError
from ingest.formats.decoding import decode
from ingest.formats.protocol import Fields, Loaded
from state.text import clean

_UNREAD = ["script", "style", "nav", "noscript", "template", "svg", "iframe", "head"]
_MARKERS = ["a", "b", "strong", "em", "i", "img", "code", "del", "s", "sub", "sup"]


def html_to_markdown(page: str) -> tuple[str, str]:
    """The text of a page as Markdown, and its title (<title>, else the first <h1>, else "").

    Scripts, styles and navigation are left out, inline markers, link targets and pictures
    (except for their alternative text) too, so that a quote reads as on the page. Raises
    `RefusedError` for a page that cannot be read.
    """
    from bs4 import BeautifulSoup
    from bs4.exceptions import ParserRejectedMarkup
    from markdownify import MarkdownConverter

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "this looks like a file name", "like XML"
        try:
            soup = BeautifulSoup(page, "lxml")
            named = soup.find("title") or soup.find("h1")
            title = " ".join(named.get_text(" ").split()) if named else ""
            for element in soup.find_all(_UNREAD):
                element.decompose()
            for picture in soup.find_all("img"):
                picture.replace_with(str(picture.get("alt") or ""))
            converter = MarkdownConverter(
                heading_style="ATX",
                bullets="-",
                strip=_MARKERS,
                table_infer_header=True,
                escape_asterisks=False,
                escape_underscores=False,
                escape_misc=False,
            )
            text = converter.convert_soup(soup)
        except RecursionError as error:
            raise RefusedError("its HTML is nested too deeply to be read") from error
        except ParserRejectedMarkup as error:
            raise RefusedError(
                "its HTML holds markup (such as `<![x`) that cannot be read"
            ) from error
    return _tidy(text), clean(title)


def _tidy(text: str) -> str:
    text = clean(text).replace("\xa0", " ")
    text = re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def load_html(data: bytes, _: Fields) -> Loaded:
    """A page as Markdown."""
    text, title = html_to_markdown(decode(data))
    return Loaded(text, title)
