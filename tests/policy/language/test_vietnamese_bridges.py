"""Vietnamese questions inside questions: what stands behind the head, several askings at once."""

import pytest

from policy.language.decompose import decompose

CASES = {
    "Kho lạnh được chọn chạy thử mô hình của Dự án Sao Mai nằm ở tỉnh nào?": [
        "Kho lạnh nào được chọn chạy thử mô hình của Dự án Sao Mai?", "{s1} nằm ở tỉnh nào?",
    ],
    "Đầu mối nhận hồ sơ bảo hiểm do ai quản lý trực tiếp?": [
        "Ai nhận hồ sơ bảo hiểm?", "{s1} do ai quản lý trực tiếp?",
    ],
    "Trần Minh Khôi thuộc phòng có trưởng phòng báo cáo cho ai?": [
        "Trần Minh Khôi thuộc phòng nào?", "Ai là trưởng phòng của {s1}?",
        "{s2} báo cáo cho ai?",
    ],
    "Trưởng phòng của Trần Minh Khôi làm việc ở đâu?": [
        "Trần Minh Khôi thuộc phòng nào?", "Ai là trưởng phòng của {s1}?",
        "{s2} làm việc ở đâu?",
    ],
    "Dự án Sao Mai có người phụ trách vào làm từ khi nào?": [
        "Ai là người phụ trách của Dự án Sao Mai?", "{s1} vào làm từ khi nào?",
    ],
    "Cấp trên của trưởng phòng Mua hàng làm việc tại đâu?": [
        "Ai là trưởng phòng Mua hàng?", "Ai là cấp trên của {s1}?", "{s2} làm việc tại đâu?",
    ],
    "Lỗi ERR_40 do nhóm nào xử lý và trưởng nhóm đó là ai?": [
        "Lỗi ERR_40 do nhóm nào xử lý?", "trưởng nhóm của {s1} là ai?",
    ],
    "Sữa Ban Mai dùng loại cảm biến chính nào đó, chủ sản phẩm của loại ấy là ai?": [
        "Sữa Ban Mai dùng loại cảm biến chính nào?", "chủ sản phẩm của {s1} là ai?",
    ],
    "Trưởng phòng Sản xuất và trưởng phòng Kế toán lần lượt là những ai?": [
        "Trưởng phòng Sản xuất là ai?", "trưởng phòng Kế toán là ai?",
    ],
    "Ai là trưởng phòng Chính sách và Phúc lợi?": ["Ai là trưởng phòng Chính sách và Phúc lợi?"],
}  # fmt: skip


@pytest.mark.parametrize("question", CASES)
def test_a_vietnamese_bridge_is_asked_from_the_inside_out(question: str) -> None:
    assert [one.question for one in decompose(question)] == CASES[question]
