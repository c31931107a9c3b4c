#include "debugger/gdb-target.h"

#include "debugger/addresses.h"
#include "debugger/debugger.h"
#include "machine/picture.h"

#include <mgba/internal/arm/arm.h>
#include <mgba/internal/arm/isa-inlines.h>

#include <stdio.h>

#define FIRST_BANKED 26
#define FETCHED_AHEAD 8 /* bytes, with the present instruction */

/* The place of a register of another mode in ARMCore. */
struct banked {
    const char* name;
    enum RegisterBank bank;
    int index; /* of bankedRegisters, or SPSR */
};

enum { SP = 0, LR = 1, R8 = 2, SPSR = -1 };

#define HIGH_REGISTERS(MODE, BANK) \
    { "r8_" MODE, BANK, R8 }, { "r9_" MODE, BANK, R8 + 1 }, { "r10_" MODE, BANK, R8 + 2 }, { "r11_" MODE, BANK, R8 + 3 }, { "r12_" MODE, BANK, R8 + 4 }
#define STACK_REGISTERS(MODE, BANK) { "sp_" MODE, BANK, SP }, { "lr_" MODE, BANK, LR }

static const struct banked banked[] = {
    HIGH_REGISTERS("usr", BANK_NONE), STACK_REGISTERS("usr", BANK_NONE),
    HIGH_REGISTERS("fiq", BANK_FIQ), STACK_REGISTERS("fiq", BANK_FIQ), { "spsr_fiq", BANK_FIQ, SPSR },
    STACK_REGISTERS("irq", BANK_IRQ), { "spsr_irq", BANK_IRQ, SPSR },
    STACK_REGISTERS("svc", BANK_SUPERVISOR), { "spsr_svc", BANK_SUPERVISOR, SPSR },
    STACK_REGISTERS("abt", BANK_ABORT), { "spsr_abt", BANK_ABORT, SPSR },
    STACK_REGISTERS("und", BANK_UNDEFINED), { "spsr_und", BANK_UNDEFINED, SPSR },
};

#define BANKED_REGISTERS (sizeof(banked) / sizeof(*banked))

bool gdb_target_has(const struct mCore* core) {
    return core && core->platform(core) == mPLATFORM_GBA;
}

/* --- descriptions ----------------------------------------------------------------------------------------------------------- */

#define REGISTER(NAME, TYPE) "<reg name=\"" NAME "\" bitsize=\"32\" type=\"" TYPE "\"/>"
#define BANKED(NAME) "<reg name=\"" NAME "\" bitsize=\"32\" type=\"uint32\" group=\"banked\" save-restore=\"no\"/>"
#define BANKED_STACK(MODE) BANKED("sp_" MODE) BANKED("lr_" MODE)
#define BANKED_HIGH(MODE) BANKED("r8_" MODE) BANKED("r9_" MODE) BANKED("r10_" MODE) BANKED("r11_" MODE) BANKED("r12_" MODE)
#define BANKED_MODE(MODE) BANKED_STACK(MODE) BANKED("spsr_" MODE)

/* In the order of `banked`; GDB numbers them on from cpsr. */
const char* gdb_target_description(void) {
    return "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\"><architecture>armv4t</architecture>"
        "<feature name=\"org.gnu.gdb.arm.core\">"
        REGISTER("r0", "uint32") REGISTER("r1", "uint32") REGISTER("r2", "uint32") REGISTER("r3", "uint32")
        REGISTER("r4", "uint32") REGISTER("r5", "uint32") REGISTER("r6", "uint32") REGISTER("r7", "uint32")
        REGISTER("r8", "uint32") REGISTER("r9", "uint32") REGISTER("r10", "uint32") REGISTER("r11", "uint32") REGISTER("r12", "uint32")
        REGISTER("sp", "data_ptr") REGISTER("lr", "code_ptr") REGISTER("pc", "code_ptr")
        "<reg name=\"cpsr\" bitsize=\"32\" type=\"uint32\" regnum=\"25\"/>"
        "</feature><feature name=\"mgba.bridge.arm.banked\">"
        BANKED_HIGH("usr") BANKED_STACK("usr") BANKED_HIGH("fiq") BANKED_MODE("fiq")
        BANKED_MODE("irq") BANKED_MODE("svc") BANKED_MODE("abt") BANKED_MODE("und")
        "</feature></target>";
}

struct area {
    uint32_t first;
    uint32_t last;
    const char* permissions;
};

/* In order. All that can be written counts as RAM: GDB writes to nothing else, and a write to ROM is a patch. */
static const struct area areas[] = {
    { 0x00000000, 0x00003FFF, "rx" },
    { 0x02000000, 0x02FFFFFF, "rwx" },
    { 0x03000000, 0x03FFFFFF, "rwx" },
    { 0x04000000, 0x040003FF, "rw" },
    { 0x05000000, 0x05FFFFFF, "rw" },
    { 0x06000000, 0x06FFFFFF, "rwx" },
    { 0x07000000, 0x07FFFFFF, "rw" },
    { 0x08000000, 0x0DFFFFFF, "rwx" },
    { 0x0E000000, 0x0FFFFFFF, "rw" },
};

#define AREA_COUNT (sizeof(areas) / sizeof(*areas))

