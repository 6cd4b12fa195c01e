import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

/** Gateway behind the development server. */
const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:3000'
/** First segments of addresses that are the development server's own. */
const OWN = '^/(?!dashboard(/|$))'

/** Shared parts of pages below this size, before compression, are put together. */
const SMALL_BYTES = 1_500

/** Returns the form of a file's name. Shared parts would have the names of all pages that need them, and the first script has a list of all files. */
function fileName(name: string): string {
  return name.startsWith('parts~') ? 'assets/p-[hash][extname]' : 'assets/[name]-[hash][extname]'
}

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [tailwindcss()],
  // Relative addresses in the build, so that a proxy may put the gateway below any path.
  base: command === 'build' ? './' : '/dashboard/',
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Licences of what the files hold of others.
    license: { fileName: 'licences.txt' },
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => fileName(name).replace('[extname]', '.js'),
        assetFileNames: ({ names: [name = ''] }) => fileName(name.replace(/\.css$/, '')),
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 2 },
            // Modules that eight pages or more share. Alone they would be some thirty requests; a lower count would make pages load modules of others.
            { name: 'kit', minShareCount: 8, priority: 1 },
            // Without it, each module that two pages share is a file of its own: a page would load thirty of them.
            { name: 'parts', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: SMALL_BYTES },
          ],
        },
      },
    },
  },
  resolve: {
    alias: [
      // React has what the stores of the router want a stand-in for.
      { find: 'use-sync-external-store/shim/with-selector', replacement: 'use-sync-external-store/with-selector' },
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
    ],
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { [OWN]: { target: gateway, changeOrigin: false } },
  },
}))
