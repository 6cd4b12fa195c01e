import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { InstanceId } from '../../schemas/ids.js'
import type { BulkChange, BulkJobs, BulkStart } from '../../schemas/ports/bulk-jobs.js'
import { suiteCleanup } from '../../test/support/cleanup.js'
import { openTestStore, type TestStore, testLog } from '../../test/support/store.js'
import { createBulkChange } from '../queues/bulk-change.js'
import type { BulkResult, ClaimedTarget } from '../queues/bulk-ports.js'
import { runBulkJobs } from '../queues/bulk-run.js'
import { createBulkJobs } from './bulk-jobs.js'
import { createBulkWork } from './bulk-work.js'

const DONE: BulkResult = { outcome: 'done', code: '', reason: '' }
const NEVER = new AbortController().signal
const start: BulkStart = { digest: null, perMinute: 3000, actor: 'ADMIN_TOKEN', pass: '' }

function makeChange(action: BulkChange['action']): BulkChange {
  return { action, add: [], remove: [] }
}

describe('a bulk job', () => {
  const cleanup = suiteCleanup()
  let store: TestStore
  let jobs: BulkJobs
  let ids: InstanceId[]
  let started = 0
  beforeEach(async () => {
    store ??= await openTestStore(cleanup)
    for (const table of ['instance', 'bulk_job', 'bulk_target']) await store.rows(`DELETE FROM ${table}`)
    jobs = createBulkJobs({ pool: store.database.pool, searchTimeoutMs: 5_000, onStarted: () => (started += 1) })
    ids = []
    for (let index = 0; index < 6; index += 1) ids.push(await store.newInstance('one'))
    ids.sort()
  })
  const openWork = (run: string) => createBulkWork(store.database.pool, run, `node of ${run}`)
  const outcomes = async (id: string) =>
    (await jobs.targets(id, { limit: 100 })).map(({ outcome, attempts }) => `${outcome} ${attempts}`)

  it('that was cut short is taken over: what was begun is begun again as such, the rest once, and nothing is left out', async () => {
    const { job } = await jobs.start(makeChange('reset'), { filter: {} }, start)
    const stop = new AbortController()
    const changed: string[] = []
    const first = runBulkJobs(
      openWork('first'),
      async (_job, { instance }) => {
        changed.push(instance)
        if (changed.length < 3) return DONE
        stop.abort()
        // As if the process ended here: its outcome is never written.
        await store.rows("UPDATE bulk_job SET runner = 'second'")
        await store.rows("UPDATE bulk_target SET state = 'begun', attempts = 9 WHERE state = 'begun'")
        throw new Error('The process ends.')
      },
      stop.signal,
    )
    await assert.rejects(first, /The process ends/)
    const again: ClaimedTarget[] = []
    await runBulkJobs(
      openWork('third'),
      async (_job, target) => {
        again.push(target)
        return DONE
      },
      NEVER,
    )
    const begunBefore = again.filter(({ attempts }) => attempts === 10).map(({ instance }) => instance)
    assert.ok(begunBefore.includes(changed[2] as InstanceId))
    assert.deepEqual([...changed.slice(0, 2), ...again.map(({ instance }) => instance)].toSorted(), ids)
    const after = await jobs.find(job.id)
    assert.deepEqual([after.state, after.done, after.node], ['done', 6, 'node of third'])
  })

  it('is given up by a run from which another one has taken it', async () => {
    await jobs.start(makeChange('reset'), { ids: ids.slice(0, 2) }, { ...start, perMinute: 1 })
    const one = openWork('one')
    const two = openWork('two')
    const [job] = await one.adopt()
    assert.equal((await one.claim(job?.id ?? '', 1)).length, 1)
    assert.equal((await two.adopt()).length, 1)
    assert.deepEqual([await one.claim(job?.id ?? '', 1), await one.isOurs(job?.id ?? '')], [[], false])
    assert.equal((await two.claim(job?.id ?? '', 9)).length, 2)
  })

  it('that was cancelled begins nothing more, and changes whose node has ended have an unknown outcome', async () => {
    const { job } = await jobs.start(makeChange('reset'), { filter: {} }, start)
    const one = openWork('one')
    await one.adopt()
    assert.equal((await one.claim(job.id, 2)).length, 2)
    assert.equal((await jobs.cancel(job.id)).state, 'cancelled')
    assert.deepEqual(await one.claim(job.id, 2), [])
    await one.failLeft()
    assert.deepEqual((await outcomes(job.id)).slice(0, 2), ['begun 1', 'begun 1'], 'its own changes are under way')
    await openWork('two').failLeft()
    assert.deepEqual((await outcomes(job.id)).slice(0, 3), ['failed 1', 'failed 1', 'waiting 0'])
    const after = await jobs.cancel(job.id)
    assert.deepEqual([after.state, after.failed, after.done], ['cancelled', 2, 0])
    assert.equal((await jobs.targets(job.id, { limit: 1, outcome: 'failed' }))[0]?.code, 'OUTCOME_UNKNOWN')
  })

  it('leaves an instance alone that no longer fits the filter, unless its own change was begun', async () => {
    const { job } = await jobs.start(makeChange('tag'), { filter: { name: 'one' } }, start)
    await store.rows(`UPDATE instance SET name = 'other' WHERE id = ANY($1)`, [ids.slice(0, 2)])
    await store.rows(`UPDATE bulk_target SET attempts = 1, begun = now() WHERE target = $1`, [ids[0]])
    await store.rows('DELETE FROM instance WHERE id = $1', [ids[2]])
    const changed: string[] = []
    const change = createBulkChange({
      router: { ask: () => assert.fail() },
      instances: {
        changeTags: async (id) => changed.push(id) as never,
        setDesired: () => assert.fail(),
        stop: () => assert.fail(),
        delete: () => assert.fail(),
      },
      log: testLog,
    })
    await runBulkJobs(openWork('one'), change, NEVER)
    assert.deepEqual(changed.toSorted(), [ids[0], ...ids.slice(3)])
    const shown = await jobs.targets(job.id, { limit: 9, outcome: 'skipped' })
    assert.deepEqual(
      shown.map(({ instance, reason }) => [instance, reason]),
      [
        [ids[1], 'It no longer fits the filter.'],
        [ids[2], 'It was deleted meanwhile.'],
      ],
    )
  })

  it('does not end a session again that a former attempt has ended', async () => {
    await jobs.start(makeChange('disconnect'), { ids }, start)
    await store.rows(
      `UPDATE bulk_target SET attempts = 1, begun = now() - interval '1 minute' WHERE target = ANY($1)`,
      [ids.slice(0, 3)],
    )
    const history = `INSERT INTO connection_history (instance_id, at, status, state, cause, node)
      VALUES ($1, now() - $2::int * interval '1 second', 'disconnected', '', $3, 'test')`
    await store.rows(history, [ids[0], 30, 'asked'])
    await store.rows(history, [ids[1], 90, 'asked'])
    await store.rows(history, [ids[2], 30, 'lost'])
    const asked: string[] = []
    const change = createBulkChange({
      router: { ask: async (id) => asked.push(id) as never },
      instances: { changeTags: () => assert.fail(), async setDesired() {}, async stop() {}, async delete() {} },
      log: testLog,
    })
    await runBulkJobs(openWork('one'), change, NEVER)
    assert.deepEqual(asked.toSorted(), ids.slice(1))
  })

  it('tries an instance five times, later each time, while its node is away', async () => {
    const { job } = await jobs.start(makeChange('reset'), { ids: ids.slice(0, 2) }, start)
    const tries: string[] = []
    const stop = new AbortController()
    cleanup.after(() => stop.abort())
    const moving: BulkResult = { outcome: 'failed', code: 'INSTANCE_MOVING', reason: 'It moves.', isRetryable: true }
    const run = runBulkJobs(
      openWork('one'),
      async (_job, { instance }) => {
        tries.push(instance)
        return instance === ids[0] ? moving : DONE
      },
      stop.signal,
    )
    while ((await jobs.find(job.id)).state === 'running') {
      await store.rows('UPDATE bulk_target SET due = now() WHERE due IS NOT NULL')
      await pause(20)
    }
    await run
    assert.equal(tries.filter((id) => id === ids[0]).length, 5)
    assert.deepEqual(await outcomes(job.id), ['failed 5', 'done 1'])
  })

  it('is one of at most five, and the running one when it is asked for again', async () => {
    const before = started
    const made = await Promise.all(
      ids.slice(0, 5).map((id) => jobs.start(makeChange('reset'), { ids: [id] }, { ...start, perMinute: 7 })),
    )
    const same = await jobs.start(makeChange('reset'), { ids: [ids[0] as string] }, start)
    assert.deepEqual([same.job.id, same.job.perMinute], [made[0]?.job.id, 7])
    await assert.rejects(jobs.start(makeChange('reset'), { ids: [ids[5] as string] }, start), { code: 'TOO_MANY_JOBS' })
    assert.equal(started - before, 6)
    const none = await jobs.preview(makeChange('reset'), { ids: ['inone', 'a\0'] })
    assert.deepEqual([none.count, none.unknown], [0, ['inone', 'a\0']])
    assert.equal((await jobs.list(3)).length, 3)
    await assert.rejects(jobs.find('\0'), { code: 'JOB_NOT_FOUND' })
  })
})
