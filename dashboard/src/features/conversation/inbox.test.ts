import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nameOrNumber, SHORT_SEARCH_CHATS } from '../../hooks/chat-filter.js'
import { withNames } from './mentions.js'
import { menuOf } from './menu-facts.js'
import { factsOf, linkOf, timeOf } from './message-facts.js'
import { numberOf } from './names.js'

describe('what strangers write into a message', () => {
  it('makes a preview of a link on the web only', () => {
    const link = (content: { readonly [name: string]: unknown }) => linkOf({ messageType: 'text', content })
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
    assert.deepEqual(menuOf({ content: { nativeFlowMessage: native } })?.actions, [{ text: 'Open', does: 'open' }])
    const cards = [{ body: { text: 'One' }, nativeFlowMessage: native }]
    assert.equal(menuOf({ content: { carouselMessage: { cards } } })?.cards[0]?.actions.length, 1)
    const sections = [{ title: 'A', rows: [{ title: 'One', description: 'first' }] }]
    assert.deepEqual(menuOf({ content: { sections, buttonText: 'Choose' } })?.sections[0]?.rows, [
      { title: 'One', description: 'first' },
    ])
    const many = Array.from({ length: 500 }, () => ({ buttonText: { displayText: 'x'.repeat(5_000) } }))
    const bounded = menuOf({ content: { buttons: many } })?.actions ?? []
    assert.equal(bounded.length, 100)
    assert.equal(bounded[0]?.text.length, 1_000)
    assert.equal(menuOf({ content: { nativeFlowMessage: { buttons: [{ buttonParamsJson: '{' }] } } }), null)
    assert.equal(menuOf({ content: {} }), null)
  })

  it('reads a waveform that is one, and no other', () => {
    const waveform = (value: unknown) => factsOf({ content: { waveform: value } }).waveform
    assert.deepEqual(waveform(btoa('\u0000\u0032\u0064\u00ff')), [0, 0.5, 1, 1])
    assert.deepEqual(waveform('%'), [])
    assert.deepEqual(waveform('A'.repeat(10_000)), [])
  })

  it('shows names in the place of mentioned numbers, and numbers and hidden ids as people know them', () => {
    const names = new Map([['123', 'Ana']])
    assert.equal(withNames('Hi @123 and @456', ['123@lid', '456@lid'], names), 'Hi @Ana and @456')
    assert.equal(withNames('Hi @123', [], names), 'Hi @123')
    assert.equal(numberOf('5511999990002@s.whatsapp.net'), '+5511999990002')
    assert.equal(numberOf('100000000000004@lid'), '~000004')
    assert.equal(timeOf(65.4), '1:05')
  })

  it('searches the newest chats only for so few characters that no index serves them', () => {
    const newest = SHORT_SEARCH_CHATS
    assert.deepEqual(nameOrNumber('a'), { name: '~a', newest })
    assert.deepEqual(nameOrNumber('55'), { wa_chatid: '~55', newest })
    assert.deepEqual(nameOrNumber('@an'), { wa_username: '~an', newest })
    assert.deepEqual(nameOrNumber('an'), { name: '~an' })
    assert.deepEqual(nameOrNumber('551'), { wa_chatid: '~551' })
  })
})
