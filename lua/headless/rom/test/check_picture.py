#!/usr/bin/env python3
"""Checks the screenshots of rom_test.lua against README.md, pixel by pixel.

Usage: check_picture.py FOLDER     (reads FOLDER/list.txt: lines "file machine frame keys")

Prints one `ok - name` or `not ok - name` line a picture and a sum as the last line. Standard library only.
"""
import struct
import sys
import zlib


def read_png(path):
    """An 8-bit RGB or RGBA PNG as (width, height, rows of (red, green, blue))."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG")
    at, packed, width, height, channels = 8, b"", 0, 0, 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        at += 12 + length
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            if depth != 8 or colour not in (2, 6) or interlace:
                raise ValueError(f"unexpected PNG: depth {depth}, colour type {colour}")
            channels = 3 if colour == 2 else 4
        elif kind == b"IDAT":
            packed += body
    raw, stride = zlib.decompress(packed), width * channels
    rows, above = [], bytes(stride)
    for y in range(height):
        start = y * (stride + 1)
        above = unfilter(raw[start], bytearray(raw[start + 1 : start + 1 + stride]), above, channels)
        rows.append([tuple(above[x : x + 3]) for x in range(0, stride, channels)])
    return width, height, rows


def unfilter(kind, line, above, step):
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        up = above[i]
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            line[i] = line[i] + left & 0xFF
        elif kind == 2:
            line[i] = line[i] + up & 0xFF
        elif kind == 3:
            line[i] = line[i] + (left + up) // 2 & 0xFF
        elif kind == 4:
            guess = left + up - corner
            best = min((left, up, corner), key=lambda value: abs(guess - value))
            line[i] = line[i] + best & 0xFF
    return line


def fill(rows, x, y, width, height, colour):
    for row in rows[y : y + height]:
        row[x : x + width] = [colour] * width


def gba(frame, keys):
    """README.md, "The GBA picture"."""
    rows = [[(16, 33, 66)] * 240 for _ in range(160)]
    for key in range(10):
        fill(rows, 12 + 22 * key, 16, 16, 16, (255, 66, 0) if keys >> key & 1 else (82, 82, 82))
    for cell in range(16):
        fill(rows, 8 + 14 * cell, 48, 12, 12, (255, 255, 0) if frame >> 15 - cell & 1 else (0, 66, 0))
    fill(rows, frame % 224, 80, 16, 16, (0, 255, 255))
    for level in range(32):
        bright = level << 3 | level >> 2
        for row, colour in enumerate(((bright, 0, 0), (0, bright, 0), (0, 0, bright))):
            fill(rows, 8 + 7 * level, 112 + 10 * row, 7, 10, colour)
    rows[0][0], rows[0][239] = (255, 0, 0), (0, 255, 0)
    rows[159][0], rows[159][239] = (0, 0, 255), (255, 255, 255)
    return rows


def gb(frame, keys):
    """README.md, "The GB picture"."""
    shades = ((255, 255, 255), (173, 173, 173), (82, 82, 82), (0, 0, 0))
    rows = [[shades[0]] * 160 for _ in range(144)]
    for key in range(8):
        fill(rows, 16 + 16 * key, 16, 8, 8, shades[3 if keys >> key & 1 else 1])
    for cell in range(16):
        fill(rows, 16 + 8 * cell, 48, 8, 8, shades[3 if frame >> 15 - cell & 1 else 1])
    fill(rows, frame % 152, 80, 8, 8, shades[2])
    for shade in range(4):
        fill(rows, 16 + 8 * shade, 112, 8, 8, shades[shade])
    for x, y, shade in ((0, 0, 3), (152, 0, 2), (0, 136, 2), (152, 136, 3)):
        fill(rows, x, y, 8, 8, shades[shade])
    return rows


def difference(folder, name, machine, frame, keys):
    width, height, rows = read_png(f"{folder}/{name}")
    wanted = {"gba": gba, "gb": gb}[machine](frame, keys)
    if (width, height) != (len(wanted[0]), len(wanted)):
        return f"is {width}x{height}"
    for y, (got_row, wanted_row) in enumerate(zip(rows, wanted)):
        for x, (got, want) in enumerate(zip(got_row, wanted_row)):
            if got != want:
                return f"at {x},{y} is {got}, wanted {want}"
    return None


def main(folder):
    passed = failed = 0
    with open(f"{folder}/list.txt", encoding="ascii") as file:
        for name, machine, frame, keys in map(str.split, file):
            try:
                problem = difference(folder, name, machine, int(frame), int(keys))
            except (OSError, ValueError, zlib.error) as error:
                problem = str(error)
            if problem:
                failed += 1
                print(f"not ok - picture {name} ({problem})")
            else:
                passed += 1
                print(f"ok - picture {name}")
    print(f"rom: {passed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
