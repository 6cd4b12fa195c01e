import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { packageRoot } from '../lib/package-root.js'
import { chooseNext, type Job, longestFirst, runScheduled, type Times } from './test-schedule.js'
import { readTable } from './test-times.js'

const waits: Times = { wallMs: 30_000, cpuMs: 6_000 }
const computes: Times = { wallMs: 20_000, cpuMs: 19_000 }
const short: Times = { wallMs: 2_000, cpuMs: 1_500 }

describe('the schedule of test files', () => {
  it('starts the longest files first', () => {
    assert.deepEqual(
      longestFirst([short, computes, waits], (times) => times),
      [waits, computes, short],
    )
  })

  it('gives each processor a file, however busy they are', () => {
    const waiting = [computes, computes]
    assert.equal(chooseNext(waiting, [], { processors: 2, idle: 0 }), 0)
    assert.equal(chooseNext(waiting, [computes], { processors: 2, idle: 0 }), 0)
    assert.equal(chooseNext(waiting, [computes, computes], { processors: 2, idle: 0 }), -1)
    assert.equal(chooseNext(waiting, [computes, computes, computes], { processors: 4, idle: 0 }), 0)
  })

  it('starts more files only while the processors are idle', () => {
    assert.equal(chooseNext([waits], [waits, waits], { processors: 2, idle: 0.5 }), 0)
    assert.equal(chooseNext([waits], [waits, waits], { processors: 2, idle: 0.05 }), -1)
  })

  it('starts more files only beside files that mostly wait, or if they do', () => {
    assert.equal(chooseNext([computes, waits], [computes, computes], { processors: 2, idle: 0.4 }), 1)
    assert.equal(chooseNext([computes], [computes, computes], { processors: 2, idle: 0.9 }), -1)
    assert.equal(chooseNext([computes], [computes, waits], { processors: 2, idle: 0.4 }), 0)
    assert.equal(chooseNext([short], [computes, short], { processors: 2, idle: 0.9 }), -1)
  })

  it('starts nothing more beside a file that needs the processors for itself, nor such a file beside others', () => {
    const needs: Job = { ...waits, ownProcessors: true }
    assert.equal(chooseNext([waits], [needs, waits], { processors: 2, idle: 0.9 }), -1)
    assert.equal(chooseNext([needs, waits], [waits, waits], { processors: 2, idle: 0.9 }), 1)
    assert.equal(chooseNext([needs], [waits], { processors: 2, idle: 0 }), 0)
  })

  it('limits the files that may all need a processor at once', () => {
    const running = Array.from({ length: 4 }, () => waits)
    assert.equal(chooseNext([waits], running, { processors: 2, idle: 0.9 }), -1)
  })

  it('runs each file once, and at most as many at once as a kind of tests allows', async () => {
    const done: number[] = []
    let [now, most] = [0, 0]
    await runScheduled([1, 2, 3, 4, 5], {
      atOnce: 2,
      getTimes: () => short,
      async run(file) {
        now += 1
        most = Math.max(most, now)
        await pause(1)
        now -= 1
        done.push(file)
      },
    })
    assert.deepEqual([done.toSorted(), most], [[1, 2, 3, 4, 5], 2])
  })
})

it('plans with times of files that exist', () => {
  const gone = Object.keys(readTable()).filter((name) => !existsSync(path.join(packageRoot, `${name}.ts`)))
  assert.deepEqual(gone, [], 'remove them from scripts/test-times.json')
})
