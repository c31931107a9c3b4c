import { keptStore } from './store';

/** Whether devices vibrate when the game does, and when its pad is touched. */
export const vibrationIsOn = keptStore('vibration', true);

const RunMs = 1000; // of one call; the motor is stopped long before
const QuietMs = 80; // longer than frames come apart
const TouchMs = 8;

/** Lets the gamepad that was used last vibrate while the game's motor runs, else the device itself. */
export class Vibration {
  #pad: number | null = null;
  #until = 0;
  #timer = 0;

  /** A gamepad was used, or with null something else. */
  use(pad: number | null): void {
    if (pad !== this.#pad) {
      this.stop();
      this.#pad = pad;
    }
  }

  /** The motor ran in a frame. */
  run(now = performance.now()): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.stop(), QuietMs);
    if (now < this.#until) {
      return;
    }
    this.#until = now + RunMs / 2;
    const motor = this.#motor();
    motor === undefined ? vibrate(RunMs) : motor.playEffect('dual-rumble', { duration: RunMs, strongMagnitude: 1, weakMagnitude: 1 }).catch(() => undefined);
  }

  /** The motor is stopped. */
  stop(): void {
    clearTimeout(this.#timer);
    if (this.#until > 0) {
      this.#until = 0;
      const motor = this.#motor();
      motor === undefined ? vibrate(0) : motor.reset().catch(() => undefined);
    }
  }

  #motor(): GamepadHapticActuator | undefined {
    return (this.#pad === null ? undefined : navigator.getGamepads?.()[this.#pad]?.vibrationActuator) ?? undefined;
  }
}

/** A finger has found a key. */
export const vibrateOnTouch = (): void => { vibrationIsOn.value && vibrate(TouchMs); };

// browsers refuse it, loudly, until somebody has used the page
function vibrate(milliseconds: number): void {
  if (navigator.userActivation?.hasBeenActive !== false) {
    navigator.vibrate?.(milliseconds);
  }
}
