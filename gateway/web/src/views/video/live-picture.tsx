import { useEffect, useState } from 'preact/hooks';
import { read } from '../../api/http';
import { usePolling } from '../../ui/hooks';

type Props = { path: string; emulator: string | undefined; alt: string; every: number | null; parameters?: Record<string, number>; query?: Record<string, string | number> };

const Never = 1 << 30;

/** A picture of the gateway that is fetched again and again; the last one stays until the next is there. */
export function LivePicture({ path, emulator, alt, every, parameters, query }: Props) {
  const [source, setSource] = useState<string | null>(null);
  const key = JSON.stringify([path, emulator, parameters, query]);
  usePolling(every ?? Never, async () => {
    const response = await read(path, { emulator, ...(parameters ? { path: parameters } : {}), ...(query ? { query } : {}) });
    setSource(URL.createObjectURL(await response.blob()));
  }, [key]);
  useEffect(() => () => {
    if (source !== null) {
      URL.revokeObjectURL(source);
    }
  }, [source]);
  return source === null ? <span class="video-picture video-wait" role="img" aria-label={alt} /> : <img class="video-picture" src={source} alt={alt} />;
}
