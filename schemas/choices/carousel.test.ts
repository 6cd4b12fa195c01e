import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catchProblems } from '../../test/support/refusals.js'
import { type CarouselRequest, parseCarousel } from './carousel.js'
import { parseMenu } from './parse.js'

type CardRequest = CarouselRequest['carousel'][number]

const image = 'https://example.com/a.png'
const reply = { text: 'Take', type: 'REPLY' } as const

/** Without where things stood in the request, which is all that differs. */
function withoutPlaces(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'at' ? undefined : inner)))
}

function problems(card: Partial<CardRequest>): string[] {
  return catchProblems(() => parseCarousel({ text: 'T', carousel: [{ text: 'Card', buttons: [reply], ...card }] }))
}

describe('a carousel said in objects', () => {
  it('is the same menu as one said in choices', () => {
    const { menu } = parseCarousel({
      text: 'T',
      carousel: [
        {
          text: 'One',
          image,
          buttons: [
            { text: 'Take', id: 'take', type: 'REPLY' },
            { text: 'Site', id: 'https://example.com', type: 'URL' },
          ],
        },
        {
          text: 'Two',
          buttons: [
            { text: 'Code', id: 'P1', type: 'COPY' },
            { text: 'Ring', id: '+55 11 99999-9999', type: 'CALL' },
          ],
        },
      ],
    })
    const choices = [
      '[One]',
      `{${image}}`,
      'Take|take',
      'Site|https://example.com',
      '[Two]',
      'Code|copy:P1',
      'Ring|call:+5511999999999',
    ]
    assert.deepEqual(withoutPlaces(menu), withoutPlaces(parseMenu({ type: 'carousel', text: 'T', choices }).menu))
  })

  it('may show a video or a document instead of an image', () => {
    const { menu } = parseCarousel({
      text: 'T',
      carousel: [
        { text: 'One', video: 'https://example.com/a.mp4', buttons: [reply] },
        { text: 'Two', document: 'https://example.com/a.pdf', filename: 'Offer.pdf', buttons: [reply] },
      ],
    })
    assert.equal(menu.type, 'carousel')
    assert.deepEqual(
      menu.cards.map(({ media }) => media),
      [
        { at: 'carousel[0].video', kind: 'video', source: { from: 'url', url: 'https://example.com/a.mp4' } },
        {
          at: 'carousel[1].document',
          kind: 'document',
          source: { from: 'url', url: 'https://example.com/a.pdf' },
          filename: 'Offer.pdf',
        },
      ],
    )
  })

  it('names the card and the button that is wrong', () => {
    assert.deepEqual(problems({ text: ' ' }), ['carousel[0] has no text'])
    assert.deepEqual(problems({ buttons: [] }), ['carousel[0] is a card without a button'])
    assert.deepEqual(problems({ image: 'a cat' }), ['carousel[0].image is neither an http or https URL nor base64'])
    assert.deepEqual(problems({ image, video: image }), [
      'carousel[0].video stands beside image: a card shows one of them',
    ])
    assert.deepEqual(problems({ buttons: [{ text: 'A', type: 'COPY' }] }), [
      'carousel[0].buttons[0].id has no code to copy',
    ])
    assert.deepEqual(problems({ buttons: [{ text: 'A', id: 'x', type: 'CALL' }] }), [
      'carousel[0].buttons[0].id is not a phone number (3 to 20 digits)',
    ])
    assert.deepEqual(problems({ buttons: [{ text: 'A', id: 'ftp://a.b', type: 'URL' }] }), [
      'carousel[0].buttons[0].id is not a valid URL (http, https or mailto)',
    ])
    assert.deepEqual(problems({ buttons: [reply, reply, reply, reply] }), [
      'carousel[0].buttons[3] is more than 3 buttons on a card',
    ])
  })
})
