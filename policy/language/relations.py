"""Frequent relations and attributes in Vietnamese and English, as one small table.

It lets a Vietnamese question meet an English sentence, and tells apart sentences that name
the right thing and say something else about it.
"""

import re
from functools import lru_cache

from policy.language.lives import life_in
from policy.language.wording import pattern, typed_bare
from state.language import detect_language

RELATIONS: dict[str, str] = {
    "found": r"sáng lập|thành lập|lập nên|lập ra|ra đời|gây dựng|found(?:ed|er|ers|ing|ress)?"
    r"|founder|establish\w*|set up|came into being|start(?:ed)? (?:the|it|his|her|a)|who started"
    r"|launched"
    r"|created|opened|dates? from|began as"
    r"|formed(?= (?:in|on|by|during)(?!\w))|form(?:ed)?(?=\W*$)",
    "develop": r"phát triển|thực hiện|tiến hành|triển khai|vận hành|launched by|undertaking of"
    r"|chế tạo|xây dựng|thiết kế|tạo ra|làm ra|viết ra|sản xuất|develop\w*"
    r"|design\w*|build\w*|built|creat(?:ed?|es|or|ors|ion)|made by|make[rs]?|carried out|behind"
    r"|invent\w*|manufactur\w*|ran|run by|produce[srd]?",
    "lead": r"phụ trách|đứng đầu|lãnh đạo|dẫn dắt|dẫn đầu|điều hành|giám đốc|trưởng \w+|trưởng"
    r"|chủ nhiệm|lead\w*|led|head(?:s|ed|ing)?|direct(?:or|ors|s|ed|ing)?|in charge|runs?"
    r"|manag(?:e|es|ed|er|ers|ing)|responsible|rector|principal|chief|captain",
    "chair": r"chủ tịch|chair\w*|president\w*|presid\w*",
    "manage": r"quản lý|cấp trên|sếp|báo cáo (?:cho|với|lên)|giám sát|dưới quyền"
    r"|manag(?:e|es|ed|er|ers)|supervis\w*|boss|reports? to|superior",
    "responsible": r"phụ trách|chịu trách nhiệm|đảm nhiệm|xử lý|responsible|in charge"
    r"|owner|looks? after|takes? care",
    "fund": r"tài trợ|cấp vốn|cấp kinh phí|chi trả|trang trải|quỹ|fund\w*|financ\w*|paid for"
    r"|behind|money (?:for|from|behind|came)|put up|cấp tiền|rót"
    r"|pays? for|paid by|paying for|paid out|met by|met the|awarded by|sponsor\w*|bought|grant\w*"
    r"|supported by|back(?:s|ed) by",
    "sponsor": r"bảo trợ|đỡ đầu|patron\w*|sponsor\w*",
    "award": r"giải thưởng|giải|huy chương|được trao|trao|đoạt|khen thưởng|vinh danh|award\w*"
    r"|prizes?|medal\w*|won|wins?|winners?|honou?r\w*|receiv\w*|laureate|gave|given",
    "recipient": r"nhận|được trao|(?:was|were|been) (?:awarded|given)"
    r"|recipient\w*|given to|awarded to|receiv\w*|went to|winner"
    r"|goes to",
    "born": r"sinh (?:ra|tại|ở|năm|ngày|trưởng)|sinh (?:truoc|trước|sau)|sinh|quê|nơi sinh"
    r"|chào đời|born|birth\w*|native|comes? from|hails?",
    "die": r"mất|qua đời|chết|từ trần|die[sd]?|death|dead|passed away",
    "study": r"học|theo học|tốt nghiệp|du học"
    r"|bằng (?:cấp|đại học|thạc sĩ|tiến sĩ|cử nhân|kỹ sư)|ngành|chuyên ngành|học vị|tiến sĩ|thạc sĩ"
    r"|(?<!\bthe )(?<!\bthis )(?<!\ba )stud(?:y|ies|ied|ying)|degrees?|graduat\w*|read|educat\w*"
    r"|doctora\w*|alma mater|attend\w*"
    r"|major\w*|subject\w*",
    "employ": r"làm việc|(?<!đi )công tác(?! phí| nước| trong)|từng làm|làm (?:ở|cho|tại)"
    r"|đầu quân|nơi làm|employ\w*"
    r"|work(?:s|ed|ing)?|on the staff|jobs?|joined|hired|career|spent [\w ]{1,25} with",
    "staff": r"nhân sự|nhân viên|người|thành viên|employ\w*|staff|people|members?|workers?|work at",
    "seat": r"trụ sở|đặt tại|đặt ở|nằm ở|nằm tại|địa chỉ|tọa lạc|ngồi ở|ngồi tại|ngồi"
    r"|làm việc (?:ở|tại)|nơi làm việc|chỗ|headquarter\w*|based|seat|located|location|lies|lie"
    r"|situated|address|stands|stationed|held|takes? place|sits?",
    "price": r"(?<!đánh )giá|giá bán|đơn giá|price\w*|sells? for|sold for",
    "cost": r"chi phí|tốn|lệ phí|(?<!đánh )giá|ngân sách|kinh phí|hết bao nhiêu tiền|costs?|costed"
    r"|(?:shell|fork)(?:ed)? out|expens\w*|fees?|prices?|spent"
    r"|budget|(?<!in )charge[sd]?",
    "amount": r"ngân sách|kinh phí|số tiền|trị giá|giá trị|mức|tổng|amount\w*|budget\w*|worth"
    r"|how (?:big|large)|how much (?:is|was)|how much money"
    r"|size|sums?|value[sd]?|totals?|totall?ed|grant of|promised",
    "revenue": r"doanh thu|doanh số|revenue\w*|sales|turnover|income|earnings",
    "profit": r"lợi nhuận|lãi|profit\w*|earnings|income",
    "salary": r"lương|thù lao|tiền công|salary|salaries|pay|wages?|paid",
    "weight": r"nặng|cân nặng|trọng lượng|khối lượng|weigh\w*|heavy|heavier|kilograms?|kg",
    "height": r"chiều cao|cao (?:bao nhiêu|mấy|\d)|high|height\w*|tall\w*",
    "width": r"chiều rộng|rộng|wide|width\w*|broad",
    "length": r"chiều dài|dài (?:bao nhiêu|mấy|\d)|in length|length|metres long|km long",
    "depth": r"sâu|độ sâu|deep|depth\w*",
    "area": r"diện tích|mét vuông|area|square met\w+",
    "temperature": r"nhiệt độ|temperature\w*|degrees celsius|°c",
    "speed": r"tốc độ|vận tốc|speed\w*|fast|km/h",
    "duration": r"bao lâu|chu kỳ|trong vòng|thời gian|thời hạn|kéo dài|lâu|thời lượng|how long"
    r"|lasts?"
    r"|lasted|lasting|duration|period|term|until|valid|life|for \w+ (?:years?|months?|weeks?)"
    r"|within",
    "deadline": r"hạn|hết hiệu lực|đáo hạn|thời hạn|hạn chót|muộn nhất|chậm nhất"
    r"|trong vòng|trước (?:ngày|ít nhất)"
    r"|deadline\w*|due|at the latest|within|no later|before|until|limit\w*|release",
    "start": r"bắt đầu|khởi công|khởi động|khai trương|mở cửa|ra mắt|có hiệu lực|mở"
    r"|vào (?:làm|công ty)|gia nhập|nhận việc"
    r"|start\w*|began|begin\w*|begun|launch\w*|open\w*|since|inception|ran from"
    r"|in force|between",
    "end": r"kết thúc|khép lại|hoàn thành|đóng|chấm dứt|xong|end(?:s|ed|ing)?|conclu\w*|finish\w*"
    r"|complet\w*|clos\w+|shut(?:s|ting)? down|until|came to an end|over|ceased?|between",
    "cause": r"nguyên nhân|lý do|lí do|vì|bởi|tại sao|vì sao|cause\w*|because|due to|reason\w*"
    r"|to blame|owing to|why",
    "fix": r"khắc phục|(?:phải |thì )làm (?:sao|gì)|hết lỗi|sửa|giải quyết"
    r"|xử lý|fix\w*|resol\w*|repair\w*|remed\w*|solv\w*|correct\w*",
    "approve": r"duyệt|phê duyệt|chấp thuận|đồng ý|ký|approv\w*|sign\w*|permission|authori\w*",
    "leave": r"nghỉ|phép|ngày phép|leave|holiday\w*|vacation|days off|time off",
    "insurance": r"bảo hiểm|insur\w*",
    "bonus": r"thưởng|bonus\w*",
    "training": r"đào tạo|khóa học|khoá học|tập huấn|train(?:ed|ing|ings|er|ers|ee|ees)|course\w*",
    "customer": r"khách hàng|customer\w*|client\w*",
    "supplier": r"nhà cung cấp|cung cấp|supplier\w*|suppl(?:y|ies|ied)|vendor\w*|provid\w*",
    "contract": r"hợp đồng|contract\w*|agreement\w*",
    "contact": r"liên hệ|gọi|số điện thoại|hotline|máy lẻ|email|hộp thư|phone\w*|telephone\w*"
    r"|contact\w*|e-mail\w*|extension",
    "population": r"dân số|số dân|inhabitants?|population|residents?",
    "student": r"sinh viên|học sinh|students?|pupils?|enrol\w*",
    "own": r"sở hữu|chủ sở hữu|chủ sản phẩm|own(?:s|ed|er|ers|ership)?|belongs? to|part of"
    r"|property of",
    "belong": r"thuộc|trực thuộc|attached to|belongs? to|part of|member of|affiliat\w*"
    r"|within|under",
    "write": r"tác giả|viết|soạn|ban hành|author\w*|wrote|written|writ\w*|issued|publish\w*",
    "compose": r"nhạc sĩ|sáng tác|soạn nhạc|compose[sd]?(?! of)|composers?|music by|scored by"
    r"|score by|songwriter",
    "perform": r"ca sĩ|(?:do|được|bởi) [^,.]{2,40} (?:trình bày|thể hiện)|trình bày (?:bài|ca khúc)"
    r"|performed by|performers?|sung by|sang the|singers?|songs? by|singles? by|albums? by"
    r"|originally recorded by",
    "act": r"diễn viên|thủ vai|vào vai|play(?:s|ed)(?! an? (?:role|part))|portray\w*"
    r"|starr?(?:ed|ing)|cast as|actor|actress|voiced",
    "grandparent": r"ông nội|ông ngoại|bà nội|bà ngoại|grand-?(?:father|mother|parent|son|daughter"
    r"|child)\w*",
    "expertise": r"thế mạnh|sở trường|chuyên (?:về|môn|sâu)|expert\w*|strengths?|strong point"
    r"|speciali[sz]\w*|speciality|specialty|focus\w*",
    "marry": r"vợ|chồng|kết hôn|wife|husband|spouse|married|marri\w*",
    "parent": r"cha|bố|mẹ|con trai|con gái|father|mother|parents?|son|daughter|child\w*",
    "replace": r"thay thế|kế nhiệm|thay cho|replac\w*|succe(?:ed|eds|eded|ssor)|took over"
    r"|superse\w*",
    "carry": r"chuyển (?:tối đa|sang|qua)|(?:còn|dồn) sang|chưa dùng"
    r"|carr(?:y|ied|ies) (?:over|forward)|unused|left over|roll(?:ed)? over",
    "investigate": r"điều tra|xem xét|investigat\w*|examin\w*|look(?:ed|s)? into|inquir\w*",
    "merge": r"sáp nhập|hợp nhất|merg\w*|absorb\w*|amalgamat\w*|became part of|taken over by",
    "rate": r"phần trăm|tỷ lệ|tỉ lệ|percent\w*|rate|share|%",
    "capital": r"thủ đô|capital",
    "language": r"ngôn ngữ|tiếng|languages?|speaks?",
    "nationality": r"quốc tịch|nước nào|national\w*|country|citizen\w*",
    "meal": r"ăn trưa|tiền ăn|bữa(?! nào)|lunch\w*|meals?",
    "travel": r"công tác phí|đi công tác|công tác nước ngoài|công tác trong nước|chuyến công tác"
    r"|phụ cấp công tác|business trips?|travel\w*|per diem",
    "equipment": r"thiết bị|máy tính|máy|equipment|devices?|laptops?|instruments?",
    "store": r"lưu trữ|lưu giữ|lưu|cất|kept|stor(?:e|ed|age)|retain\w*|retention|keep",
    "loan": r"vay|tạm ứng|hoàn ứng|ứng|loans?|advance\w*",
    "license": r"giấy phép|bằng lái|licen[cs]\w*",
    "release": r"phát hành|công bố|releas\w*|publish\w*|made public",
}  # fmt: skip

UNNAMED = frozenset({"amount", "staff", "belong"})
"""Relations that a sentence often states without naming them ("It has 34 people")."""


@lru_cache(maxsize=16384)
def relations(text: str) -> frozenset[str]:
    """Names of the relations whose words stand in a text, or that a life's bracket tells."""
    folded = typed_bare(text) and detect_language(text) == "vi"
    life = life_in(text)
    told = {"born": life and life.born, "die": life and life.died}
    return frozenset(
        name
        for name, words in RELATIONS.items()
        if told.get(name) or _whole(words, folded).search(text)
    )


@lru_cache(maxsize=512)
def _whole(words: str, folded: bool) -> "re.Pattern[str]":
    return pattern(rf"(?<!\w)(?:{words})(?!\w)", folded)
