import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newNotes } from '../../api/input/fold.js'
import { createValidation } from '../../api/input/validation.js'
import { catchProblems } from '../../test/support/refusals.js'
import type { SendCarouselRequest, SendMenuRequest, SendPixButtonRequest } from '../generated.js'
import { parsePixKey } from '../payment-request.js'
import { loadSchemas } from '../schema-registry.js'
import { parseCarousel } from './carousel.js'
import { parseMenu } from './parse.js'

const validation = createValidation(loadSchemas())

describe('a body that fits its schema', () => {
  it('of /send/menu is what the parser takes', () => {
    const body: SendMenuRequest = {
      number: '15550001111',
      type: 'list',
      text: 'T',
      choices: ['[S]', 'A|1|d'],
      delay: 1,
    }
    assert.deepEqual(validation.body('send/menu.json', body, newNotes()), body)
    assert.deepEqual(parseMenu(body).warnings, [])
    assert.deepEqual(
      catchProblems(() => validation.body('send/menu.json', { ...body, type: 'grid' }, newNotes())),
      ['type must be one of: button, list, poll, carousel'],
    )
    for (const missing of ['number', 'type', 'text', 'choices']) {
      const without = Object.fromEntries(Object.entries(body).filter(([key]) => key !== missing))
      assert.deepEqual(
        catchProblems(() => validation.body('send/menu.json', without, newNotes())),
        [`${missing} is required`],
      )
    }
  })

  it('of /send/carousel is what the parser takes', () => {
    const body: SendCarouselRequest = {
      number: '15550001111',
      text: 'T',
      carousel: [
        { text: 'A', image: 'https://example.com/a.png', buttons: [{ text: 'Take', id: 't', type: 'REPLY' }] },
      ],
    }
    assert.deepEqual(validation.body('send/carousel.json', body, newNotes()), body)
    assert.equal(parseCarousel(body).menu.type, 'carousel')
    const wrong = { ...body, carousel: [{ text: 'A', buttons: [{ text: 'B', type: 'reply' }] }] }
    assert.deepEqual(
      catchProblems(() => validation.body('send/carousel.json', wrong, newNotes())),
      ['carousel[0].buttons[0].type must be one of: REPLY, URL, COPY, CALL'],
    )
  })

  it('of /send/pix-button leaves the kind of the key to the reader, whose words are the specified ones', () => {
    const body: SendPixButtonRequest = { number: '15550001111', pixType: 'iban', pixKey: '1' }
    assert.deepEqual(validation.body('send/pix-button.json', body, newNotes()), body)
    assert.throws(() => parsePixKey(body), { message: 'Invalid keyType. Allowed: CPF, CNPJ, PHONE, EMAIL, EVP' })
  })
})
