import { useEffect, useRef, useState } from 'preact/hooks';
import { Allowed, useRefusal } from '../../api/allowed';
import { addPoint, type Hit, hitText, type PointEntry, type PointKind, removePoint, requestOf } from '../../api/debugger';
import { holder } from '../../api/http';
import type { Socket } from '../../api/socket';
import { hex, numberText, sentence } from '../../ui/format';
import { useAction, usePolling, useStore } from '../../ui/hooks';
import { Icon } from '../../ui/icons';
import { tell } from '../../ui/toast';
import { type Name, nameAt } from './code';

const Kinds: [PointKind, string][] = [['execute', 'Execute'], ['change', 'Change'], ['write', 'Write'], ['read', 'Read'], ['access', 'Read or write'], ['interrupt', 'Interrupt']];
const KindNames: Record<string, string> = Object.fromEntries(Kinds);
const Bits: Record<number, string> = { 1: 'execute', 2: 'read', 4: 'write', 8: 'change', 16: 'interrupt' };
const KeptHits = 50;

/** A line of the topic `hits`. */
export function hitOf(line: string, names: readonly Name[]): Hit & { frame: number } {
  const [point, kind, pc, bank, address, size, before, value, after, byDma, frame] = line.trim().split(/\s+/).map(Number) as number[];
  return {
    point: point!, kind: Bits[kind!] ?? '', pc: `0x${hex(pc!, 8)}`, bank: bank!, symbol: nameAt(names, pc!, bank), address: `0x${hex(address!, 8)}`, name: nameAt(names, address!),
    size: size!, before: before!, value: value!, after: after!, byDma: byDma === 1, frame: frame!,
  };
}

/** The breakpoints and watchpoints of everybody, and a form that sets one. */
export function Points({ link, points, names, onChange, onShow }: {
  link: Socket | null; points: readonly PointEntry[]; names: readonly Name[]; onChange: () => Promise<void>; onShow: (point: PointEntry) => void;
}) {
  const mine = useStore(holder);
  const refusal = useRefusal('delete', '/v2/debug/points/{point}');
  const remove = (point: PointEntry) => void removePoint(link!, point.point).then(onChange).catch((error: unknown) => tell(sentence(error), true));
  return (
    <section class="card" aria-labelledby="points-title">
      <h2 id="points-title">Breakpoints and watchpoints</h2>
      {points.length === 0 ? <p class="quiet">None. Click in front of an instruction, or add one here.</p> : (
        <div class="table-place" tabIndex={0} role="region" aria-label="Points">
          <table>
            <thead><tr><th>Id</th><th>Kind</th><th>Where</th><th class="number">Hits</th><th><span class="visually-hidden">Actions</span></th></tr></thead>
            <tbody>
              {points.map((point) => {
                const { point: id, kind, first, last, halts, hits, holder: owner } = point;
                const condition = requestOf(id)?.condition ?? point.condition;
                const name = nameAt(names, Number(first), point.bank);
                return (
                  <tr key={id}>
                    <td>{id}</td>
                    <td>{KindNames[kind] ?? kind}</td>
                    <td>
                      <button type="button" class="link mono" onClick={() => onShow(point)}>{name ?? first}</button>{name && <span class="quiet mono wide"> {first}{last !== first && `–${last}`}</span>}
                      {!halts && <> <span class="chip">reports</span></>}{owner !== mine && <> <span class="chip">{owner}</span></>}
                      {condition && <div class="quiet">if <code>{condition}</code></div>}
                    </td>
                    <td class="number" data-hits={id}>{numberText(hits)}</td>
                    <td class="actions"><button type="button" class="icon-button small" aria-label={`Remove point ${id}`} title={refusal ?? 'Remove'} disabled={link === null || refusal !== undefined} onClick={() => remove(point)}><Icon name="close" /></button></td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      <AddForm link={link} names={names} onChange={onChange} />
      {points.some(({ halts }) => !halts) && link !== null && <Reported link={link} names={names} />}
    </section>
  );
}

function AddForm({ link, names, onChange }: { link: Socket | null; names: readonly Name[]; onChange: () => Promise<void> }) {
  const [kind, setKind] = useState<PointKind>('change');
  const [location, setLocation] = useState('');
  const [condition, setCondition] = useState('');
  const [reports, setReports] = useState(false);
  const action = useAction();
  const add = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      await addPoint(link!, { kind, location: location.trim(), ...(condition.trim() ? { condition: condition.trim() } : {}), ...(reports ? { reports } : {}) });
      setLocation('');
      setCondition('');
      await onChange();
    });
  };
  return (
    <form class="debug-add" onSubmit={add} aria-label="Add a point">
      <div class="row">
        <label class="field"><span>Kind</span><select value={kind} onChange={(event) => setKind(event.currentTarget.value as PointKind)}>{Kinds.map(([value, text]) => <option key={value} value={value}>{text}</option>)}</select></label>
        <label class="field grow"><span>Address or name</span><input required list="debug-names" value={location} autocomplete="off" onInput={(event) => setLocation(event.currentTarget.value)} /></label>
        <label class="field grow"><span>Condition (optional)</span><input value={condition} placeholder="r0 == 1 and lives &lt; 3" autocomplete="off" onInput={(event) => setCondition(event.currentTarget.value)} /></label>
        <label class="check" title="The game runs on, and each hit is listed"><input type="checkbox" checked={reports} onChange={(event) => setReports(event.currentTarget.checked)} /><span>Report only</span></label>
        <Allowed method="post" path="/v2/debug/points"><button type="submit" disabled={link === null || action.isBusy}>Add</button></Allowed>
      </div>
      <datalist id="debug-names">{names.slice(0, 2000).map(({ name }) => <option key={name} value={name} />)}</datalist>
      {action.error && <p class="error" role="alert">{action.error}</p>}
    </form>
  );
}

/** The newest hits of points that only report. */
function Reported({ link, names }: { link: Socket; names: readonly Name[] }) {
  const [lines, setLines] = useState<readonly string[]>([]);
  const came = useRef<string[]>([]);
  useEffect(() => link.subscribe('hits/1', (_, event) => { came.current = [...came.current, ...(event.lines ?? [])].slice(-KeptHits); }), [link]);
  usePolling(250, async () => {
    if (came.current.length > 0) {
      const added = came.current.splice(0);
      setLines((before) => [...before, ...added].slice(-KeptHits));
    }
  }, [link]);
  const hits = lines.map((line) => hitOf(line, names)).reverse();
  return (
    <>
      <h3>Newest hits</h3>
      {hits.length === 0 ? <p class="quiet">Hits of all points appear here.</p> : (
        <ol class="plain-list debug-hits" tabIndex={0} aria-label="Newest hits">
          {hits.map((hit, index) => <li key={hits.length - index}><span class="quiet">{numberText(hit.frame)}</span> {hitText(hit)}</li>)}
        </ol>
      )}
    </>
  );
}
