@ A ROM that tests itself, for mgba-rom-test: it prints a line for each level of mGBA's log, and ends as the parameters say.
@ The code between `print` and `print_end` is all that another ROM needs.

        .section .start, "ax"
        .arm
        .global _start
_start:
        b       start_up

        .fill   156, 1, 0               @ 0x004: the logo, see start.s

        .ascii  "MGBASELFTEST"          @ 0x0A0: title
        .ascii  "BBTS"                  @ 0x0AC: game code
        .ascii  "00"                    @ 0x0B0: maker
        .byte   0x96                    @ 0x0B2: fixed value
        .fill   10, 1, 0                @ 0x0B3: unit, device, reserved, version
        @ 0x0BD: minus the sum of 0x0A0..0x0BC, minus 0x19
        .byte   -('M'+'G'+'B'+'A'+'S'+'E'+'L'+'F'+'T'+'E'+'S'+'T' + 'B'+'B'+'T'+'S' + '0'+'0' + 0x96 + 0x19) & 0xFF
        .fill   2, 1, 0

        b       _start                  @ 0x0C0: not a multiboot image, see start.s

parameters:                             @ 0x0C4, for tests
        .ascii  "ENDS"
code:   .word   0                       @ r0 when the ROM ends
ending: .word   0                       @ an index of `endings`

start_up:
        ldr     sp, =0x03007F00
        ldr     r4, =lines
        mov     r5, #0                  @ 0 fatal, 1 error, 2 warning, 3 info, 4 debug
1:      mov     r0, r4
        mov     r1, r5
        bl      print
        mov     r4, r0
        add     r5, r5, #1
        cmp     r5, #5
        blo     1b

        ldr     r0, code
        ldr     r1, ending
        adr     r2, endings
        ldr     r1, [r2, r1, lsl #2]
        bx      r1

        @ r0: a text that ends with 0, of at most 255 characters; r1: its level. Returns r0 behind the text. Changes r1 to r3.
        @ Without mGBA nothing is printed.
print:
        ldr     r2, =0x04FFF780
        ldr     r3, =0xC0DE
        strh    r3, [r2]                @ switch the log on
        ldrh    r3, [r2]
        sub     r3, r3, #0x1D00
        cmp     r3, #0xEA               @ it is there
        bxne    lr
        ldr     r2, =0x04FFF600         @ the text
2:      ldrb    r3, [r0], #1
        strb    r3, [r2], #1
        cmp     r3, #0
        bne     2b
        ldr     r2, =0x04FFF700
        orr     r1, r1, #0x100
        strh    r1, [r2]                @ the level, and bit 8: print
        bx      lr
        .pool
print_end:

endings:
        .word   thumb_stop + 1, arm_stop, thumb_27 + 1, arm_27, arm_bios_27, mailbox, wild

arm_stop:
        swi     0x030000
        b       after
arm_27:
        swi     0x27
        b       after
arm_bios_27:
        swi     0x270000
        b       after

        @ Reached only if the SWI did not end the run.
after:
        mov     r4, r0
        adr     r0, after_text
        mov     r1, #4
        bl      print
        mov     r0, r4
        swi     0x28
        b       .

        @ Ends when the first word of EWRAM is not 0, with this word.
mailbox:
        mov     r2, #0x02000000
3:      ldr     r0, [r2]
        cmp     r0, #0
        beq     3b
        b       arm_stop

        @ Jumps to an address without memory.
wild:
        mov     pc, #0x01000000

        .thumb
thumb_stop:
        swi     3
        b       thumb_after
thumb_27:
        swi     0x27
thumb_after:
        ldr     r1, =after
        bx      r1
        .pool

after_text:
        .asciz  "after"
lines:
        .asciz  "a fatal line"
        .asciz  "an error line"
        .asciz  "a warning line"
        .asciz  "an info line"
        .asciz  "a debug line"
