/**
 * Decides about a run in which a few files failed, where an operator allows it (`POSTHORN_TEST_AGAIN`, the number of files; `.ci/run` sets 1).
 * A shared machine can be slow for some seconds, and a run of two thousand tests must not depend on that. A job with a failed file runs
 * alone again and must pass each of these runs. The end of the output names each file that passed only then, and why it failed at first:
 * it may be a rare fault of the program. More of them than allowed fail the run.
 */
import type { FileResult } from './test-file.js'

/** Runs of a failed job, each of which must pass. */
const AGAIN_RUNS = 2
/** Maximum of failed files that are tried again. Above it something is broken for good. */
const TRIED_AGAIN_MAX = 5
/** Of the failures of a job, their head and tail are shown at the end. */
const HEAD_CHARS = 1_000
const TAIL_CHARS = 3_000

export interface Ended<Job> {
  readonly job: Job
  readonly result: FileResult
}

export interface Verdict {
  readonly passes: boolean
  /** Names of the files that passed only at their second try. */
  readonly late: readonly string[]
  /** Names those files and the ones that failed again, for the end of the output. */
  readonly summary: string
}

/** Tries failed jobs again, where that is allowed. `print` gets the reports of the second tries. */
export async function tryAgain<Job>(
  ended: readonly Ended<Job>[],
  options: {
    /** Maximum of files that may pass at their second try. 0: nothing is tried again. */
    readonly filesMax: number
    readonly run: (job: Job) => Promise<FileResult>
    readonly print: (text: string) => void
  },
): Promise<Verdict> {
  const { filesMax, run, print } = options
  const failed = ended.filter(({ result }) => !result.passed)
  if (failed.length === 0) return { passes: true, late: [], summary: '' }
  const names = failed.flatMap(({ result }) => result.failed)
  if (filesMax === 0 || names.length > TRIED_AGAIN_MAX) return { passes: false, late: [], summary: '' }
  const late: string[] = []
  const broken: string[] = []
  const reasons: string[] = []
  for (const { job, result } of failed) {
    const isLate = await passesAgain(job, run, print)
    const group = isLate ? late : broken
    group.push(...result.failed)
    reasons.push(`\n${result.failed.join(', ')}, at first:\n${shortened(result.failures)}\n`)
  }
  const summary = reasons.join('') + describe(late, broken, filesMax)
  return { passes: broken.length === 0 && late.length <= filesMax, late, summary }
}

async function passesAgain<Job>(
  job: Job,
  run: (job: Job) => Promise<FileResult>,
  print: (text: string) => void,
): Promise<boolean> {
  for (let turn = 1; turn <= AGAIN_RUNS; turn += 1) {
    const { passed, report, failures } = await run(job)
    print(`${report}\n${failures}`)
    if (!passed) return false
  }
  return true
}

/** Leaves out the middle: the tests that failed stand first, and what they were waiting for often last. */
function shortened(text: string): string {
  const leftOut = text.length - HEAD_CHARS - TAIL_CHARS
  if (leftOut <= 0) return text
  return `${text.slice(0, HEAD_CHARS)}\n… ${leftOut} characters …\n${text.slice(-TAIL_CHARS)}`
}

function describe(late: readonly string[], broken: readonly string[], filesMax: number): string {
  return [
    ...late.map(
      (name) => `! PASSED ONLY AT ITS SECOND TRY: ${name}. Find the reason: it may be a fault that is rare.\n`,
    ),
    ...(late.length > filesMax
      ? [`✖ ${late.length} files passed only at their second try; at most ${filesMax} may.\n`]
      : []),
    ...broken.map((name) => `✖ FAILED AGAIN: ${name}\n`),
  ].join('')
}
