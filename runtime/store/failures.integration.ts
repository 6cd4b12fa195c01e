import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Change } from '../../actors/instance/ports.js'
import { GatewayError } from '../../schemas/errors.js'
import type { Jid } from '../../schemas/ids.js'
import { aMessage, openTestStore, received, type TestStore } from '../../test/support/store.js'
import { writeOnce } from './in-transaction.js'
import type { JournalOptions } from './journal.js'

const isUnavailable = (error: unknown) => error instanceof GatewayError && error.code === 'STORE_UNAVAILABLE'

/** A key whose id does not fit into an index: PostgreSQL refuses the statement. */
const refusedByDatabase: Change = {
  type: 'keys',
  entries: [{ kind: 'session', id: randomText(9_000), value: Buffer.from('x') }],
}

describe('when the database refuses a statement', () => {
  it('only the instance that caused it hears of it', async (t) => {
    const store = await openTestStore(t)
    const instances = await Promise.all(Array.from({ length: 9 }, () => store.newInstance()))
    const journals = instances.map((instance) => store.journal.forInstance(instance, store.findEpoch(instance)))

    const results = await Promise.allSettled(
      journals.map((journal, index) => journal.write(index === 4 ? [refusedByDatabase] : [received(aMessage())])),
    )

    assert.deepEqual(
      results.map((result) => result.status),
      results.map((_, index) => (index === 4 ? 'rejected' : 'fulfilled')),
    )
    assert.equal((await store.rows('SELECT FROM event')).length, 8)
    await journals[4]?.write([received(aMessage())])
    assert.equal(store.journal.waitingBytes, 0)
  })

  for (const [batch, options] of [
    ['in later batches', { batchChangesMax: 1 }],
    ['in the same batch', {}],
  ] as const) {
    it(`nothing that the instance wrote after it ${batch} is kept without it`, async (t) => {
      const store = await openTestStore(t, options)
      const [one, two] = [await store.newInstance(), await store.newInstance()]
      const journal = store.journal.forInstance(one, store.findEpoch(one))
      const before = journal.write([received(aMessage())])
      const first = journal.write([refusedByDatabase])
      const later = [journal.write([received(aMessage())]), journal.write([received(aMessage())])]
      const other = store.journal.forInstance(two, store.findEpoch(two)).write([received(aMessage())])
      const settled = journal.settled()
      await before
      await assert.rejects(first, isUnavailable)
      await assert.rejects(journal.write([received(aMessage())]), isUnavailable)
      for (const one of later) await assert.rejects(one, isUnavailable)
      await assert.rejects(settled ?? Promise.resolve(), isUnavailable)
      await other
      assert.equal((await store.rows('SELECT FROM message')).length, 2)
      assert.equal(store.journal.waitingBytes, 0)
    })
  }

  it('a key that cannot be encoded fails its own instance only', async (t) => {
    const store = await openTestStore(t)
    const [one, two] = [await store.newInstance(), await store.newInstance()]
    const broken = store.journal.forInstance(one, store.findEpoch(one)).write([
      {
        type: 'keys',
        entries: [
          {
            kind: 'session',
            id: '1',
            value: () => {
              throw new Error('cannot be encoded')
            },
          },
        ],
      },
    ])
    const fine = store.journal.forInstance(two, store.findEpoch(two)).write([received(aMessage())])
    await assert.rejects(broken, isUnavailable)
    await fine
  })

  it('an error of the program is reported as one, and fails its own instance only', async (t) => {
    const store = await openTestStore(t)
    const [one, two] = [await store.newInstance(), await store.newInstance()]
    const fault = new TypeError('x is not a function')
    const value = () => {
      throw fault
    }
    const broken = store.journal
      .forInstance(one, store.findEpoch(one))
      .write([{ type: 'keys', entries: [{ kind: 'session', id: '1', value }] }])
    const fine = store.journal.forInstance(two, store.findEpoch(two)).write([received(aMessage())])
    await assert.rejects(
      broken,
      (error: unknown) => error instanceof GatewayError && error.code === 'INTERNAL' && error.cause === fault,
    )
    await fine
    assert.equal(store.journal.isFailing, false)
  })
})

