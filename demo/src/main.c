/* Lamplight Isle: README.md. */
#include "save.h"
#include "sound.h"
#include "talk.h"
#include "video.h"
#include "world.h"

#define FADE_FRAMES 16
#define SAFE_FRAMES 90
#define PUSH_FRAMES 8
#define PUSH_SPEED 3
#define REACH 20
#define SPARK_FRAMES 18
#define SEED 0x2545F491

static const char welcome[] = "Night falls, and the lamp\nof the tower went out!\fIts door takes 5 coins.\nFind them on the island.\fThe pad walks, A talks.\nGood luck!";
static const char mira_hello[] = "Mira: Hello! Look for\ncoins on pier and beach.\fMira: The tower is east,\nand then north.";
static const char mira_tea[] = "Mira: You are hurt! Have\na cup of hot tea.\fYour hearts are full.";
static const char mira_done[] = "Mira: What a lovely\nlight! Thank you.";
static const char bo_asks[] = "Bo: My knees are too old\nfor all those stairs.\fBo: Want my lucky coin?\n\a";
static const char bo_yes[] = "Bo: There you go! Mind\nthe crabs, they pinch.";
static const char bo_no[] = "Bo: Then I will keep it.\nYou know where I am.";
static const char bo_after[] = "Bo: The door is north,\nat the foot of the tower.";
static const char bo_done[] = "Bo: I can see my nets\nagain. Well done!";
static const char harbour_sign[] = "East: the meadow.\nBeware of the crabs!";
static const char meadow_sign[] = "North: the lighthouse.\nSouth: Crab Beach.";
static const char door_locked[] = "It is locked. Five coins\nfit into the lock.";
static const char door_opens[] = "Five coins fit into the\nlock, and it opens!";
static const char lamp_asks[] = "Light the great lamp?\n\a";
static const char lamp_lit[] = "It shines far out to sea.";

/* What follows when the box closes. */
enum after { NOTHING, BO_ASKED, LAMP_ASKED, TEA, OPENED };

static u32 keys, pressed, step_time, walked, push_time, push_x, push_y;
static u32 gave; /* Bo's coin was taken */
static u32 spark_time;
static s32 spark_x, spark_y;
static enum after after;
static u32 talked_to;
static s32 crab_x, crab_way, crab_wait, crab_time;
static const struct crab *crab;
static u32 at_door; /* it was said about the door since the walker came to it */
static u32 fade_level, blank; /* a scene is black until it is there */
static u32 next_mode, next_map, entry_x, entry_y, entry_facing;
static u32 has_save, end_time;
static const struct area numbers_area = {22, 0, 29, 2};
static struct save kept;

static u32 random(void)
{
    u32 x = state.random;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return state.random = x;
}

static void reach(u32 milestone)
{
    if (state.milestone < milestone)
        state.milestone = milestone;
}

static void store(void)
{
    kept.coins = state.coins;
    kept.taken = state.taken;
    kept.milestone = state.milestone;
    kept.hp = state.hp;
    kept.map = state.map;
    kept.x = state.x;
    kept.y = state.y;
    kept.facing = state.facing;
    kept.played = state.played;
    kept.gave = gave;
    save_write(&kept);
    state.saves++;
    has_save = 1;
}

static void talk(const char *text, enum after then)
{
    after = then;
    walked = 0;
    talk_begin(text);
}

/* Everything goes black, and the scene of `map` comes up with the walker at x, y. */
static void go(u32 map, s32 x, s32 y, u32 facing, u32 mode)
{
    state.mode = MODE_LOAD;
    next_map = map;
    entry_x = x;
    entry_y = y;
    entry_facing = facing;
    next_mode = mode;
    blank = 0;
    scene_begin(mode == MODE_TITLE ? SCENE_TITLE : mode == MODE_ENDING ? SCENE_ENDING : map);
}

static void go_again(void)
{
    go(state.map, entry_x, entry_y, entry_facing, MODE_WALK);
}

static void show_numbers(void)
{
    char text[6];
    u32 i = 0;
    if (state.coins >= 10)
        text[i++] = '1';
    text[i++] = '0' + (state.coins >= 10 ? state.coins - 10 : state.coins);
    text[i++] = '/';
    text[i++] = '1';
    text[i++] = '0';
    text[i] = 0;
    erase(0, 2);
    box(&numbers_area, 1);
    write(24 + (i < 5), 1, text, INK_CREAM);
}

