import type { RequestError } from './problem';
import { Socket, type Endpoint, type GameEvent } from './socket';

/** From where the page wants samples, null for nowhere, and in which of its turns. */
export type Wanted = { from: Endpoint | null; turn: number };
/** What the worker tells the page, and of which turn. */
export type Received = { turn: number; event?: GameEvent; refusal?: string };

const Topic = 'sound/1'; // the samples of each frame

let target: MessagePort | null = null;
let link: Socket | null = null;

// the page sends first where the samples go, then from where to receive them
addEventListener('message', ({ data }: MessageEvent<MessagePort | Wanted>) => {
  if (data instanceof MessagePort) {
    target = data;
    return;
  }
  link?.close();
  link = data.from && listenTo(data.from, data.turn);
});

function listenTo(from: Endpoint, turn: number): Socket {
  const socket = new Socket(() => from);
  socket.subscribe(Topic, (_, event) => {
    if (event.samples) {
      target?.postMessage(event.samples);
      postMessage({ turn, event } satisfies Received, { transfer: [event.samples] });
    }
  });
  socket.state.follow(() => {
    if (socket.state.value === 'open') {
      socket.request('subscribe', { topics: [Topic] }).catch(({ status, message }: RequestError) => {
        if (status !== 0) { // the gateway says why there is no sound
          postMessage({ turn, refusal: message } satisfies Received);
        }
      });
    }
  });
  return socket;
}
