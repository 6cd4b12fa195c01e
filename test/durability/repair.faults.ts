import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startLossyCluster, WELL_MS } from './lossy-cluster.js'
import { inversions } from './tally.js'

type Json = Record<string, unknown>

const PEOPLE = Array.from({ length: 5 }, (_, index) => `1555214300${index}`)
const LOST_MS = 10_000
/** Each person writes so often, and gets a text as often: ten a second in each direction. */
const EVERY_MS = 500
/** Time for which the store is away, in which messages of the sessions that go back wait at the network. */
const AWAY_MS = 15_000
for (const nodes of [1, 2])
  it(`messages that nobody can decrypt after a failover lost ten seconds come within thirty, in the order of their chats (${nodes} nodes)`, async (t) => {
    const world = await startLossyCluster(t, nodes)
    const receiver = await startReceiver(t)
    const ana = await world.paired('15552143100', 'Ana')
    for (const person of PEOPLE) await world.phone(person)
    await ana.hook(receiver.url)
    const write = (from: string, text: string) =>
      world.network('POST', `/phones/${from}/text`, { to: ana.number, text })
    const heard = () =>
      receiver.of('messages').flatMap(({ body }) => {
        const { fromMe, text } = body.message as { fromMe: boolean; text: string }
        return fromMe ? [] : [text]
      })
    for (const person of PEOPLE) {
      await write(person, `${person} first 0`)
      await ana.text(person, 'first')
    }
    await eventually(() => heard().length === PEOPLE.length)
    const asked = async () => (await world.network<unknown[]>('GET', '/log/retries')).length
    await world.beginLosing()

    // Both sides write, so that each session goes through many ratchet steps that the store loses.
    let isOver = false
    let phase = 'lost'
    const written: string[] = []
    const traffic = PEOPLE.map(async (person, offset) => {
      await pause((offset * EVERY_MS) / PEOPLE.length)
      for (let index = 0; !isOver; index += 1) {
        const text = `${person} ${phase} ${index}`
        await write(person, text)
        written.push(text)
        // Afterwards only the repair of received messages can make a session new.
        if (phase === 'lost') await ana.call('POST', '/send/text', { number: person, text: `to ${person} ${index}` })
        await pause(EVERY_MS)
      }
    })
    await pause(LOST_MS)
    await world.killPrimary()
    phase = 'after'
    await pause(AWAY_MS)
    const askedBefore = await asked()
    await world.failOver()
    const backAtMs = performance.now()
    await pause(3_000)
    isOver = true
    await Promise.all(traffic)

    const after = written.filter((text) => text.includes(' after '))
    await eventually(
      () => {
        const all = new Set(heard())
        return after.filter((text) => !all.has(text))
      },
      (missing) => missing.length === 0,
      backAtMs + WELL_MS - performance.now(),
    )
    const askedAgain = (await asked()) - askedBefore
    t.diagnostic(`${askedAgain} requests for ${after.length} messages`)
    assert.ok(askedAgain > after.length / 2, 'nearly all could be decrypted: the test shows nothing')
    t.diagnostic(`well after ${Math.round(performance.now() - backAtMs)} ms`)
    for (const person of PEOPLE) {
      const { messages } = (
        await ana.call<{ messages: Json[] }>('POST', '/message/find', { chatid: person, limit: 500 })
      ).body
      const received = messages.filter(({ fromMe }) => !fromMe)
      assert.deepEqual(
        received.filter(({ messageType }) => messageType === 'unreadable'),
        [],
        'a message is still unreadable',
      )
      const texts = received.map(({ text }) => String(text)).reverse()
      assert.equal(inversions(texts.filter((text) => text.includes(' after '))), 0, JSON.stringify(texts))
    }
    // Both directions work: the sessions are new, so that nobody uses a message key twice.
    const before = await asked()
    for (const person of PEOPLE) {
      const last = `${person} last 0`
      await write(person, last)
      await eventually(() => heard().includes(last))
      const sent = await ana.text(person, 'last')
      await world.shownAt(person, sent.messageid)
    }
    assert.equal(await asked(), before)
  })