static void enter(void)
{
    state.x = entry_x;
    state.y = entry_y;
    state.facing = entry_facing;
    state.safe = 0;
    push_time = step_time = walked = spark_time = 0;
    at_door = 1;
    crab = 0;
    state.enemy_x = state.enemy_y = NONE;
    for (u32 i = 0; i < CRABS; i++)
        if (crabs[i].map == state.map) {
            crab = &crabs[i];
            crab_x = crab->x << 4;
            crab_way = -1;
            crab_wait = 30;
        }
    show_numbers();
}

static void begin_game(void)
{
    state.hp = MAX_HP;
    state.coins = state.taken = gave = state.played = 0;
    state.milestone = BEGUN;
    state.random = SEED;
    go(MAP_HARBOUR, 92, 100, DOWN, MODE_WALK);
    talked_to = 0;
}

static void continue_game(void)
{
    state.hp = kept.hp;
    state.coins = kept.coins;
    state.taken = kept.taken;
    state.milestone = kept.milestone;
    state.played = kept.played;
    state.random = SEED;
    gave = kept.gave;
    talked_to = 1;
    go(kept.map, kept.x, kept.y, kept.facing, MODE_WALK);
}

static void take(u32 number, s32 x, s32 y)
{
    state.taken |= 1u << number;
    state.coins++;
    reach(FIRST_COIN);
    if (state.coins >= DOOR_COINS)
        reach(FIVE_COINS);
    spark_time = SPARK_FRAMES;
    spark_x = x;
    spark_y = y;
    effect(effect_coin);
    show_numbers();
    store();
}

static u32 distance(s32 x, s32 y)
{
    s32 a = x - state.x, b = y - state.y;
    return (a < 0 ? -a : a) + (b < 0 ? -b : b);
}

static void move_coins(void)
{
    state.coin_x = state.coin_y = NONE;
    u32 nearest = ~0u;
    for (u32 i = 0; i < COINS - 1; i++) {
        const struct coin *one = &coins[i];
        if (one->map != state.map || state.taken >> i & 1)
            continue;
        s32 dx = one->x - state.x, dy = one->y - state.y;
        if (dx > -10 && dx < 10 && dy > -10 && dy < 10) {
            take(i, one->x, one->y);
        } else if (distance(one->x, one->y) < nearest) {
            nearest = distance(one->x, one->y);
            state.coin_x = one->x;
            state.coin_y = one->y;
        }
    }
}

static void open_door(void)
{
    reach(DOOR_OPEN);
    effect(effect_door);
    store();
    talk(door_opens, OPENED);
}

/* The thing before the walker, or null. */
static const struct thing *before(void)
{
    s32 x = state.x, y = state.y;
    if (state.facing == LEFT)
        x -= 12;
    else if (state.facing == RIGHT)
        x += 12;
    else if (state.facing == UP)
        y -= 12;
    else
        y += 12;
    for (u32 i = 0; i < THINGS; i++) {
        s32 wide = things[i].talk == TALK_LAMP ? 22 : 14;
        s32 dx = things[i].x - x, dy = things[i].y - y;
        if (things[i].map == state.map && dx > -wide && dx < wide && dy > -12 && dy < 12)
            return &things[i];
    }
    return 0;
}

static void speak(const struct thing *thing)
{
    u32 done = state.milestone == LAMP_LIT;
    switch (thing->talk) {
    case TALK_MIRA:
        if (state.hp < MAX_HP)
            talk(mira_tea, TEA);
        else
            talk(done ? mira_done : mira_hello, NOTHING);
        break;
    case TALK_BO:
        if (!gave)
            talk(bo_asks, BO_ASKED);
        else
            talk(done ? bo_done : bo_after, NOTHING);
        break;
    case TALK_HARBOUR_SIGN:
        talk(harbour_sign, NOTHING);
        break;
    case TALK_MEADOW_SIGN:
        talk(meadow_sign, NOTHING);
        break;
    case TALK_LAMP:
        talk(done ? lamp_lit : lamp_asks, done ? NOTHING : LAMP_ASKED);
        break;
    }
}

