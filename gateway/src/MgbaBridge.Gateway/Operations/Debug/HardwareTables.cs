namespace MgbaBridge.Gateway.Operations.Debug;

/// <summary>
/// The registers of the consoles' devices, with the names of GBATEK and of Pan Docs. A line has the offset from the first register (<c>/4</c>: of four bytes;
/// <c>/c</c>: only of a Game Boy Color), the name, and fields: a name and bits, then perhaps what the values mean (<c>(a|b)</c>), or by what the value is
/// multiplied and to what it is added to become an address (<c>*800+06000000</c>), or <c>s</c> for a sign.
/// </summary>
internal static class HardwareTables
{
    /// <summary>Of a GBA, from 0x04000000.</summary>
    public const string Gba = """
        [display]
        000 DISPCNT mode:0-2(text|text and affine|affine|bitmap of 16 bits|bitmap of 8 bits|small bitmap of 16 bits) page:4 hblankFree:5 objMapping:6(2D|1D) forcedBlank:7 bg0:8 bg1:9 bg2:10 bg3:11 obj:12 window0:13 window1:14 objWindow:15
        004 DISPSTAT vblank:0 hblank:1 match:2 vblankIrq:3 hblankIrq:4 matchIrq:5 matchLine:8-15
        006 VCOUNT line:0-7
        008 BG0CNT priority:0-1 tiles:2-3*4000+06000000 mosaic:6 colors:7(16|256) map:8-12*800+06000000 size:14-15(256x256|512x256|256x512|512x512)
        00A BG1CNT priority:0-1 tiles:2-3*4000+06000000 mosaic:6 colors:7(16|256) map:8-12*800+06000000 size:14-15(256x256|512x256|256x512|512x512)
        00C BG2CNT priority:0-1 tiles:2-3*4000+06000000 mosaic:6 colors:7(16|256) map:8-12*800+06000000 wrap:13 size:14-15
        00E BG3CNT priority:0-1 tiles:2-3*4000+06000000 mosaic:6 colors:7(16|256) map:8-12*800+06000000 wrap:13 size:14-15
        010 BG0HOFS x:0-8
        012 BG0VOFS y:0-8
        014 BG1HOFS x:0-8
        016 BG1VOFS y:0-8
        018 BG2HOFS x:0-8
        01A BG2VOFS y:0-8
        01C BG3HOFS x:0-8
        01E BG3VOFS y:0-8
        020 BG2PA dx:0-15s
        022 BG2PB dmx:0-15s
        024 BG2PC dy:0-15s
        026 BG2PD dmy:0-15s
        028/4 BG2X x:0-27s
        02C/4 BG2Y y:0-27s
        030 BG3PA dx:0-15s
        032 BG3PB dmx:0-15s
        034 BG3PC dy:0-15s
        036 BG3PD dmy:0-15s
        038/4 BG3X x:0-27s
        03C/4 BG3Y y:0-27s
        040 WIN0H right:0-7 left:8-15
        042 WIN1H right:0-7 left:8-15
        044 WIN0V bottom:0-7 top:8-15
        046 WIN1V bottom:0-7 top:8-15
        048 WININ window0Bg0:0 window0Bg1:1 window0Bg2:2 window0Bg3:3 window0Obj:4 window0Effects:5 window1Bg0:8 window1Bg1:9 window1Bg2:10 window1Bg3:11 window1Obj:12 window1Effects:13
        04A WINOUT outsideBg0:0 outsideBg1:1 outsideBg2:2 outsideBg3:3 outsideObj:4 outsideEffects:5 objWindowBg0:8 objWindowBg1:9 objWindowBg2:10 objWindowBg3:11 objWindowObj:12 objWindowEffects:13
        04C MOSAIC bgWidth:0-3 bgHeight:4-7 objWidth:8-11 objHeight:12-15
        050 BLDCNT firstBg0:0 firstBg1:1 firstBg2:2 firstBg3:3 firstObj:4 firstBackdrop:5 effect:6-7(none|blend|brighten|darken) secondBg0:8 secondBg1:9 secondBg2:10 secondBg3:11 secondObj:12 secondBackdrop:13
        052 BLDALPHA first:0-4 second:8-12
        054 BLDY amount:0-4
        [sound]
        060 SOUND1CNT_L sweepShift:0-2 sweepDirection:3(up|down) sweepTime:4-6
        062 SOUND1CNT_H length:0-5 duty:6-7(12.5 %|25 %|50 %|75 %) envelopeTime:8-10 envelopeDirection:11(down|up) volume:12-15
        064 SOUND1CNT_X frequency:0-10 stopsAtLength:14
        068 SOUND2CNT_L length:0-5 duty:6-7(12.5 %|25 %|50 %|75 %) envelopeTime:8-10 envelopeDirection:11(down|up) volume:12-15
        06C SOUND2CNT_H frequency:0-10 stopsAtLength:14
        070 SOUND3CNT_L banks:5(1|2) bank:6 enabled:7
        072 SOUND3CNT_H length:0-7 volume:13-14(0 %|100 %|50 %|25 %) fixedVolume:15(as volume|75 %)
        074 SOUND3CNT_X frequency:0-10 stopsAtLength:14
        078 SOUND4CNT_L length:0-5 envelopeTime:8-10 envelopeDirection:11(down|up) volume:12-15
        07C SOUND4CNT_H divider:0-2 width:3(15 bits|7 bits) shift:4-7 stopsAtLength:14
        080 SOUNDCNT_L right:0-2 left:4-6 channel1Right:8 channel2Right:9 channel3Right:10 channel4Right:11 channel1Left:12 channel2Left:13 channel3Left:14 channel4Left:15
        082 SOUNDCNT_H channels:0-1(25 %|50 %|100 %) a:2(50 %|100 %) b:3(50 %|100 %) aRight:8 aLeft:9 aTimer:10 bRight:12 bLeft:13 bTimer:14
        084 SOUNDCNT_X channel1:0 channel2:1 channel3:2 channel4:3 enabled:7
        088 SOUNDBIAS level:1-9 resolution:14-15(9 bits, 32768 Hz|8 bits, 65536 Hz|7 bits, 131072 Hz|6 bits, 262144 Hz)
        [dma]
        0B0/4 DMA0SAD
        0B4/4 DMA0DAD
        0B8 DMA0CNT_L count:0-13
        0BA DMA0CNT_H destination:5-6(increment|decrement|fixed|increment and reload) source:7-8(increment|decrement|fixed) repeat:9 width:10(16 bits|32 bits) start:12-13(now|vblank|hblank) irq:14 enabled:15
        0BC/4 DMA1SAD
        0C0/4 DMA1DAD
        0C4 DMA1CNT_L count:0-13
        0C6 DMA1CNT_H destination:5-6(increment|decrement|fixed|increment and reload) source:7-8(increment|decrement|fixed) repeat:9 width:10(16 bits|32 bits) start:12-13(now|vblank|hblank|sound) irq:14 enabled:15
        0C8/4 DMA2SAD
        0CC/4 DMA2DAD
        0D0 DMA2CNT_L count:0-13
        0D2 DMA2CNT_H destination:5-6(increment|decrement|fixed|increment and reload) source:7-8(increment|decrement|fixed) repeat:9 width:10(16 bits|32 bits) start:12-13(now|vblank|hblank|sound) irq:14 enabled:15
        0D4/4 DMA3SAD
        0D8/4 DMA3DAD
        0DC DMA3CNT_L count:0-15
        0DE DMA3CNT_H destination:5-6(increment|decrement|fixed|increment and reload) source:7-8(increment|decrement|fixed) repeat:9 width:10(16 bits|32 bits) cartridge:11 start:12-13(now|vblank|hblank|video capture) irq:14 enabled:15
        [timers]
        100 TM0CNT_L count:0-15
        102 TM0CNT_H cycles:0-1(1|64|256|1024) irq:6 enabled:7
        104 TM1CNT_L count:0-15
        106 TM1CNT_H cycles:0-1(1|64|256|1024) cascade:2 irq:6 enabled:7
        108 TM2CNT_L count:0-15
        10A TM2CNT_H cycles:0-1(1|64|256|1024) cascade:2 irq:6 enabled:7
        10C TM3CNT_L count:0-15
        10E TM3CNT_H cycles:0-1(1|64|256|1024) cascade:2 irq:6 enabled:7
        [keys]
        130 KEYINPUT a:0(down|up) b:1(down|up) select:2(down|up) start:3(down|up) right:4(down|up) left:5(down|up) up:6(down|up) down:7(down|up) r:8(down|up) l:9(down|up)
        132 KEYCNT a:0 b:1 select:2 start:3 right:4 left:5 up:6 down:7 r:8 l:9 irq:14 condition:15(any|all)
        [interrupts]
        200 IE vblank:0 hblank:1 match:2 timer0:3 timer1:4 timer2:5 timer3:6 serial:7 dma0:8 dma1:9 dma2:10 dma3:11 keys:12 cartridge:13
        202 IF vblank:0 hblank:1 match:2 timer0:3 timer1:4 timer2:5 timer3:6 serial:7 dma0:8 dma1:9 dma2:10 dma3:11 keys:12 cartridge:13
        208 IME enabled:0
        [memory]
        204 WAITCNT sram:0-1(4|3|2|8) rom0First:2-3(4|3|2|8) rom0Next:4(2|1) rom1First:5-6(4|3|2|8) rom1Next:7(4|1) rom2First:8-9(4|3|2|8) rom2Next:10(8|1) phi:11-12(off|4.19 MHz|8.38 MHz|16.78 MHz) prefetch:14 cartridge:15(GBA|Game Boy)
        """;

