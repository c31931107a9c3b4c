import type { RequestError } from './problem';
import { Socket, type Endpoint, type GameEvent } from './socket';

/** What the worker tells the page. */
export type Received = { event?: GameEvent; refusal?: string };

const Topic = 'sound/1'; // the samples of each frame

let target: MessagePort | null = null;
let link: Socket | null = null;

// the page sends first where the samples go, then from where to receive them; null for nowhere
addEventListener('message', ({ data }: MessageEvent<MessagePort | Endpoint | null>) => {
  if (data instanceof MessagePort) {
    target = data;
    return;
  }
  link?.close();
  link = data && listenTo(data);
});

function listenTo(from: Endpoint): Socket {
  const socket = new Socket(() => from);
  socket.subscribe(Topic, (_, event) => {
    if (event.samples) {
      target?.postMessage(event.samples);
      postMessage({ event } satisfies Received, { transfer: [event.samples] });
    }
  });
  socket.state.follow(() => {
    if (socket.state.value === 'open') {
      socket.request('subscribe', { topics: [Topic] }).catch(({ status, message }: RequestError) => {
        if (status !== 0) { // the gateway says why there is no sound
          postMessage({ refusal: message } satisfies Received);
        }
      });
    }
  });
  return socket;
}
