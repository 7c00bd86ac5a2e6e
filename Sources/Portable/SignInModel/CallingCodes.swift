/// Every region that has its own mobile numbers; `Scripts/calling-codes` writes this file.
///
/// A line has the region, its calling code, the lengths of its mobile numbers, the prefix that is
/// dialled only inside the country (`-` for none, `+` if numbers can begin with a zero), and the
/// first digits that distinguish it from other regions of the same code.
enum CallingCodes {
  static let table = """
    US 1 10 1
    AG 1 10 1 268
    AI 1 10 1 264
    AS 1 10 1 684
    BB 1 10 1 246
    BM 1 10 1 441
    BS 1 10 1 242
    CA 1 10 1
    DM 1 10 1 767
    DO 1 10 1 809,829,849,8001
    GD 1 10 1 473
    GU 1 10 1 671
    JM 1 10 1 658,876
    KN 1 10 1 869
    KY 1 10 1 345
    LC 1 10 1 758
    MP 1 10 1 670
    MS 1 10 1 664
    PR 1 10 1 787,939
    SX 1 10 1 721
    TC 1 10 1 649
    TT 1 10 1 868
    VC 1 10 1 784
    VG 1 10 1 284
    VI 1 10 1 340
    RU 7 10 8
    KZ 7 10 8 7
    EG 20 10 0
    ZA 27 5,6,7,8,9 0
    GR 30 10 -
    NL 31 9,11 0
    BE 32 9 0
    FR 33 9 0
    ES 34 9 -
    HU 36 9 06
    IT 39 9,10 +
    VA 39 9,10 + 06698
    RO 40 9 0
    CH 41 9 0
    AT 43 7,8,9,10,11,12,13 0
    GB 44 10 0
    GG 44 10 0
    IM 44 10 0 1624,7524,7624,74576
    JE 44 10 0
    DK 45 8 -
    SE 46 9 0
    NO 47 8 -
    SJ 47 8 - 79
    PL 48 9 -
    DE 49 10,11 0
    PE 51 9 0
    MX 52 10 -
    CU 53 8 0
    AR 54 10,11 0
    BR 55 10,11 0
    CL 56 9 -
    CO 57 10 0
    VE 58 10 0
    MY 60 9,10 0
    AU 61 9 0
    CC 61 9 0
    CX 61 9 0
    ID 62 9,10,11,12 0
    PH 63 10 0
    NZ 64 8,9,10 0
    SG 65 8 -
    TH 66 9 0
    JP 81 10 0
    KR 82 9,10 0
    VN 84 9 0
    CN 86 11 0
    TR 90 10 0
    IN 91 10 0
    PK 92 10 0
    AF 93 9 0
    LK 94 9 0
    MM 95 7,8,9,10 0
    IR 98 10 0
    SS 211 9 0
    MA 212 9 0
    EH 212 9 0
    DZ 213 9 0
    TN 216 8 -
    LY 218 9 0
    GM 220 7,9 -
    SN 221 9 -
    MR 222 8 -
    ML 223 8 -
    GN 224 9 -
    CI 225 10 +
    BF 226 8 -
    NE 227 8 -
    TG 228 8 -
    BJ 229 10 +
    MU 230 8 -
    LR 231 7,9 0
    SL 232 8 0
    GH 233 9 0
    NG 234 10 0
    TD 235 8 -
    CF 236 8 -
    CM 237 9 -
    CV 238 7 -
    ST 239 7 -
    GQ 240 9 -
    GA 241 7,8 +
    CG 242 9 +
    CD 243 7,9 0
    AO 244 9 -
    GW 245 9 -
    IO 246 7 -
    AC 247 5 -
    SC 248 7 -
    SD 249 9 0
    RW 250 9 0
    ET 251 9 0
    SO 252 7,8,9 0
    DJ 253 8 -
    KE 254 9 0
    TZ 255 9 0
    UG 256 9 0
    BI 257 8 -
    MZ 258 9 -
    ZM 260 9 0
    MG 261 9 0
    RE 262 9 0
    YT 262 9 0
    ZW 263 9 0
    NA 264 9 0
    MW 265 9 0
    LS 266 8 -
    BW 267 8 -
    SZ 268 8 -
    KM 269 7 -
    SH 290 5 -
    TA 290 4 - 8
    ER 291 7 0
    AW 297 7 -
    FO 298 6 -
    GL 299 6 -
    GI 350 8 -
    PT 351 9 -
    LU 352 9 -
    IE 353 9 0
    IS 354 7,9 -
    AL 355 9 0
    MT 356 8 -
    CY 357 8 -
    FI 358 6,7,8,9,10 0
    AX 358 6,7,8,9,10 0 18
    BG 359 8,9 0
    LT 370 8 0
    LV 371 8 -
    EE 372 7,8 -
    MD 373 8 0
    AM 374 8 0
    BY 375 9 8
    AD 376 6,9 -
    MC 377 8,9 0
    SM 378 8 +
    UA 380 9 0
    RS 381 8,9,10 0
    ME 382 8 0
    XK 383 8 0
    HR 385 8,9 0
    SI 386 8 0
    BA 387 8,9 0
    MK 389 8 0
    CZ 420 9 -
    SK 421 9 0
    LI 423 7,9 0
    FK 500 5 -
    BZ 501 7 -
    GT 502 8 -
    SV 503 8 -
    HN 504 8 -
    NI 505 8 -
    CR 506 8 -
    PA 507 7,8 -
    PM 508 6,9 0
    HT 509 8 -
    GP 590 9 0
    BL 590 9 0
    MF 590 9 0
    BO 591 8 0
    GY 592 7 -
    EC 593 9 0
    GF 594 9 0
    PY 595 9 0
    MQ 596 9 0
    SR 597 7 -
    UY 598 8 0
    CW 599 7,8 -
    BQ 599 7 - 3,4,7
    TL 670 8 -
    NF 672 6 -
    BN 673 7 -
    NR 674 7 -
    PG 675 8 -
    TO 676 7 -
    SB 677 5,7 -
    VU 678 7 -
    FJ 679 7 -
    PW 680 7 -
    WF 681 6 -
    CK 682 5 -
    NU 683 4,7 -
    WS 685 7,10 -
    KI 686 8 0
    NC 687 6 -
    TV 688 6,7 -
    PF 689 8 -
    TK 690 4,5,6,7 -
    FM 691 7 -
    MH 692 7 1
    KP 850 10 0
    HK 852 8 -
    MO 853 8 -
    KH 855 8,9 0
    LA 856 9,10 0
    BD 880 10 0
    TW 886 9 0
    MV 960 7 -
    LB 961 7,8 0
    JO 962 9 0
    SY 963 9 0
    IQ 964 10 0
    KW 965 8 -
    SA 966 9 0
    YE 967 9 0
    OM 968 8 -
    PS 970 9 0
    AE 971 9 0
    IL 972 9 0
    BH 973 8 -
    QA 974 8 -
    BT 975 8 -
    MN 976 8 0
    NP 977 10 0
    TJ 992 9 -
    TM 993 8 8
    AZ 994 9 0
    GE 995 9 0
    KG 996 9 0
    UZ 998 9 -
    """
}
