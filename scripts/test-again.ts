/**
 * Decides about a run in which a few files failed, where an operator allows it (`POSTHORN_TEST_AGAIN`, the number of jobs; `.ci/run` sets 2).
 * A shared machine can be slow for some seconds, and a run of two thousand tests must not depend on that. A job that failed runs alone
 * again and must pass each of these runs. Its first failure stays in the report, because it may be a rare fault of the program.
 */
import type { FileResult } from './test-file.js'

/** Runs of a failed job, each of which must pass. */
const AGAIN_RUNS = 2

export interface Ended<Job> {
  readonly job: Job
  readonly result: FileResult
}

/** Returns whether the run passes. `print` gets what people should know. */
export async function passesAgain<Job>(
  ended: readonly Ended<Job>[],
  options: {
    /** Maximum of failed jobs; more fail the run at once. */
    readonly jobsMax: number
    readonly nameOf: (job: Job) => string
    readonly run: (job: Job) => Promise<FileResult>
    readonly print: (text: string) => void
  },
): Promise<boolean> {
  const failed = ended.filter(({ result }) => !result.passed)
  if (failed.length > options.jobsMax) return false
  for (const { job } of failed) {
    for (let run = 1; run <= AGAIN_RUNS; run += 1) {
      const { passed, report, failures } = await options.run(job)
      options.print(`${report}\n${failures}`)
      if (!passed) return false
    }
    options.print(
      `! ${options.nameOf(job)}: failed above, and passed ${AGAIN_RUNS} times alone. Find the reason: it may be a fault that is rare.\n`,
    )
  }
  return true
}
