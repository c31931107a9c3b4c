#!/usr/bin/env python3
"""Turns the pictures and the tune of the demo game into C: convert.py OUTPUT_FOLDER writes assets.h and assets.c."""

import pathlib
import re
import struct
import sys
import zlib

HERE = pathlib.Path(__file__).parent
SCENES = ("harbour", "meadow", "cape", "lamp", "title", "ending")  # the first four are the maps, by number
PHASES = 4  # a picture of a scene is four pictures, one below the other: water and stars move
TILE = 8
COLUMNS, ROWS = 30, 20  # of a screen, in tiles
FIRST_TILE = 256  # of scenes: only letters have lower numbers
MAX_TILES = 768
BLOCK = 8192  # bytes that are unpacked in one frame
SPRITE = 16
LETTERS = 160


def read_png(path):
    """The palette, and the rows of palette numbers, of a PNG with one byte a pixel."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    chunks, at = {}, 8
    while at < len(data):
        (length,), kind = struct.unpack_from(">I", data, at), data[at + 4 : at + 8]
        chunks[kind] = chunks.get(kind, b"") + data[at + 8 : at + 8 + length]
        at += length + 12
    width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, colours, interlaced) == (8, 3, 0), f"{path}: a PNG with a palette, 8 bits a pixel"
    raw = zlib.decompress(chunks[b"IDAT"])
    rows, before = [], bytes(width)
    for y in range(height):
        kind, row = raw[y * (width + 1)], bytearray(raw[y * (width + 1) + 1 : (y + 1) * (width + 1)])
        for x in range(width):
            left, up, corner = (row[x - 1] if x else 0), before[x], (before[x - 1] if x else 0)
            row[x] = row[x] + (0, left, up, (left + up) // 2, paeth(left, up, corner))[kind] & 0xFF
        rows.append(bytes(row))
        before = row
    palette = chunks[b"PLTE"]
    return [tuple(palette[i : i + 3]) for i in range(0, len(palette), 3)], rows


def paeth(left, up, corner):
    """The predictor of this name of the PNG specification."""
    guess = left + up - corner
    return min((left, up, corner), key=lambda one: abs(guess - one))


def tile_of(rows, x, y):
    """The 64 pixels of the tile in column x, row y."""
    return b"".join(bytes(row[x * TILE : (x + 1) * TILE]) for row in rows[y * TILE : (y + 1) * TILE])


def packed(data):
    """LZ77 as the GBA's BIOS unpacks it. No match lies one byte back."""
    out, places, at = bytearray(struct.pack("<I", 0x10 | len(data) << 8)), {}, 0
    while at < len(data):
        flags, body = 0, bytearray()
        for bit in range(8):
            if at >= len(data):
                break
            length, back = 0, 0
            for start in reversed(places.get(data[at : at + 3], ())[-64:]):
                if not 2 <= at - start <= 4096:
                    continue
                size = 3
                while size < 18 and at + size < len(data) and data[start + size] == data[at + size]:
                    size += 1
                if size > length:
                    length, back = size, at - start
            taken = length if length >= 3 and at + 3 <= len(data) else 1
            if taken > 1:
                flags |= 0x80 >> bit
                body += struct.pack(">H", length - 3 << 12 | back - 1)
            else:
                body.append(data[at])
            for one in range(at, at + taken):
                places.setdefault(data[one : one + 3], []).append(one)
            at += taken
        out.append(flags)
        out += body
    return bytes(out) + bytes(-len(out) % 4)


def numbers(kind, name, values, per_line=24):
    """A constant array."""
    values = list(values)
    lines = [", ".join(str(one) for one in values[i : i + per_line]) for i in range(0, len(values), per_line)]
    return f"const {kind} {name}[{len(values)}] __attribute__((aligned(4))) = {{\n    " + ",\n    ".join(lines) + "};\n"


def scene(name):
    """Tiles that stay and tiles that move, packed in blocks, and the map of a screen."""
    _, rows = read_png(HERE / f"art/{name}.png")
    height = len(rows) // PHASES
    pictures = [rows[phase * height : (phase + 1) * height] for phase in range(PHASES)]
    cells = [[tuple(tile_of(picture, x, y) for picture in pictures) for x in range(COLUMNS)] for y in range(ROWS)]
    tiles = list(dict.fromkeys(tile for row in cells for tile in row))
    still = [tile for tile in tiles if len(set(tile)) == 1]
    moving = [tile for tile in tiles if len(set(tile)) > 1]
    assert len(tiles) <= MAX_TILES, f"{name} has {len(tiles)} tiles"
    place = {tile: FIRST_TILE + number for number, tile in enumerate(still + moving)}
    data = b"".join(tile[0] for tile in still) + b"".join(tile[phase] for phase in range(PHASES) for tile in moving)
    blocks = [packed(data[at : at + BLOCK]) for at in range(0, len(data), BLOCK)]
    text = "".join(numbers("u8", f"{name}_block{number}", block).replace("const", "static const", 1) for number, block in enumerate(blocks))
    text += f"static const u8 *const {name}_blocks[] = {{{', '.join(f'{name}_block{number}' for number in range(len(blocks)))}}};\n"
    text += numbers("u16", f"{name}_map", (place[tile] for row in cells for tile in row)).replace("const", "static const", 1)
    return text, f"{{{name}_blocks, {len(blocks)}, {len(still)}, {len(moving)}, {name}_map}}"


