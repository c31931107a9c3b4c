/** What is used of a gamepad. */
export type Pad = Pick<Gamepad, 'index' | 'buttons' | 'axes'>;

/** Direction pads that are a hat, in gamepads that the browser does not know: two axes of -1, 0 and 1, or one that goes around in eighths, from up, -1, to up and left, 1, and is beyond 1 at rest. */
const Across = 6;
const Along = 7;
const Around = 9;

/** The direction pad of the standard mapping. */
const [Up, Down, Left, Right] = [12, 13, 14, 15];
const Eighths = [[Up], [Up, Right], [Right], [Right, Down], [Down], [Down, Left], [Left], [Left, Up]];

/** Whether an axis is one of a hat, by gamepad and axis: it was at rest, and between two directions it never was. A trigger may begin at -1, and an axis that nobody has moved at 0. */
const isHat = new Map<string, boolean>();

/** The gamepad with its hat as the buttons of the direction pad; buttons from there on follow behind. */
export function withHat(pad: Gamepad): Pad {
  const { index, axes, buttons, mapping } = pad;
  if (mapping === 'standard' || axes.length <= Along) {
    return pad;
  }
  const pressed = axes.length > Around ? around(pad) : [...sides(pad, Across, Left, Right), ...sides(pad, Along, Up, Down)];
  const button = (isPressed: boolean): GamepadButton => ({ pressed: isPressed, touched: isPressed, value: isPressed ? 1 : 0 });
  const before = Array.from({ length: Up }, (_, number) => buttons[number] ?? button(false));
  return { index, axes, buttons: [...before, ...[Up, Down, Left, Right].map((one) => button(pressed.includes(one))), ...buttons.slice(Up)] };
}

function around(pad: Gamepad): readonly number[] {
  const eighth = (pad.axes[Around]! + 1) * 3.5;
  return directions(pad, Around, Math.abs(eighth - Math.round(eighth)) < 0.2 ? Eighths[Math.round(eighth)] : undefined);
}

function sides(pad: Gamepad, axis: number, less: number, more: number): readonly number[] {
  const value = pad.axes[axis]!;
  return directions(pad, axis, Math.abs(value) < 0.9 ? undefined : [value < 0 ? less : more]);
}

/** The buttons of where an axis is, if it is one of a hat. */
function directions(pad: Gamepad, axis: number, found: readonly number[] | undefined): readonly number[] {
  const name = `${pad.index} ${pad.id} ${axis}`;
  const value = pad.axes[axis]!;
  if (found === undefined) {
    const isAtRest = value === 0 || value > 1;
    isHat.set(name, isAtRest && isHat.get(name) !== false);
  }
  return (isHat.get(name) && found) || [];
}
