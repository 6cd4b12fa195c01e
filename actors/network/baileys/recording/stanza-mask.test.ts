import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BinaryNode, binaryNodeToString } from '@whiskeysockets/baileys'
import { parseSentStanza } from './recording.js'
import { StanzaMask } from './stanza-mask.js'

const node = (tag: string, attrs: Record<string, string>, content?: BinaryNode['content']): BinaryNode =>
  content === undefined ? { tag, attrs } : { tag, attrs, content }

describe('a recorded stanza', () => {
  it('keeps known tags, attributes and words, and replaces ids, addresses and contents', () => {
    const mask = new StanzaMask()
    const message = node(
      'message',
      { id: 'ABC', type: 'text', from: '5511999990001@s.whatsapp.net', t: '1700000000', notify: 'Maria Silva' },
      [node('enc', { v: '2', type: 'pkmsg' }, Buffer.from('secret'))],
    )
    assert.deepEqual(mask.mask(message), {
      tag: 'message',
      attrs: { id: 'id1', type: 'text', from: 'person1@s.whatsapp.net' },
      otherAttrs: 2,
      content: [{ tag: 'enc', attrs: { v: '2', type: 'pkmsg' }, content: true }],
    })
  })

  it('gives the same id and the same address the same placeholder', () => {
    const mask = new StanzaMask()
    mask.mask(node('message', { id: 'A', from: '1555@s.whatsapp.net' }))
    assert.deepEqual(mask.mask(node('receipt', { id: 'A', to: '1555:7@s.whatsapp.net', participant: '1556@lid' })), {
      tag: 'receipt',
      attrs: { id: 'id1', to: 'person1:7@s.whatsapp.net', participant: 'person2@lid' },
    })
    assert.deepEqual(mask.mask(node('presence', { from: '12-34@g.us', to: 's.whatsapp.net' })).attrs, {
      from: 'group1@g.us',
      to: 's.whatsapp.net',
    })
  })

  it('replaces what it does not know', () => {
    const strange = node('Maria', { type: 'Maria Silva', code: '5511999990001', Silva: 'x', from: 'Maria@silva' })
    assert.deepEqual(new StanzaMask().mask(strange), {
      tag: '?',
      attrs: { type: 'word1', code: 'word2', from: 'address1' },
      otherAttrs: 1,
    })
  })

  it('is bounded in width and depth', () => {
    const wide = node(
      'list',
      {},
      Array.from({ length: 100 }, () => node('item', {})),
    )
    assert.deepEqual(
      [new StanzaMask().mask(wide).cut, (new StanzaMask().mask(wide).content as object[]).length],
      [36, 64],
    )
    let deep = node('item', {})
    for (let level = 0; level < 50; level += 1) deep = node('list', {}, [deep])
    assert.ok(JSON.stringify(new StanzaMask().mask(deep)).includes('"cut":1'))
  })
})

describe('a stanza that the library sends', () => {
  it('is read from its log line with its elements, attributes and places of content', () => {
    const stanza = node('iq', { id: '7', type: 'set' }, [
      node('link_code_companion_reg', { stage: 'companion_hello' }, [
        node('companion_platform_id', {}, Buffer.from('1')),
        node('companion_platform_display', {}, 'Chrome (Linux)'),
      ]),
      node('empty', {}),
    ])
    const mask = new StanzaMask()
    const read = parseSentStanza(binaryNodeToString(stanza)) as BinaryNode
    assert.deepEqual(mask.mask(read), mask.mask(stanza))
  })

  it('shows no text, whatever the text looks like', () => {
    for (const text of [
      "canary'",
      "x' type='canary",
      "<canary id='canary'>",
      '</iq>\n<canary/>',
      "a\nb='canary'\n<message type='canary' from='canary@canary'/>",
    ]) {
      const stanza = node('iq', { subject: text, type: text }, [
        node('description', {}, text),
        node('item', { jid: text }),
      ])
      const read = parseSentStanza(binaryNodeToString(stanza))
      assert.doesNotMatch(JSON.stringify(read === null ? null : new StanzaMask().mask(read)), /canary/, text)
    }
  })
})
