"""Make `hr.sqlite`, the invented HR database of Công ty Cổ phần Vân Sam as of 28/02/2026.

    python make_hr_database.py [FILE]

Names, posts, managers, projects and rules of leave are those of the handbook; days of leave
taken, claims, orders and revenue by month stand only here. The same file every time; one that
is there already is left alone.
"""

import sqlite3
import sys
from datetime import date
from pathlib import Path

SCHEMA = """
create table employees (
    employee_id text primary key, name text not null, title text not null,
    department text not null, manager_id text references employees, joined text not null,
    contract text not null, office text not null
);
create table leave_accounts (
    employee_id text not null references employees, year integer not null,
    entitled integer not null, seniority integer not null, primary key (employee_id, year)
);
create table leave_taken (
    employee_id text not null references employees, first_day text not null, days real not null
);
create table projects (
    name text primary key, lead_id text references employees, budget integer not null,
    spent integer not null, progress integer not null, started text not null
);
create table project_members (
    project text not null references projects, employee_id text not null references employees,
    role_vi text not null, role_en text not null
);
create table claims (
    claim_id text primary key, employee_id text not null references employees,
    submitted text not null, purpose_vi text not null, purpose_en text not null,
    amount integer not null, status text not null, approver_id text not null
);
create table orders (
    order_id text primary key, customer text not null, ordered text not null,
    product text not null, quantity integer not null, amount integer not null,
    status text not null, delivery text not null
);
create table revenue (year integer, month integer, amount integer, primary key (year, month));
create table wordings (status text primary key, english text not null);
"""
BOARD, DN, HN = "Ban điều hành", "Trụ sở Đà Nẵng", "Văn phòng Hà Nội"
HCM, CT = "Văn phòng Thành phố Hồ Chí Minh", "Văn phòng Cần Thơ"
HK = "Xưởng Hòa Khánh"
EMPLOYEES = (
    ("E001", "Đặng Quốc Khánh", "Tổng giám đốc", BOARD, None, "2012-03-12", DN),
    ("E003", "Phạm Minh Tuấn", "Giám đốc Công nghệ", BOARD, "E001", "2013-06-03", DN),
    ("E004", "Vũ Thị Thanh Hà", "Giám đốc Nhân sự", BOARD, "E001", "2014-02-10", DN),
    ("E005", "Trịnh Công Bằng", "Giám đốc Tài chính", BOARD, "E001", "2013-09-02", DN),
    ("E006", "Hoàng Ngọc Diệp", "Giám đốc Kinh doanh", BOARD, "E001", "2017-06-01", HCM),
    ("E007", "Ngô Văn Thắng", "Giám đốc Vận hành", BOARD, "E001", "2018-11-05", HK),
    ("E011", "Nguyễn Thị Lan", "Trưởng phòng", "Nền tảng", "E003", "2015-04-06", DN),
    ("E012", "Bùi Đức Anh", "Trưởng phòng", "Thiết bị", "E003", "2015-08-17", HN),
    ("E013", "Trần Quang Huy", "Trưởng phòng", "Hạ tầng và An ninh", "E003", "2016-10-03", DN),
    ("E014", "Đỗ Thị Mai Phương", "Trưởng phòng", "Dữ liệu", "E003", "2018-03-19", HN),
    ("E021", "Phan Thị Kim Oanh", "Trưởng phòng", "Chính sách và Phúc lợi", "E004", "2016-05-09",
     DN),
    ("E022", "Lý Thu Trang", "Trưởng phòng", "Tuyển dụng và Đào tạo", "E004", "2019-02-18", HN),
    ("E023", "Nguyễn Thị Lan Anh", "Trưởng phòng", "Kế toán", "E005", "2017-01-09", DN),
    ("E024", "Cao Xuân Trường", "Trưởng phòng", "Mua hàng", "E007", "2016-07-25", HK),
    ("E031", "Huỳnh Tấn Lộc", "Trưởng phòng", "Kinh doanh Miền Nam", "E006", "2017-08-14", HCM),
    ("E032", "Tạ Thu Hằng", "Trưởng phòng", "Kinh doanh Miền Bắc", "E006", "2018-01-22", HN),
    ("E034", "Lâm Mỹ Duyên", "Trưởng phòng", "Chăm sóc Khách hàng", "E006", "2020-05-11", CT),
    ("E035", "Đinh Văn Sơn", "Trưởng phòng", "Sản xuất", "E007", "2019-01-10", HK),
    ("E036", "Mạc Thị Bích Ngọc", "Trưởng phòng", "Kiểm định Chất lượng", "E007", "2019-06-24",
     HK),
    ("E041", "Võ Hoài Nam", "Trưởng nhóm Đồng bộ Dữ liệu", "Nền tảng", "E011", "2021-10-04", CT),
    ("E042", "Trần Quốc Bảo", "Kỹ sư kiểm thử", "Thiết bị", "E012", "2019-07-01", HN),
    ("E043", "Trần Quốc Bình", "Kỹ sư dữ liệu", "Dữ liệu", "E014", "2026-01-05", HN),
    ("E044", "Lương Thị Hạnh", "Trưởng nhóm Xác thực", "Hạ tầng và An ninh", "E013",
     "2020-03-02", DN),
    ("E045", "Nguyễn Hữu Phước", "Trưởng nhóm Cổng Thiết bị", "Thiết bị", "E012", "2018-09-17",
     HN),
    ("E046", "Trương Gia Minh", "Trưởng nhóm Lưu trữ", "Hạ tầng và An ninh", "E013",
     "2017-11-20", HCM),
    ("E047", "Nguyễn Hữu Phúc", "Trưởng nhóm Cảnh báo", "Nền tảng", "E011", "2022-02-14", DN),
    ("E048", "Hà Kiều Linh", "Trưởng nhóm Phân tích", "Dữ liệu", "E014", "2021-07-05", HN),
    ("E051", "Châu Ngọc Ánh", "Quản lý khách hàng", "Kinh doanh Miền Nam", "E031", "2020-09-16",
     HCM),
    ("E052", "Mai Thị Tuyết Nhung", "Chủ sản phẩm", "Thiết bị", "E012", "2016-03-04", HN),
    ("E053", "Lã Quang Vũ", "Chủ sản phẩm", "Thiết bị", "E012", "2018-05-11", HN),
    ("E054", "Ứng Thùy Dương", "Chủ sản phẩm", "Nền tảng", "E011", "2022-10-03", DN),
    ("E055", "Tạ Đăng Khôi", "Quản lý khách hàng", "Kinh doanh Miền Bắc", "E032", "2021-04-19",
     HN),
    ("E056", "Lục Bảo Trân", "Quản lý khách hàng", "Kinh doanh Miền Nam", "E031", "2023-11-08",
     HCM),
    ("E061", "Đoàn Thế Vinh", "Chuyên viên mua hàng", "Mua hàng", "E024", "2017-06-21", HK),
    ("E062", "Quách Thị Yến", "Chuyên viên mua hàng", "Mua hàng", "E024", "2022-02-14", HK),
    ("E063", "Tống Khánh Vy", "Chuyên viên phúc lợi", "Chính sách và Phúc lợi", "E021",
     "2024-05-27", DN),
)  # fmt: skip
"""Id, name, post, department, manager, first day, place of work."""
ON_PROBATION = frozenset({"E043"})
LEAVE_TAKEN = (
    ("E011", "2026-01-19", 2), ("E012", "2026-02-02", 5), ("E014", "2026-01-08", 1.5),
    ("E041", "2026-01-26", 3), ("E042", "2026-01-12", 1), ("E042", "2026-01-23", 1),
    ("E042", "2026-02-12", 2), ("E044", "2026-02-05", 0.5), ("E045", "2026-02-09", 5),
    ("E046", "2026-01-30", 1), ("E048", "2026-02-11", 3), ("E051", "2026-01-15", 2),
    ("E051", "2026-02-06", 0.5), ("E052", "2026-01-05", 6), ("E053", "2026-02-24", 2),
    ("E055", "2026-02-12", 2), ("E055", "2026-02-25", 3), ("E056", "2026-01-29", 1),
    ("E061", "2026-01-16", 1), ("E062", "2026-02-10", 4), ("E012", "2025-07-21", 9),
    ("E041", "2025-08-18", 8), ("E042", "2025-04-28", 3), ("E042", "2025-08-11", 5),
    ("E042", "2025-12-29", 2), ("E045", "2025-06-02", 12), ("E051", "2025-05-05", 4),
    ("E051", "2025-10-20", 7), ("E052", "2025-09-08", 12), ("E055", "2025-11-17", 6),
    ("E061", "2025-03-10", 10), ("E063", "2025-07-07", 5),
)  # fmt: skip
PROJECTS = (
    ("Dự án Hải Vân", "E046", 4200, 3400, 81, "2025-02-03"),
    ("Dự án Sơn Trà", "E045", 6800, 4100, 58, "2025-04-01"),
    ("Dự án Cửu Long", "E051", 3100, 1200, 35, "2025-08-01"),
    ("Dự án Tam Giang", "E048", 2500, 1600, 66, "2025-05-15"),
    ("Dự án Bạch Mã", None, 1400, 90, 3, "2026-03-02"),
)
"""Name, lead, budget and money spent in millions of đồng, progress in percent, first day."""
MEMBERS = (
    ("Dự án Hải Vân", "E046", "phụ trách dự án", "project lead"),
    ("Dự án Sơn Trà", "E045", "phụ trách dự án", "project lead"),
    ("Dự án Sơn Trà", "E042", "kiểm thử độ bền", "endurance testing"),
    ("Dự án Sơn Trà", "E053", "chủ sản phẩm", "product owner"),
    ("Dự án Cửu Long", "E051", "phụ trách dự án", "project lead"),
    ("Dự án Tam Giang", "E048", "phụ trách dự án", "project lead"),
    ("Dự án Tam Giang", "E043", "chuẩn bị dữ liệu", "data preparation"),
    ("Dự án Bạch Mã", "E054", "chủ sản phẩm", "product owner"),
)
CLAIMS = (
    ("HU-2026-004", "E042", "2026-01-20", "thử nghiệm tại An Giang", "field test in An Giang",
     1850000, "đã chi trả", "E023"),
    ("HU-2026-019", "E042", "2026-02-18", "mua gá thử rung", "a vibration test rig", 6200000,
     "chờ duyệt", "E023"),
    ("HU-2026-011", "E051", "2026-02-03", "gặp khách hàng tại Cà Mau", "customer visit in Cà Mau",
     3400000, "đã chi trả", "E023"),
    ("HU-2026-016", "E061", "2026-02-10", "mua mẫu linh kiện", "sample components", 750000,
     "trả lại", "E023"),
    ("HU-2026-021", "E055", "2026-02-23", "hội chợ kho lạnh", "cold storage trade fair", 24500000,
     "chờ duyệt", "E005"),
    ("HU-2026-023", "E056", "2026-02-25", "gặp khách hàng tại Đồng Nai",
     "customer visit in Đồng Nai", 980000, "chờ duyệt", "E023"),
)  # fmt: skip
ORDERS = (
    ("DH-2026-0003", "Kho lạnh Đèo Ngang", "2026-01-07", "Cảm biến Sếu S3", 120, 211, "đã giao",
     "2026-01-28"),
    ("DH-2026-0007", "Sữa Đồng Cỏ Mây", "2026-01-19", "Cảm biến Sếu S2", 80, 100, "đã giao",
     "2026-02-04"),
    ("DH-2026-0012", "Thủy sản Vàm Nâu", "2026-02-02", "Cổng Trạm G2", 10, 74,
     "đang lắp ráp", "2026-03-12"),
    ("DH-2026-0015", "Kho lạnh Đèo Ngang", "2026-02-09", "Cổng Trạm G2", 4, 30, "chờ giao",
     "2026-03-05"),
    ("DH-2026-0018", "Dược phẩm Lá Ngải", "2026-02-20", "Cảm biến Sếu S3", 60, 113,
     "đang lắp ráp", "2026-03-20"),
    ("DH-2025-0231", "Thủy sản Vàm Nâu", "2025-11-03", "Cổng Trạm G2", 12, 89, "đã giao",
     "2025-11-24"),
    ("DH-2025-0240", "Dược phẩm Lá Ngải", "2025-12-01", "Cảm biến Sếu S3", 200, 352, "đã giao",
     "2025-12-22"),
)  # fmt: skip
"""Id, customer, date, product, pieces, amount in millions of đồng, status, delivery."""
REVENUE = {
    2025: (11900, 10200, 16300, 14100, 15400, 16200, 18700, 20900, 21600, 19300, 17400, 16200),
    2026: (12600, 10800),
}
"""Millions of đồng by month; the quarters of 2025 are those of the handbook."""
WORDINGS = (
    ("đã chi trả", "paid"), ("chờ duyệt", "waiting for approval"), ("trả lại", "sent back"),
    ("đã giao", "delivered"), ("đang lắp ráp", "being assembled"), ("chờ giao", "ready to ship"),
)  # fmt: skip


