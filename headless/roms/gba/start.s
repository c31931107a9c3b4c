@ Cartridge header, start-up and interrupt handler of the GBA ROMs. With the symbol `catch`, `busy` or `machine` they are those of catch.c, busy.c or
@ machine.c, with `demo` those of the demo game.

        .section .start, "ax"
        .arm
        .global _start
_start:
        b       start_up

        @ 0x004: 156 bytes of the maker's logo. They are somebody else's data, and mGBA does not look at them.
        .fill   156, 1, 0

        .ifdef catch                    @ 0x0A0: title; 0x0AC: game code
        .ascii  "MGBA CATCH\0\0", "BBCE"
        .set    .Lname, 'M'+'G'+'B'+'A'+' '+'C'+'A'+'T'+'C'+'H' + 'B'+'B'+'C'+'E'
        .else
        .ifdef busy
        .ascii  "MGBA BUSY\0\0\0", "BBUE"
        .set    .Lname, 'M'+'G'+'B'+'A'+' '+'B'+'U'+'S'+'Y' + 'B'+'B'+'U'+'E'
        .else
        .ifdef demo
        .ascii  "LAMPLIGHT\0\0\0", "BBLE"
        .set    .Lname, 'L'+'A'+'M'+'P'+'L'+'I'+'G'+'H'+'T' + 'B'+'B'+'L'+'E'
        .else
        .ifdef machine                  @ mGBA knows no code that begins with Z
        .ascii  "MGBAMACHINE\0", "ZZMA"
        .set    .Lname, 'M'+'G'+'B'+'A'+'M'+'A'+'C'+'H'+'I'+'N'+'E' + 'Z'+'Z'+'M'+'A'
        .else
        .ascii  "MGBABRIDGE\0\0", "BBTE"
        .set    .Lname, 'M'+'G'+'B'+'A'+'B'+'R'+'I'+'D'+'G'+'E' + 'B'+'B'+'T'+'E'
        .endif
        .endif
        .endif
        .endif
        .ascii  "00"                    @ 0x0B0: maker
        .byte   0x96                    @ 0x0B2: fixed value; mGBA knows a GBA ROM by it (and by 0xEA at 0x003)
        .fill   10, 1, 0                @ 0x0B3: unit, device, reserved, version
        @ 0x0BD: minus the sum of 0x0A0..0x0BC, minus 0x19
        .byte   -(.Lname + '0'+'0' + 0x96 + 0x19) & 0xFF
        .fill   2, 1, 0

        @ 0x0C0: never reached. mGBA guesses from the code here and in the 128 words after it whether a small ROM is a
        @ multiboot image, by the addresses it names (GBAIsMB in its src/gba/gba.c). A backward jump here says no before
        @ it reads anything the compiler might change.
        b       _start

        .ifdef machine
        .fill   12, 1, 0                @ 0x0C4: the registers of the cartridge's GPIO chip. The save type is not announced
        .else
        @ How a save type is announced on GBA cartridges; other emulators and flash cards search for it. mGBA does not:
        @ it calls the save SRAM at the first access to 0x0E000000, which gba/main.c makes at start-up, and Flash if this is
        @ the begin of a command to the chip.
        .balign 4
        .ifdef demo
        .asciz  "FLASH_V126"
        .else
        .asciz  "SRAM_V113"
        .endif
        .endif
        .balign 4

start_up:
        mov     r0, #0x12               @ IRQ mode
        msr     cpsr_c, r0
        ldr     sp, =0x03007FA0
        mov     r0, #0x1F               @ system mode
        msr     cpsr_c, r0
        ldr     sp, =0x03007F00

        ldr     r0, =__bss_start        @ no .data section exists (gba.ld checks), so there is nothing to copy
        ldr     r1, =__bss_end
        mov     r2, #0
1:      cmp     r0, r1
        strlo   r2, [r0], #4
        blo     1b

        ldr     r0, =on_interrupt
        ldr     r1, =0x03007FFC
        str     r0, [r1]

        ldr     r0, =main
        bx      r0

        @ The BIOS calls this with r0 = 0x04000000 and r0-r3, r12, lr saved. It tells the hardware and the BIOS which
        @ interrupts are handled; the work is done by main() after VBlankIntrWait.
on_interrupt:
        ldr     r1, [r0, #0x200]        @ IE, and IF in the upper half
        and     r1, r1, r1, lsr #16
        add     r2, r0, #0x200
        strh    r1, [r2, #2]
        ldrh    r2, [r0, #-8]           @ 0x03007FF8, the BIOS's own interrupt flags
        orr     r2, r2, r1
        strh    r2, [r0, #-8]
        bx      lr

        .pool
