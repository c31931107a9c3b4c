import { useRef, useState } from 'preact/hooks';
import { Allowed, useRole } from '../../api/allowed';
import { control, leaseHolder, releaseControl } from '../../api/control';
import { call } from '../../api/http';
import type { components } from '../../api/schema';
import type { Socket } from '../../api/socket';
import { msText, sentence } from '../../ui/format';
import { useAction, usePolling, useStore } from '../../ui/hooks';
import { Icon } from '../../ui/icons';
import { tell } from '../../ui/toast';
import { qrPath } from './qr';

type Guest = components['schemas']['GuestAnswer'];
type Invited = components['schemas']['InvitedGuestAnswer'];
type Role = 'viewer' | 'guest' | 'player';

const Every = 2000;
const Hour = 3600;
const May: Record<Role, string> = { viewer: 'Watch', guest: 'Play', player: 'Play and take control' };
const Lifetimes: [string, number][] = [['1 hour', Hour], ['4 hours', 4 * Hour], ['1 day', 24 * Hour], ['1 week', 7 * 24 * Hour], ['30 days', 30 * 24 * Hour]];
const Loopback = /^(localhost|127\..*|\[::1\])$/;

/** For owners: a button that opens what others can join by. */
export function Share({ link }: { link: Socket | null }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  if (useRole() !== 'owner') {
    return null;
  }
  const open = () => {
    setOpen(true);
    requestAnimationFrame(() => dialog.current?.showModal());
  };
  return (
    <Allowed method="get" path="/v2/guests">
      <button type="button" class="icon-button" aria-label="Share" title="Share: let others watch or play" onClick={open}><Icon name="share" /></button>
      {isOpen && (
        <dialog ref={dialog} class="share" aria-labelledby="share-title" onClose={() => setOpen(false)}>
          <Guests link={link} onClose={() => dialog.current?.close()} />
        </dialog>
      )}
    </Allowed>
  );
}

function Guests({ link, onClose }: { link: Socket | null; onClose: () => void }) {
  const action = useAction();
  const [guests, setGuests] = useState<Guest[]>([]);
  const [invited, setInvited] = useState<Invited | null>(null);
  const [error, setError] = useState<string | null>(null);
  const refresh = async () => {
    try {
      setGuests((await call('get', '/v2/guests', {})).guests);
      setError(null);
    } catch (thrown) {
      setError(sentence(thrown));
    }
  };
  usePolling(Every, refresh, []);
  const act = (what: () => Promise<unknown>) => void action.run(async () => {
    await what();
    await refresh();
  });
  const handOver = (guest: Guest) => act(async () => {
    await call('put', '/v2/guests/{guest}', { path: { guest: guest.id }, body: { role: 'player' } });
    if (control.value.isMine && link !== null) {
      await releaseControl(link);
    }
  });
  const takeBack = (guest: Guest) => act(() => call('put', '/v2/guests/{guest}', { path: { guest: guest.id }, body: { role: 'guest' } }));
  const kick = (guest: Guest) => act(() => call('delete', '/v2/guests/{guest}', { path: { guest: guest.id } }));
  const isThere = invited !== null && guests.some(({ id }) => id === invited.id);
  return (
    <>
      <h2 id="share-title">Share</h2>
      <NewGuest isBusy={action.isBusy} onInvite={(body) => act(async () => setInvited(await call('post', '/v2/guests', { body })))} />
      {(action.error ?? error) && <p class="error" role="alert">{action.error ?? error}</p>}
      {isThere && <Invitation invited={invited} />}
      <section aria-labelledby="guests-title">
        <h3 id="guests-title">Guests</h3>
        {guests.length === 0 && <p class="quiet">Nobody has a link.</p>}
        <ul class="plain-list guests">
          {guests.map((guest) => (
            <li key={guest.id}>
              <GuestFacts guest={guest} />
              <span class="row end">
                {guest.role === 'guest' && <button type="button" class="small" disabled={action.isBusy} aria-label={`Hand control over to ${guest.name}`} onClick={() => handOver(guest)}>Hand over</button>}
                {guest.role === 'player' && <button type="button" class="small" disabled={action.isBusy} aria-label={`Take control back from ${guest.name}`} onClick={() => takeBack(guest)}>Take back</button>}
                <button type="button" class="small danger" disabled={action.isBusy} aria-label={`Kick ${guest.name}`} onClick={() => kick(guest)}>Kick</button>
              </span>
            </li>
          ))}
        </ul>
      </section>
      <div class="row end">
        {guests.length > 0 && <button type="button" class="danger" disabled={action.isBusy} onClick={() => act(() => call('delete', '/v2/guests', {}))}>Stop sharing</button>}
        <button type="button" class="primary" onClick={onClose}>Close</button>
      </div>
    </>
  );
}

