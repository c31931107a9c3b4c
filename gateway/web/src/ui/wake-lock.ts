/** Keeps the screen on until the returned function is called, where the browser can: on pages with HTTPS or of this machine. A hidden page has no lock. */
export function keepScreenOn(): () => void {
  let isWanted = true;
  let lock: WakeLockSentinel | null = null;
  const take = async () => {
    try {
      lock = document.hidden ? null : (await navigator.wakeLock?.request('screen')) ?? null;
      if (!isWanted) {
        await lock?.release();
      }
    } catch {
      // the device saves energy
    }
  };
  const show = () => void take();
  document.addEventListener('visibilitychange', show);
  show();
  return () => {
    isWanted = false;
    document.removeEventListener('visibilitychange', show);
    void lock?.release();
  };
}
