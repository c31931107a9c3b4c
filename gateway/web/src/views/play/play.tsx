import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { refusalOf, useRefusal, useRole } from '../../api/allowed';
import { isAway } from '../../api/away';
import { current, gameName, isConnected, isRestarted } from '../../api/gateway';
import { holder } from '../../api/http';
import type { Picture, Socket } from '../../api/socket';
import { control, leaseHolder, stepKeys } from '../../api/control';
import { useOpenSocket, useTopic } from '../../api/hooks';
import { rememberGame } from '../../api/roms';
import { heard, soundIsWanted } from '../../api/sound';
import { sentence } from '../../ui/format';
import { usePolling, useStore } from '../../ui/hooks';
import { tell } from '../../ui/toast';
import { Vibration, vibrationIsOn } from '../../ui/vibration';
import { keepScreenOn } from '../../ui/wake-lock';
import { sensorsOf, useCartridge } from '../machine/cartridge';
import { Sensors } from '../machine/sensors';
import { controllable, FastForward, keepLastMinute, loadSlot, nextSlot, Rewinding, savePicture, saveSlot, toggleFullScreen, togglePause } from './actions';
import { saveClip } from './clip';
import { useFocus, useKeyboard } from './devices';
import { GamepadHotkeys, useGamepads } from './gamepad';
import { Holders, type HeldBy } from './holders';
import { hotkeyRefusal, Hotkeys, useHotkeys, type HotkeyActions } from './hotkeys';
import { showKeyboardHelp } from './keyboard-help';
import { KeyHint } from './key-hint';
import { HeldKeys } from './keys';
import { Measurements, Meter } from './measurements';
import { Moments } from './moments';
import { Pad } from './pad';
import { PictureRate, Screen } from './screen';
import { Toolbar } from './toolbar';
import { TouchTools } from './touch-tools';
import { videoFile } from './video-file';

const RememberFirst = 1000;
const RememberEvery = 15000;

const attempt = (what: () => Promise<unknown> | undefined) => () => void what()?.catch((error: unknown) => tell(sentence(error), true));

/** What the hotkeys do; each tells when the role of this page does not allow it. */
function actionsOf(fast: FastForward, moments: Moments): HotkeyActions {
  const rewinding = new Rewinding();
  const actions: HotkeyActions = {
    fast: { press: attempt(() => fast.press()), release: attempt(() => fast.release()) },
    rewind: { press: attempt(() => rewinding.press()), release: () => rewinding.release() },
    save: { press: attempt(saveSlot) },
    load: { press: attempt(loadSlot) },
    slot: { press: nextSlot },
    pause: { press: attempt(togglePause) },
    mute: { press: () => { soundIsWanted.value = !soundIsWanted.value; } },
    picture: { press: attempt(savePicture) },
    clip: { press: attempt(() => saveClip(moments)) },
    full: { press: toggleFullScreen },
    help: showKeyboardHelp,
  };
  for (const hotkey of Hotkeys) {
    const { press } = actions[hotkey];
    actions[hotkey].press = () => {
      const reason = hotkeyRefusal(hotkey);
      reason === undefined ? press() : tell(reason, true);
    };
  }
  return actions;
}

