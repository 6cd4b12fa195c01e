/** The scripts of `scripts/release/`, run up to the line that publishes. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../lib/package-root.js'
import type { Cleanup } from './cleanup.js'

export const releaseFolder = path.join(packageRoot, 'scripts/release')

/** Writes a copy of a script without its last line, the one that publishes. Returns its path. */
export function withoutPublishing(t: Cleanup, name: string): string {
  const lines = readFileSync(path.join(releaseFolder, name), 'utf8').trimEnd().split('\n')
  assert.match(lines.at(-1) ?? '', /publish|push|buildx|join/, 'the last line publishes')
  const unpublished = lines.slice(0, -1)
  for (const line of unpublished) assert.doesNotMatch(line, /npm publish|\bpush\b|docker login/)
  // Beside the others, since it finds the repository by its own place.
  const copy = path.join(releaseFolder, `.${name}.${process.pid}`)
  t.after(() => rmSync(copy, { force: true }))
  writeFileSync(copy, `${unpublished.join('\n')}\n`)
  return copy
}
