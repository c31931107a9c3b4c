import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useRefusal } from '../../api/allowed';
import type { Socket } from '../../api/socket';
import { sentence } from '../../ui/format';
import { Camera } from './camera';
import { followMotion, hasMotion } from './motion';
import type { Sensor } from './cartridge';

type Values = { light: number; tilt: [number, number]; gyro: number };

const Neutral: Values = { light: 0, tilt: [0, 0], gyro: 0 };
const MostTilt = 90;
const MostGyro = 500;

/** Sends the newest values, one request at a time: a slow connection skips those in between. */
class Sender {
  private waiting: Partial<Values> = {};
  private isSending = false;

  constructor(private readonly link: () => Socket | null, private readonly failed: (why: string | null) => void) {}

  send(values: Partial<Values>): void {
    Object.assign(this.waiting, values);
    if (!this.isSending) {
      void this.run();
    }
  }

  private async run(): Promise<void> {
    this.isSending = true;
    try {
      while (Object.keys(this.waiting).length > 0) {
        const values = this.waiting;
        this.waiting = {};
        await this.link()?.request('sensors.set', values);
      }
      this.failed(null);
    } catch (error) {
      this.failed(sentence(error));
    } finally {
      this.isSending = false;
    }
  }
}

/** Sliders and a pad for the sensors of a cartridge, and the motion of the device that shows this page. */
export function Sensors({ link, sensors }: { link: Socket | null; sensors: readonly Sensor[] }) {
  const refusal = useRefusal('put', '/v2/sensors');
  const newest = useRef(link);
  newest.current = link;
  const [values, setValues] = useState(Neutral);
  const [error, setError] = useState<string | null>(null);
  const sender = useMemo(() => new Sender(() => newest.current, setError), []);
  const [shown, setShown] = useState(0); // a new camera after a release
  const [endMotion, setEndMotion] = useState<(() => void) | null>(null);
  const isOff = link === null || refusal !== undefined;
  useEffect(() => {
    let isGone = false;
    void link?.request<Values>('sensors.get').then(({ light, tilt, gyro }) => isGone || setValues({ light, tilt, gyro })).catch(() => undefined); // the next one set says why
    return () => { isGone = true; };
  }, [link]);
  useEffect(() => () => endMotion?.(), [endMotion]);
  const set = (changed: Partial<Values>) => {
    setValues((before) => ({ ...before, ...changed }));
    sender.send(changed);
  };
  const followDevice = () => void followMotion((motion) => set({ ...(sensors.includes('tilt') && { tilt: motion.tilt }), ...(sensors.includes('gyro') && { gyro: motion.gyro }) }))
    .then((end) => setEndMotion(() => end), (thrown: unknown) => setError(sentence(thrown)));
  const release = () => {
    setEndMotion(null);
    setShown(shown + 1);
    setValues(Neutral);
    void link?.request('sensors.release').then(() => setError(null), (thrown: unknown) => setError(sentence(thrown)));
  };
  const moves = sensors.includes('tilt') || sensors.includes('gyro');
  return (
    <section class="card sensors" aria-labelledby="sensors-title">
      <h2 id="sensors-title">Sensors</h2>
      {refusal !== undefined && <p class="quiet">{refusal}</p>}
      {sensors.includes('light') && <Slider label="Light" unit="%" min={0} max={100} value={Math.round(values.light * 100)} isOff={isOff} onInput={(percent) => set({ light: percent / 100 })} />}
      {sensors.includes('tilt') && (
        <>
          <TiltPad tilt={values.tilt} isOff={isOff} onTilt={(tilt) => set({ tilt })} />
          <Slider label="Tilt to the right" unit="°" min={-MostTilt} max={MostTilt} value={values.tilt[0]} isOff={isOff} onInput={(x) => set({ tilt: [x, values.tilt[1]] })} />
          <Slider label="Tilt away" unit="°" min={-MostTilt} max={MostTilt} value={values.tilt[1]} isOff={isOff} onInput={(y) => set({ tilt: [values.tilt[0], y] })} />
        </>
      )}
      {sensors.includes('gyro') && <Slider label="Turn clockwise" unit="°/s" min={-MostGyro} max={MostGyro} value={values.gyro} isOff={isOff} onInput={(gyro) => set({ gyro })} />}
      {sensors.includes('camera') && <Camera key={shown} link={link} isOff={isOff} failed={setError} />}
      {error && <p class="error" role="alert">{error}</p>}
      <div class="row end">
        {moves && hasMotion() && (endMotion === null
          ? <button type="button" disabled={isOff} onClick={followDevice}>Use the motion of this device</button>
          : <button type="button" onClick={() => setEndMotion(null)}>Stop using its motion</button>)}
        <button type="button" disabled={isOff} onClick={release}>Release</button>
      </div>
    </section>
  );
}

function Slider({ label, unit, min, max, value, isOff, onInput }: { label: string; unit: string; min: number; max: number; value: number; isOff: boolean; onInput: (value: number) => void }) {
  return (
    <label class="field sensor">
      <span>{label}: {Math.round(value)}{unit}</span>
      <input type="range" min={min} max={max} value={value} disabled={isOff} onInput={(event) => onInput(Number(event.currentTarget.value))} />
    </label>
  );
}

/** A board that is tilted with the mouse or a finger, and lies flat when it is let go. The sliders beside it do the same by keyboard, and stay. */
function TiltPad({ tilt: [x, y], isOff, onTilt }: { tilt: [number, number]; isOff: boolean; onTilt: (tilt: [number, number]) => void }) {
  const degrees = (at: number, from: number, size: number) => Math.round(Math.max(-1, Math.min(1, (at - from) / size * 2 - 1)) * MostTilt);
  const move = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (!isOff && event.currentTarget.hasPointerCapture(event.pointerId)) {
      const box = event.currentTarget.getBoundingClientRect();
      onTilt([degrees(event.clientX, box.left, box.width), -degrees(event.clientY, box.top, box.height)]);
    }
  };
  const press = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    move(event);
  };
  return (
    <div class="tilt-pad" aria-hidden="true" onPointerDown={press} onPointerMove={move} onPointerUp={() => isOff || onTilt([0, 0])}>
      <span style={{ left: `${50 + x / MostTilt * 50}%`, top: `${50 - y / MostTilt * 50}%` }} />
    </div>
  );
}
