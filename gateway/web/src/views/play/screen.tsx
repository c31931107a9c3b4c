import { useEffect, useRef, useState } from 'preact/hooks';
import type { Picture, Socket } from '../../api/socket';

type Size = { width: number; height: number };

/** Pictures a second at most. */
export const PictureRate = 60;

/** The size on the page: a pixel of the game covers the same number of pixels of the display in both directions, or on a dense one, where nobody sees a difference, as many as fit. */
export function sizeIn(game: Size, room: Size, ratio: number): Size {
  const scale = Math.min((room.width * ratio) / game.width, (room.height * ratio) / game.height);
  const whole = scale >= 1 && ratio < 2 ? Math.floor(scale) : scale;
  return { width: (game.width * whole) / ratio, height: (game.height * whole) / ratio };
}

/** The game's picture, drawn as it arrives. */
export function Screen({ link, onPicture, title, rate = PictureRate }: { link: Socket | null; onPicture: (picture: Picture, canvas: HTMLCanvasElement) => void; title: string; rate?: number }) {
  const room = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const newest = useRef(onPicture);
  newest.current = onPicture;
  const [game, setGame] = useState<Size>({ width: 240, height: 160 });
  const [size, setSize] = useState<Size>({ width: 240, height: 160 });

  useEffect(() => link?.watch(rate, (picture) => void draw(picture)), [link, rate]);
  useEffect(() => {
    const place = room.current!;
    const measure = () => setSize(sizeIn(game, { width: place.clientWidth, height: place.clientHeight }, devicePixelRatio || 1));
    const observer = new ResizeObserver(measure);
    observer.observe(place);
    measure();
    return () => observer.disconnect();
  }, [game]);

  let order = 0;
  let drawn = 0;
  const draw = async (picture: Picture) => {
    order += 1;
    const mine = order;
    const bitmap = await createImageBitmap(new Blob([picture.png], { type: 'image/png' }));
    const target = canvas.current;
    if (target === null || mine < drawn) {
      bitmap.close();
      return;
    }
    drawn = mine;
    if (target.width !== bitmap.width || target.height !== bitmap.height) {
      target.width = bitmap.width;
      target.height = bitmap.height;
      setGame({ width: bitmap.width, height: bitmap.height });
    }
    target.getContext('2d', { alpha: false })!.drawImage(bitmap, 0, 0);
    bitmap.close();
    newest.current(picture, target);
  };

  return (
    <div class="screen" ref={room}>
      <canvas ref={canvas} width={240} height={160} style={{ width: `${size.width}px`, height: `${size.height}px` }} role="img" aria-label={`Live picture of ${title}`} />
    </div>
  );
}
