/** Splits the resident memory of a process of Linux into its parts, as /proc names them. */
import { readFileSync, realpathSync } from 'node:fs'

export const PARTS = [
  'program of Node.js, shared by processes',
  'native libraries and other files',
  'machine code made by V8',
  'malloc, first arena',
  'malloc, arenas of threads',
  'stacks of threads',
  'other: heaps of V8, buffers, large blocks of malloc',
] as const

export type Part = (typeof PARTS)[number]
export type Resident = Readonly<Record<Part, number>>

interface Mapping {
  readonly start: number
  readonly end: number
  readonly rights: string
  readonly name: string
  rssBytes: number
}

/** glibc keeps the heap of an arena at a multiple of this, and reserves as much. */
const ARENA_BYTES = 64 * 1024 * 1024
const STACK_BYTES = [4, 8, 10].map((mib) => mib * 1024 * 1024)

/** Returns the bytes of each part; their sum is VmRSS. */
export function residentParts(pid: number): Resident {
  const program = realpathSync(`/proc/${pid}/exe`)
  const mappings = parseMappings(readFileSync(`/proc/${pid}/smaps`, 'utf8'))
  const sums = Object.fromEntries(PARTS.map((part) => [part, 0])) as Record<Part, number>
  for (const [index, mapping] of mappings.entries())
    sums[choosePart(mapping, mappings[index + 1], mappings[index - 1], program)] += mapping.rssBytes
  return sums
}

function parseMappings(text: string): Mapping[] {
  const mappings: Mapping[] = []
  for (const line of text.split('\n')) {
    const head = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ *(.*)$/.exec(line)
    if (head !== null) {
      const [, start = '', end = '', rights = '', name = ''] = head
      mappings.push({ start: Number.parseInt(start, 16), end: Number.parseInt(end, 16), rights, name, rssBytes: 0 })
      continue
    }
    const last = mappings.at(-1)
    const rss = /^Rss: +(\d+) kB$/.exec(line)?.[1]
    if (last !== undefined && rss !== undefined) last.rssBytes = Number(rss) * 1024
  }
  return mappings
}

function choosePart(mapping: Mapping, next: Mapping | undefined, before: Mapping | undefined, program: string): Part {
  const { start, end, rights, name } = mapping
  if (name === program) return PARTS[0]
  if (name.startsWith('/') || name === '[vdso]' || name === '[vvar]') return PARTS[1]
  if (name === '[heap]') return PARTS[3]
  if (name.startsWith('[stack')) return PARTS[5]
  if (rights.includes('x')) return PARTS[2]
  const reservedEnd = next !== undefined && next.start === end && next.rights.startsWith('---') ? next.end : end
  if (start % ARENA_BYTES === 0 && reservedEnd - start === ARENA_BYTES) return PARTS[4]
  const hasGuard = before !== undefined && before.end === start && before.rights.startsWith('---')
  if (hasGuard && STACK_BYTES.includes(end - start)) return PARTS[5]
  return PARTS[6]
}
