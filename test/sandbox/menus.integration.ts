import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type BinaryNode, generateMessageIDV2, type proto } from '@whiskeysockets/baileys'
import { until } from './bare-client.js'
import { useSandbox } from './fixture.js'

const fixture = useSandbox(15550006000)

interface Shown {
  id: string
  text: string | null
  menu: { type: string } | null
  hidden: boolean
}

const native: BinaryNode = {
  tag: 'interactive',
  attrs: { type: 'native_flow', v: '1' },
  content: [{ tag: 'native_flow', attrs: { v: '9', name: 'mixed' } }],
}
const flow = (attrs: BinaryNode['attrs']): BinaryNode => ({ ...native, content: [{ tag: 'native_flow', attrs }] })
const quality: BinaryNode = {
  tag: 'quality_control',
  attrs: { source_type: 'third_party' },
  content: [{ tag: 'decision_source', attrs: { value: 'df' } }],
}
const list: BinaryNode = { tag: 'list', attrs: { v: '2', type: 'product_list' } }
const biz = (...content: BinaryNode[]): BinaryNode[] => [{ tag: 'biz', attrs: {}, content }]

const button = { name: 'quick_reply', buttonParamsJson: '{"display_text":"Yes","id":"y"}' }
const buttons: proto.IMessage = {
  interactiveMessage: { body: { text: 'Which?' }, nativeFlowMessage: { buttons: [button] } },
}
const sections = [{ title: '', rows: [{ title: 'One', rowId: '1' }] }]
const listed: proto.IMessage = { listMessage: { description: 'Which?', buttonText: 'Open', listType: 1, sections } }
const located: proto.IMessage = {
  interactiveMessage: { nativeFlowMessage: { buttons: [{ name: 'send_location', buttonParamsJson: '{}' }] } },
}
const payment: proto.IMessage = {
  interactiveMessage: { nativeFlowMessage: { buttons: [{ name: 'payment_info', buttonParamsJson: '{}' }] } },
}

/** Returns the result of a message with these nodes: the code with which it is refused, or what is drawn. */
const cases: readonly [what: string, message: proto.IMessage, nodes: BinaryNode[], number | string | null][] = [
  ['buttons with all their nodes', buttons, biz(native, quality), 'buttons'],
  ['buttons without nodes', buttons, [], null],
  ['buttons beside a node of older programs', buttons, biz({ tag: 'buttons', attrs: {} }), 405],
  ['buttons beside a bare node', buttons, biz({ ...native, content: [] }), 479],
  ['buttons without quality control', buttons, biz(native), 479],
  ['buttons beside the node of lists', buttons, biz(list, quality), null],
  ['buttons in a message to be seen once', { viewOnceMessage: { message: buttons } }, biz(native, quality), null],
  ['a list with its node', listed, biz(list, quality), 'list'],
  ['a list without nodes', listed, [], null],
  ['a list beside the node of buttons', listed, biz(native, quality), null],
  ['a list whose node has its own type', listed, biz({ tag: 'list', attrs: { v: '2', type: 'single_select' } }), 479],
  ['a payment key with its node', payment, biz(flow({ name: 'payment_info' })), 'payment'],
  ['a payment key beside the node of buttons', payment, biz(native, quality), null],
  ['a payment key as an order', payment, biz(flow({ name: 'order_details' })), 473],
  [
    'a button for the location with its nodes',
    located,
    biz(flow({ v: '2', name: 'send_location' }), quality),
    'location',
  ],
  ['a button for the location beside the node of buttons', located, biz(native, quality), null],
]

test('a menu is drawn with the nodes that belong to it; without any it is taken and not drawn, with wrong ones refused', async () => {
  const { client } = await fixture.linked('Ana')
  const bruno = await fixture.makePhone('Bruno')
  const jid = `${bruno}@s.whatsapp.net`
  for (const [what, message, additionalNodes, expected] of cases) {
    const messageId = generateMessageIDV2()
    await client.socket.relayMessage(jid, message, { messageId, additionalNodes })
    const ack = await until(what, () =>
      client.stanzas.find(({ tag, attrs }) => tag === 'ack' && attrs.class === 'message' && attrs.id === messageId),
    )
    assert.equal(ack.attrs.error, typeof expected === 'number' ? String(expected) : undefined, what)
    if (typeof expected === 'number') continue
    const shown = await until(what, async () =>
      (await fixture.call<Shown[]>('GET', `/phones/${bruno}/messages?id=${messageId}`)).at(0),
    )
    assert.deepEqual([shown.menu?.type ?? null, shown.hidden], [expected, expected === null], what)
  }
})

test('a phone takes no more of a poll than may be taken, and taps on nothing that it does not show', async () => {
  const { client } = await fixture.linked('Ana')
  const bruno = await fixture.makePhone('Bruno')
  const jid = `${bruno}@s.whatsapp.net`
  const hidden = generateMessageIDV2()
  await client.socket.relayMessage(jid, buttons, { messageId: hidden })
  const poll = await client.socket.sendMessage(jid, {
    poll: { name: 'Colour?', values: ['Red', 'Blue'], selectableCount: 1, messageSecret: randomBytes(32) },
  })
  const id = String(poll?.key.id)
  await until('the poll', async () => (await fixture.call<Shown[]>('GET', `/phones/${bruno}/messages?id=${id}`)).length)
  const refused = (path: string, body: object) =>
    assert.rejects(fixture.call('POST', `/phones/${bruno}/${path}`, body), /: 4\d\d /)
  await refused('vote', { id, options: ['Red', 'Blue'] })
  await refused('vote', { id, options: ['Green'] })
  await refused('tap', { id: hidden, choice: 'Yes' })
  await refused('tap', { id, choice: 'Red' })
  await fixture.call('POST', `/phones/${bruno}/vote`, { id, options: ['Red'] })
  await until('the vote', () => client.messages.find(({ message }) => message?.pollUpdateMessage))
})
