; Cartridge header, start-up and interrupt handler of the GB test ROM.
; makebin fills in the rest of the header (title, cartridge type, RAM size, both checksums): see the Makefile.

        .module start
        .globl  _start_block, _update

        .area   _HEADER (ABS)

        .org    0x0040          ; VBlank: only has to end the HALT below
        reti

        .org    0x0100
        nop
        jp      start_up

        ; 0x0104: the 48 bytes of the maker's logo are somebody else's data. mGBA knows a GB ROM by the first four of them
        ; and looks at no other (GBIsROM in its src/gb/gb.c), so these four stand here and 44 zeros after them.
        .db     0xCE, 0xED, 0x66, 0x66
        .db     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        .db     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0

        .org    0x0143
        .db     0x00            ; not for the GB Color
        .org    0x0146
        .db     0x00            ; no Super GB functions
        .org    0x014C
        .db     0x00            ; version

        .org    0x0150
start_up:
        di
        ld      sp, #0xE000

        ; The LCD may only be switched off in the VBlank.
1$:     ldh     a, (0x44)       ; LY
        cp      #144
        jr      C, 1$
        xor     a
        ldh     (0x40), a       ; LCDC

        ld      a, #0x0A        ; cartridge RAM on, and it stays on
        ld      (0x0000), a

        call    _start_block

        xor     a
        ldh     (0x0F), a       ; IF
        inc     a
        ldh     (0xFF), a       ; IE: VBlank only
        ld      a, #0x93        ; LCD, background and sprites on, tiles at 0x8000, map at 0x9800
        ldh     (0x40), a
        ei
2$:     halt
        nop
        call    _update
        jr      2$

        ; Where the compiler puts things, in this order; without these lines it would be the order of first use.
        .area   _CODE
        .area   _DATA
