/**
 * Names the lines of the sources in stacks of the bundled programs. `--enable-source-maps` of Node.js does it too, but keeps the parsed map from
 * the first stack on, which takes as much memory as the program.
 */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

// Bound: 65,536, a stack that is cut.

/** Time for which a map is kept after its last use. */
const KEPT_MS = 60_000
/** Maximum length of a stack: its first line is a message, and may hold anything. */
const STACK_MAX = 65_536
const FRAME = /(file:\/\/[^\s():]{1,400}\.js):(\d{1,9}):(\d{1,9})/g

const maps = new Map<string, SourceMap | null>()
let expiry: NodeJS.Timeout | undefined

/** Returns the stack with `runtime/main.ts:12` for a place in a bundled program that has a source map beside it. Other lines stay. */
export function readableStack(stack: string): string {
  // Node.js has done it already.
  if (process.sourceMapsEnabled) return stack
  return stack.slice(0, STACK_MAX).replace(FRAME, (place, url: string, line: string, column: string) => {
    const entry = loadMap(url)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry === undefined || !('originalSource' in entry)) return place
    return `${path.join(path.dirname(fileURLToPath(url)), entry.originalSource)}:${entry.originalLine + 1}`
  })
}

function loadMap(url: string): SourceMap | null {
  expiry?.refresh()
  const known = maps.get(url)
  if (known !== undefined) return known
  expiry ??= setTimeout(forget, KEPT_MS).unref()
  const map = readMap(url)
  maps.set(url, map)
  return map
}

function forget(): void {
  maps.clear()
  expiry = undefined
}

function readMap(url: string): SourceMap | null {
  try {
    const file = `${fileURLToPath(url)}.map`
    // Ours: a source map.
    return existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload) : null
  } catch {
    return null
  }
}