static void conclude(void)
{
    switch (after) {
    case NOTHING:
    case OPENED:
        break;
    case TEA:
        state.hp = MAX_HP;
        effect(effect_choose);
        break;
    case BO_ASKED:
        if (state.choice) {
            talk(bo_no, NOTHING);
        } else {
            gave = 1;
            take(BO_COIN, state.x, state.y);
            talk(bo_yes, NOTHING);
        }
        break;
    case LAMP_ASKED:
        if (!state.choice) {
            reach(LAMP_LIT);
            effect(effect_lamp);
            store();
            end_time = 0;
            go(state.map, state.x, state.y, state.facing, MODE_ENDING);
        }
        break;
    }
}

/* At the edge of a screen and in doors the next one begins. */
static u32 leave(void)
{
    s32 x = state.x, y = state.y;
    if (state.map == MAP_HARBOUR && x >= 237)
        go(MAP_MEADOW, 6, y, RIGHT, MODE_WALK);
    else if (state.map == MAP_MEADOW && x <= 3)
        go(MAP_HARBOUR, 233, y, LEFT, MODE_WALK);
    else if (state.map == MAP_MEADOW && y <= 10)
        go(MAP_CAPE, x, 154, UP, MODE_WALK);
    else if (state.map == MAP_CAPE && y >= 158)
        go(MAP_MEADOW, x, 16, DOWN, MODE_WALK);
    else
        return 0;
    return 1;
}

/* One pixel, or round a corner of a few pixels. */
static void advance(s32 dx, s32 dy, u32 slides)
{
    s32 x = state.x + dx, y = state.y + dy;
    if (is_free(x, y)) {
        state.x = x;
        state.y = y;
        return;
    }
    for (s32 aside = 1; slides && aside <= 7; aside++)
        for (s32 way = -1; way <= 1; way += 2) {
            s32 ax = dy ? aside * way : 0, ay = dx ? aside * way : 0;
            if (is_free(x + ax, y + ay) && is_free(state.x + (dy ? way : 0), state.y + (dx ? way : 0))) {
                state.x += dy ? way : 0;
                state.y += dx ? way : 0;
                return;
            }
        }
}

static void touch(void)
{
    if (touched(state.x, state.y - 1) != DOOR && touched(state.x, state.y + 1) != DOOR) {
        at_door = 0;
    } else if (state.map == MAP_LAMP) {
        if (keys & KEY_DOWN)
            go(MAP_CAPE, 120, 114, DOWN, MODE_WALK);
    } else if (state.milestone >= DOOR_OPEN) {
        if (keys & KEY_UP)
            go(MAP_LAMP, 120, 134, UP, MODE_WALK);
    } else if (state.facing == UP && ((keys & KEY_UP && !at_door) || pressed & KEY_A)) {
        at_door = 1;
        if (state.coins >= DOOR_COINS) {
            open_door();
        } else {
            effect(effect_locked);
            talk(door_locked, NOTHING);
        }
    }
}

static void walk(void)
{
    if (push_time) {
        push_time--;
        for (u32 i = 0; i < PUSH_SPEED; i++)
            advance(push_x, push_y, 0);
        return;
    }
    s32 dx = !!(keys & KEY_RIGHT) - !!(keys & KEY_LEFT), dy = !!(keys & KEY_DOWN) - !!(keys & KEY_UP);
    walked = dx || dy;
    if (!walked) {
        step_time = 0;
        return;
    }
    /* who already goes one of two ways keeps looking there */
    u32 side = dx < 0 ? LEFT : RIGHT, length = dy < 0 ? UP : DOWN;
    if (!dy || (dx && state.facing == side))
        state.facing = side;
    else if (!dx || state.facing != side)
        state.facing = length;
    u32 speed = dx && dy ? 1 : 1 + (step_time & 1); /* three pixels in two frames; diagonally one in each direction a frame */
    step_time++;
    for (u32 i = 0; i < speed; i++) {
        if (dx)
            advance(dx, 0, !dy);
        if (dy)
            advance(0, dy, !dx);
    }
}

