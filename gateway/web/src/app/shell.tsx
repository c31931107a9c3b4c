import { useEffect, useRef } from 'preact/hooks';
import type { ComponentType } from 'preact';
import { Allowed, useRole } from '../api/allowed';
import { isAway } from '../api/away';
import { chosen, current, emulators, gameName, isConnected, isRestarted, meta } from '../api/gateway';
import { token } from '../api/token';
import { Icon, type IconName } from '../ui/icons';
import { useDelay, useTopic } from '../api/hooks';
import { loadParts } from '../ui/part';
import { useStore } from '../ui/hooks';
import { Emulators } from '../views/emulators/emulators';
import { Play } from '../views/play/play';
import { SaveOffer } from '../views/states/save-offer';
import { setGame } from '../views/watch/list';
import { follow } from '../api/control';
import { useFollowDebugger } from '../api/debugger';
import { stateText } from '../api/explain';
import { holder } from '../api/http';
import { FirstContact } from '../views/emulators/first-contact';
import { RomPicker } from '../views/emulators/rom-picker';
import { FileDrop } from './file-drop';
import { lazy } from './lazy';
import { Announcer, NoticeBar } from './notices';
import { route } from '../ui/router';
import { Settings } from './settings';
import styles from './shell.module.css';
import { TokenForm } from './token-form';

type View = { name: string; title: string; icon: IconName; component: ComponentType; needsGame: boolean };

const Views: View[] = [
  { name: 'play', title: 'Play', icon: 'play', component: Play, needsGame: true },
  { name: 'memory', title: 'Memory', icon: 'memory', component: lazy(async () => (await import('../views/memory/memory')).Memory), needsGame: true },
  { name: 'search', title: 'Search', icon: 'search', component: lazy(async () => (await import('../views/search/search')).Search), needsGame: true },
  { name: 'watch', title: 'Watch', icon: 'watch', component: lazy(async () => (await import('../views/watch/watch')).Watch), needsGame: true },
  { name: 'states', title: 'States', icon: 'states', component: lazy(async () => (await import('../views/states/states')).States), needsGame: true },
  { name: 'cheats', title: 'Cheats', icon: 'cheats', component: lazy(async () => (await import('../views/cheats/cheats')).Cheats), needsGame: true },
  { name: 'machine', title: 'Machine', icon: 'machine', component: lazy(async () => (await import('../views/machine/machine')).Machine), needsGame: true },
  { name: 'debug', title: 'Debug', icon: 'debug', component: lazy(async () => (await import('../views/debug/debug')).Debug), needsGame: true },
  { name: 'emulators', title: 'Emulators', icon: 'emulators', component: Emulators, needsGame: false },
  { name: 'recordings', title: 'Recordings', icon: 'recordings', component: lazy(async () => (await import('../views/recordings/recordings')).Recordings), needsGame: true },
  { name: 'traffic', title: 'Traffic', icon: 'traffic', component: lazy(async () => (await import('../views/traffic/traffic')).Traffic), needsGame: false },
  { name: 'video', title: 'Video', icon: 'video', component: lazy(async () => (await import('../views/video/video')).Video), needsGame: true },
  { name: 'agents', title: 'Agents', icon: 'agents', component: lazy(async () => (await import('../views/agents/agents')).Agents), needsGame: false },
  ...(meta('fleet') === 'yes' ? [{ name: 'fleet', title: 'Fleet', icon: 'fleet', component: lazy(async () => (await import('../views/fleet/fleet')).Fleet), needsGame: false } as const] : []),
  { name: 'overlay', title: 'Overlay', icon: 'overlay', component: lazy(async () => (await import('../views/overlay/builder')).OverlayBuilder), needsGame: true },
];

const PageIcon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href;

const Overlay = lazy(async () => (await import('../views/overlay/overlay')).Overlay);

/** The page: navigation, what is wrong, and one view. */
export function Shell() {
  const { wanted } = useStore(token);
  const { view, parameters } = useStore(route);
  return wanted ? <TokenForm /> : view === 'overlay' && parameters.size > 0 ? <Overlay /> : <Frame />;
}

