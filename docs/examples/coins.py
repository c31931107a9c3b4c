#!/usr/bin/env python3
"""Collects coins in the demo game and lights the lamp, in exact frames: see README.md."""

from mgba_bridge import Emulator

ROUTE = """START 92,108 52,116 92,112 156,112 156,138 156,96 188,90 188,48 150,48 188,48 188,90 Right:60
    36,88 36,76 36,88 124,88 128,72 Right:2 A:2 124,88 104,100 104,124 118,104 120,88 Up:90 120,112 Up:12 Up:40 Up:12 A:2"""
AXES = ("y", "Up", "Down"), ("x", "Left", "Right")

with Emulator() as game:
    game.step(60, "")
    for place in ROUTE.replace("START", "Start:2").split():
        key, _, frames = place.partition(":")
        if frames:
            game.step(int(frames), key)
            game.step(60, "")  # a screen comes up, or somebody begins to talk
        for axis, back, forth in () if frames else AXES:
            target = int(place.split(",")[axis == "y"])
            while abs(distance := target - game.read(axis)) > 1:  # three pixels in two frames
                game.step((abs(distance) * 2 + 1) // 3, forth if distance > 0 else back)
        while game.read("mode") in (3, 4):  # turn the page, and say yes
            game.step(2, "A")
            game.step(2, "")
    print(f"{game.read('coins')} coins, milestone {game.read('milestone')}")
