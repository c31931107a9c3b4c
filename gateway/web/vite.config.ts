import { basename } from 'node:path';
import { defineConfig } from 'vite';

// The bundle is embedded in the gateway: fixed names, so that a change is a change of content; the gateway serves the files below their version.
export default defineConfig({
  base: './',
  // class names of a component's own stylesheet (NAME.module.css) begin with its name, so that those of others cannot meet them
  css: { modules: { generateScopedName: (name, file) => `${basename(file).split('.')[0]}-${name}` } },
  build: {
    outDir: '../src/MgbaBridge.Gateway/Interfaces/WebPage/Bundle',
    emptyOutDir: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: 'page/app.js', chunkFileNames: 'page/[name].js', assetFileNames: 'page/app[extname]',
        codeSplitting: { groups: [{ name: 'app', tags: ['$initial'] }] }, // what the first view needs is one file, without a second one that others share
      },
    },
  },
  worker: { format: 'es', rollupOptions: { output: { entryFileNames: 'page/[name].js' } } },
  // npm run dev: the page of the sources with a running gateway that allows http://127.0.0.1:5173 (Bridge:Http:AllowedOrigins)
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/v2', '/i/', '/metrics', '/docs'].map((path) => [path, { target: process.env.GATEWAY ?? 'http://127.0.0.1:5000', ws: true }])),
  },
  test: { include: ['test/unit/**/*.test.ts'], testTimeout: 60_000 },
} as Parameters<typeof defineConfig>[0]);
