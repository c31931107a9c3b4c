// the elements of EBML (RFC 8794) and Matroska (RFC 9559) that are read and written here
const [Segment, Info, TimestampScale, Duration] = [0x18538067, 0x1549a966, 0x2ad7b1, 0x4489];
const DefaultScale = 1_000_000; // nanoseconds of a tick
const Unknown = -1;
const HeadBytes = 4096;

type Element = { id: number; start: number; content: number; size: number };

/** A WebM file with its duration: browsers write the head before they know it. A file of another form stays as it is. */
export async function withDuration(file: Blob, seconds: number): Promise<Blob> {
  const head = new Uint8Array(await file.slice(0, HeadBytes).arrayBuffer());
  const segment = find(head, Segment, 0, head.length);
  const info = segment?.size === Unknown ? find(head, Info, segment.content, head.length) : undefined;
  if (info === undefined || info.size === Unknown || info.content + info.size > head.length || find(head, Duration, info.content, info.content + info.size)) {
    return file;
  }
  const end = info.content + info.size;
  const scale = find(head, TimestampScale, info.content, end);
  const ticks = (seconds * 1e9) / (scale === undefined ? DefaultScale : numberAt(head, scale.content, scale.size));
  const added = new DataView(new ArrayBuffer(11));
  added.setUint16(0, Duration);
  added.setUint8(2, 0x88); // 8 bytes
  added.setFloat64(3, ticks);
  const start = new DataView(new ArrayBuffer(12));
  start.setUint32(0, Info);
  start.setBigUint64(4, (1n << 56n) | BigInt(info.size + added.byteLength));
  return new Blob([file.slice(0, info.start), start, file.slice(info.content, end), added, file.slice(end)], { type: file.type });
}

/** The first element of this id between two places, none of whose predecessors is cut. */
function find(bytes: Uint8Array, wanted: number, from: number, to: number): Element | undefined {
  for (let at = from; at < to;) {
    const element = elementAt(bytes, at);
    if (element === undefined || element.id === wanted) {
      return element;
    }
    at = element.size === Unknown ? to : element.content + element.size;
  }
  return undefined;
}

function elementAt(bytes: Uint8Array, start: number): Element | undefined {
  const idLength = lengthAt(bytes, start);
  const sizeLength = lengthAt(bytes, start + idLength);
  const content = start + idLength + sizeLength;
  if (content > bytes.length) {
    return undefined;
  }
  const most = 2 ** (7 * sizeLength) - 1;
  const sizeAt = start + idLength;
  const first = bytes[sizeAt]! % 2 ** (8 - sizeLength);
  const size = first * 256 ** (sizeLength - 1) + numberAt(bytes, sizeAt + 1, sizeLength - 1);
  return { id: numberAt(bytes, start, idLength), start, content, size: size >= most ? Unknown : size }; // all ones; the largest are no exact numbers
}

// of an id or a size: the zeros before the first one
const lengthAt = (bytes: Uint8Array, at: number): number => Math.clz32(bytes[at] ?? 0) - 23;

const numberAt = (bytes: Uint8Array, at: number, length: number): number => bytes.slice(at, at + length).reduce((value, byte) => value * 256 + byte, 0);