describe('when the database refuses the values of a received message', () => {
  /** As long as an entry of an index may not be. */
  const refused = () => ({ ...aMessage(), trackId: randomText(9_000) })

  it('it is stored without its content, and what was written around it as it is', async (t) => {
    const store = await openTestStore(t)
    const [one, two] = [await store.newInstance(), await store.newInstance()]
    const journal = store.journal.forInstance(one, store.findEpoch(one))
    const poison = refused()
    const written = await Promise.allSettled([
      journal.write([received({ ...aMessage(), text: 'before' })]),
      journal.write([
        { type: 'keys', entries: [{ kind: 'session', id: '1', value: Buffer.from('x') }] },
        received(poison),
      ]),
      journal.write([received({ ...aMessage(), text: 'after' })]),
      store.journal.forInstance(two, store.findEpoch(two)).write([received(aMessage())]),
    ])
    assert.deepEqual(
      written.map(({ status }) => status),
      Array.from({ length: 4 }, () => 'fulfilled'),
    )
    const rows = await store.rows<{ text: string; messageType: string; messageid: string }>(
      `SELECT text, "messageType", "messageid" FROM message WHERE instance_id = '${one}' ORDER BY position`,
    )
    assert.deepEqual(
      rows.map(({ text }) => text),
      ['before', '', 'after'],
    )
    assert.equal(rows[1]?.messageType, 'unreadable')
    assert.equal(rows[1]?.messageid, poison.messageid)
    assert.equal((await store.rows(`SELECT FROM signal_key WHERE instance_id = '${one}'`)).length, 1)
    assert.equal(store.journal.waitingBytes, 0)
  })

  it('so is one that is nested too deep to be written', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    let content: unknown = {}
    for (let depth = 0; depth < 100_000; depth += 1) content = { content }
    await Promise.all([journal.write([received({ ...aMessage(), content })]), journal.write([received(aMessage())])])
    const rows = await store.rows<{ messageType: string }>('SELECT "messageType" FROM message ORDER BY position')
    assert.deepEqual(
      rows.map(({ messageType }) => messageType),
      ['unreadable', 'text'],
    )
  })

  it('loses nothing of the other changes in the batch, even if they have several steps', async (t) => {
    const store = await openTestStore(t)
    const [one, two] = [await store.newInstance(), await store.newInstance()]
    const written = await Promise.allSettled([
      // Its number is looked for first, and its row is written after that: the message fails in between.
      store.journal
        .forInstance(one, store.findEpoch(one))
        .write([
          { type: 'contact', contact: { address: { lid: '100000000000009@lid' as Jid }, pushName: 'Eve' } },
          received(refused()),
        ]),
      store.journal.forInstance(two, store.findEpoch(two)).write([received(aMessage())]),
    ])
    assert.deepEqual(
      written.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    )
    assert.equal((await store.rows('SELECT FROM message')).length, 2)
  })

  it('a send of ours is refused instead: its caller must hear of it', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    await assert.rejects(journal.write([received({ ...refused(), wasSentByApi: true })]), isUnavailable)
    assert.equal((await store.rows('SELECT FROM message')).length, 0)
  })
})

