/** What a device says of its own motion: degrees, and degrees a second clockwise. */
export type Motion = { tilt: [number, number]; gyro: number };

type Asking = { requestPermission?: () => Promise<'granted' | 'denied'> };

const Most = 90;

/** Whether a device may have such sensors. Browsers offer them to pages over HTTPS only. */
export const hasMotion = (): boolean => window.isSecureContext && 'DeviceOrientationEvent' in window && navigator.maxTouchPoints > 0;

const limited = (degrees: number | null): number => Math.max(-Most, Math.min(Most, Math.round((degrees ?? 0) * 10) / 10));

/** The tilt of a device that is held upright by `turn` degrees: 0, 90, 180 or 270, as its screen is turned. */
export function tiltOf(beta: number | null, gamma: number | null, turn: number): [number, number] {
  const [right, far] = [limited(gamma), limited(beta === null ? null : -beta)];
  return turn === 90 ? [-far, right] : turn === 180 ? [-right, -far] : turn === 270 ? [far, -right] : [right, far];
}

/** Asks for the sensors of this device and follows them. Returns how to end that. */
export async function followMotion(moved: (motion: Motion) => void): Promise<() => void> {
  for (const kind of [window.DeviceOrientationEvent, window.DeviceMotionEvent] as unknown as (Asking | undefined)[]) {
    if (await kind?.requestPermission?.() === 'denied') {
      throw new Error('The browser does not let this page read the motion of the device. Allow it in the settings of the browser.');
    }
  }
  const motion: Motion = { tilt: [0, 0], gyro: 0 };
  const orient = ({ beta, gamma }: DeviceOrientationEvent) => {
    motion.tilt = tiltOf(beta, gamma, screen.orientation?.angle ?? 0);
    moved(motion);
  };
  const turn = ({ rotationRate }: DeviceMotionEvent) => {
    motion.gyro = -Math.round(rotationRate?.alpha ?? 0);
    moved(motion);
  };
  addEventListener('deviceorientation', orient);
  addEventListener('devicemotion', turn);
  return () => {
    removeEventListener('deviceorientation', orient);
    removeEventListener('devicemotion', turn);
  };
}
