import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fallbackText } from './fallback.js'
import { type MenuRequest, parseMenu } from './parse.js'

const say = (request: Omit<MenuRequest, 'text'>): string => fallbackText(parseMenu({ text: 'Choose', ...request }).menu)

describe('a menu as a plain text', () => {
  it('numbers the buttons and says what a tap would do', () => {
    const choices = ['Yes|y', 'Code|copy:ABC', 'Ring|call:+5511999999999', 'Site|https://example.com']
    assert.equal(
      say({ type: 'button', choices, footerText: 'Foot' }),
      'Choose\n\n1. Yes\n2. Code: ABC\n3. Ring: +5511999999999\n4. Site: https://example.com\n\n_Foot_',
    )
  })

  it('counts through the sections of a list', () => {
    assert.equal(
      say({ type: 'list', choices: ['First', '[Phones]', 'One|p1|Small', 'Two', '[Rest]', 'Three'] }),
      'Choose\n\n1. First\n\n*Phones*\n2. One: Small\n3. Two\n\n*Rest*\n4. Three',
    )
  })

  it('numbers the options of a poll, and the buttons of a carousel under their cards', () => {
    assert.equal(say({ type: 'poll', choices: ['A', 'B'] }), 'Choose\n\n1. A\n2. B')
    assert.equal(
      say({ type: 'carousel', choices: ['[Card]', 'Take|t', '[Other]', 'Copy|copy:1'] }),
      'Choose\n\nCard\n1. Take\n\nOther\n2. Copy: 1',
    )
  })
})