/** The game: its picture, the keys, and who presses them. */
export function Play() {
  const link = useOpenSocket();
  const role = useRole();
  const status = useStore(current);
  const { isMine } = useStore(control);
  const leasedBy = useStore(leaseHolder);
  const newestLink = useRef<Socket | null>(link);
  newestLink.current = link;
  const meter = useMemo(() => new Meter(), []);
  const moments = useMemo(() => new Moments(), []);
  const vibration = useMemo(() => new Vibration(), []);
  const mayVibrate = useStore(vibrationIsOn);
  const held = useMemo(() => new HeldKeys(async (keys, at) => {
    if (control.value.isMine || refusalOf('put', '/v2/keys') !== undefined) {
      return; // the next step has them, or nobody
    }
    const answer = await newestLink.current?.request<{ frame: number }>('keys.set', { keys });
    if (answer && keys.length > 0) {
      meter.pressed(at, answer.frame);
    }
  }), []);
  const fast = useMemo(() => new FastForward(() => newestLink.current), []);
  const [down, setDown] = useState<readonly string[]>([]);
  const [holders, setHolders] = useState<HeldBy[]>([]);
  const isStale = useRef(true);
  const stage = useRef<HTMLDivElement>(null);

  useEffect(() => useKeyboard(held), [held]);
  useEffect(() => useFocus(stage.current!), []);
  useEffect(() => () => videoFile.value?.end(), []);
  const actions = useMemo(() => actionsOf(fast, moments), []);
  useEffect(() => {
    const endFast = attempt(() => fast.end());
    const buttons = new GamepadHotkeys();
    const leaveKeyboard = useHotkeys(() => actions, () => document.querySelector<HTMLElement>('.toolbar button:not(:disabled)')?.focus());
    const leaveGamepads = useGamepads(held, (pad) => {
      buttons.look(pad, actions);
      if (pad.buttons.some(({ pressed }) => pressed)) {
        vibration.use(pad.index);
      }
    });
    const usePage = () => vibration.use(null);
    addEventListener('pointerdown', usePage);
    // the buttons of a gamepad and fingers are not seen while the page is hidden
    const hide = () => { if (document.hidden) { endFast(); actions.rewind.release!(); } };
    document.addEventListener('visibilitychange', hide);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      endFast();
      leaveKeyboard();
      leaveGamepads();
      removeEventListener('pointerdown', usePage);
    };
  }, [held]);
  useEffect(() => {
    stepKeys.take = () => held.forStep();
    return () => {
      stepKeys.take = () => [];
    };
  }, [held]);
  useEffect(() => {
    moments.clear();
    return link?.watch(PictureRate, (picture) => moments.show(picture));
  }, [link]);
  useEffect(() => heard.follow(() => heard.value && moments.hear(heard.value)), []);
  const isPlayable = link !== null && role !== null && status !== null && isConnected(status) && controllable(status) !== null;
  useEffect(() => {
    if (isPlayable) {
      keepLastMinute(status).catch(() => undefined); // clips are then made of the pictures here
    }
  }, [isPlayable, status?.id]);
  useEffect(() => isPlayable ? keepScreenOn() : undefined, [isPlayable]);
  const isHosted = status?.host === 'headless'; // windows have no motor
  useEffect(() => {
    if (link === null || !mayVibrate || !isHosted) {
      return undefined;
    }
    const leave = link.subscribe('rumble/1', () => vibration.run());
    return () => {
      leave();
      vibration.stop();
    };
  }, [link, mayVibrate, isHosted]);
  useEffect(() => {
    held.forget();
    fast.again()?.catch(() => undefined); // it says what is wrong when it is pressed
    isStale.current = true;
  }, [link]);
  useTopic('keys/1', (_, event) => {
    setDown(event.keys ?? []);
    isStale.current = true;
  });
  usePolling(150, async () => {
    if (link === null || !isStale.current) {
      return;
    }
    isStale.current = false;
    const answer = await link.request<{ keys: string[]; holders: HeldBy[] }>('keys.get');
    setDown(answer.keys);
    setHolders(answer.holders);
  }, [link]);

  const rememberAt = useRef(performance.now() + RememberFirst);
  const shown = (picture: Picture, canvas: HTMLCanvasElement) => {
    meter.shown(picture);
    videoFile.value?.add(canvas);
    if (picture.at >= rememberAt.current) {
      rememberAt.current = picture.at + RememberEvery;
      rememberGame(canvas);
    }
  };

  const isLost = useStore(isAway);
  const isConnectedNow = status !== null && isConnected(status);
  const game = status === null ? '' : gameName(status);
  const sensors = sensorsOf(useCartridge());
  const refusal = useRefusal('put', '/v2/keys');
  const isOthers = status?.state === 'leased' && !isMine && leasedBy !== null && leasedBy !== holder.value;
  return (
    <div class="play">
      <h1 class="visually-hidden">{['Play', game].filter(Boolean).join(': ')}</h1>
      <div class="stage" ref={stage} tabIndex={-1}>
        <Screen link={link} title={game || 'the game'} onPicture={shown} />
        {(isLost || !isConnectedNow) && <p class="stage-note">{isLost ? 'The gateway does not answer.' : status !== null && isRestarted(status) ? 'The emulator is starting.' : 'The emulator is not connected.'}</p>}
        {isMine && <p class="stage-badge">You have control</p>}
      </div>
      <Toolbar link={link} moments={moments} />
      <div class="play-side">
        <section class="card" aria-label="Pad">
          <Pad held={held} down={down} isDisabled={isOthers || link === null || refusal !== undefined} refusal={refusal} />
          <TouchTools actions={actions} isDisabled={link === null} />
          <KeyHint />
        </section>
        {sensors.length > 0 && <Sensors link={link} sensors={sensors} />}
        <Holders holders={holders} leasedBy={leasedBy} />
        <Measurements meter={meter} link={link} />
      </div>
    </div>
  );
}