function NewGuest({ isBusy, onInvite }: { isBusy: boolean; onInvite: (body: { name?: string; role: Role; expiresIn: number; address?: string }) => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('guest');
  const [lifetime, setLifetime] = useState(24 * Hour);
  const submit = (event: Event) => {
    event.preventDefault();
    // a person who is at this page by an address that others can use, too, gives it to them
    onInvite({ role, expiresIn: lifetime, ...(name.trim() === '' ? {} : { name: name.trim() }), ...(Loopback.test(location.hostname) ? {} : { address: new URL('.', document.baseURI).href }) });
    setName('');
  };
  return (
    <form onSubmit={submit}>
      <div class="row">
        <label class="field"><span>Name</span><input value={name} maxLength={40} placeholder="Guest" onInput={(event) => setName(event.currentTarget.value)} /></label>
        <label class="field">
          <span>May</span>
          <select value={role} onChange={(event) => setRole(event.currentTarget.value as Role)}>{(Object.keys(May) as Role[]).map((one) => <option key={one} value={one}>{May[one]}</option>)}</select>
        </label>
        <label class="field">
          <span>For</span>
          <select value={lifetime} onChange={(event) => setLifetime(Number(event.currentTarget.value))}>{Lifetimes.map(([text, seconds]) => <option key={seconds} value={seconds}>{text}</option>)}</select>
        </label>
        <button type="submit" class="primary" disabled={isBusy}>Create a link</button>
      </div>
    </form>
  );
}

function Invitation({ invited }: { invited: Invited }) {
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    field.current!.select();
    try {
      await navigator.clipboard.writeText(invited.link);
    } catch {
      document.execCommand('copy'); // a page without HTTPS has no clipboard, but the command
    }
    tell('The link is on the clipboard.');
  };
  return (
    <section class="invitation" aria-label={`Link for ${invited.name}`}>
      <svg class="qr" role="img" aria-label={`QR code of the link for ${invited.name}`} viewBox={`0 0 ${invited.qr[0]!.length} ${invited.qr[0]!.length}`}><path d={qrPath(invited.qr)} /></svg>
      <div class="stack">
        <label class="field"><span>Link for {invited.name}</span><input ref={field} class="mono" readOnly value={invited.link} onFocus={(event) => event.currentTarget.select()} /></label>
        <p class="quiet">Everybody who has it can {May[invited.role as Role].toLowerCase()} until {untilText(invited.until)}. It is shown only now.</p>
        <div><button type="button" onClick={() => void copy()}><Icon name="copy" />Copy</button></div>
      </div>
    </section>
  );
}

function GuestFacts({ guest }: { guest: Guest }) {
  const leasedBy = useStore(leaseHolder);
  const { connections } = guest;
  const delays = connections.flatMap(({ delayMs }) => delayMs ?? []);
  return (
    <span class="guest">
      <b>{guest.name}</b> <span class="chip">{May[guest.role as Role]}</span>
      {connections.some(({ holder }) => holder === leasedBy) && <> <span class="chip strong">has control</span></>}
      <span class="quiet">
        {connections.length === 0 ? 'Not connected' : connections.length === 1 ? 'Connected' : `${connections.length} connections`}
        {delays.length > 0 && `, delay ${msText(Math.max(...delays))}`}, until {untilText(guest.until)}
      </span>
    </span>
  );
}

const untilText = (iso: string): string => new Date(iso).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
