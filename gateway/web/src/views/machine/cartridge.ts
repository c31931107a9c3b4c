import { useState } from 'preact/hooks';
import { current } from '../../api/gateway';
import { call } from '../../api/http';
import type { components } from '../../api/schema';
import { usePolling, useStore } from '../../ui/hooks';

export type Cartridge = components['schemas']['CartridgeAnswer'];

export type Sensor = 'light' | 'tilt' | 'gyro' | 'camera';

/** What the emulator takes the cartridge and the console for; null while it is not known, and in windows. */
export function useCartridge(): Cartridge | null {
  const status = useStore(current);
  const [cartridge, setCartridge] = useState<Cartridge | null>(null);
  usePolling(null, async () => {
    setCartridge(null);
    if (status?.host === 'headless') {
      setCartridge((await call('get', '/v2/game', { emulator: status.id })).cartridge ?? null);
    }
  }, [status?.id, status?.epoch]);
  return cartridge;
}

/** The sensors that a cartridge has. */
export function sensorsOf(cartridge: Cartridge | null): Sensor[] {
  const hardware = cartridge?.hardware?.value.split(',') ?? [];
  const ofController = { mbc7: 'tilt', 'pocket-cam': 'camera' }[cartridge?.mbc?.value ?? ''];
  return (['light', 'tilt', 'gyro', 'camera'] as const).filter((sensor) => sensor === ofController || hardware.includes(sensor));
}