function Frame() {
  const { view: name } = useStore(route);
  const view = Views.find((one) => one.name === name) ?? Views[0]!;
  const all = useStore(emulators);
  const anyGame = (all ?? []).some((one) => isConnected(one) || isRestarted(one));
  const main = useRef<HTMLElement>(null);
  const nav = useRef<HTMLElement>(null);
  const shown = useRef(view.name);
  const status = useStore(current);
  setGame(status === null ? '' : gameName(status));
  const role = useRole();
  useDelay(role !== null && role !== 'owner');
  useFollowDebugger();
  useTopic('lease', (_, event) => follow(event.holder));
  useEffect(() => {
    document.title = `${view.title} · mGBA-bridge`;
    if (shown.current !== view.name) {
      shown.current = view.name;
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    showCurrent(nav.current!);
  }, [view]);
  useEffect(() => {
    if (all !== null) {
      void loadParts();
    }
  }, [all !== null]);
  const Component = view.component;
  return (
    <div class={styles.shell}>
      <a class={styles.skip} href="#main" onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>Skip to content</a>
      <header class={styles.top}>
        <a class={styles.brand} href="#/play"><img src={PageIcon} alt="" width="24" height="24" /><span>mGBA-bridge</span></a>
        <EmulatorChoice />
        <RoleChip />
        <Settings />
      </header>
      <nav class={styles.views} aria-label="Views" ref={nav}>
        {Views.map(({ name: to, title, icon }) => (
          <a key={to} href={`#/${to}`} aria-current={to === view.name ? 'page' : undefined}><Icon name={icon} /><span>{title}</span></a>
        ))}
        <span class={styles['nav-foot']}><a href="docs/index.html">API reference</a></span>
      </nav>
      <main id="main" ref={main} tabIndex={-1} class={`${styles.view} view-${view.name}`}>
        <NoticeBar />
        {all === null ? <p class="quiet pad" id="status">Looking for an emulator…</p>
          : view.needsGame && !anyGame ? <NoEmulator />
          : <Component key={view.name} />}
      </main>
      <Announcer />
      <FileDrop />
      <SaveOffer />
    </div>
  );
}

// on a phone the bar is wider than the screen; scrollIntoView could move the page, too
function showCurrent(nav: HTMLElement): void {
  const link = nav.querySelector<HTMLElement>('[aria-current]');
  if (link) {
    nav.scrollTo({ left: link.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2, top: link.offsetTop - (nav.clientHeight - link.offsetHeight) / 2 });
  }
}

function NoEmulator() {
  return (
    <>
      <h1 class="view-title">No emulator is connected</h1>
      <div class="stack no-emulator">
        <Allowed method="post" path="/v2/emulators"><RomPicker /></Allowed>
        <FirstContact />
      </div>
    </>
  );
}

function RoleChip() {
  const role = useRole();
  return role === null || role === 'owner' ? null : <span class="chip" title="The role of your token; what it does not allow is disabled.">{role}</span>;
}

function EmulatorChoice() {
  const all = useStore(emulators) ?? [];
  const status = useStore(current);
  const isLost = useStore(isAway);
  const me = useStore(holder);
  if (status === null) {
    return <div class={styles.emulator} />;
  }
  const isKnown = !isLost && isConnected(status);
  return (
    <div class={styles.emulator}>
      {all.length > 1 ? (
        <select aria-label="Emulator" value={status.id} onChange={(event) => { chosen.value = event.currentTarget.value; }}>
          {all.map((one) => <option key={one.id} value={one.id}>{[one.id, gameName(one)].filter(Boolean).join(' · ')}</option>)}
        </select>
      ) : <span class={styles['game-title']}>{gameName(status) || `Emulator ${status.id}`}</span>}
      <span class={`${styles.state} ${styles[`state-${isKnown ? status.state : 'gone'}`] ?? ''}`}>{stateText(status, isLost, me)}</span>
    </div>
  );
}
