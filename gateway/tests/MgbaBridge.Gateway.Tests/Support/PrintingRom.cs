using System.Buffers.Binary;
using System.Text;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>ROMs that print lines as ROMs that test themselves do.</summary>
internal static class PrintingRom
{
    private const int Start = 0xC0;

    /// <summary>A GBA ROM that prints lines by mGBA's registers and ends by SWI 3 with a number in r0.</summary>
    public static byte[] Gba(int register, params IEnumerable<string> lines)
    {
        // words of data are behind the code; each is loaded by its distance from the instruction, plus 8
        uint[] code =
        [
            0xE59F0044, 0xE59F1044, 0xE1C010B0, // ldr r0, =0x04FFF780; ldr r1, =0xC0DE; strh r1, [r0]
            0xE59F4040, // ldr r4, =text
            0xE59F2040, // line: ldr r2, =0x04FFF600
            0xE5D43000, 0xE35300FF, 0x0A000007, // ldrb r3, [r4]; cmp r3, #0xFF; beq end
            0xE4D43001, 0xE4C23001, 0xE3530000, 0x1AFFFFFB, // copy: ldrb r3, [r4], #1; strb r3, [r2], #1; cmp r3, #0; bne copy
            0xE59F5024, 0xE59F6024, 0xE1C560B0, 0xEAFFFFF3, // ldr r5, =0x04FFF700; ldr r6, =0x103; strh r6, [r5]; b line
            0xE59F001C, 0xEF030000, 0xEAFFFFFE, // end: ldr r0, =register; swi 3; b .
        ];
        uint[] data = [0x04FFF780, 0xC0DE, 0x08000000 + Start + (uint)((code.Length + 7) * 4), 0x04FFF600, 0x04FFF700, 0x103, (uint)register];
        byte[] text = [.. lines.SelectMany(static line => Encoding.ASCII.GetBytes(line).Append((byte)0)), 0xFF];
        var rom = new byte[Start + ((code.Length + data.Length) * 4) + text.Length];
        BinaryPrimitives.WriteUInt32LittleEndian(rom, 0xEA000000 | ((Start - 8) / 4)); // b Start
        rom[0xB2] = 0x96; // every GBA header has this byte
        foreach (var (index, word) in code.Concat(data).Index())
        {
            BinaryPrimitives.WriteUInt32LittleEndian(rom.AsSpan(Start + (index * 4)), word);
        }

        text.CopyTo(rom, rom.Length - text.Length);
        return rom;
    }

    /// <summary>A Game Boy ROM that sends a text to the link port and loops.</summary>
    public static byte[] Gb(string text)
    {
        var rom = new byte[0x8000];
        Convert.FromHexString("00C35001CEED6666").CopyTo(rom, 0x100); // nop; jp 0x150; as much of the logo as mGBA checks
        Convert.FromHexString("2100022AB7280EE0013E81E002F002CB7F20FA18EE18FE").CopyTo(rom, 0x150); // each byte from 0x200 on, to a 0: SB = it; SC = 0x81; wait for SC bit 7
        Encoding.ASCII.GetBytes(text).CopyTo(rom, 0x200);
        return rom;
    }
}
