import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { passesAgain } from './test-again.js'
import type { FileResult } from './test-file.js'

const good: FileResult = { passed: true, report: 'good', sums: {}, failures: '' }
const bad: FileResult = { ...good, passed: false, report: 'bad', failures: 'because' }

describe('a run in which files failed', () => {
  it('passes when each of them passes twice alone, and names them', async () => {
    const { passes, runs, printed } = await decide({ a: bad, b: good, c: bad }, 2, [good, good, good, good])
    assert.deepEqual([passes, runs], [true, ['a', 'a', 'c', 'c']])
    assert.match(printed, /! a: failed above[\s\S]*! c: failed above/)
  })

  it('fails when one of them fails again, also at the second time', async () => {
    const { passes, runs } = await decide({ a: bad }, 2, [good, bad])
    assert.deepEqual([passes, runs], [false, ['a', 'a']])
  })

  it('fails at once when there are more of them than allowed, as without the option', async () => {
    const { passes, runs } = await decide({ a: bad, b: bad }, 1, [])
    assert.deepEqual([passes, runs], [false, []])
    assert.equal((await decide({ a: bad }, 0, [])).passes, false)
  })

  it('passes without another run when none failed', async () => {
    assert.deepEqual(await decide({ a: good }, 0, []), { passes: true, runs: [], printed: '' })
  })
})

async function decide(
  first: Record<string, FileResult>,
  jobsMax: number,
  next: FileResult[],
): Promise<{ passes: boolean; runs: string[]; printed: string }> {
  const runs: string[] = []
  let printed = ''
  const ended = Object.entries(first).map(([job, result]) => ({ job, result }))
  const passes = await passesAgain(ended, {
    jobsMax,
    nameOf: (job) => job,
    run: async (job) => {
      runs.push(job)
      return next.shift() ?? bad
    },
    print: (text) => {
      printed += text
    },
  })
  return { passes, runs, printed }
}
