/**
 * Counts how comments open. Plain comments open with a verb ("Returns …"), with a condition ("If …") or with the thing itself
 * ("Maximum …"); riddles open with "What", "Who" or "That", or hide who does something ("is told", "comes again").
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface CommentCounts {
  readonly comments: number
  readonly riddles: readonly Comment[]
  /** Comments that open with a verb or a condition. */
  readonly verbs: number
}

export interface Comment {
  readonly file: string
  readonly line: number
  readonly text: string
}

const ROOMS = 'actors api bench cli dashboard demo lib runtime sandbox schemas scripts test'.split(' ')
const RIDDLE_OPENING = /^(what|who|that|those|whoever|whatever|whom|whose)\b/i
const RIDDLE = /\b(is|are|was|were|be|been) (told|said)\b|\bcomes? (again|by)\b|\bwho(ever)? asks\b/i
const CONDITION = /^(if|when|while|unless|once|until|after|before|as long as|without|with)\b/i
const VERBS = new Set(
  `adds allows announces answers archives asks authorizes awaits begins binds blocks builds calls cancels carries changes checks chooses
  claims cleans clears closes collects commits compares composes computes connects continues converts copies counts creates cuts decides
  decodes decrypts defers deletes delivers derives describes destroys detects discards divides does draws drives drops edits encodes
  encrypts ends enforces ensures enters escapes estimates evicts exports extends extracts fails fetches files fills filters finds finishes
  flushes follows forgets formats forwards frees gets gives goes grants grows guards handles has hashes hides holds ignores imports
  increments indexes infers initializes inserts installs invalidates joins keeps kills labels learns leaves lets limits links listens lists
  loads locks logs looks lowers makes manages maps marks masks matches measures mentions merges migrates mirrors mocks moves names needs
  normalizes notes notifies notices observes opens orders overrides owns paces packs parks parses passes pauses picks plans polls posts
  prefers prepares prepends prevents prints probes proves provides prunes publishes pulls puts queries queues quotes raises reads rebuilds
  receives reclaims reconnects records reduces refreshes refuses registers rejects relays releases removes renames renews repeats replaces
  replays replies reports requests requires resends reserves resets resolves restarts restores resumes retries returns reuses rotates routes
  runs samples saves says scans schedules seals searches selects sends separates serves sets shares shifts shortens shows signals signs skips
  sleeps slices sorts splits spreads starts stays stops stores streams strips subscribes sums swaps sweeps takes tells terminates throws ticks
  times tracks translates tries trims truncates turns unlinks unlocks unpacks updates upgrades uploads uses validates verifies waits wakes
  walks warns watches wraps writes yields`.split(/\s+/),
)

export function countComments(root: string): CommentCounts {
  const all = [...sources(root)].flatMap((file) => listComments(file, readFileSync(path.join(root, file), 'utf8')))
  return {
    comments: all.length,
    riddles: all.filter(({ text }) => isRiddle(text)),
    verbs: all.filter(({ text }) => opensPlainly(text)).length,
  }
}

export function isRiddle(text: string): boolean {
  return RIDDLE_OPENING.test(text) || RIDDLE.test(text)
}

/** Tells whether a comment opens with a verb or a condition. */
export function opensPlainly(text: string): boolean {
  const [first = ''] = text.split(/[^a-z-]/i)
  return CONDITION.test(text) || VERBS.has(first.toLowerCase())
}

/** Lists the first sentence of each block comment, and of each run of line comments. */
export function listComments(file: string, source: string): Comment[] {
  const found: Comment[] = []
  const lines = source.split('\n')
  for (const [index, line] of lines.entries()) {
    const block = /^\s*\/\*\*?\s*(.*)$/.exec(line)
    const opening = block?.[1] === '' ? (lines[index + 1] ?? '').replace(/^\s*\*\s?/, '') : block?.[1]
    const single = /^\s*\/\/ (.*)$/.exec(line)?.[1]
    const isFirst = !/^\s*\/\/ /.test(lines[index - 1] ?? '')
    const text = opening ?? (isFirst ? single : undefined)
    if (text !== undefined && !/^(biome|@ts|eslint)/.test(text))
      found.push({ file, line: index + 1, text: text.replace(/\s*\*\/.*$/, '') })
  }
  return found
}

function* sources(root: string, folder = ''): Generator<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name)
    if (folder === '' && !ROOMS.includes(entry.name)) continue
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') yield* sources(root, name)
    } else if (/\.tsx?$/.test(name) && !/(^|\/)generated\.ts$/.test(name)) yield name
  }
}
