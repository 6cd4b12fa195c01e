/** Whatever the network, its servers and strangers answer, the readers of it return something bounded, or refuse it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BinaryNode, proto } from '@whiskeysockets/baileys'
import fc from 'fast-check'
import { GatewayError } from '../../../schemas/errors.js'
import { chooseSeed } from '../../../test/durability/random.js'
import { longestStopMs } from '../../../test/support/main-thread-time.js'
import { readStatusPrivacy } from './abilities/settings.js'
import { translateSyncAction } from './app-state.js'
import { findCategories, readCatalog, readChanged, readOrder, readProfile } from './business-nodes.js'
import { contentForCallers } from './content.js'
import { pinIn } from './incoming.js'
import { translateReceipt } from './receipts.js'

const OWN = { jid: '5511999990001:7@s.whatsapp.net', lid: '100001@lid' }
const TAGS = [
  ...['business_profile', 'profile', 'categories', 'category', 'website', 'business_hours', 'business_hours_config'],
  ...['product_catalog', 'product', 'media', 'image', 'url', 'price', 'total', 'quantity', 'paging', 'after', 'order'],
  ...['privacy', 'list', 'user', 'item', 'participants', 'id', 'name', 'description', 'status_info', 'status'],
]
const NAMES = [
  ...['id', 'type', 'default', 'jid', 'from', 'participant', 'recipient', 't', 'key', 'tag', 'timezone', 'day_of_week'],
  ...['sender_pn', 'sender_lid', 'participant_pn', 'open_time', 'is_hidden', '__proto__', 'constructor'],
]
const WORDS = [
  ...['', '0', '-1', '1e400', 'NaN', '9'.repeat(400), 'true', 'read', 'played', 'inactive', 'contacts', 'blacklist'],
  ...[OWN.jid, OWN.lid, '@', '@s.whatsapp.net', 'a@b@c', '120363000000000001@g.us', 'status@broadcast', '1:99999@lid'],
  ...['https://', 'https://a', 'javascript:0', '\ud800', '\0', '💥'.repeat(50_000)],
]
const text = fc.oneof({ arbitrary: fc.constantFrom(...WORDS), weight: 3 }, fc.string({ unit: 'binary' }))
const attributes = fc.dictionary(fc.constantFrom(...NAMES), text, { maxKeys: 8 })
const stanza: fc.Arbitrary<BinaryNode> = fc.letrec<{ node: BinaryNode }>((tie) => ({
  node: fc.record({
    tag: fc.constantFrom(...TAGS),
    attrs: attributes,
    content: fc.oneof(
      { depthSize: 'medium' },
      fc.constant(undefined),
      text,
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.array(tie('node'), { maxLength: 5 }),
    ),
  }) as fc.Arbitrary<BinaryNode>,
})).node
/** The nodes in which a reader looks, so that most of them get far. */
const within = (...tags: string[]) =>
  stanza.map((inner) =>
    tags.reduceRight<BinaryNode>((content, tag) => ({ tag, attrs: {}, content: [content, content] }), inner),
  )
const TEXTS_MAX = 2_000_000

/** Returns what a reader makes of it; a refusal of ours is an answer, too. */
function tryRead<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}

function assertBounded(value: unknown): void {
  assert.ok((JSON.stringify(value) ?? '').length < TEXTS_MAX)
}

