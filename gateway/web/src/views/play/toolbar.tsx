import { useContext } from 'preact/hooks';
import { Allowed, useRefusal } from '../../api/allowed';
import { FrameRate } from '../../api/frame-rate';
import { current } from '../../api/gateway';
import type { Socket } from '../../api/socket';
import { control, releaseControl, runUnderControl, step, stop, takeControl } from '../../api/control';
import { Refusal } from '../../ui/refusal';
import { tell } from '../../ui/toast';
import { ConfirmButton } from '../../ui/confirm';
import { useAction, useStore } from '../../ui/hooks';
import { Icon, type IconName } from '../../ui/icons';
import { controllable, savePicture, setRun, toggleFullScreen } from './actions';
import { clipRefusal, ClipSeconds, GifSeconds, isMaking, saveClip, saveGif } from './clip';
import { KeyboardHelp } from './keyboard-help';
import type { Moments } from './moments';
import { Share } from './share';
import { Sound } from './sound';
import { VideoFile, videoFile } from './video-file';

const Steps = [1, 10, 60];
const Speeds: [string, number | null][] = [['Own speed', null], ['Half', 0.5], ['Double', 2], ['4 times', 4], ['No limit', 0]];

/** Pause, speed, control, reset, picture and full screen. */
export function Toolbar({ link, moments }: { link: Socket | null; moments: Moments }) {
  const { isMine, isRunning } = useStore(control);
  const status = useStore(current);
  const action = useAction();
  const video = useStore(videoFile);
  const isBusy = useStore(isMaking);
  const owned = controllable(status);
  const refusal = useRefusal('post', '/v2/lease');
  const refusalOfPicture = useRefusal('get', '/v2/screen');
  const isOff = link === null || refusalOfPicture !== undefined;
  const attempt = (what: () => Promise<unknown>) => void action.run(what).then((isDone) => isDone || undefined);

  return (
    <div class="toolbar" role="toolbar" aria-label="Game">
      {owned && (!isMine || owned.process!.paused) && (
        <Allowed method="put" path="/v2/emulators/{id}/run">
          <Tool icon={owned.process!.paused ? 'resume' : 'pause'} label={owned.process!.paused ? 'Continue' : 'Pause'} onClick={() => attempt(() => setRun({ paused: !owned.process!.paused }))} />
          <select aria-label="Speed" value={speedOf(owned.process!.targetFps)} onChange={(event) => { const fps = Number(event.currentTarget.value); attempt(() => setRun({ fps })); }}>
            {Speeds.map(([label, factor]) => <option key={label} value={factor === null ? FrameRate : factor * FrameRate}>{label}</option>)}
          </select>
        </Allowed>
      )}
      {isMine ? (
        <>
          <button type="button" class="primary" title="Give control back" onClick={() => attempt(() => releaseControl(link!))}><Icon name="lock" /><span class="tool-text">Give<span class="wide"> control</span> back</span></button>
          <span class="group">
            {Steps.map((frames) => (
              <button type="button" key={frames} disabled={isOff || isRunning} onClick={() => attempt(() => step(link!, frames))}>+{frames}<span class="visually-hidden"> frames</span></button>
            ))}
          </span>
          {isRunning
            ? <button type="button" onClick={stop}><Icon name="pause" />Stop</button>
            : <button type="button" disabled={isOff} onClick={() => void runUnderControl(link!).catch((error: Error) => tell(error.message, true))}><Icon name="resume" />Run</button>}
        </>
      ) : (
        <button type="button" disabled={isOff || refusal !== undefined} title={refusal ?? 'The game then runs only in your steps, and keys of others are refused'} onClick={() => attempt(() => takeControl(link!))}>
          <Icon name="lock" /><span class="tool-text">Take control</span>
        </button>
      )}
      <span class="toolbar-end">
        <Share link={link} />
        <Sound link={link} isOff={isOff} />
        <Allowed method="post" path="/v2/reset">
          <ConfirmButton label="Reset the game" title="Reset the game?" question="Progress that the game has not saved is lost." action="Reset"
            isDisabled={isOff} isSmall={false} onConfirm={() => attempt(() => link!.request('game.reset'))}><Icon name="restart" /></ConfirmButton>
        </Allowed>
        <Tool icon="camera" label="Save the picture" isDisabled={isOff} onClick={() => attempt(savePicture)} />
        <Tool icon="film" label={`Clip of the last ${ClipSeconds} seconds`} reason={clipRefusal()} isDisabled={isOff || isBusy} onClick={() => attempt(() => saveClip(moments))} />
        <Tool icon="GIF" label={`GIF of the last ${GifSeconds} seconds`} isDisabled={isOff || isBusy} onClick={() => attempt(() => saveGif(moments))} />
        <Tool icon={video ? 'stop' : 'recordings'} label={video ? 'End the video and save it' : 'Record a video'} isDisabled={isOff} onClick={() => video ? video.end() : attempt(VideoFile.begin)} />
        <Tool icon="full" label="Full screen" onClick={toggleFullScreen} />
        <KeyboardHelp />
      </span>
      {action.error && <p class="error" role="alert">{action.error}</p>}
    </div>
  );
}

function speedOf(fps: number | null | undefined): number {
  return fps ?? FrameRate;
}

function Tool({ icon, label, reason, isDisabled = false, onClick }: { icon: IconName | 'GIF'; label: string; reason?: string | undefined; isDisabled?: boolean; onClick: () => void }) {
  const refusal = useContext(Refusal) ?? reason;
  return (
    <button type="button" class="icon-button" aria-label={label} title={refusal ?? label} disabled={isDisabled || refusal !== undefined} onClick={onClick}>
      {icon === 'GIF' ? icon : <Icon name={icon} />}
    </button>
  );
}
