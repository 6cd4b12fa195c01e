/**
 * `node dist/scripts/compress-dashboard.js`, the last step of `npm run build`: puts a copy of each file of the built dashboard beside it, as `.br`
 * and `.gz`, so that no node compresses anything while it serves. Compresses nothing if there is no `dist/dashboard`.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Endings of files that become smaller. Pictures and fonts are compressed already. */
const COMPRESSED = new Set(['.css', '.js', '.json', '.map', '.svg', '.txt', '.webmanifest'])
/** A smaller file would fill the same packets. */
const LEAST_BYTES = 1_024

export function compressDashboard(folder: string): void {
  if (!existsSync(folder)) return
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((one) => COMPRESSED.has(path.extname(one)))) {
    const file = path.join(folder, name)
    const content = readFileSync(file)
    if (content.length < LEAST_BYTES || isDone(file)) continue
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }))
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
}

/** Tells whether an earlier run has made the copies of this content. Brotli takes seconds at its best. */
function isDone(file: string): boolean {
  const made = statSync(`${file}.gz`, { throwIfNoEntry: false })
  return made !== undefined && made.mtimeMs >= statSync(file).mtimeMs
}

const self = fileURLToPath(import.meta.url)
if (process.argv[1] === self) {
  const built = path.resolve(path.dirname(self), '..')
  compressDashboard(path.join(built, 'dashboard'))
  // Tells `build-if-changed.mjs` that no step of the build has failed.
  writeFileSync(path.join(built, '.built'), '')
}