static void hurt(void)
{
    state.hp--;
    state.safe = SAFE_FRAMES;
    push_time = PUSH_FRAMES;
    push_x = push_y = 0;
    s32 dx = state.x - state.enemy_x, dy = state.y - state.enemy_y;
    if ((dx < 0 ? -dx : dx) > (dy < 0 ? -dy : dy))
        push_x = dx < 0 ? -1 : 1;
    else
        push_y = dy < 0 ? -1 : 1;
    effect(effect_hit);
    crash();
    if (!state.hp)
        go_again();
}

static void move_crab(void)
{
    if (!crab)
        return;
    crab_time++;
    if (crab_wait) {
        if (!--crab_wait)
            crab_way = random() & 0x10000 ? 1 : -1;
    } else {
        crab_x += crab_way * 10;
        if (crab_x < crab->left << 4 || crab_x > crab->right << 4) {
            crab_way = -crab_way;
            crab_x += crab_way * 20;
        } else if (!(random() >> 24)) {
            crab_wait = 40;
        }
    }
    state.enemy_x = crab_x >> 4;
    state.enemy_y = crab->y;
    s32 dx = state.x - state.enemy_x, dy = state.y - state.enemy_y;
    if (state.safe)
        state.safe--;
    else if (dx > -11 && dx < 11 && dy > -9 && dy < 9)
        hurt();
}

static void move_walk(void)
{
    state.played++;
    walk();
    if (leave())
        return;
    touch();
    if (state.mode != MODE_WALK)
        return;
    move_coins();
    move_crab();
    if (state.mode != MODE_WALK)
        return;
    const struct thing *thing = before();
    if (thing && pressed & KEY_A && !push_time)
        speak(thing);
}

static void move_title(void)
{
    u32 row = has_save ? 15 : 16;
    if (has_save) {
        if (pressed & (KEY_UP | KEY_DOWN)) {
            state.choice = pressed & KEY_DOWN ? 1 : 0;
            effect(effect_talk);
        }
        write(11, row, "CONTINUE", state.choice ? INK_CREAM : INK_GOLD);
        write(11, row + 2, "NEW GAME", state.choice ? INK_GOLD : INK_CREAM);
    } else {
        erase(row, 1);
        if (state.frame & 32)
            write(9, row, "PRESS START", INK_CREAM);
    }
    if (!(pressed & (KEY_START | KEY_A)))
        return;
    effect(effect_choose);
    if (has_save && !state.choice)
        continue_game();
    else
        begin_game();
}

static void show_time(u32 row)
{
    u32 ticks, seconds, ones, low;
    u32 minutes = divide(divide(state.played, 60, &ticks), 60, &seconds);
    u32 tens = divide(seconds, 10, &ones), high = divide(minutes, 10, &low);
    char text[] = "Time  0:00";
    text[5] = high ? '0' + (high > 9 ? 9 : high) : ' ';
    text[6] = '0' + low;
    text[8] = '0' + tens;
    text[9] = '0' + ones;
    write(2, row, text, INK_CREAM);
}

static void set_text(const char *text)
{
    u32 i = 0;
    for (; text[i] && i < sizeof state.text - 1; i++)
        state.text[i] = text[i];
    state.text[i] = 0;
}

static void move_ending(void)
{
    end_time++;
    if (end_time == 40) {
        write(2, 8, "The lamp is lit!", INK_GOLD);
        set_text("The lamp is lit!");
    } else if (end_time == 100) {
        char text[] = "Coins  0/10";
        text[6] = state.coins >= 10 ? '1' : ' ';
        text[7] = '0' + (state.coins >= 10 ? state.coins - 10 : state.coins);
        write(2, 10, text, INK_CREAM);
        show_time(12);
    } else if (end_time == 160) {
        write(2, 14, "THE END", INK_GOLD);
        set_text("The lamp is lit!\nTHE END");
    } else if (end_time > 220) {
        erase(19, 1);
        if (state.frame & 32)
            write(9, 19, "PRESS START", INK_CREAM);
        if (pressed & (KEY_START | KEY_A)) {
            /* Continue begins before the tower */
            kept.map = MAP_CAPE;
            kept.x = 120;
            kept.y = 114;
            kept.facing = DOWN;
            save_write(&kept);
            go(MAP_CAPE, 120, 114, DOWN, MODE_TITLE);
        }
    }
}

