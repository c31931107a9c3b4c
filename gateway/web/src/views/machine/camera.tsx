import { useEffect, useRef, useState } from 'preact/hooks';
import type { Socket } from '../../api/socket';
import { sentence } from '../../ui/format';

// what the camera of a cartridge takes
const Width = 128;
const Height = 112;
const Pause = 150; // ms between two pictures of a webcam

/** Whether the browser offers the cameras of the device. It does so to pages over HTTPS only. */
const hasWebcam = (): boolean => window.isSecureContext && typeof navigator.mediaDevices?.getUserMedia === 'function';

/** Where the middle of a picture with the camera's proportions is. */
export function middleOf(width: number, height: number): [left: number, top: number, width: number, height: number] {
  const across = Math.min(width, height * Width / Height);
  const down = across * Height / Width;
  return [(width - across) / 2, (height - down) / 2, across, down];
}

/** A picture, or the webcam of this device, for the camera of a cartridge. It is made small here. */
export function Camera({ link, isOff, failed }: { link: Socket | null; isOff: boolean; failed: (why: string | null) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const newest = useRef(link);
  newest.current = link;
  const [webcam, setWebcam] = useState<MediaStream | null>(null);
  const show = async (picture: ImageBitmap | HTMLVideoElement, width: number, height: number) => {
    const at = canvas.current;
    if (at && width > 0 && height > 0) {
      at.getContext('2d')?.drawImage(picture, ...middleOf(width, height), 0, 0, Width, Height);
      await newest.current?.request('camera.set', { bytes: at.toDataURL('image/png').split(',')[1] });
      failed(null);
    }
  };
  const choose = async (file: File | undefined) => {
    if (file) {
      setWebcam(null);
      try {
        const picture = await createImageBitmap(file);
        await show(picture, picture.width, picture.height);
        picture.close();
      } catch (error) {
        failed(error instanceof DOMException ? `${file.name} is no picture that this browser can read.` : sentence(error));
      }
    }
  };
  const ask = () => void navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 320 }, height: { ideal: 240 } } })
    .then(setWebcam, () => failed('The browser does not let this page use a camera. Allow it in the settings of the browser.'));
  useEffect(() => {
    if (webcam === null) {
      return undefined;
    }
    const video = document.createElement('video');
    let isGone = false;
    video.muted = video.playsInline = true;
    video.srcObject = webcam;
    const follow = async () => {
      await video.play();
      while (!isGone) {
        await show(video, video.videoWidth, video.videoHeight);
        await new Promise((resolve) => { setTimeout(resolve, Pause); });
      }
    };
    void follow().catch((error: unknown) => {
      if (!isGone) {
        failed(sentence(error));
        setWebcam(null);
      }
    });
    return () => {
      isGone = true;
      video.srcObject = null;
      for (const track of webcam.getTracks()) {
        track.stop();
      }
    };
  }, [webcam]);
  return (
    <div class="camera">
      <canvas ref={canvas} width={Width} height={Height} role="img" aria-label="What the camera sees" />
      <div class="row">
        <label class="button upload"><span>Choose a picture</span><input type="file" class="visually-hidden" accept="image/*" disabled={isOff} onChange={(event) => { void choose(event.currentTarget.files?.[0]); event.currentTarget.value = ''; }} /></label>
        {hasWebcam() && (webcam === null
          ? <button type="button" disabled={isOff} onClick={ask}>Use the webcam</button>
          : <button type="button" onClick={() => setWebcam(null)}>Stop the webcam</button>)}
      </div>
    </div>
  );
}