const char* gdb_target_memory_map(void) {
    static char map[2048];
    if (!*map) {
        int at = snprintf(map, sizeof(map), "<?xml version=\"1.0\"?><!DOCTYPE memory-map PUBLIC \"+//IDN gnu.org//DTD GDB Memory Map V1.0//EN\" "
            "\"http://sourceware.org/gdb/gdb-memory-map.dtd\"><memory-map>");
        for (size_t i = 0; i < AREA_COUNT; ++i) {
            at += snprintf(map + at, sizeof(map) - (size_t) at, "<memory type=\"%s\" start=\"0x%08x\" length=\"0x%08x\"/>",
                areas[i].permissions[1] == 'w' ? "ram" : "rom", areas[i].first, areas[i].last - areas[i].first + 1);
        }
        (void) snprintf(map + at, sizeof(map) - (size_t) at, "</memory-map>");
    }
    return map;
}

const char* gdb_target_area(uint32_t address, uint32_t* first, uint32_t* last) {
    *first = 0;
    for (size_t i = 0; i < AREA_COUNT; ++i) {
        if (address < areas[i].first) {
            *last = areas[i].first - 1;
            return "";
        }
        if (address <= areas[i].last) {
            *first = areas[i].first;
            *last = areas[i].last;
            return areas[i].permissions;
        }
        *first = areas[i].last + 1;
    }
    *last = UINT32_MAX;
    return "";
}

/* --- registers -------------------------------------------------------------------------------------------------------------- */

unsigned gdb_target_general(unsigned n) {
    return n <= GDB_PC ? n : GDB_CPSR;
}

/* The register itself while its mode is the present one, otherwise where it is kept. */
static int32_t* find(struct ARMCore* cpu, const struct banked* wanted) {
    const enum RegisterBank present = ARMSelectBank(cpu->privilegeMode);
    if (wanted->index == SPSR) {
        return present == wanted->bank ? &cpu->spsr.packed : &cpu->bankedSPSRs[wanted->bank];
    }
    if (wanted->index >= R8) {
        const bool is_present = (present == BANK_FIQ) == (wanted->bank == BANK_FIQ);
        return is_present ? &cpu->gprs[8 + wanted->index - R8] : &cpu->bankedRegisters[wanted->bank][wanted->index];
    }
    return present == wanted->bank ? &cpu->gprs[wanted->index == SP ? ARM_SP : ARM_LR] : &cpu->bankedRegisters[wanted->bank][wanted->index];
}

bool gdb_target_read(struct mCore* core, unsigned number, uint32_t* value) {
    struct ARMCore* cpu = core->cpu;
    if (number == GDB_PC) {
        *value = debugger_pc(core);
    } else if (number < GDB_PC) {
        *value = (uint32_t) cpu->gprs[number];
    } else if (number == GDB_CPSR) {
        *value = (uint32_t) cpu->cpsr.packed;
    } else if (number >= FIRST_BANKED && number < FIRST_BANKED + BANKED_REGISTERS) {
        *value = (uint32_t) *find(cpu, &banked[number - FIRST_BANKED]);
    } else {
        return false;
    }
    return true;
}

/* A processor that waits for an interrupt executes what is there now. */
static void jump(struct mCore* core, uint32_t pc) {
    ((struct ARMCore*) core->cpu)->halted = 0;
    (void) library_write_register(core, "pc", (int32_t) pc);
}

bool gdb_target_write(struct mCore* core, unsigned number, uint32_t value) {
    struct ARMCore* cpu = core->cpu;
    picture_touched();
    if (number == GDB_PC) {
        jump(core, value);
    } else if (number < GDB_PC) {
        cpu->gprs[number] = (int32_t) value;
    } else if (number == GDB_CPSR) {
        /* What is fetched ahead depends on the bit of Thumb. */
        const uint32_t pc = debugger_pc(core);
        (void) library_write_register(core, "cpsr", (int32_t) value);
        (void) library_write_register(core, "pc", (int32_t) pc);
    } else if (number >= FIRST_BANKED && number < FIRST_BANKED + BANKED_REGISTERS) {
        *find(cpu, &banked[number - FIRST_BANKED]) = (int32_t) value;
    } else {
        return false;
    }
    return true;
}

bool gdb_target_is_interrupted(struct mCore* core, struct gdb_interruption* interruption) {
    const struct ARMCore* cpu = core->cpu;
    const uint32_t pc = debugger_pc(core);
    const bool by_irq = begins_irq(cpu, pc);
    if (!by_irq && !(pc == BASE_SWI && cpu->privilegeMode == MODE_SUPERVISOR)) {
        return false;
    }
    const enum PrivilegeMode mode = (enum PrivilegeMode) cpu->spsr.priv;
    *interruption = (struct gdb_interruption) {
        .address = (uint32_t) cpu->gprs[ARM_LR] - (by_irq ? WORD_SIZE_ARM : 0),
        .stack = (uint32_t) cpu->bankedRegisters[ARMSelectBank(mode)][SP],
        .mode = mode,
    };
    return mode != cpu->privilegeMode;
}

bool gdb_target_is_back(struct mCore* core, const struct gdb_interruption* interruption) {
    const struct ARMCore* cpu = core->cpu;
    return (uint32_t) cpu->gprs[ARM_SP] == interruption->stack && cpu->privilegeMode == interruption->mode;
}

void gdb_target_written(struct mCore* core, uint32_t first, uint32_t size) {
    const uint32_t pc = debugger_pc(core);
    picture_touched();
    if (first < pc + FETCHED_AHEAD && pc < first + size) {
        (void) library_write_register(core, "pc", (int32_t) pc);
    }
}
