import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

interface Login {
  device: string
  epoch: string | null
}

describe('a gateway that ends', () => {
  const cleanup = suiteCleanup()
  let world: World
  before(async () => {
    world = await startWorld(cleanup)
  })

  it('after kill -9 and after SIGTERM everyone is back without a hand, and what was written meanwhile arrives once, in order', async (t) => {
    const receiver = await startReceiver(t)
    const instances = [await world.paired('15550200001', 'Ana'), await world.paired('15550200002', 'Ben')]
    const [ana] = instances
    assert.ok(ana)
    const idle = await world.paired('15550200003', 'told to disconnect')
    assert.equal((await idle.call('POST', '/instance/disconnect')).status, 200)
    await world.phone('15550200009', 'Zoe')
    await ana.hook(receiver.url)

    const expected: string[] = []
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      await ana.text('15550200009', `sent right before ${signal}`)
      await world.gateway.kill(signal)
      for (let index = 0; index < 10; index += 1) {
        const text = `${signal} ${index}`
        expected.push(text)
        await world.network('POST', '/phones/15550200009/text', { to: ana.number, text })
      }
      await world.gateway.start()
      for (const instance of instances) await instance.connected()
    }

    const heard = await eventually(
      () =>
        receiver
          .of('messages')
          .map(({ body }) => body.message as { text: string; fromMe: boolean })
          .filter(({ fromMe }) => !fromMe),
      (all) => all.length >= expected.length,
    )
    assert.deepEqual(
      heard.map(({ text }) => text),
      expected,
    )
    const phone = await world.network<{ text: string; own: boolean; arrivals: number }[]>(
      'GET',
      '/phones/15550200009/messages',
    )
    assert.deepEqual(
      phone.filter(({ own }) => !own).map(({ text, arrivals }) => [text, arrivals]),
      [
        ['sent right before SIGKILL', 1],
        ['sent right before SIGTERM', 1],
      ],
    )
    assert.deepEqual(await world.network('GET', '/log/retries'), [])
    assert.equal((await idle.status()).instance.status, 'disconnected')

    const logins = await world.network<Login[]>('GET', '/log/logins?phone=15550200001')
    const epochs = logins.filter(({ device }) => device === '15550200001:1').map(({ epoch }) => Number(epoch))
    assert.equal(
      new Set(logins.map(({ device }) => device).filter((device) => device.startsWith('15550200001:'))).size,
      1,
      'no new pairing',
    )
    assert.ok(
      epochs.length >= 3 &&
        epochs.every((epoch, index) => index === 0 || epoch >= (epochs[index - 1] ?? 0)) &&
        (epochs.at(-1) ?? 0) > (epochs[0] ?? 0),
      JSON.stringify(epochs),
    )
  })

  it('after kill -9, every event of a webhook with batches arrives, in the order of its chat', async (t) => {
    const receiver = await startReceiver(t)
    const account = await world.paired('15550200021', 'Eva')
    const people = ['15550200022', '15550200023', '15550200024']
    for (const person of people) await world.phone(person)
    await account.hook(receiver.url, { batch: { max: 10, waitMs: 100 } })
    const write = async (round: string) => {
      for (let index = 0; index < 10; index += 1)
        for (const person of people) await world.write(person, account.number, `${round} ${index}`)
    }
    receiver.misbehave(() => {})
    await write('before')
    await eventually(() => receiver.attempts > 0)
    await world.gateway.kill('SIGKILL')
    receiver.answer(200)
    await write('away')
    await world.gateway.start()
    await write('after')
    type Arrived = { readonly eventId: string; readonly message: { readonly text: string; readonly chatid: string } }
    // A kill lets some arrive twice, which their ids show.
    const arrived = () => {
      const events = receiver.got.flatMap(({ body }) => body as unknown as Arrived[])
      return [...new Map(events.toReversed().map((event) => [event.eventId, event])).values()].toReversed()
    }
    await eventually(arrived, (events) => events.length >= 90)
    const expected = ['before', 'away', 'after'].flatMap((round) =>
      Array.from({ length: 10 }, (_, i) => `${round} ${i}`),
    )
    for (const person of people) {
      const texts = arrived().filter(({ message }) => message.chatid.startsWith(person))
      assert.deepEqual(
        texts.map(({ message }) => message.text),
        expected,
      )
    }
    assert.ok(receiver.got.some(({ body }) => (body as unknown as Arrived[]).length > 1))
  })

  it('a second gateway with the name of a living one is refused with a sentence that says what to do', async () => {
    const refused = await world.gateway.startSecond()
    assert.notEqual(refused.code, 0)
    assert.match(
      refused.output,
      /Another node of this cluster is named ".+" and lives\. Give this one another NODE_ID, or stop the other\./,
    )
    assert.doesNotMatch(refused.output, /\n\s+at /)
  })
})

describe('a gateway whose accounts wait for their logins', () => {
  const cleanup = suiteCleanup()

  it('connects the most recently active first, after a start and when all connections were lost', async () => {
    const world = await startWorld(cleanup, { RECONNECT_DELAY_MIN_MS: '100', LOGIN_RATE_PER_SECOND: '200' })
    const accounts: TestInstance[] = []
    for (let index = 0; index < 8; index += 1) accounts.push(await world.paired(`1555020010${index}`))
    await world.phone('15550200199')
    const byActivity: string[] = []
    const wakeUp = async (account: TestInstance | undefined): Promise<void> => {
      assert.ok(account)
      await world.write('15550200199', account.number, 'here')
      await eventually(
        () => account.messages({}),
        (all) => all.length > 0,
      )
      byActivity.unshift(account.number)
    }
    for (const index of [3, 6, 0, 7, 2, 5, 1]) await wakeUp(accounts[index])
    const log = () => world.network<Login[]>('GET', '/log/logins')
    const numbers = (logins: readonly Login[]) => logins.map(({ device }) => device.replace(/:.*/, ''))
    const nextLogins = async (before: number) =>
      numbers((await eventually(log, (logins) => logins.length >= before + 8)).slice(before))

    await world.gateway.kill()
    const known = (await log()).length
    // Of eight tokens one goes to the account that has waited longest: here the last one.
    await world.gateway.start({ LOGIN_RATE_PER_SECOND: '1' })
    assert.deepEqual(await nextLogins(known), [...byActivity, accounts[4]?.number])

    await wakeUp(accounts[4])
    const lost = (await log()).length
    await world.network('POST', '/faults/close', { abrupt: true })
    // The first may log in before the others have noticed the loss.
    const again = (await nextLogins(lost)).slice(2)
    assert.deepEqual(
      again,
      byActivity.filter((number) => again.includes(number)),
    )
  })
})