    /// <summary>Of a Game Boy, from 0xFF00.</summary>
    public const string GameBoy = """
        [display]
        40 LCDC bgEnabled:0 objEnabled:1 objSize:2(8x8|8x16) bgMap:3*400+9800 bgTiles:4(0x8800|0x8000) windowEnabled:5 windowMap:6*400+9800 enabled:7
        41 STAT mode:0-1(hblank|vblank|search of sprites|drawing) match:2 hblankIrq:3 vblankIrq:4 searchIrq:5 matchIrq:6
        42 SCY y:0-7
        43 SCX x:0-7
        44 LY line:0-7
        45 LYC matchLine:0-7
        47 BGP color0:0-1 color1:2-3 color2:4-5 color3:6-7
        48 OBP0 color1:2-3 color2:4-5 color3:6-7
        49 OBP1 color1:2-3 color2:4-5 color3:6-7
        4A WY y:0-7
        4B WX x:0-7
        68/c BCPS index:0-5 increment:7
        6A/c OCPS index:0-5 increment:7
        [sound]
        10 NR10 sweepShift:0-2 sweepDirection:3(up|down) sweepTime:4-6
        11 NR11 length:0-5 duty:6-7(12.5 %|25 %|50 %|75 %)
        12 NR12 envelopeTime:0-2 envelopeDirection:3(down|up) volume:4-7
        14 NR14 stopsAtLength:6
        16 NR21 length:0-5 duty:6-7(12.5 %|25 %|50 %|75 %)
        17 NR22 envelopeTime:0-2 envelopeDirection:3(down|up) volume:4-7
        19 NR24 stopsAtLength:6
        1A NR30 enabled:7
        1C NR32 volume:5-6(0 %|100 %|50 %|25 %)
        1E NR34 stopsAtLength:6
        21 NR42 envelopeTime:0-2 envelopeDirection:3(down|up) volume:4-7
        22 NR43 divider:0-2 width:3(15 bits|7 bits) shift:4-7
        23 NR44 stopsAtLength:6
        24 NR50 right:0-2 left:4-6
        25 NR51 channel1Right:0 channel2Right:1 channel3Right:2 channel4Right:3 channel1Left:4 channel2Left:5 channel3Left:6 channel4Left:7
        26 NR52 channel1:0 channel2:1 channel3:2 channel4:3 enabled:7
        [dma]
        46 DMA source:0-7*100+0
        55/c HDMA5 blocks:0-6 done:7
        [timers]
        04 DIV count:0-7
        05 TIMA count:0-7
        06 TMA reload:0-7
        07 TAC clock:0-1(4096 Hz|262144 Hz|65536 Hz|16384 Hz) enabled:2
        [interrupts]
        0F IF vblank:0 lcd:1 timer:2 serial:3 keys:4
        FF IE vblank:0 lcd:1 timer:2 serial:3 keys:4
        [serial]
        01 SB
        02 SC clock:0(external|internal) active:7
        [memory]
        4D/c KEY1 armed:0 speed:7(normal|double)
        4F/c VBK bank:0
        70/c SVBK bank:0-2
        """;
}
