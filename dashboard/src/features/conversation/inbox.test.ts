import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseName, SHORT_SEARCH_CHATS } from '../../hooks/chat-filter.js'
import { insertNames } from './mentions.js'
import { readMenu } from './menu-facts.js'
import { formatLength, readFacts, readLink } from './message-facts.js'
import { formatJid } from './names.js'

describe('what strangers write into a message', () => {
  it('makes a preview of a link on the web only', () => {
    const link = (content: { readonly [name: string]: unknown }) => readLink({ messageType: 'text', content })
    assert.equal(link({ matchedText: 'https://a.example/x', title: 'A' })?.host, 'a.example')
    assert.equal(link({ matchedText: 'a.example', title: 'A' })?.href, 'https://a.example/')
    assert.equal(link({ matchedText: 'https://a.example/' }), null)
    for (const matchedText of ['javascript:alert(1)', 'data:text/html,x', 'https://', 7]) {
      const found = link({ matchedText, title: 'A' })
      assert.ok(found === null || /^https?:\/\//.test(found.href), String(matchedText))
    }
  })

  it('reads buttons, lists and cards of each kind, and bounds them', () => {
    const native = { buttons: [{ name: 'cta_url', buttonParamsJson: '{"display_text":"Open"}' }] }
    assert.deepEqual(readMenu({ content: { nativeFlowMessage: native } })?.actions, [{ text: 'Open', does: 'open' }])
    const cards = [{ body: { text: 'One' }, nativeFlowMessage: native }]
    assert.equal(readMenu({ content: { carouselMessage: { cards } } })?.cards[0]?.actions.length, 1)
    const sections = [{ title: 'A', rows: [{ title: 'One', description: 'first' }] }]
    assert.deepEqual(readMenu({ content: { sections, buttonText: 'Choose' } })?.sections[0]?.rows, [
      { title: 'One', description: 'first' },
    ])
    const many = Array.from({ length: 500 }, () => ({ buttonText: { displayText: 'x'.repeat(5_000) } }))
    const bounded = readMenu({ content: { buttons: many } })?.actions ?? []
    assert.equal(bounded.length, 100)
    assert.equal(bounded[0]?.text.length, 1_000)
    assert.equal(readMenu({ content: { nativeFlowMessage: { buttons: [{ buttonParamsJson: '{' }] } } }), null)
    assert.equal(readMenu({ content: {} }), null)
  })

  it('reads a waveform that is one, and no other', () => {
    const waveform = (value: unknown) => readFacts({ content: { waveform: value } }).waveform
    assert.deepEqual(waveform(btoa('\u0000\u0032\u0064\u00ff')), [0, 0.5, 1, 1])
    assert.deepEqual(waveform('%'), [])
    assert.deepEqual(waveform('A'.repeat(10_000)), [])
  })

  it('shows names in the place of mentioned numbers, and numbers and hidden ids as people know them', () => {
    const names = new Map([['123', 'Ana']])
    assert.equal(insertNames('Hi @123 and @456', ['123@lid', '456@lid'], names), 'Hi @Ana and @456')
    assert.equal(insertNames('Hi @123', [], names), 'Hi @123')
    assert.equal(formatJid('5511999990002@s.whatsapp.net'), '+5511999990002')
    assert.equal(formatJid('100000000000004@lid'), '~000004')
    assert.equal(formatLength(65.4), '1:05')
  })

  it('searches the newest chats only for so few characters that no index serves them', () => {
    const newest = SHORT_SEARCH_CHATS
    assert.deepEqual(chooseName('a'), { name: '~a', newest })
    assert.deepEqual(chooseName('55'), { wa_chatid: '~55', newest })
    assert.deepEqual(chooseName('@an'), { wa_username: '~an', newest })
    assert.deepEqual(chooseName('an'), { name: '~an' })
    assert.deepEqual(chooseName('551'), { wa_chatid: '~551' })
  })
})
