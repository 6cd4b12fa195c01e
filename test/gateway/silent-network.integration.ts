import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { png } from '../support/samples.js'
import { connectDatabase } from '../support/statements.js'

type Json = Record<string, unknown>
interface Shown {
  readonly id: string
  readonly text: string
  readonly own: boolean
  readonly arrivals: number
}

const ACK_TIMEOUT_MS = 2_000
/** More than a machine under load needs, and less than the network's silence lasts. */
const BOUND_MS = 12_000

describe('a send on a connection that takes everything and answers nothing', () => {
  const ANA = '15550720001'
  let next = 15550720100
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    env: { SEND_ACK_TIMEOUT_MS: String(ACK_TIMEOUT_MS), RECONNECT_DELAY_MIN_MS: '20', RECONNECT_DELAY_MAX_MS: '300' },
    account: [ANA, 'Ana'],
    events: ['messages', 'messages_update'],
  })
  afterEach(() => world.network('DELETE', '/faults'))

  const person = async (): Promise<string> => {
    const number = String(next++)
    await world.phone(number, `phone ${number}`)
    return number
  }
  const silence = () => world.network('POST', '/faults', { kind: 'silent', phone: ANA })
  const logInAgain = async (): Promise<void> => {
    await world.network('DELETE', '/faults')
    await world.network('POST', '/faults/close', { phone: ANA })
    await ana.connected()
  }
  /** A POST that must be answered in time. */
  const post = async (path: string, body: Json, headers: Record<string, string> = {}) => {
    const began = Date.now()
    const answer = await ana.call<Json>('POST', path, body, headers)
    const tookMs = Date.now() - began
    assert.ok(tookMs < BOUND_MS, `the answer took ${tookMs} ms: ${JSON.stringify(answer.body)}`)
    return answer
  }
  const pending = async (path: string, body: Json, headers: Record<string, string> = {}): Promise<Json> => {
    const answer = await post(path, body, headers)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.equal(answer.body.status, 'pending')
    return answer.body
  }
  const received = async (number: string): Promise<Shown[]> =>
    (await world.network<Shown[]>('GET', `/phones/${number}/messages`)).filter(({ own }) => !own)
  const sent = (messageid: unknown) =>
    eventually(
      async () => (await ana.messages({ id: messageid }))[0],
      (message) => ['sent', 'delivered', 'read'].includes(String(message?.status)),
    )

  it('to a new person is stored, answered as pending, and leaves once after the next login, in order', async () => {
    const ben = await person()
    await silence()
    const key = { 'Idempotency-Key': 'first-of-ben' }
    const texts = ['one', 'two', 'three']
    const answers: Json[] = []
    for (const text of texts)
      answers.push(await pending('/send/text', { number: ben, text }, text === 'one' ? key : {}))
    for (const { messageid } of answers) assert.equal((await ana.messages({ id: messageid })).length, 1)
    const again = await ana.call<Json>('POST', '/send/text', { number: ben, text: 'one' }, key)
    assert.equal(again.body.messageid, answers[0]?.messageid)
    await logInAgain()
    for (const { messageid } of answers) await sent(messageid)
    const shown = await eventually(
      () => received(ben),
      (all) => all.length >= texts.length,
    )
    assert.deepEqual(
      shown.map(({ text, arrivals }) => [text, arrivals]),
      texts.map((text) => [text, 1]),
    )
    const told = receiver
      .of('messages')
      .map(({ body }) => (body.message as Json).messageid)
      .filter((id) => id === answers[0]?.messageid)
    assert.equal(told.length, 1, 'an event tells of the message')
  })

  it('several at once to new people are each stored, and leave once', async () => {
    const [ian, joe] = [await person(), await person()]
    await silence()
    const asked = [ian, joe, ian, joe].map((number, index) => pending('/send/text', { number, text: String(index) }))
    const answers = await Promise.all(asked)
    await logInAgain()
    for (const { messageid } of answers) await sent(messageid)
    for (const [number, texts] of [
      [ian, ['0', '2']],
      [joe, ['1', '3']],
    ] as const)
      assert.deepEqual(
        (await received(number)).map(({ text, arrivals }) => [text, arrivals]).sort(),
        texts.map((text) => [text, 1]),
      )
  })

  it('to a known person leaves after the next login, those behind it as well', async () => {
    const cat = await person()
    await ana.text(cat, 'zero')
    await silence()
    const answers = [
      await pending('/send/text', { number: cat, text: 'one' }),
      await pending('/send/text', { number: cat, text: 'two' }),
    ]
    await logInAgain()
    for (const { messageid } of answers) await sent(messageid)
    assert.deepEqual(
      (await received(cat)).map(({ text, arrivals }) => [text, arrivals]),
      ['zero', 'one', 'two'].map((text) => [text, 1]),
    )
  })

  it('with a file or a menu leaves after the next login', async () => {
    const dan = await person()
    await silence()
    const picture = await pending('/send/media', { number: dan, type: 'image', file: (await png()).toString('base64') })
    const menu = await pending('/send/menu', { number: dan, type: 'poll', text: 'Which?', choices: ['a', 'b'] })
    await logInAgain()
    for (const { messageid } of [picture, menu]) await sent(messageid)
    assert.equal((await received(dan)).length, 2)
  })

  it('to a number without an account fails with an event once the network says so', async () => {
    await silence()
    const { messageid } = await pending('/send/text', { number: '15550729999', text: 'nobody' })
    await logInAgain()
    const failed = await eventually(
      async () => (await ana.messages({ id: messageid }))[0],
      (message) => message?.status === 'failed',
    )
    assert.match(String(failed?.error), /no account/)
    await eventually(() =>
      receiver
        .of('messages_update')
        .some(({ body }) => body.state === 'Failed' && JSON.stringify(body).includes(String(messageid))),
    )
    const answer = await post('/send/text', { number: '15550729999', text: 'nobody' })
    assert.deepEqual([answer.status, answer.body.code], [404, 'NOT_ON_NETWORK'])
  })

  it('is kept when the connection ends before the time is up, and when the node is killed', async () => {
    const eve = await person()
    await silence()
    const asked = pending('/send/text', { number: eve, text: 'lost' })
    await world.network('POST', '/faults', { kind: 'login-failure', code: 503, phone: ANA })
    // The send is at its question to the network when later calls are answered.
    for (let calls = 0; calls < 5; calls += 1) await ana.status()
    await world.network('POST', '/faults/close', { phone: ANA })
    const { messageid } = await asked
    await world.gateway.kill('SIGKILL')
    await world.network('DELETE', '/faults')
    await world.gateway.start()
    await ana.connected()
    await sent(messageid)
    assert.deepEqual(
      (await received(eve)).map(({ text, arrivals }) => [text, arrivals]),
      [['lost', 1]],
    )
  })

  it('of which a node is killed before the answer leaves once after the restart, each in its order', async (t) => {
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    const areStored = (count: number) =>
      eventually(async () => {
        const query = "SELECT 1 FROM signal_key WHERE instance_id = $1 AND kind = 'first-send'"
        return (await database.query(query, [ana.id])).rowCount === count
      })
    const [lea, nobody, refused] = [await person(), '15550729980', '15550729981']
    const refusal = await post('/send/text', { number: refused, text: 'nobody' })
    assert.deepEqual([refusal.status, refusal.body.code], [404, 'NOT_ON_NETWORK'])
    await silence()
    const key = { 'Idempotency-Key': 'first-of-lea' }
    const ask = (number: string, text: string, headers = {}): void =>
      // The node is killed before it answers.
      void ana.call('POST', '/send/text', { number, text }, headers).catch(() => {})
    ask(lea, 'one', key)
    await areStored(1)
    ask(lea, 'two')
    await areStored(2)
    ask(nobody, 'nobody')
    await areStored(3)
    assert.equal((await ana.messages({ chatid: `${lea}@s.whatsapp.net` })).length, 0, 'too late: they were given up')
    await world.gateway.kill('SIGKILL')
    await world.network('DELETE', '/faults')
    await world.gateway.start()
    const repeated = await ana.call<Json>('POST', '/send/text', { number: lea, text: 'one' }, key)
    assert.equal(repeated.status, 200, JSON.stringify(repeated.body))
    await ana.connected()
    await ana.text(lea, 'three')
    const shown = await eventually(
      () => received(lea),
      (all) => all.length >= 3,
    )
    assert.deepEqual(
      shown.map(({ text, arrivals }) => [text, arrivals]),
      ['one', 'two', 'three'].map((text) => [text, 1]),
    )
    const failed = await eventually(
      async () => await ana.messages({ chatid: `${nobody}@s.whatsapp.net` }),
      (all) => all[0]?.status === 'failed',
    )
    assert.equal(failed.length, 1)
    assert.match(String(failed[0]?.error), /no account/)
    assert.deepEqual(await ana.messages({ chatid: `${refused}@s.whatsapp.net` }), [], 'a refusal leaves nothing behind')
  })

  it('is canceled by its id, and never leaves', async () => {
    const [fay, gil] = [await person(), await person()]
    await silence()
    const { id } = await pending('/send/text', { number: fay, text: 'never' })
    await pending('/send/text', { number: gil, text: 'later' })
    // The first one may be on its way already: then it can only be deleted as any message.
    const canceled = await ana.call<Json>('POST', '/message/delete', { id })
    assert.ok([200, 409].includes(canceled.status), JSON.stringify(canceled.body))
    await logInAgain()
    await eventually(async () => (await received(gil)).length === 1)
    if (canceled.status === 200) assert.deepEqual(await received(fay), [])
  })

  it('a change that is asked for there may have happened, and a question has not', async () => {
    const hal = await person()
    await ana.text(hal, 'so that the account is known')
    const lost = async (xmlns: string, work: () => ReturnType<typeof ana.call<Json>>) => {
      await silence()
      const asked = work()
      // The connection asks other things of itself, and may have ended before this test looks.
      const unheard = eventually(
        () => world.network<{ unheard: string[] }>('GET', '/faults'),
        (faults) => faults.unheard.includes(xmlns),
      ).catch(() => {})
      await Promise.race([unheard, asked])
      await logInAgain()
      const { status, body } = await asked
      return [status, body.code]
    }
    const created = () => ana.call<Json>('POST', '/group/create', { name: 'Lost', participants: [hal] })
    assert.deepEqual(await lost('w:g2', created), [504, 'OUTCOME_UNKNOWN'])
    const checked = () => ana.call<Json>('POST', '/chat/check', { numbers: ['15550729998'] })
    // Which of the two depends on whether the connection has ended by itself before. Nothing was done either way.
    const [status, code] = await lost('usync', checked)
    assert.equal(status, 503)
    assert.ok(code === 'INSTANCE_MOVING' || code === 'NOT_LOGGED_IN', String(code))
  })

  it('an edit there is answered in time, as one that may have happened', async () => {
    const kim = await person()
    const { id } = await ana.text(kim, 'with a mistake')
    await silence()
    const answer = await post('/message/edit', { id, text: 'without' })
    assert.deepEqual([answer.status, answer.body.code], [504, 'OUTCOME_UNKNOWN'])
    await logInAgain()
  })
})
