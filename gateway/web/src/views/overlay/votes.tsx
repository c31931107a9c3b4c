import { useEffect, useState } from 'preact/hooks';
import type { components } from '../../api/schema';
import type { Socket } from '../../api/socket';
import { useTopic } from '../../api/hooks';
import { usePolling } from '../../ui/hooks';
import { numberText } from '../../ui/format';

type Vote = components['schemas']['VoteAnswer'];
type Read = { vote: Vote; at: number };

const KeptFor = 20_000;
const ShownBallots = 6;

/** The open vote, or for a while the result of the one that has just ended. */
export function Votes({ link }: { link: Socket }) {
  const [read, setRead] = useState<Read | null>(null);
  const [now, setNow] = useState(() => performance.now());
  const look = () => {
    link.request<{ votes: Vote[] }>('votes.list').then(({ votes }) => {
      const [vote] = votes;
      const at = performance.now();
      // one that had ended before is of no interest
      setRead((old) => (vote !== undefined && (vote.open || old?.vote.id === vote.id) ? { vote, at: !vote.open && old?.vote.open === false ? old.at : at } : null));
      setNow(at);
    }, () => undefined);
  };
  useEffect(look, [link]);
  useTopic('vote', look);
  usePolling(250, async () => setNow(performance.now()), [link]);
  const age = read === null ? 0 : now - read.at;
  return read === null || (!read.vote.open && age > KeptFor) ? null : <Board vote={read.vote} age={age} />;
}

function Board({ vote, age }: { vote: Vote; age: number }) {
  const most = Math.max(...vote.choices.map(({ ballots }) => ballots));
  const { last } = vote;
  return (
    <section class="overlay-panel overlay-votes" aria-label={vote.title ?? 'Vote'}>
      <header>
        <b>{vote.title ?? (vote.mode === 'anarchy' ? 'Anarchy' : 'Vote')}</b>
        <span>{!vote.open ? 'ended' : vote.left === undefined || vote.left === null ? '' : `${Math.ceil(Math.max(0, vote.left - age / 1000))} s`}</span>
      </header>
      <ul class="plain-list">
        {vote.choices.map(({ name, ballots }) => (
          <li key={name} class={most > 0 && ballots === most ? 'leads' : undefined}>
            <span class="overlay-bar" style={{ inlineSize: `${most === 0 ? 0 : (100 * ballots) / most}%` }} />
            <bdi>{name}</bdi>
            <b data-ballots={name}>{numberText(ballots)}</b>
          </li>
        ))}
      </ul>
      {last?.choice != null && <p data-overlay-result>Round {numberText(last.round)}: <b>{last.choice}</b>, {numberText(last.ballots)} of {numberText(last.of)}</p>}
      {vote.mode === 'anarchy' && vote.recent.length > 0 && (
        <ol class="plain-list overlay-ballots">
          {vote.recent.slice(-ShownBallots).map(({ voter, choice, times }, index) => <li key={index}><bdi>{voter}</bdi> <b>{choice}{times ?? ''}</b></li>)}
        </ol>
      )}
      {vote.problem != null && <p class="overlay-problem">Not pressed: {vote.problem}</p>}
    </section>
  );
}
