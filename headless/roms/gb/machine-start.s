; Cartridge header, start-up and interrupt handler of machine.gb, tilt.gb and camera.gb. The block begins with the registers as the console
; leaves them. makebin fills in the rest of the header: see the Makefile.

        .module start
        .globl  _start_block, _update

        .area   _HEADER (ABS)

        .org    0x0040          ; VBlank: only has to end the HALT below
        reti

        .org    0x0100
        nop
        jp      start_up

        ; 0x0104: the first four bytes of the maker's logo, at which mGBA looks, and 44 zeros: see start.s.
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
        ld      (0xC10C), a     ; in the block
        ld      a, b
        ld      (0xC10D), a
        ld      a, c
        ld      (0xC10E), a

        ; The LCD may only be switched off in the VBlank.
1$:     ldh     a, (0x44)       ; LY
        cp      #144
        jr      C, 1$
        xor     a
        ldh     (0x40), a       ; LCDC

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

        ; Where the compiler puts things, in this order.
        .area   _CODE
        .area   _DATA
