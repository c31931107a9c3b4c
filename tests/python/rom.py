"""The test games of headless/roms/README.md: the block of counters in memory, and the pictures."""

import struct
import zlib

BLOCK = 0x02000000
GB_BLOCK = 0xC100
SIZE = 0x380
SCRATCH = 0x02010000
KEYS = ["A", "B", "Select", "Start", "Right", "Left", "Up", "Down", "R", "L"]
LIVE_KEYS = BLOCK + 0xC
COUNTER = BLOCK + 8


class Block:
    """The GBA's block at one moment."""

    def __init__(self, data):
        self.magic = data[:4]
        self.counter, self.live = struct.unpack_from("<II", data, 8)
        self.edges = list(struct.unpack_from("<10I", data, 0x20))
        self.held = list(struct.unpack_from("<10I", data, 0x48))
        self.event_count = struct.unpack_from("<I", data, 0x100)[0]
        self.ring = [struct.unpack_from("<IHH", data, 0x110 + 8 * i) for i in range(64)]

    def events_since(self, count):
        """(frame, key, pressed) of each event after the first `count`; at most the last 64."""
        return [self.ring[i % 64] for i in range(max(count, self.event_count - 64), self.event_count)]


def read(client):
    """The block, and the script's frame it is of."""
    reply = client.call(f"memory.read {BLOCK:#x} {SIZE}").ok()
    block = Block(reply.tail)
    block.frame = reply.frame
    return block


def edges(client, count=10):
    return list(struct.unpack("<%dI" % count, client.call(f"memory.read {BLOCK + 0x20:#x} {4 * count}").ok().tail))


def clear_counters(client):
    client.call(f"memory.write8 {BLOCK + 0x18:#x} 3").ok()
    client.wait_frames(3)


def events(client):
    """The ROM's own record: (frame, key, press) of the newest 64 at most."""
    head = client.call(f"memory.gather {BLOCK + 0x100:#x} 4 {BLOCK + 0x110:#x} 512").ok().tail
    count, ring = struct.unpack("<I", head[:4])[0], head[4:]
    return [struct.unpack_from("<IHH", ring, (i % 64) * 8) for i in range(max(0, count - 64), count)]


def wait_for_start(client):
    while client.call(f"memory.read {BLOCK:#x} 4").ok().tail != b"MBT1":
        pass


def decode_png(data):
    """Width, height and the pixels as (r, g, b), row by row; 8 bits RGB or RGBA."""
    at, packed, header = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if zlib.crc32(kind + body) != struct.unpack_from(">I", data, at + 8 + length)[0]:
            raise ValueError(f"the checksum of chunk {kind} is wrong")
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    width, height, depth, colour, _, _, interlaced = header
    if depth != 8 or colour not in (2, 6) or interlaced:
        raise ValueError(f"a PNG of another kind: {header}")
    size = 3 if colour == 2 else 4
    raw, row, pixels = zlib.decompress(packed), bytes(width * size), []
    for y in range(height):
        start = y * (width * size + 1)
        row = unfilter(raw[start], bytearray(raw[start + 1 : start + 1 + width * size]), row, size)
        pixels.append([tuple(row[x : x + 3]) for x in range(0, width * size, size)])
    return width, height, pixels


def unfilter(kind, row, above, size):
    for i in range(len(row)):
        left, up = row[i - size] if i >= size else 0, above[i]
        corner = above[i - size] if i >= size else 0
        if kind == 1:
            row[i] = (row[i] + left) & 255
        elif kind == 2:
            row[i] = (row[i] + up) & 255
        elif kind == 3:
            row[i] = (row[i] + (left + up) // 2) & 255
        elif kind == 4:
            guess = left + up - corner
            best = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[i] = (row[i] + best) & 255
    return bytes(row)


def picture(counter, keys):
    """The GBA picture in this frame with these keys down: what the README's table says, pixel by pixel."""
    pixels = [[(16, 33, 66)] * 240 for _ in range(160)]

    def fill(x, y, width, height, colour):
        for row in pixels[y : y + height]:
            row[x : x + width] = [colour] * width

    for key in range(10):
        fill(12 + 22 * key, 16, 16, 16, (255, 66, 0) if keys >> key & 1 else (82, 82, 82))
    for cell in range(16):
        fill(8 + 14 * cell, 48, 12, 12, (255, 255, 0) if counter >> (15 - cell) & 1 else (0, 66, 0))
    fill(counter % 224, 80, 16, 16, (0, 255, 255))
    for level in range(32):
        light = level << 3 | level >> 2
        for channel in range(3):
            fill(8 + 7 * level, 112 + 10 * channel, 7, 10, tuple(light if i == channel else 0 for i in range(3)))
    for x, y, colour in ((0, 0, (255, 0, 0)), (239, 0, (0, 255, 0)), (0, 159, (0, 0, 255)), (239, 159, (255, 255, 255))):
        pixels[y][x] = colour
    return pixels


def gb_picture(counter, keys):
    """The same of the GB."""
    shades = ((255, 255, 255), (173, 173, 173), (82, 82, 82), (0, 0, 0))
    pixels = [[shades[0]] * 160 for _ in range(144)]

    def fill(x, y, width, height, shade):
        for row in pixels[y : y + height]:
            row[x : x + width] = [shades[shade]] * width

    for key in range(8):
        fill(16 + 16 * key, 16, 8, 8, 3 if keys >> key & 1 else 1)
    for cell in range(16):
        fill(16 + 8 * cell, 48, 8, 8, 3 if counter >> (15 - cell) & 1 else 1)
    fill(counter % 152, 80, 8, 8, 2)
    for shade in range(4):
        fill(16 + 8 * shade, 112, 8, 8, shade)
    for x, y, shade in ((0, 0, 3), (152, 0, 2), (0, 136, 2), (152, 136, 3)):
        fill(x, y, 8, 8, shade)
    return pixels
