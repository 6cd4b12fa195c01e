import { it } from 'node:test'
import { assertRefuses, type BadField, badSendFields } from '../../../test/support/bad-fields.js'

const button = { text: 'Take', id: 't', type: 'REPLY' }
const card = { text: 'A', buttons: [button] }
const good = { number: '5511999990002', text: 'Look', carousel: [card, { ...card, text: 'B' }] }

/** A field of the second card, or of its button, in place of a good one. */
const inCard = (field: string, value: unknown, error: string | RegExp): BadField => [
  'carousel',
  [card, { ...card, [field]: value }],
  error,
]
const inButton = (field: string, value: unknown, error: string | RegExp): BadField =>
  inCard('buttons', [{ ...button, [field]: value }], error)

it('a carousel that is none is refused, and nothing is sent', async (t) => {
  const noMedia = 'is neither an http or https URL nor base64.'
  await assertRefuses(t, '/send/carousel', good, [
    ...badSendFields,
    ['text', undefined, 'Invalid request: text is required.'],
    ['text', null, 'Invalid request: text must be string.'],
    ['text', '', /^Invalid request: text must not/],
    ['text', '  ', 'Invalid request: text has no text.'],
    ['text', 'x'.repeat(65_537), /^Invalid request: text must not/],
    ['fallback', 1, 'Invalid request: fallback must be boolean.'],
    ['carousel', undefined, 'Invalid request: carousel is required.'],
    ['carousel', null, 'Invalid request: carousel must be array.'],
    ['carousel', {}, 'Invalid request: carousel must be array.'],
    ['carousel', [], /^Invalid request: carousel must not/],
    ['carousel', Array(101).fill(card), /^Invalid request: carousel must not/],
    ['carousel', Array(11).fill(card), 'Invalid request: carousel[10] is more than 10 cards.'],
    ['carousel', [card, 'B'], 'Invalid request: carousel[1] must be object.'],
    inCard('text', undefined, 'Invalid request: carousel[1].text is required.'),
    inCard('text', null, 'Invalid request: carousel[1].text must be string.'),
    inCard('text', '', /^Invalid request: carousel\[1\]\.text must not/),
    inCard('text', ' ', 'Invalid request: carousel[1] has no text.'),
    inCard('text', 'x'.repeat(65_537), /^Invalid request: carousel\[1\]\.text must not/),
    inCard('image', 5, 'Invalid request: carousel[1].image must be string.'),
    inCard('image', 'a.png', `Invalid request: carousel[1].image ${noMedia}`),
    inCard('video', 'a.mp4', `Invalid request: carousel[1].video ${noMedia}`),
    inCard('document', 'a.pdf', `Invalid request: carousel[1].document ${noMedia}`),
    inCard('filename', {}, 'Invalid request: carousel[1].filename must be string.'),
    inCard('filename', 'x'.repeat(256), /^Invalid request: carousel\[1\]\.filename must not/),
    inCard('buttons', undefined, 'Invalid request: carousel[1].buttons is required.'),
    inCard('buttons', null, 'Invalid request: carousel[1].buttons must be array.'),
    inCard('buttons', [], /^Invalid request: carousel\[1\]\.buttons must not/),
    inCard('buttons', [1], 'Invalid request: carousel[1].buttons[0] must be object.'),
    inCard(
      'buttons',
      Array(4).fill(button),
      'Invalid request: carousel[1].buttons[3] is more than 3 buttons on a card.',
    ),
    inButton('text', undefined, 'Invalid request: carousel[1].buttons[0].text is required.'),
    inButton('text', null, 'Invalid request: carousel[1].buttons[0].text must be string.'),
    inButton('text', '', /^Invalid request: carousel\[1\]\.buttons\[0\]\.text must not/),
    inButton('text', ' ', 'Invalid request: carousel[1].buttons[0] has no text.'),
    inButton('text', 'x'.repeat(4_097), /^Invalid request: carousel\[1\]\.buttons\[0\]\.text must not/),
    inButton('type', undefined, 'Invalid request: carousel[1].buttons[0].type is required.'),
    inButton(
      'type',
      'reply',
      /^Invalid request: carousel\[1\]\.buttons\[0\]\.type must be one of: REPLY, URL, COPY, CALL/,
    ),
    inButton('id', 7, 'Invalid request: carousel[1].buttons[0].id must be string.'),
    inButton('id', 'x'.repeat(257), 'Invalid request: carousel[1].buttons[0] has an id of more than 256 characters.'),
    inButton('id', 'x'.repeat(4_097), /^Invalid request: carousel\[1\]\.buttons\[0\]\.id must not/),
    inCard(
      'buttons',
      [{ ...button, type: 'COPY', id: '' }],
      'Invalid request: carousel[1].buttons[0].id has no code to copy.',
    ),
    inCard(
      'buttons',
      [{ ...button, type: 'CALL' }],
      /^Invalid request: carousel\[1\]\.buttons\[0\]\.id is not a phone number/,
    ),
    inCard(
      'buttons',
      [{ ...button, type: 'URL', id: 'ftp://a' }],
      /^Invalid request: carousel\[1\]\.buttons\[0\]\.id is not a valid/,
    ),
  ])
})
