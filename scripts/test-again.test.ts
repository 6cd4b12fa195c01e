import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tryAgain, type Verdict } from './test-again.js'
import type { FileResult } from './test-file.js'

const good: FileResult = { passed: true, report: 'good', sums: {}, failures: '', failed: [] }
const bad = (...failed: string[]): FileResult => ({
  ...good,
  passed: false,
  report: 'bad',
  failures: 'because',
  failed,
})

describe('a run in which files failed', () => {
  it('passes when the one that may fail passes twice alone, and names it, not the job that it shares with others', async () => {
    const { passes, late, runs, summary } = await decide({ a: bad('a-2'), b: good }, 1, [good, good])
    assert.deepEqual([passes, late, runs], [true, ['a-2'], ['a', 'a']])
    assert.match(summary, /a-2, at first:\nbecause\n! PASSED ONLY AT ITS SECOND TRY: a-2\./)
  })

  it('shows the head and the tail of a long reason', async () => {
    const reason = `which test\n${'middle '.repeat(2_000)}\nwhy`
    const { summary } = await decide({ a: { ...bad('a-1'), failures: reason } }, 1, [good, good])
    assert.match(summary, /at first:\nwhich test\n[\s\S]*… \d+ characters …[\s\S]*\nwhy\n/)
    assert.ok(summary.length < 5_000)
  })

  it('fails when more files than allowed pass only at their second try, and names each', async () => {
    for (const first of [{ a: bad('a-1', 'a-2') }, { a: bad('a-1'), b: bad('a-2') }]) {
      const { passes, late, summary } = await decide(first, 1, [good, good, good, good])
      assert.deepEqual([passes, late], [false, ['a-1', 'a-2']])
      assert.equal(summary.match(/^! PASSED ONLY AT ITS SECOND TRY: a-\d\./gm)?.length, 2)
      assert.match(summary, /✖ 2 files passed only at their second try; at most 1 may\.\n$/)
    }
  })

  it('fails when one of them fails again, also at the second time', async () => {
    const { passes, late, runs, summary } = await decide({ a: bad('a-1') }, 1, [good, bad('a-1')])
    assert.deepEqual([passes, late, runs], [false, [], ['a', 'a']])
    assert.match(summary, /✖ FAILED AGAIN: a-1\n$/)
  })

  it('fails at once when there are many of them, as without the option', async () => {
    const many = await decide({ a: bad('1', '2', '3'), b: bad('4', '5', '6') }, 1, [])
    assert.deepEqual([many.passes, many.runs], [false, []])
    const none = await decide({ a: bad('a-1') }, 0, [])
    assert.deepEqual([none.passes, none.runs], [false, []])
  })

  it('passes without another run when none failed', async () => {
    assert.deepEqual(await decide({ a: good }, 0, []), { passes: true, late: [], summary: '', runs: [] })
  })
})

async function decide(
  first: Record<string, FileResult>,
  filesMax: number,
  next: FileResult[],
): Promise<Verdict & { runs: string[] }> {
  const runs: string[] = []
  const ended = Object.entries(first).map(([job, result]) => ({ job, result }))
  const verdict = await tryAgain(ended, {
    filesMax,
    run: async (job) => {
      runs.push(job)
      return next.shift() ?? bad()
    },
    print: () => {},
  })
  return { ...verdict, runs }
}