describe('random answers of the network', () => {
  for (const [name, given, read] of [
    ['a profile', within('iq', 'business_profile', 'profile'), readProfile],
    ['a catalogue', within('iq', 'product_catalog', 'product'), readCatalog],
    [
      'a changed product',
      within('iq', 'product_catalog_edit', 'product'),
      (answer) => readChanged(answer, 'product_catalog_edit'),
    ],
    ['an order', within('iq', 'order', 'product'), readOrder],
    ['an audience', within('iq', 'privacy', 'list'), readStatusPrivacy],
    ['a receipt', stanza.map((node) => ({ ...node, tag: 'receipt' })), (node) => translateReceipt(node, OWN)],
  ] as const satisfies readonly (readonly [string, fc.Arbitrary<BinaryNode>, (node: BinaryNode) => unknown])[])
    it(`are read as ${name}, or refused`, (t) => {
      fc.assert(
        fc.property(given, (answer) => assertBounded(tryRead(() => read(answer)))),
        { numRuns: 400, seed: chooseSeed(t) },
      )
    })

  it('are searched for categories, whatever their depth and size', (t) => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (answer) => assertBounded(findCategories(answer))),
      { seed: chooseSeed(t) },
    )
    let deep: unknown = { id: '1', localized_display_name: 'at the bottom' }
    for (let depth = 0; depth < 10_000; depth += 1) deep = { deep }
    assert.deepEqual(findCategories(deep), [])
    const wide = Array.from({ length: 100_000 }, (_, id) => ({ id, localized_display_name: 'x'.repeat(500) }))
    const found = findCategories(wide)
    assert.equal(found.length, 2_000)
    assert.ok(found.every(({ localized_display_name: name }) => name.length <= 200))
  })

  it('gather receipts of thousands without keeping the event loop, and no more than a group has', async () => {
    const user = (index: number): BinaryNode => ({ tag: 'user', attrs: { jid: `${1_000_000 + index}@lid`, t: '1' } })
    const users = Array.from({ length: 50_000 }, (_, index) => user(index))
    const content = [{ tag: 'participants', attrs: { key: 'M1' }, content: users }]
    const node = { tag: 'receipt', attrs: { id: 'M1', from: '120363000000000001@g.us', t: '1' }, content }
    assert.equal(translateReceipt(node, OWN).length, 2_048)
    const ms = await longestStopMs(() => translateReceipt(node, OWN), 50)
    assert.ok(ms < 50, `${ms.toFixed(1)} ms`)
  })
})

describe('random changes of other devices and strangers', () => {
  const long = fc.oneof(text, fc.constant(null), fc.constant(undefined))
  const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 2 ** 53, null))

  it('are notes and stars of chats, or nothing', (t) => {
    const action = fc.record(
      {
        noteEditAction: fc.record(
          { type: number, chatJid: long, createdAt: number, deleted: fc.boolean(), unstructuredContent: long },
          { requiredKeys: [] },
        ),
        starAction: fc.record({ starred: fc.boolean() }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), action, fc.boolean(), (index, value, isFirst) => {
        const syncAction = { value } as unknown as proto.ISyncActionData
        const event = translateSyncAction({ index, syncAction }, isFirst)
        assertBounded(event)
        if (event?.type === 'chats')
          for (const { set } of event.chats) assert.ok((set.wa_note?.text.length ?? 0) <= 10_000)
      }),
      { numRuns: 500, seed: chooseSeed(t) },
    )
  })

  it('are pins that end, or nothing', (t) => {
    const pin = fc.record({
      pinInChatMessage: fc.record({ key: fc.record({ id: long }), type: number }, { requiredKeys: [] }),
      messageContextInfo: fc.record({ messageAddOnDurationInSecs: number }, { requiredKeys: [] }),
    })
    fc.assert(
      fc.property(pin, (message) => {
        const pinned = pinIn(message as unknown as proto.IMessage, 1_760_000_000)
        if (pinned === null) return
        assert.ok(Number.isFinite(pinned.untilMs) && pinned.untilMs <= (1_760_000_000 + 30 * 86_400) * 1_000)
      }),
      { seed: chooseSeed(t) },
    )
  })

  it('are orders, products, events and answers to them with a bounded summary', (t) => {
    const part = fc.record(
      {
        ...{ orderTitle: long, itemCount: number, totalAmount1000: number, totalCurrencyCode: long, message: long },
        ...{
          name: long,
          isCanceled: fc.boolean(),
          startTime: number,
          endTime: number,
          description: long,
          joinLink: long,
        },
        ...{ orderId: long, token: long, sellerJid: long, body: long, footer: long },
        product: fc.record({ title: long, priceAmount1000: number, currencyCode: long, description: long, url: long }),
        location: fc.record({ name: long, address: long, degreesLatitude: number }, { requiredKeys: [] }),
        eventCreationMessageKey: fc.record({ id: long, remoteJid: long }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    )
    const kinds = ['orderMessage', 'productMessage', 'eventMessage', 'encEventResponseMessage'] as const
    fc.assert(
      fc.property(fc.constantFrom(...kinds), part, (kind, value) => {
        assertBounded(contentForCallers({ [kind]: value } as unknown as proto.IMessage))
        // As it comes through the wire, where it can be written at all.
        const bytes = encoded({ [kind]: value })
        if (bytes !== null) assertBounded(contentForCallers(proto.Message.decode(bytes)))
      }),
      { numRuns: 500, seed: chooseSeed(t) },
    )
  })

  function encoded(message: object): Uint8Array | null {
    try {
      return proto.Message.encode(proto.Message.fromObject(message)).finish()
    } catch {
      return null
    }
  }
})
