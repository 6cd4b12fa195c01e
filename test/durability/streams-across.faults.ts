import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createPosthorn, type StreamReset } from '../../clients/typescript/src/index.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startLossyCluster, WELL_MS } from './lossy-cluster.js'

const ZOE = '15552144001'
const LOST = 40
for (const nodes of [1, 2])
  it(`after a failover that loses commits each stream continues or says reset, and no sequence is used twice (${nodes} nodes)`, async (t) => {
    const world = await startLossyCluster(t, nodes)
    const [first, last] = [world.nodes[0], world.nodes.at(-1)]
    assert.ok(first && last)
    const receiver = await startReceiver(t)
    const ana = await world.paired('15552144000', 'Ana')
    await world.phone(ZOE, 'Zoe')
    await ana.hook(receiver.url, { events: ['messages', 'messages_update', 'chats', 'connection'] })
    const write = (text: string) => world.network('POST', `/phones/${ZOE}/text`, { to: ana.number, text })
    const ending = new AbortController()
    t.after(() => ending.abort())

    /** Follows a stream; `from` is the id after which it begins. */
    const follow = (whose: 'instance' | 'all', from?: string) => {
      const access =
        whose === 'instance' ? { url: first.url, token: ana.token } : { url: last.url, adminToken: last.adminToken }
      const [texts, resets]: [string[], StreamReset[]] = [[], []]
      let isOpen = false
      const events = createPosthorn(access).events({
        kinds: ['messages'],
        ...(from === undefined ? {} : { from }),
        signal: ending.signal,
        onOpen: () => {
          isOpen = true
        },
        onReset: (reset) => void resets.push(reset),
      })
      void (async () => {
        for await (const event of events) if (event.EventType === 'messages') texts.push(event.message.text ?? '')
      })()
      return { texts, resets, isOpen: () => isOpen, lastEventId: () => events.lastEventId }
    }
    const [own, all] = [follow('instance'), follow('all')]
    await eventually(() => own.isOpen() && all.isOpen())
    await write('kept')
    for (const stream of [own, all]) await eventually(() => stream.texts.includes('kept'))
    const kept = own.lastEventId()
    await world.beginLosing()

    for (let index = 0; index < LOST; index += 1) await write(`lost ${index}`)
    for (const stream of [own, all]) await eventually(() => stream.texts.includes(`lost ${LOST - 1}`))
    const [gone, goneOfAll] = [own.lastEventId(), all.lastEventId()]
    await eventually(() => receiver.of('messages').length > LOST)
    await world.failOver()

    const untilMs = performance.now() + WELL_MS
    for (const stream of [own, all])
      await eventually(() => stream.resets.length > 0, Boolean, untilMs - performance.now())
    await write('after')
    for (const stream of [own, all])
      await eventually(() => stream.texts.includes('after'), Boolean, untilMs - performance.now())
    t.diagnostic(`well after ${Math.round(WELL_MS - (untilMs - performance.now()))} ms`)
    for (const stream of [own, all]) {
      assert.deepEqual(stream.texts, ['kept', ...Array.from({ length: LOST }, (_, index) => `lost ${index}`), 'after'])
      assert.equal(stream.resets.length, 1)
      const [{ era, lostFrom, lostUntil }] = stream.resets as [StreamReset]
      assert.equal(era, 2)
      assert.ok(lostFrom !== null && lostUntil !== null && lostFrom < lostUntil, JSON.stringify(stream.resets))
    }

    // Readers who come back with what they have: one whose position the store has, and two whose position is gone.
    const [fromKept, fromGone, fromGoneOfAll] = [
      follow('instance', kept),
      follow('instance', gone),
      follow('all', goneOfAll),
    ]
    for (const stream of [fromKept, fromGone, fromGoneOfAll]) await eventually(() => stream.texts.includes('after'))
    assert.deepEqual(
      [fromKept, fromGone, fromGoneOfAll].map(({ resets, texts }) => [resets.length, texts]),
      [
        [0, ['after']],
        [1, ['after']],
        [1, ['after']],
      ],
    )

    // Deliveries of the webhook: each sequence is one event.
    await eventually(() =>
      receiver.of('messages').some(({ body }) => (body.message as { text: string }).text === 'after'),
    )
    const events = new Map<number, Set<string>>()
    for (const { body } of receiver.got)
      events.set(body.sequence, (events.get(body.sequence) ?? new Set()).add(body.eventId))
    const doubled = [...events].filter(([, ids]) => ids.size > 1)
    assert.deepEqual(doubled, [], 'a sequence was used twice')

    // What a webhook had told, and what is not here: the span is named.
    const { body: found } = await ana.call<{ mayLack?: { era: number } }>('POST', '/message/find', { limit: 100 })
    assert.equal(found.mayLack?.era, 2)
  })
