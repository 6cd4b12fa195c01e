/**
 * Decides which test files share a process. Files of one kind do, in the order of their paths, as far as they are short: what they share is
 * the time that loading the modules takes. A file has a process of its own if it is long, if it mostly waits (it then runs beside others), or if
 * it has one of the marks below, as a line of its own with the reason.
 */
import { existsSync, readFileSync } from 'node:fs'
import { mostlyWaits, type Times } from './test-schedule.js'

/** `// Own process: it counts the open handles.` */
const OWN_PROCESS = /^\/\/ Own process: ./m
/** `// Own processors: its leases end when it is slow.` No third file runs beside it. */
const OWN_PROCESSORS = /^\/\/ Own processors: ./m

const GROUP_MS = 30_000
/** Groups for each processor at least, so that all processors are used to the end. */
const GROUPS_PER_PROCESSOR = 4

export interface Marks {
  readonly ownProcess: boolean
  readonly ownProcessors: boolean
}

/** Reads the marks of a source file. */
export function readMarks(source: string): Marks {
  const text = existsSync(source) ? readFileSync(source, 'utf8') : ''
  return { ownProcess: OWN_PROCESS.test(text), ownProcessors: OWN_PROCESSORS.test(text) }
}

export interface GroupOptions<F> {
  readonly getTimes: (file: F) => Times
  /** Only files of the same kind share a process. */
  readonly chooseKind: (file: F) => string
  readonly isAlone: (file: F) => boolean
  readonly processors: number
}

/** Returns the groups; each file is in one. */
export function groupFiles<F>(
  files: readonly F[],
  { getTimes, chooseKind, isAlone, processors }: GroupOptions<F>,
): F[][] {
  const sumTime = (group: readonly F[]): number => group.reduce((sum, file) => sum + getTimes(file).wallMs, 0)
  const limitMs = Math.min(GROUP_MS, sumTime(files) / (processors * GROUPS_PER_PROCESSOR))
  const groups: F[][] = []
  const open = new Map<string, F[]>()
  for (const file of files) {
    const group = open.get(chooseKind(file))
    const hasRoom = group !== undefined && sumTime([...group, file]) <= limitMs
    const { wallMs } = getTimes(file)
    if (isAlone(file) || wallMs > limitMs || mostlyWaits(getTimes(file))) groups.push([file])
    else if (hasRoom) group.push(file)
    else {
      const next = [file]
      groups.push(next)
      open.set(chooseKind(file), next)
    }
  }
  return groups
}