/* The picture goes dark, the scene is unpacked, a block a frame, and it gets bright again. */
static void move_load(void)
{
    if (!blank) {
        if (fade_level < FADE_FRAMES) {
            fade_level += 2;
            fade(fade_level);
            return;
        }
        blank = 1;
        erase(0, 20);
        box(&numbers_area, 0);
        talk_clear();
        return;
    }
    if (!scene_load())
        return;
    state.mode = next_mode;
    state.map = next_map;
    state.choice = 0;
    if (state.mode != MODE_WALK) {
        state.enemy_x = state.enemy_y = state.coin_x = state.coin_y = NONE;
        set_text(state.mode == MODE_TITLE ? "LAMPLIGHT ISLE" : "");
        return;
    }
    if (!state.hp)
        state.hp = MAX_HP;
    enter();
    if (!talked_to) {
        talked_to = 1;
        talk(welcome, NOTHING);
    }
}

static u32 walker_frame(u32 *look)
{
    static const u8 steps[3][4] = {
        {SPRITE_DOWN, SPRITE_DOWN_STEP, SPRITE_DOWN, SPRITE_DOWN_STEP},
        {SPRITE_UP, SPRITE_UP_STEP, SPRITE_UP, SPRITE_UP_STEP},
        {SPRITE_SIDE, SPRITE_SIDE_STEP, SPRITE_SIDE, SPRITE_SIDE_STEP2},
    };
    u32 step = state.mode == MODE_WALK && walked ? (step_time >> 3) + 1 & 3 : 0;
    if (state.facing == RIGHT || (state.facing <= UP && step == 3))
        *look = FLIPPED;
    return steps[state.facing > UP ? 2 : state.facing][step];
}

static void draw_walker(void)
{
    if (state.safe & 4 && state.mode == MODE_WALK)
        return;
    u32 look = 0, frame = walker_frame(&look);
    sprite(state.x - 8, state.y - 14, frame, look);
}

/* Who is talked to looks at the walker. */
static void draw_person(const struct thing *person)
{
    s32 dx = state.x - person->x, dy = state.y - person->y;
    u32 frame = person->sprite, look = 0;
    if (distance(person->x, person->y) < 40) {
        if ((dx < 0 ? -dx : dx) > (dy < 0 ? -dy : dy) + 3) {
            frame += 1;
            look = dx > 0 ? FLIPPED : 0;
        } else if (dy < 0) {
            frame += 2;
        }
    }
    sprite(person->x - 8, person->y - 14, frame, look);
}

static void draw_numbers(void)
{
    for (u32 i = 0; i < MAX_HP; i++)
        sprite(5 + i * 13, 2 + (state.hp == 1 && i == 0 && state.frame & 8 ? 1 : 0), i < state.hp ? SPRITE_HEART : SPRITE_NO_HEART, 0);
    sprite(177 + (state.coins < 10 ? 4 : 0), 1, SPRITE_COIN, IN_FRONT);
}