def accounts() -> list[tuple[str, int, int, int]]:
    """Days of leave by the handbook's rules: 12 in 2025, or one a month for those of less than a
    year; 15 in 2026, and one more for every five full years by 1 January."""
    rows = []
    for row in EMPLOYEES:
        employee, joined = row[0], date.fromisoformat(row[5])
        if employee in ON_PROBATION:
            rows.append((employee, 2026, 0, 0))
            continue
        rows.append((employee, 2025, 12, 0))
        years = 2026 - joined.year - ((joined.month, joined.day) > (1, 1))
        rows.append((employee, 2026, 15, years // 5))
    return rows


def make(path: Path) -> None:
    """Write the database; the file must not be there."""
    people = [
        (*row[:6], "thử việc" if row[0] in ON_PROBATION else "chính thức", row[6])
        for row in EMPLOYEES
    ]
    money = [(year, n, one) for year, row in REVENUE.items() for n, one in enumerate(row, 1)]
    tables = {
        "employees": people, "leave_accounts": accounts(), "leave_taken": LEAVE_TAKEN,
        "projects": PROJECTS, "project_members": MEMBERS, "claims": CLAIMS, "orders": ORDERS,
        "revenue": money, "wordings": WORDINGS,
    }  # fmt: skip
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    connection = sqlite3.connect(part)
    with connection:
        connection.executescript(SCHEMA)
        for name, rows in tables.items():
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"insert into {name} values ({marks})", rows)
    connection.close()
    part.chmod(0o600)
    part.rename(path)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("hr.sqlite")
    if target.exists():
        print(f"{target} is there already and is left as it is.")
    else:
        make(target)
        print(f"{target} made.")
