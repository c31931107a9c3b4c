const Units = ['bytes', 'KiB', 'MiB', 'GiB'];

/** A number of bytes for people. */
export function bytesText(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < Units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${Units[unit]}`;
}

export function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

export function address(value: number): string {
  return `0x${hex(value, 8)}`;
}

/** A duration for people: `3 min`. */
export function durationText(duration: number): string {
  const seconds = Math.round(duration);
  if (seconds < 60) {
    return `${seconds} s`;
  }
  if (seconds < 3600) {
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  return seconds < 86400 ? `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min` : `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}

/** Milliseconds for people; a dash for none. */
export function msText(ms: number | null): string {
  return ms === null ? '–' : ms < 10 ? `${ms.toFixed(2)} ms` : ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** How long ago something was. */
export function agoText(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (seconds < 5) {
    return 'just now';
  }
  return seconds < 7 * 86400 ? `${durationText(seconds).split(' ').slice(0, 2).join(' ')} ago` : new Date(iso).toLocaleDateString();
}

export function numberText(value: number): string {
  return value.toLocaleString('en-US');
}

/** A number of frames: `1 frame`. */
export function framesText(frames: number): string {
  return `${numberText(frames)} ${frames === 1 ? 'frame' : 'frames'}`;
}

/** Bytes of base64 text. */
export function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) {
    bytes[index] = binary.charCodeAt(index);
  }
  return bytes;
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** A sentence for people about anything that was thrown. */
export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