describe('when another transaction holds a row of an instance', () => {
  /** Instances with a chat each, of which that of the first is held. */
  async function heldScene(t: TestContext, options: Partial<JournalOptions> = {}) {
    const store = await openTestStore(t, options)
    const instances = await Promise.all(Array.from({ length: 9 }, () => store.newInstance()))
    const journals = instances.map((instance) => store.journal.forInstance(instance, store.findEpoch(instance)))
    const message = aMessage()
    await Promise.all(journals.map((journal) => journal.write([received(message)])))
    const holder = await store.database.pool.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT FROM chat WHERE instance_id = $1 FOR UPDATE', [instances[0]])
    const release = async () => {
      await holder.query('ROLLBACK')
      holder.release()
    }
    const write = (text: string) =>
      journals.map((journal) => journal.write([received({ ...aMessage(), chat: message.chat, text })]))
    return { store, instances, journals, write, release }
  }

  it('the others do not wait for it, and what it writes meanwhile is written in order when the row is free', async (t) => {
    const { store, instances, write, release } = await heldScene(t)
    const startedMs = performance.now()
    const [held, ...others] = write('first')
    const [heldAgain, ...othersAgain] = write('second')
    await Promise.all([...others, ...othersAgain])
    const [heldLast, ...othersLast] = write('third')
    await Promise.all(othersLast)
    assert.ok(performance.now() - startedMs < 30_000, 'the others waited')
    assert.equal(store.journal.isFailing, false)
    await release()
    await Promise.all([held, heldAgain, heldLast])
    const rows = await store.rows<{ text: string }>(
      'SELECT text FROM message WHERE instance_id = $1 ORDER BY position',
      [instances[0]],
    )
    assert.deepEqual(
      rows.slice(1).map(({ text }) => text),
      ['first', 'second', 'third'],
    )
    assert.equal(store.journal.waitingBytes, 0)
  })

  it('it alone is refused when that takes too long, and continues later', async (t) => {
    const { store, journals, write, release } = await heldScene(t, { statementTimeoutMs: 1_500, lockTimeoutMs: 300 })
    const [held, ...others] = write('first')
    const [behind, ...othersBehind] = write('second')
    await Promise.all([...others, ...othersBehind])
    await assert.rejects(held ?? Promise.resolve(), isUnavailable)
    await assert.rejects(behind ?? Promise.resolve(), isUnavailable)
    await Promise.all(journals.slice(1).map((journal) => journal.write([received(aMessage())])))
    await release()
    await journals[0]?.write([received(aMessage())])
    assert.equal(store.journal.waitingBytes, 0)
  })

  it('one whose statement takes too long is refused alone as well', async (t) => {
    const { store, instances, write, release } = await heldScene(t, { statementTimeoutMs: 700 })
    await release()
    await store.rows(`
      CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(10); RETURN NEW; END $$;
      CREATE TRIGGER dawdle BEFORE INSERT ON message FOR EACH ROW WHEN (NEW.instance_id = '${instances[0]}') EXECUTE FUNCTION dawdle()`)
    const [slow, ...others] = write('first')
    await Promise.all(others)
    await assert.rejects(slow ?? Promise.resolve(), isUnavailable)
  })
})

describe('when PostgreSQL goes away', () => {
  it('a write under way is refused, and the next one after its return succeeds', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    await journal.write([received(aMessage())])
    const blocker = await store.database.pool.connect()
    await blocker.query('BEGIN')
    await blocker.query('LOCK TABLE message')

    const blocked = journal.write([received(aMessage())])
    await terminateJournal(store)

    await assert.rejects(blocked, isUnavailable)
    await blocker.query('ROLLBACK')
    blocker.release()
    const again = await store.journal.forInstance(instance, store.findEpoch(instance)).write([received(aMessage())])
    assert.equal(again.messages.size, 1)
    assert.equal((await store.rows('SELECT FROM message')).length, 2)
  })

  it('writes are refused while it cannot be reached', async (t) => {
    const store = await openTestStore(t, { clientConfig: { host: '127.0.0.1', port: 1 } })
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    await assert.rejects(journal.write([received(aMessage())]), isUnavailable)
  })
})

it('more than may wait in memory is refused', async (t) => {
  const store = await openTestStore(t, { waitingBytesMax: 5_000 })
  const instance = await store.newInstance()
  const journal = store.journal.forInstance(instance, store.findEpoch(instance))
  const writes = await Promise.allSettled(Array.from({ length: 10 }, () => journal.write([received(aMessage())])))
  assert.equal(writes.filter((write) => write.status === 'fulfilled').length, 2)
  assert.equal(store.journal.waitingBytes, 0)
})

async function terminateJournal(store: TestStore): Promise<void> {
  for (;;) {
    const rows = await store.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'posthorn journal' AND wait_event_type = 'Lock' AND datname = current_database()`,
    )
    if (rows.length > 0) return
  }
}

/** Text that does not compress. */
function randomText(length: number): string {
  let seed = 42
  let text = ''
  while (text.length < length) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    text += seed.toString(36)
  }
  return text
}

it('a transaction beside the journal does not wait long for a row that another one has locked', async (t) => {
  const { database, newInstance, rows } = await openTestStore(t)
  const id = await newInstance()
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM instance WHERE id = $1 FOR UPDATE', [id])
  const rename = () => writeOnce(database.pool, "UPDATE instance SET name = 'new' WHERE id = $1", [id])
  await assert.rejects(rename(), isUnavailable)
  const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
  assert.deepEqual(await rows(waiting), [], 'PostgreSQL has given up as well')
  await holder.query('ROLLBACK')
  holder.release()
  assert.equal((await rename()).rowCount, 1)
})
