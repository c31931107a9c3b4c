import { useEffect, useState } from 'preact/hooks';
import { read } from './http';

type Props = { path: string; emulator?: string | undefined; alt: string; parameters?: Record<string, string | number>; version?: string };

/** A picture of the gateway. It is fetched with the token, which an `<img>` could not send. */
export function BlobImage({ path, emulator, alt, parameters, version }: Props) {
  const [source, setSource] = useState<string | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    let address: string | null = null;
    read(path, { emulator, signal: leaving.signal, ...(parameters ? { path: parameters } : {}) }).then(async (response) => {
      address = URL.createObjectURL(await response.blob());
      setSource(address);
    }).catch(() => setSource(null));
    return () => {
      leaving.abort();
      if (address !== null) {
        URL.revokeObjectURL(address);
      }
    };
  }, [path, emulator, JSON.stringify(parameters), version]);
  return source === null ? <span class="picture empty-picture" {...(alt ? { role: 'img', 'aria-label': alt } : {})} /> : <img class="picture" src={source} alt={alt} />;
}