static void draw_walk(void)
{
    static const u8 spin[8] = {0, 1, 2, 3, 3, 2, 1, 0};
    draw_numbers();
    if (spark_time) {
        sprite(spark_x - 8, spark_y - 14, SPRITE_SPARK + (spark_time > 12 ? 0 : spark_time > 6 ? 1 : 2), 0);
        spark_time--;
    }
    const struct thing *thing = before();
    if (thing && state.mode == MODE_WALK)
        sprite(thing->x - 8, thing->y - (thing->talk == TALK_LAMP ? 78 : 30) - (state.frame >> 4 & 1), SPRITE_BUBBLE, 0);
    /* who is lower is in front */
    const struct thing *person = 0;
    for (u32 i = 0; i < THINGS; i++)
        if (things[i].sprite && things[i].map == state.map)
            person = &things[i];
    if (person && person->y > state.y)
        draw_person(person);
    if (crab && crab->y > state.y)
        sprite(state.enemy_x - 8, state.enemy_y - 13, SPRITE_CRAB + (crab_time >> 3 & 1), 0);
    draw_walker();
    if (person && person->y <= state.y)
        draw_person(person);
    if (crab && crab->y <= state.y)
        sprite(state.enemy_x - 8, state.enemy_y - 13, SPRITE_CRAB + (crab_time >> 3 & 1), 0);
    for (u32 i = 0; i < COINS - 1; i++)
        if (coins[i].map == state.map && !(state.taken >> i & 1)) {
            u32 turn = (state.frame >> 3) + i * 3 & 7;
            sprite(coins[i].x - 8, coins[i].y - 14 - (turn == 0 || turn == 7), SPRITE_COIN + spin[turn], turn > 3 ? FLIPPED : 0);
        }
    if (state.map == MAP_CAPE && state.milestone >= DOOR_OPEN)
        sprite(112, 87, SPRITE_DOOR, 0);
    sprite(state.x - 8, state.y - 12, SPRITE_SHADOW, SEE_THROUGH);
    if (person)
        sprite(person->x - 8, person->y - 12, SPRITE_SHADOW, SEE_THROUGH);
    if (crab)
        sprite(state.enemy_x - 8, state.enemy_y - 12, SPRITE_SHADOW, SEE_THROUGH);
    for (u32 i = 0; i < COINS - 1; i++)
        if (coins[i].map == state.map && !(state.taken >> i & 1))
            sprite(coins[i].x - 8, coins[i].y - 11, SPRITE_SHADOW, SEE_THROUGH);
}

static void draw_ending(void)
{
    static const u8 sparks[6][2] = {{28, 84}, {66, 20}, {104, 14}, {128, 78}, {210, 70}, {226, 16}};
    s32 bob = state.frame >> 4 & 1;
    sprite(102, 128 - bob, SPRITE_UP, 0);
    sprite(84, 130 - !bob, SPRITE_MIRA_UP, 0);
    sprite(120, 127 - !bob, SPRITE_BO_UP, 0);
    if (state.coins == COINS)
        for (u32 i = 0; i < 6; i++) {
            u32 time = (state.frame + i * 20) & 127;
            if (time < 24)
                sprite(sparks[i][0], sparks[i][1], SPRITE_SPARK + (time >> 3), 0);
        }
}

static void draw(void)
{
    sprites_begin();
    if (state.mode == MODE_TALK || state.mode == MODE_CHOICE)
        talk_draw();
    u32 shown = state.mode == MODE_LOAD ? (blank ? MODE_LOAD : MODE_WALK) : state.mode;
    static u32 last;
    if (state.mode == MODE_LOAD && !blank)
        shown = last;
    last = shown;
    if (shown == MODE_ENDING)
        draw_ending();
    else if (shown != MODE_TITLE && shown != MODE_LOAD)
        draw_walk();
    sprites_end();
}

static void move(void)
{
    if (state.mode == MODE_LOAD) {
        move_load();
        return;
    }
    if (fade_level) {
        fade_level -= 2;
        fade(fade_level);
    }
    scene_move();
    if (state.mode == MODE_TITLE)
        move_title();
    else if (state.mode == MODE_WALK)
        move_walk();
    else if (state.mode == MODE_ENDING)
        move_ending();
    else if (talk_move(pressed))
        conclude();
}

int main(void)
{
    WAITCNT = 0x4317;
    save_start();
    has_save = save_read(&kept) != 0;
    video_start();
    sound_start();
    for (u32 i = 0; i < sizeof state / 4; i++)
        ((vu32 *)&state)[i] = 0;
    state.version = 1;
    state.random = SEED;
    fade_level = FADE_FRAMES;
    go(MAP_HARBOUR, 92, 100, DOWN, MODE_TITLE);
    DISPSTAT = 0x0008; /* interrupt at VBlank */
    IE = 1;
    IF = 1;
    IME = 1;
    state.magic = MAGIC;
    for (;;) {
        wait_for_vblank();
        state.frame++;
        u32 now = ~KEYINPUT & 0x3FF;
        pressed = now & ~keys;
        keys = state.keys = now;
        move();
        draw();
        sound_move();
        save_move();
        u32 line = VCOUNT;
        line = line >= VBLANK_LINE ? line - VBLANK_LINE : line + SCREEN_LINES - VBLANK_LINE;
        if (line > state.lines)
            state.lines = line;
        if (BIOS_INTERRUPTS & 1) /* the next VBlank has begun */
            state.late++;
    }
}
