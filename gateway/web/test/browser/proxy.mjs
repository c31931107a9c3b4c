import { connect, createServer } from 'node:net';

/** A TCP proxy before a gateway whose WebSockets can be cut, and refused until mended. */
export async function cuttable(gateway) {
  const [everything, sockets] = [new Set(), new Set()];
  let isCut = false;
  let refused = 0;
  const server = createServer((client) => {
    const upstream = connect(gateway.port, gateway.hostname);
    const end = () => { client.destroy(); upstream.destroy(); };
    everything.add(end);
    for (const one of [client, upstream]) {
      one.on('error', end).on('close', () => { end(); everything.delete(end); sockets.delete(end); });
    }
    upstream.pipe(client);
    client.on('data', (bytes) => {
      const isSocket = /^GET [\s\S]*\r\nupgrade: websocket\r\n/i.test(bytes.toString('latin1'));
      if (isSocket && isCut) {
        refused += 1;
        end();
        return;
      }
      if (isSocket) {
        sockets.add(end);
      }
      upstream.write(bytes);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    get refused() { return refused; },
    cut() { isCut = true; [...sockets].forEach((end) => { end(); }); },
    mend() { isCut = false; },
    close() { server.close(); [...everything].forEach((end) => { end(); }); },
  };
}
