#include "sound.h"
#include "talk.h"
#include "video.h"

#define LEFT_COLUMN 3
#define FIRST_ROW 15
#define ROW_STEP 2
#define FRAMES_A_LETTER 2
#define ANSWERS "  Yes       No"
#define YES_X (LEFT_COLUMN * 8)
#define NO_X (YES_X + 80)

static const struct area talk_area = {1, 14, 28, 19};
static const char *next; /* the next letter */
static u32 column, row, length, wait, ink, is_question, complete;

void talk_clear(void)
{
    erase(talk_area.top, talk_area.bottom - talk_area.top + 1);
    box(&talk_area, 0);
    state.text[0] = 0;
}

static void put(u32 code)
{
    if (length < sizeof state.text - 1) {
        state.text[length++] = code;
        state.text[length] = 0;
    }
}

static void page(void)
{
    talk_clear();
    box(&talk_area, 1);
    column = row = length = wait = is_question = complete = 0;
    state.mode = MODE_TALK;
    /* a name before a colon is golden */
    ink = INK_CREAM;
    for (u32 i = 0; i < 8 && next[i] > ' '; i++)
        if (next[i] == ':')
            ink = INK_GOLD;
}

void talk_begin(const char *text)
{
    next = text;
    page();
}

static void type(void)
{
    u32 code = (u8)*next;
    if (code == 0 || code == '\f') {
        complete = 1;
    } else if (code == '\a') {
        next++;
        is_question = complete = 1;
        state.choice = 0;
        state.mode = MODE_CHOICE;
        write(LEFT_COLUMN, FIRST_ROW + ROW_STEP, ANSWERS, INK_CREAM);
    } else {
        next++;
        put(code);
        if (code == '\n') {
            row++;
            column = 0;
            return;
        }
        letter(LEFT_COLUMN + column++, FIRST_ROW + row * ROW_STEP, code, ink);
        if (code == ':')
            ink = INK_CREAM;
    }
}

u32 talk_move(u32 pressed)
{
    if (!complete) {
        if (pressed & (KEY_A | KEY_B)) {
            while (!complete)
                type();
        } else if (++wait >= FRAMES_A_LETTER) {
            wait = 0;
            if (!complete && *next > ' ' && !(column & 1))
                effect(effect_talk);
            type();
        }
        return 0;
    }
    if (is_question && pressed & (KEY_LEFT | KEY_RIGHT)) {
        state.choice = pressed & KEY_RIGHT ? 1 : 0;
        effect(effect_talk);
    }
    if (is_question && pressed & KEY_B)
        state.choice = 1;
    if (!(pressed & (KEY_A | KEY_B)))
        return 0;
    if (is_question)
        effect(effect_choose);
    if (*next == '\f') {
        next++;
        page();
        return 0;
    }
    talk_clear();
    state.mode = MODE_WALK;
    return 1;
}

void talk_draw(void)
{
    s32 bob = state.frame >> 3 & 1;
    if (!complete)
        return;
    if (is_question)
        sprite((state.choice ? NO_X : YES_X) + bob, FIRST_ROW * 8 + ROW_STEP * 8 - 6, SPRITE_HAND, IN_FRONT);
    else
        sprite(212, 139 + bob, SPRITE_ARROW, IN_FRONT);
}