def frequency(note):
    """In hertz, of a name such as A4 or F#5."""
    name, octave = re.fullmatch(r"([A-G]#?)(\d)", note).groups()
    half_tones = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"].index(name) + 12 * (int(octave) - 4) - 9
    return 440 * 2 ** (half_tones / 12)


def step(token, clock):
    """What a voice does: 1 holds its note, 0 rests, otherwise the value of its frequency register."""
    return {"-": 1, ".": 0}[token] if token in "-." else round(2048 - clock / frequency(token))


def tune():
    """The voices of tune.txt, a number a step, and the effects: pairs of a frequency and frames."""
    voices, effects = {}, {}
    for line in (HERE / "art/tune.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, steps = line.split(":")
            if name.startswith("effect "):
                tokens = steps.split()
                pairs = [(step(note, 131072), int(frames)) for note, frames in zip(tokens[::2], tokens[1::2])]
                effects[name.split()[1]] = [number for pair in [*pairs, (0, 0)] for number in pair]
            else:
                voices[name] = voices.get(name, []) + [step(token, 65536 if name == "bass" else 131072) for token in steps.replace("|", " ").split()]
    assert len({len(steps) for steps in voices.values()}) == 1, {name: len(steps) for name, steps in voices.items()}
    return voices, effects


def main():
    folder = pathlib.Path(sys.argv[1])
    palette, sprites = read_png(HERE / "art/sprites.png")
    letter_palette, letters = read_png(HERE / "art/font.png")
    voices, effects = tune()
    scenes = [scene(name) for name in SCENES]
    parts = ['#include "assets.h"\n']
    for name, colours in (("palette", palette), ("letter_palette", letter_palette)):
        parts.append(numbers("u16", name, (red >> 3 | green >> 3 << 5 | blue >> 3 << 10 for red, green, blue in colours)))
    frames = [(x, y) for y in range(len(sprites) // SPRITE) for x in range(len(sprites[0]) // SPRITE)]
    quarters = [(0, 0), (1, 0), (0, 1), (1, 1)]
    parts.append(numbers("u8", "sprites", b"".join(tile_of(sprites, x * 2 + i, y * 2 + j) for x, y in frames for i, j in quarters)))
    font = b"".join(tile_of(letters, number % 16, number // 16) for number in range(LETTERS))
    parts.append(numbers("u8", "letters", (font[i] | font[i + 1] << 4 for i in range(0, len(font), 2))))
    parts += [text for text, _ in scenes]
    parts.append("const struct scene scenes[] = {" + ", ".join(one for _, one in scenes) + "};\n")
    parts.append(f"const u8 solid[][{COLUMNS * ROWS}] = {{")
    for name in SCENES[:4]:
        parts.append("{" + ",".join(str(kind) for row in read_png(HERE / f"art/{name}-solid.png")[1] for kind in row) + "},\n")
    parts.append("};\n")
    parts += [numbers("u16", f"voice_{name}", steps) for name, steps in voices.items()]
    parts += [numbers("u16", f"effect_{name}", pairs) for name, pairs in effects.items()]
    header = f"""/* Written by convert.py. */
#include "hardware.h"

#define FIRST_TILE {FIRST_TILE}
#define TUNE_STEPS {len(next(iter(voices.values())))}
#define BLOCK_BYTES {BLOCK}

struct scene {{
    const u8 *const *blocks; /* packed: the tiles that stay, then {PHASES} times those that move */
    u16 block_count, still, moving;
    const u16 *map;
}};

extern const struct scene scenes[];
extern const u8 solid[][{COLUMNS * ROWS}];
extern const u16 palette[{len(palette)}], letter_palette[{len(letter_palette)}];
extern const u8 sprites[{len(frames) * SPRITE * SPRITE}], letters[{LETTERS * 32}];
enum {{ {", ".join("SCENE_" + name.upper() for name in SCENES)} }};
"""
    header += "".join(f"extern const u16 voice_{name}[TUNE_STEPS];\n" for name in voices)
    header += "".join(f"extern const u16 effect_{name}[{len(pairs)}];\n" for name, pairs in effects.items())
    (folder / "assets.h").write_text(header, encoding="utf-8")
    (folder / "assets.c").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
