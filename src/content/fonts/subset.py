"""Writes data.ts: the typefaces of the PDF, cut down to what documentation uses.

Needs fonttools and brotli for Python, and the Debian packages fonts-noto-core, fonts-noto-mono and fonts-dejavu-core.
Run it in this folder when a script is missing: add its range below.
"""

import base64
import io

import brotli
from fontTools import subset

NOTO = "/usr/share/fonts/truetype/noto/"
DEJAVU = "/usr/share/fonts/truetype/dejavu/"

ASCII, LATIN1 = (0x20, 0x7E), (0xA0, 0xFF)
TEXT = [ASCII, (0xA0, 0x24F), (0x2B0, 0x36F), (0x370, 0x52F), (0x1E00, 0x1EFF), (0x2000, 0x209F), (0x20A0, 0x20CF), (0x2100, 0x214F), (0xFFFD, 0xFFFD)]
BASIC = [ASCII, (0xA0, 0x17F), (0x2BC, 0x2DD), (0x386, 0x3CE), (0x400, 0x45F), (0x490, 0x491), (0x1EA0, 0x1EF9), (0x2010, 0x2044), (0x20AC, 0x20AC), (0x2116, 0x2122)]
MONO = [ASCII, (0xA0, 0x17F), (0x386, 0x3CE), (0x400, 0x45F), (0x2010, 0x2044), (0x20AC, 0x20AC), (0x2190, 0x2193), (0x2500, 0x259F), (0x25A0, 0x25CF), (0x2713, 0x2717)]
SYMBOLS = [(0x2190, 0x23CF), (0x2460, 0x24FF), (0x2500, 0x26FF), (0x2701, 0x27BF), (0x27F0, 0x27FF), (0x2900, 0x297F), (0x2B00, 0x2B1F), (0x531, 0x58A), (0x5D0, 0x5F4), (0x10D0, 0x10FF)]

FACES = {
    "regular": (NOTO + "NotoSans-Regular.ttf", TEXT),
    "bold": (NOTO + "NotoSans-Bold.ttf", BASIC),
    "italic": (NOTO + "NotoSans-Italic.ttf", BASIC),
    "boldItalic": (NOTO + "NotoSans-BoldItalic.ttf", BASIC),
    "mono": (NOTO + "NotoSansMono-Regular.ttf", MONO),
    "symbols": (DEJAVU + "DejaVuSans.ttf", SYMBOLS),
}

HEAD = """/*!
 * Noto Sans and Noto Sans Mono: Copyright 2015-2022 The Noto Project Authors (https://github.com/notofonts), SIL Open Font
 * License, Version 1.1 (https://scripts.sil.org/OFL). DejaVu Sans: Copyright (c) 2003 by Bitstream, Inc., Copyright (c)
 * 2006 by Tavmjong Bah, DejaVu changes are in the public domain (https://dejavu-fonts.github.io/License.html).
 */
// Written by subset.py: TrueType, compressed with Brotli, in Base64.
export const faces = {
"""


def cut(path, ranges):
    options = subset.Options()
    options.hinting = False
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl"]
    # With the copyright and the licence, which the fonts have to carry wherever they go.
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.glyph_names = False
    options.notdef_outline = True
    options.drop_tables += ["FFTM"]
    font = subset.load_font(path, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for first, last in ranges for code in range(first, last + 1)])
    subsetter.subset(font)
    written = io.BytesIO()
    subset.save_font(font, written, options)
    return written.getvalue()


with open("data.ts", "w", encoding="utf-8") as out:
    out.write(HEAD)
    for name, (path, ranges) in FACES.items():
        packed = base64.b64encode(brotli.compress(cut(path, ranges), quality=11)).decode()
        out.write(f"  {name}: '{packed}',\n")
    out.write("};\n")
