import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proto } from '@whiskeysockets/baileys'
import { contentForCallers } from './content.js'
import { readChoiceAnswer, readChoices } from './interactive-content.js'

const contextInfo = { stanzaId: 'Q1' }
const native = (name: string, paramsJson: string | null, text?: string): proto.IMessage => ({
  interactiveResponseMessage: {
    ...(text === undefined ? {} : { body: { text } }),
    nativeFlowResponseMessage: { name, paramsJson, version: 3 },
    contextInfo,
  },
})

describe('an answer to a menu', () => {
  const rows: readonly [name: string, message: proto.IMessage, answer: object][] = [
    [
      'of the older buttons',
      { buttonsResponseMessage: { selectedButtonId: 'y', selectedDisplayText: 'Yes', contextInfo } },
      { kind: 'button', id: 'y', text: 'Yes', quoted: 'Q1' },
    ],
    [
      'of the buttons of a template',
      { templateButtonReplyMessage: { selectedId: 'y', selectedDisplayText: 'Yes', contextInfo } },
      { kind: 'button', id: 'y', text: 'Yes', quoted: 'Q1' },
    ],
    [
      'of a list',
      { listResponseMessage: { title: 'One', singleSelectReply: { selectedRowId: 'p1' }, contextInfo } },
      { kind: 'list', id: 'p1', text: 'One', quoted: 'Q1' },
    ],
    [
      'of a native button',
      native('quick_reply', '{"id":"y"}', 'Yes'),
      { kind: 'button', id: 'y', text: 'Yes', quoted: 'Q1' },
    ],
    [
      'whose text is in its parameters',
      native('quick_reply', '{"id":"y","display_text":"Yes"}'),
      { kind: 'button', id: 'y', text: 'Yes', quoted: 'Q1' },
    ],
    [
      'of a native list',
      native('single_select', '{"id":"p1","title":"One"}'),
      { kind: 'list', id: 'p1', text: 'One', quoted: 'Q1' },
    ],
    ...['not JSON', '[1]', 'null', '7', '{"id":{"a":1}}', ''].map((params): [string, proto.IMessage, object] => [
      `with ${params || 'nothing'} as parameters`,
      native('quick_reply', params, 'Yes'),
      { kind: 'button', id: '', text: 'Yes', quoted: 'Q1' },
    ]),
    ['that says nothing', { interactiveResponseMessage: {} }, { kind: 'button', id: '', text: '' }],
  ]
  for (const [name, message, answer] of rows) {
    it(name, () => {
      const decoded = proto.Message.decode(proto.Message.encode(message as proto.Message).finish())
      assert.deepEqual(readChoiceAnswer(decoded), answer)
    })
  }

  it('puts its id, its label and the menu into the record', () => {
    const { messageType, vote, buttonOrListid, quoted, text } =
      contentForCallers(native('quick_reply', '{"id":"y"}', 'Yes')) ?? {}
    assert.deepEqual(
      { messageType, vote, buttonOrListid, quoted, text },
      { messageType: 'button', vote: 'Yes', buttonOrListid: 'y', quoted: 'Q1', text: '' },
    )
    const list = contentForCallers({
      listResponseMessage: { title: 'One', singleSelectReply: { selectedRowId: 'p1' } },
    })
    assert.equal(list?.messageType, 'list')
    assert.equal(list?.mediaType, 'list_response')
  })

  it('is absent from other messages', () => {
    assert.equal(readChoiceAnswer({ conversation: 'Yes' }), null)
    assert.equal(readChoiceAnswer({ listMessage: { title: 'x' } }), null)
  })
})

it('describes menus of others by their labels, whatever their other fields', () => {
  const buttons = [{ buttonText: { displayText: 'A' } }, {}, { buttonText: { displayText: 'B' } }]
  assert.deepEqual(readChoices({ buttonsMessage: { buttons } }), ['A', 'B'])
  const nativeFlowMessage = { buttons: [{ buttonParamsJson: '{"display_text":"A"}' }, { buttonParamsJson: '{' }, {}] }
  assert.deepEqual(readChoices({ interactiveMessage: { nativeFlowMessage } }), ['A'])
  assert.deepEqual(readChoices({ interactiveMessage: { carouselMessage: { cards: [{ nativeFlowMessage }, {}] } } }), [
    'A',
  ])
  assert.deepEqual(readChoices({ listMessage: {} }), [])
  assert.equal(readChoices({ conversation: 'A' }), null)
})
