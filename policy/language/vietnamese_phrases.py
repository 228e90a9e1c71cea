"""Words of Vietnamese by which a question inside a question is known."""

from policy.language.wording import UPPER

ROLE = (
    r"công ty mẹ|(?:người )?quản lý trực tiếp|quản lý khách hàng|người quản lý|quản lý"
    r"|sếp trực tiếp|sếp"
    r"|cấp trên trực tiếp|cấp trên|trưởng phòng|trưởng nhóm|trưởng ban|trưởng bộ phận|trưởng dự án"
    r"|trưởng khoa|trưởng(?= \{)|phó phòng|tổng giám đốc|giám đốc|chủ tịch|hiệu trưởng|chủ nhiệm"
    r"|chủ sản phẩm|chủ(?= của )|chủ sở hữu|chủ đầu tư"
    r"|(?:người|thầy|cô) (?:phụ trách|sáng lập|đứng đầu|bảo trợ|lãnh đạo|điều hành|hướng dẫn"
    r"|kế nhiệm"
    r"|giảng chính|dẫn dắt|chịu trách nhiệm|phát minh|thiết kế|đại diện|kèm cặp)"
    r"|nhà sáng lập|nhà tài trợ|nhà cung cấp|nhà phát triển|nhà sản xuất|đơn vị tài trợ"
    r"|giảng viên chính|tác giả|đạo diễn|vợ|chồng|bố|cha|mẹ|con trai|con gái"
)
ADDRESS = r"thầy|cô|anh|chị|ông|bà|bác|bạn|vị"
"""Heads that also address or name people: a description only where it holds a name."""
PERSON = (
    rf"người|{ADDRESS}|nhà khoa học|nhà nghiên cứu|nhà văn|nhà thơ|ca sĩ"
    r"|nhạc sĩ|họa sĩ|bác sĩ|kỹ sư|kiến trúc sư|nghệ sĩ|cầu thủ|thuyền trưởng|vị vua|vị"
)
THING = (
    r"tổ chức|công ty|doanh nghiệp|đơn vị|cơ quan|hãng|tập đoàn|ngân hàng|nhóm|đội|câu lạc bộ|hội"
    r"|phòng thí nghiệm|phòng ban|phòng|bộ phận|ban nhạc|ban|bên|lab|viện nghiên cứu|bệnh viện|viện"
    r"|trường đại học|đại học|trường|quỹ|dự án|sản phẩm|thiết bị|cảm biến|máy đo|máy|phần mềm"
    r"|văn phòng|chi nhánh|xưởng|nhà máy|cửa hàng|khách sạn|thư viện|bảo tàng|thành phố|thị trấn"
    r"|tỉnh|huyện|làng|đảo|nước|quốc gia|nơi|quý|tháng|năm|mùa|hợp đồng|nhà cung cấp|nhà xuất bản"
    r"|nhà sản xuất|nhà thầu|nhà tài trợ|đối tác|khách hàng|khoản tài trợ|chương trình|khóa học"
    r"|giải thưởng|lễ hội|cuốn sách|cuốn|bộ phim|phim|bài hát|tác phẩm|tạp chí|tờ báo|con tàu|tàu"
    r"|cây cầu|con sông|sông|gói|tòa nhà|trung tâm|cơ sở|khoa|lớp|kho|trạm|cảng|sân bay"
)
STAFF = r"đầu mối|nhân viên|chuyên viên|cán bộ"
HEAD = rf"{PERSON}|{STAFF}|{THING}"
UNIT = r"phòng ban|phòng|nhóm|bộ phận|khối|văn phòng|chi nhánh"
NOT_A_VERB = (
    r"ta|ấy|này|đó|kia|nào|dùng|lao|em|ơi|là|của|sinh|ở|tại|tên|mình|và|hay|với|thì|nhà|bạn|nước"
    r"|sĩ|sư|văn|thơ|khoa|khác|mới|cũ|lớn|già|trẻ|thân|con|chị|họ|sáng lập|gái|bé"
)
VERB = (
    r"phát triển|sáng lập|thành lập|chế tạo|thiết kế|xây dựng|xây|phụ trách|xử lý|lo|chịu trách"
    r" nhiệm|quản lý|cung cấp|bán|sản xuất|tài trợ|nhận|viết|dẫn dắt|đứng đầu|đứng sau|thực hiện"
    r"|tạo ra|mua|giành|đoạt|thắng|vô địch|trao|tổ chức|điều hành|vận hành|sở hữu|giảng|dạy|hướng"
    r" dẫn|duyệt|ký|đo|chỉ|sử dụng|dùng|xài|làm|lập|khắc phục|đạt|đăng cai|chăm|sửa"
    r"|chi tiền|bỏ tiền|đóng|sáng tác|hát|đạo diễn|xuất bản|phát hành|khám phá|phát hiện"
    r"|phát minh|chảy|mang|chứa|trưng bày|lưu giữ|in|vẽ|quay|nuôi|trồng|khai thác|nhập|xuất khẩu"
    r"|lắp|vận chuyển|chở|thuê"
    r"|cho (?:thuê|vay|mượn)|bảo trì|bảo dưỡng|giám sát|kiểm tra|nấu|phục vụ|giao|giữ|đào tạo"
    r"|nghiên cứu|bắc qua|nối|đi qua|khởi xướng|khởi công|kể|nói|có(?! bao)|được(?! bao| mấy"
    r"| nghỉ| hưởng| cấp)|đã"
    r"|đang|từng|bị"
)
QUESTION_WORD = r"ai|gì|nào|đâu|bao nhiêu|bao giờ|bao lâu|mấy|thế nào|ra sao|sao"
LOWER_INSIDE = rf"(?-i:[{UPPER}])[^\W\d_]* (?!là|có|báo|làm|do|thì|ở|được)(?-i:[^\W\dA-ZĐ_])"
"""A name of an office goes on ("Chính sách và Phúc lợi"); people and places have capitals."""
BOUNDARY = (
    r"(?: (?:là(?= (?:ai|gì|bao|khi|ngày|năm|\w+ nào|\w+ \w+ nào|mấy|nơi))|tên|làm việc|làm ở"
    r"|làm tại|ngồi|đang|sinh|quê|ở đâu|ở (?=\w+ nào)|tại đâu|bao giờ|khi nào|ngày nào|năm nào"
    r"|vào (?:làm|công ty)"
    r"|báo cáo|trực thuộc|thuộc|nằm|đặt ở|đặt tại|học|tốt nghiệp|bắt đầu|kết thúc|khai trương"
    r"|hết hạn|do ai"
    rf"|bao nhiêu|mấy|và(?! {LOWER_INSIDE})|hay"
    r"|có (?:ngân sách|bao nhiêu|trụ sở|mấy|những|số|quản lý|sếp|cấp trên)|được (?:bao nhiêu"
    r"|thành lập|sinh|trao|tài trợ)|nhận (?:giải|lương)|trị giá|từng|trước đây|đoạt|giành|gồm"
    r"|thành lập|chịu|ra đời|mang|(?:nặng|dài|cao|rộng|giá)(?= bao| mấy))(?!\w))|,(?!\d)|\?|$"
)
AFTER_NAME = (
    r" (?:là|đã|đang|từng|sẽ|vốn|hiện(?: nay| giờ| tại)?|bình thường|thường|được|bị|có|thì|sinh|mất"
    r"|qua đời|ngồi|làm|học(?! (?-i:[A-ZĐ]))|vào|nằm|đặt|ở|tên|ra|mở|bắt đầu|kết thúc|hết|do"
    r"|nhận|thuộc|trực thuộc|gồm|chịu|báo cáo|ký|tới|bảo hành|phụ trách|dẫn dắt|xử lý|duyệt"
    r"|gia nhập|nhậm chức|đảm nhận|rời|nghỉ|cách|cao|rộng|dài|nặng"
    r"|sâu|bán|chảy|chở|nói|trị giá|tốt nghiệp|lấy)(?!\w)"
)
OWN_VERB = r" (?:đã |đang |từng )?\S+(?: (?:ra|việc|lập|sống|trú|nghiệp|học|hiện)(?!\w))?"
NARROW = (
    r"(?: (?:là|thì|có|tên|đặt|nằm|giá(?= bao)|ở đâu|bao giờ|khi nào|và|do ai"
    r"|bao nhiêu|thành lập|được)(?!\w))"
    r"|,(?!\d)|\?|$"
)
PERSON_NAME = rf"(?-i:[{UPPER}][^\W\d_]*(?: [{UPPER}][^\W\d_]*){{1,4}})"
TIME = r"^(?:quý|tháng|năm|mùa)$"
TIME_WORD = r"(?:năm|tháng|quý|tuần|hôm|ngày|đợt)(?!\w)"
PLACE = r"văn phòng|chi nhánh|xưởng|thành phố|tỉnh|nơi|phòng|trường|công ty|đại học|tổ chức|viện"
BEFORE_HEAD = (
    r"(?<!\w)(?:của|do|là|ở|tại|cho|với|trong|từ|đến|vào|gần|ai|các|những|cái|và|thì|[^\W\d_]+ bởi"
    r"|bao nhiêu|thiết kế|quản lý|xây|mở)(?!\w)|[,:;]"
)
SPEAKER = r"(?<!\w)(?:em|mình|tôi|tớ|được nghỉ|sắp|đi|phải|bị)(?!\w)"
AS_VERB = r"(?<!\w)(?:ai|người nào|được|bị|đang|cùng|khối|giám đốc|sếp)(?: trực tiếp)? $"
"""Before "quản lý", which is what somebody does there and not who somebody is."""
TRIVIAL = (
    r"^(?:(?:trong|theo|ở|tại) [^,{]+, )?(?:cho (?:biết|xin) )?(?:tên (?:của )?)?"
    r"(?:(?:ai|gì) (?:là )?\{s\d\}"
    r"|\{s\d\} (?:tên )?(?:là )?(?:tên )?"
    r"(?:ai|gì)|\{s\d\} là (?:(?!(?:trưởng|phó|chủ|giám|sếp|quản|của)\b)\w+ ){0,2}\w+ nào"
    r"|\{s\d\}|\{s\d\} (?:bao nhiêu|mấy)(?: \w+){0,2}|\{s\d\} là (?:bao nhiêu|mấy)"
    r"|(?:có bao nhiêu|một số) \{s\d\}(?: là (?:gì|ai))?)$"
)
