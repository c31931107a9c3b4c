"""Small test ROMs, built from the bytes below. Each has a mailbox, one byte to which a test script writes:

1  jump to an invalid address (GBA)
2  switch the machine off: STOP with no wake-up (GBA)
3  sleep: STOP with a wake-up by key
4  write 0x5A to the first byte of the save memory

Once a frame they read the keys and look into the mailbox: 0x02000000 (GBA), 0xC000 (GB).
"""

import struct


def build(size, parts):
    """A file of this size with hexadecimal bytes at offsets; the rest is 0."""
    data = bytearray(size)
    for offset, code in parts.items():
        part = bytes.fromhex(code)
        data[offset : offset + len(part)] = part
    return bytes(data)


GBA = build(4096, {
    0x00: "2e0000ea",  # b 0xC0
    0xAC: "54455354",  # game code TEST
    0xB2: "96",  # every GBA header has this byte
    0xC0:
        "0204a0e3 0113a0e3 0e34a0e3"  # r0 = mailbox, r1 = IO, r3 = save memory
        "012c81e2 b043d2e1"  # 0xCC: read KEYINPUT
        "b640d1e1 a00054e3 fcffff1a"  # wait for line 160
        "b640d1e1 a00054e3 fcffff0a"  # wait for its end
        "005090e5 0060a0e3 006080e5"  # take the mailbox
        "010055e3 01f4a003"  # 1: pc = 0x01000000
        "020055e3 0000030f 030055e3"  # 2: swi 3
        "0300001a 016aa0e3 022c81e2"  # 3: IE = keypad
        "b060c2e1 000003ef"  # swi 3
        "040055e3 5a60a003 0060c305"  # 4: strb 0x5A
        "e6ffffea",  # b 0xCC
})


def gb(color="00", super_game_boy="00"):
    return build(32768, {
        0x100: "00c35001",  # nop; jp 0x150
        0x104: "ceed6666",  # as much of the logo as mGBA checks
        0x134: "54455354",  # title TEST
        0x143: color,
        0x146: super_game_boy,
        0x147: "030002",  # MBC1 with battery RAM, 32 KiB ROM, 8 KiB RAM
        0x14B: "33",
        0x150:
            "3e0a ea0000"  # switch the save memory on
            "f044 fe90 20fa"  # 0x155: wait for line 144
            "f044 fe90 28fa"  # wait for its end
            "f000"  # read JOYP
            "fa00c0 47 af ea00c0"  # b = mailbox; mailbox = 0
            "78 fe04 2005 3e5a ea00a0"  # 4: (0xA000) = 0x5A
            "78 fe03 20db 1000 18d7",  # 3: stop; jr 0x155
    })


# A GB ROM whose palette is the number of the line: ldh a, (LY); ldh (BGP), a; jr.
STRIPED = build(32768, {0x100: "00c35001", 0x104: "ceed6666", 0x150: "f044 e047 18fa"})


# They execute something invalid at once.
CRASHING = {
    "crash.gba": build(4096, {0x00: "2e0000ea", 0xAC: "54455354", 0xB2: "96", 0xC0: "01f4a0e3"}),  # pc = 0x01000000
    "crash.gb": build(32768, {0x100: "00c35001", 0x104: "ceed6666", 0x150: "d3"}),
}

# Programs that call functions for ever, in ARM, Thumb and SM83: what the labels of test_debugger.py name.
CALLING = {
    "calls.gba": build(4096, {
        0x00: "2e0000ea",  # b 0xC0
        0xB2: "96",
        0xC0:
            "0204a0e3 0010a0e3"  # r0 = 0x02000000, r1 = 0
            "011081e2 030000eb"  # 0xC8: add r1, r1, #1; bl 0xE0
            "041080e5 0020d0e5"  # str r1, [r0, #4]; ldrb r2, [r0]
            "faffffea 0000a0e1"  # b 0xC8; nop
            "00402de9 001080e5"  # 0xE0: push {lr}; str r1, [r0]
            "000000eb 0080bde8"  # bl 0xF0; pop {pc}
            "b810c0e1 1eff2fe1",  # 0xF0: strh r1, [r0, #8]; bx lr
    }),
    "calls-thumb.gba": build(4096, {
        0x00: "2e0000ea",  # b 0xC0
        0xB2: "96",
        0xC0:
            "01008fe2 10ff2fe1"  # add r0, pc, #1; bx r0
            "0021"  # movs r1, #0
            "0131 00f0 04f8"  # 0xCA: adds r1, #1; bl 0xD8
            "0a1c fae7 c046 c046"  # movs r2, r1; b 0xCA; nop; nop
            "00b5 0723 01bc 0047",  # 0xD8: push {lr}; movs r3, #7; pop {r0}; bx r0
    }),
    "calls.gb": build(32768, {
        0x100: "00c35001",
        0x104: "ceed6666",
        0x150: "2100c0 3c cd6001 47 18f9",  # ld hl, 0xC000; 0x153: inc a; call 0x160; ld b, a; jr 0x153
        0x160: "77c9",  # ld (hl), a; ret
    }),
}



def painted(size):
    """A GBA ROM that fills the picture with the colour at 0x200."""
    return build(size, {
        0x00: "2e0000ea",  # b 0xC0
        0xB2: "96",  # every GBA header has this byte
        0xC0:
            "0504a0e3 0814a0e3 0133a0e3 0040a0e3"  # r0 = palette, r1 = ROM, r3 = IO, r4 = 0
            "004083e5"  # 0xD0: mode 0, nothing but the backdrop
            "002291e5 002080e5 fbffffea",  # its colour; b 0xD0
        0x200: "1f00",
    })


def elf(rom):
    """An ELF file that loads a GBA ROM at 0x08000000."""
    start, headers = 0x08000000, 52 + 32
    segment = struct.pack("<8I", 1, headers, start, start, len(rom), len(rom), 5, 4)
    machine = struct.pack("<2H5I6H", 2, 40, 1, start, 52, 0, 0, 52, 32, 1, 40, 0, 0)  # an executable for ARM
    return b"\x7fELF\1\1\1".ljust(16, b"\0") + machine + segment + rom


GAMES = {"game.gba": GBA, "game.gb": gb(), "color.gbc": gb(color="80"), "super.gb": gb(super_game_boy="03"), **CALLING}
