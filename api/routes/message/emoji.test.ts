import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isOneEmoji } from './react.js'

it('one emoji is what people count as one, however many code points it has', () => {
  for (const emoji of ['👍', '❤️', '❤', '👍🏽', '👩‍👩‍👧‍👦', '🇧🇷', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', '🏳️‍🌈', '©️', '👩🏽‍🚀'])
    assert.ok(isOneEmoji(emoji), emoji)
})

it('two emojis, letters, digits, blanks and what is joined to an emoji are not one', () => {
  const texts = [
    '👍👍',
    '👍 ',
    ' 👍',
    'a',
    '1',
    '#',
    '',
    ' ',
    ':)',
    '👍a',
    'e\u0301',
    '👍\u0301',
    '\u200d',
    '🇧🇷🇧🇷',
    '🇧',
    'ok👍',
    '\n',
    '👍\n',
  ]
  for (const text of texts) assert.ok(!isOneEmoji(text), JSON.stringify(text))
})
