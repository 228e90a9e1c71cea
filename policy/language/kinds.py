"""Kinds of things in both languages: what a "which NOUN" question accepts as an answer."""

import re

from policy.language.wording import bare, pattern, terms, typed_bare
from state.text import comparable

_KINDS = (
    "university college đại học trường",
    "school trường học",
    "lab laboratory phòng thí nghiệm viện lab institute",
    "foundation fund quỹ trust",
    "grant khoản tài trợ tài trợ",
    "medal prize award huy chương huân chương giải giải thưởng",
    "project study dự án đề án project nghiên cứu",
    "department division bên phòng ban bộ phận khối phòng",
    "team group nhóm bên đội tổ team",
    "company firm công ty hãng doanh nghiệp employer supplier nhà cung cấp bên",
    "organisation organization tổ chức đơn vị cơ quan institution agency body công ty lab viện"
    " đối tác",
    "office văn phòng trụ sở chi nhánh xưởng",
    "city town place thành phố tỉnh thị trấn nơi địa điểm village",
    "country nước quốc gia",
    "quarter quý",
    "year năm",
    "instrument device model sensor thiết bị máy cảm biến",
    "product sản phẩm gói thiết bị",
    "customer client khách hàng",
    "contract hợp đồng",
    "programme program chương trình course khóa học",
    "person người nhân viên họ tên name",
    "code mã số mã",
    "error lỗi mã lỗi",
    "language ngôn ngữ tiếng",
    "subject ngành chuyên ngành môn",
    "address địa chỉ",
    "title position chức danh chức vụ vị trí",
    "report báo cáo",
    "policy quy định chính sách",
)
_TOLD_BY_NAME = ("lab|laboratory|phòng thí nghiệm", "university|đại học", "quỹ|foundation|trust")
"""Kinds that the names of such things hold, so that a name tells the noun: "Lab Delta"."""
_ORGANISATION = frozenset(
    "lab laboratory university college institute foundation trust fund agency company union "
    "authority services power sensors optics cooperative group department grant project award "
    "medal prize policy office school hospital ministry society council inc ltd programme program "
    "team".split()
)
_ORGANISATION_VI = (
    "công ty", "phòng", "nhóm", "viện", "trường", "quỹ", "tổ chức", "dự án", "văn phòng",
    "hợp đồng", "khối", "ban", "chương trình", "xưởng", "trụ sở", "giải",
)  # fmt: skip

SURNAME = (
    "Nguyễn|Trần|Lê|Phạm|Hoàng|Huỳnh|Phan|Vũ|Võ|Đặng|Bùi|Đỗ|Hồ|Ngô|Dương|Lý|Đinh|Trương|Tạ|Tống"
    "|Hà|Lâm|Đoàn|Quách|Cao|Mai|Châu|Lương|Vương|Tôn|Hứa|Danh|Lục|Ứng|Trịnh|Lã|Đào|Thái|Tô|La|Mạc|Thạch|Từ|Phùng|Chu|Khuất|Kiều|Doãn"
    "|Giáp|Nghiêm|Ninh|Tăng|Tiêu|Triệu|Lưu|Cù|Đàm|Âu"
)
"""Vietnamese surnames: three words that open with one name a person."""

PERSONS = (
    r"người|trưởng|giám đốc|chủ|sếp|quản lý|cấp trên|nhân viên|đầu mối|tác giả|thầy|cô|vợ|chồng"
    r"|founder|leader|director|head|winner|person|man|woman|manager|coordinator|chair|rector"
    r"|(?:giảng|chuyên|hội|thành|điều phối|quản trị) viên"
    r"|(?:kỹ|luật|giáo|kiến trúc) sư|(?:bác|tiến|nghệ|ca) sĩ"
    r"|author|owner|boss|chief|scientist|engineer|researcher|who|whoever|employee|officer"
)
"""Words for people and posts."""


def is_of_kind(noun: str, head: str) -> bool:
    """Whether a noun names the kind of `head`, its accents regarded: "trưởng" is no "trường"."""
    if bare(noun) not in same_kind(head):
        return False
    if typed_bare(noun) or typed_bare(head):
        return True
    written = comparable(noun)
    return written == comparable(head) or any(
        f" {written} " in f" {line} " for line in _KINDS if f" {comparable(head)} " in f" {line} "
    )


def same_kind(head: str) -> frozenset[str]:
    """The folded words that name the kind of `head`, itself included."""
    words = terms(head)
    found: set[str] = set(words[-1:]) | ({bare(head)} if head else set())
    found |= {word[:-1] for word in found if re.search(r"[^s]s$", word)}
    accented = comparable(head).split()[-1:] if not typed_bare(head) else []
    for line in _KINDS:
        listed = bare(line)
        shared = any(f" {word} " in f" {listed} " for word in found)
        if accented and accented[0] not in line.split():
            continue  # "bàn" is no "ban".
        if shared and (bare(head) in listed or (words and words[-1] in listed.split())):
            found |= set(_names_of(line))
    return frozenset(found)


def kind_spans(text: str) -> list[tuple[int, int, frozenset[str]]]:
    """Start, end and kind of the nouns that names hold too: "phòng thí nghiệm", "quỹ"."""
    found = []
    for line in _TOLD_BY_NAME:
        nouns = line.split("|")
        names = frozenset(bare(noun) for noun in nouns)
        for noun in nouns:
            shape = pattern(rf"(?<!\w){noun}(?!\w)", typed_bare(text))
            found += [(*one.span(), names) for one in shape.finditer(text)]
    return found


def is_kind(word: str) -> bool:
    """Whether a word names a kind of thing by itself ("university")."""
    return any(word in line.split() for line in _KINDS)


def _names_of(line: str) -> list[str]:
    known = (
        "đại học", "phòng thí nghiệm", "khoản tài trợ", "tài trợ", "huy chương", "giải thưởng",
        "dự án", "đề án", "nghiên cứu", "phòng ban", "bộ phận", "công ty", "doanh nghiệp",
        "nhà cung cấp", "tổ chức", "đơn vị", "cơ quan", "đối tác", "văn phòng", "trụ sở",
        "chi nhánh", "thành phố", "thị trấn", "địa điểm", "quốc gia", "thiết bị", "cảm biến",
        "sản phẩm", "khách hàng", "hợp đồng", "chương trình", "khóa học", "nhân viên", "họ tên",
        "mã số", "mã lỗi", "ngôn ngữ", "chuyên ngành", "địa chỉ", "chức danh", "chức vụ",
        "vị trí", "báo cáo", "quy định", "chính sách", "trường học",
    )  # fmt: skip
    names, rest = [], line
    for phrase in known:
        if phrase in rest:
            names.append(bare(phrase))
            rest = rest.replace(phrase, " ")
    return [*names, *(bare(word) for word in rest.split())]


def is_organisation(name: str) -> bool:
    """Whether a name holds a word for an organisation or a thing, so that it is no person."""
    plain = comparable(name)
    return any(word in _ORGANISATION for word in plain.split()) or plain.startswith(
        tuple(f"{word} " for word in _ORGANISATION_VI)
    )
