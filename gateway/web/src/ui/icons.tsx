// Line icons on a grid of 24, drawn for this page.
const Paths = {
  play: 'M4 8a4 4 0 0 1 4-4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4zM8 12h5M10.5 9.5v5M16.5 10.5v.01M16.5 13.5v.01',
  memory: 'M4 5h16v14H4zM4 10h16M4 14.5h16M9.5 5v14M14.5 5v14',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13zM15.5 15.5L20 20',
  watch: 'M3 12h4l3-7l4 14l3-7h4',
  states: 'M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6',
  recordings: 'M12 4a8 8 0 1 1 0 16a8 8 0 0 1 0-16zM12 9a3 3 0 1 1 0 6a3 3 0 0 1 0-6z',
  traffic: 'M4 20V10M9.3 20V4M14.6 20v-8M20 20V7',
  emulators: 'M4 5h16v11H4zM9 20h6M12 16v4',
  fleet: 'M4 4h16v6H4zM4 14h16v6H4zM7.5 7v.01M7.5 17v.01M11 7h6M11 17h6',
  cheats: 'M12 4l2.3 5.2l5.7.6l-4.3 3.8l1.2 5.6L12 16.4l-4.9 2.8l1.2-5.6L4 9.8l5.7-.6z',
  machine: 'M6 4h12v16H6zM9 7h6v5H9zM10 15.5v.01M14 15.5v.01',
  debug: 'M12 8a4 4 0 0 1 4 4v3a4 4 0 0 1-8 0v-3a4 4 0 0 1 4-4zM12 12v7M4 13.5h4M16 13.5h4M5.5 7.5l3 2.8M18.5 7.5l-3 2.8M5.5 19.5l3-2.6M18.5 19.5l-3-2.6M9.5 5l1 3M14.5 5l-1 3',
  over: 'M4 13a8 8 0 0 1 15-3M19 5v5h-5M11.5 17a1.5 1.5 0 1 1 0 3a1.5 1.5 0 0 1 0-3z',
  into: 'M12 4v9M8 9.5l4 4l4-4M12 17a1.5 1.5 0 1 1 0 3a1.5 1.5 0 0 1 0-3z',
  out: 'M12 13V4M8 7.5l4-4l4 4M12 17a1.5 1.5 0 1 1 0 3a1.5 1.5 0 0 1 0-3z',
  to: 'M4 6h9M4 18h16M17 5v9M13.5 10.5L17 14l3.5-3.5',
  agents: 'M6 9h12v10H6zM12 9V5M9.5 13v1.5M14.5 13v1.5M3.5 13v3M20.5 13v3',
  video: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  overlay: 'M4 5h16v14H4zM12 12h5v4h-5z',
  share: 'M7 9.5a2.5 2.5 0 1 1 0 5a2.5 2.5 0 0 1 0-5zM17 4a2.5 2.5 0 1 1 0 5a2.5 2.5 0 0 1 0-5zM17 15a2.5 2.5 0 1 1 0 5a2.5 2.5 0 0 1 0-5zM9.2 10.8l5.6-3.1M9.2 13.2l5.6 3.1',
  sun: 'M12 8a4 4 0 1 1 0 8a4 4 0 0 1 0-8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1 1M17.4 17.4l1 1M5.6 18.4l1-1M17.4 6.6l1-1',
  moon: 'M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z',
  auto: 'M12 4a8 8 0 1 1 0 16zM12 4a8 8 0 1 0 0 16z',
  gear: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  close: 'M6 6l12 12M18 6L6 18',
  camera: 'M4 8h4l1.5-2.5h5L16 8h4v11H4zM12 10.5a3 3 0 1 1 0 6a3 3 0 0 1 0-6z',
  full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  pause: 'M8 5v14M16 5v14',
  resume: 'M7 5l12 7l-12 7z',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  download: 'M12 4v11M7.5 11l4.5 4.5L16.5 11M5 20h14',
  upload: 'M12 16V5M7.5 9L12 4.5L16.5 9M5 20h14',
  undo: 'M4 10h10a5 5 0 0 1 0 10H9M8 6l-4 4l4 4',
  back: 'M11 6l-6 6l6 6M19 6l-6 6l6 6',
  forward: 'M13 6l6 6l-6 6M5 6l6 6l-6 6',
  plus: 'M12 5v14M5 12h14',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  copy: 'M8 8h12v12H8zM16 8V4H4v12h4',
  help: 'M12 4a8 8 0 1 1 0 16a8 8 0 0 1 0-16zM9.8 9.6a2.2 2.2 0 1 1 3.3 2c-.8.5-1.1.9-1.1 1.7M12 16v.01',
  restart: 'M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4',
  loud: 'M4 9h4l5-4v14l-5-4H4zM16.5 9a4 4 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11',
  silent: 'M4 9h4l5-4v14l-5-4H4zM16.5 9.5l5 5M21.5 9.5l-5 5',
  film: 'M4 5h16v14H4zM8 5v14M16 5v14M4 9.7h4M4 14.3h4M16 9.7h4M16 14.3h4',
  stop: 'M6 6h12v12H6z',
} as const;

export type IconName = keyof typeof Paths;

/** An icon beside a text, or in a button with a label of its own: screen readers skip it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={Paths[name]} />
    </svg>
  );
}
