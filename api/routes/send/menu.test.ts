import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertRefuses, badSendFields } from '../../../test/support/bad-fields.js'
import { startFakeNode } from '../../../test/support/fake-node.js'

const number = '5511999990002'
const buttons = { number, type: 'button', text: 'Which?', choices: ['Yes|y', 'No'] }
const list = { ...buttons, type: 'list', choices: ['[S]', 'One|1|first', 'Two'] }
const poll = { ...buttons, type: 'poll', choices: ['Red', 'Blue'] }
const carousel = { ...buttons, type: 'carousel', choices: ['[A]', 'Yes', '[B]', 'No'] }
const long = 'x'.repeat(4_097)

describe('a menu', () => {
  it('is asked of the instance as what its choices are, with what its caller should know', async (t) => {
    const node = await startFakeNode(t)
    const answer = await node.call('/send/menu', {
      json: { ...buttons, type: 'poll', choices: ['[T]', 'Red|r', 'Blue'], footerText: 'F', fallback: true },
    })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body.warnings, [
      'Titles in brackets are shown in lists and carousels only and were left out: choices[0].',
      'A poll option is a text alone: what follows it was left out: choices[1].',
      'footerText is for buttons and lists and was ignored.',
    ])
    const [command] = node.commands
    assert.deepEqual(command?.type === 'send' && command.content, {
      kind: 'menu',
      menu: {
        type: 'poll',
        text: 'Which?',
        options: [
          { at: 'choices[1]', text: 'Red' },
          { at: 'choices[2]', text: 'Blue' },
        ],
        selectableCount: 1,
      },
      textFallback: true,
    })
  })

  it('becomes a text when it is refused, if the server or else the caller says so', async (t) => {
    for (const [menuTextFallback, fallback, expected] of [
      [false, undefined, undefined],
      [true, undefined, true],
      [true, false, undefined],
      [false, true, true],
    ]) {
      const node = await startFakeNode(t, { menuTextFallback: menuTextFallback ?? false })
      await node.call('/send/menu', { json: { ...buttons, ...(fallback === undefined ? {} : { fallback }) } })
      const [command] = node.commands
      assert.ok(command?.type === 'send' && command.content.kind === 'menu')
      assert.equal(command.content.textFallback, expected)
    }
  })

  it('with a field that is none is refused, and nothing is sent', async (t) => {
    await assertRefuses(t, '/send/menu', buttons, [
      ...badSendFields,
      ['type', undefined, 'Invalid request: type is required.'],
      ['type', null, 'Invalid request: type must be string.'],
      ['type', 7, 'Invalid request: type must be string.'],
      ['type', '', 'Invalid request: type must be one of: button, list, poll, carousel.'],
      ['type', 'BUTTON', 'Invalid request: type must be one of: button, list, poll, carousel.'],
      ['text', undefined, 'Invalid request: text is required.'],
      ['text', null, 'Invalid request: text must be string.'],
      ['text', ['a'], 'Invalid request: text must be string.'],
      ['text', '', /^Invalid request: text must not/],
      ['text', ' \n ', 'Invalid request: text has no text.'],
      ['text', 'x'.repeat(65_537), /^Invalid request: text must not/],
      ['choices', undefined, 'Invalid request: choices is required.'],
      ['choices', null, 'Invalid request: choices must be array.'],
      ['choices', 'Yes', 'Invalid request: choices must be array.'],
      ['choices', [], /^Invalid request: choices must not/],
      ['choices', ['Yes', null], 'Invalid request: choices[1] must be string.'],
      ['choices', ['Yes', 5], 'Invalid request: choices[1] must be string.'],
      ['choices', Array(201).fill('a'), /^Invalid request: choices must not/],
      ['footerText', 5, 'Invalid request: footerText must be string.'],
      ['footerText', {}, 'Invalid request: footerText must be string.'],
      ['footerText', 'x'.repeat(1_001), /^Invalid request: footerText must not/],
      ['listButton', 5, 'Invalid request: listButton must be string.'],
      ['listButton', 'x'.repeat(1_001), /^Invalid request: listButton must not/],
      ['selectableCount', 'two', 'Invalid request: selectableCount must be integer.'],
      ['selectableCount', 1.5, 'Invalid request: selectableCount must be integer.'],
      ['selectableCount', -1, /^Invalid request: selectableCount must be >= 0/],
      ['selectableCount', 13, /^Invalid request: selectableCount must be <= 12/],
      ['imageButton', 5, 'Invalid request: imageButton must be string.'],
      ['imageButton', 'a.png', 'Invalid request: imageButton is neither an http or https URL nor base64.'],
      [
        'imageButton',
        'ftp://example.com/a',
        'Invalid request: imageButton is neither an http or https URL nor base64.',
      ],
      ['fallback', 'yes', 'Invalid request: fallback must be boolean.'],
      ['fallback', 'yes', 'Invalid request: fallback must be boolean.'],
    ])
  })

  it('of buttons with choices that are none is refused', async (t) => {
    await assertRefuses(t, '/send/menu', buttons, [
      ['choices', ['[Title alone]'], 'Invalid request: choices has no button.'],
      ['choices', ['Yes', '|y'], 'Invalid request: choices[1] has no text.'],
      ['choices', [`Yes|${'x'.repeat(257)}`], 'Invalid request: choices[0] has an id of more than 256 characters.'],
      ['choices', [long], /^Invalid request: choices\[0\] has an id of more/],
      ['choices', [`${long}|y`], 'Invalid request: choices[0] is longer than 4096 characters.'],
      [
        'choices',
        Array.from({ length: 11 }, (_, at) => `b${at}`),
        'Invalid request: choices[10] is more than 10 buttons.',
      ],
      ['choices', ['Code|copy:'], 'Invalid request: choices[0] has no code after copy:.'],
      ['choices', [`Code|copy:${long}`], 'Invalid request: choices[0] is longer than 4096 characters.'],
      ['choices', ['Ring|call:ABC'], 'Invalid request: choices[0] has no phone number after call: (3 to 20 digits).'],
      ['choices', ['Site|url:'], 'Invalid request: choices[0] has no valid URL (http, https or mailto).'],
      [
        'choices',
        ['Site|url:ftp://a.example'],
        'Invalid request: choices[0] has no valid URL (http, https or mailto).',
      ],
      ['choices', ['Site|https://'], 'Invalid request: choices[0] has no valid URL (http, https or mailto).'],
    ])
  })

  it('of a list, poll or carousel with choices that are none is refused', async (t) => {
    await assertRefuses(t, '/send/menu', list, [
      ['choices', ['[S]'], 'Invalid request: choices has no item.'],
      ['choices', ['|1|d'], 'Invalid request: choices[0] has no text.'],
      ['choices', [`One|${'x'.repeat(257)}`], 'Invalid request: choices[0] has an id of more than 256 characters.'],
      [
        'choices',
        Array.from({ length: 11 }, (_, at) => [`[S${at}]`, `i${at}`]).flat(),
        'Invalid request: choices[21] is in the section after the 10 that a list may have.',
      ],
    ])
    await assertRefuses(t, '/send/menu', poll, [
      ['text', 'x'.repeat(256), "Invalid request: text is longer than the 255 characters of a poll's question."],
      ['choices', ['Red'], 'Invalid request: choices has fewer than 2 options.'],
      ['choices', ['Red', 'Blue', 'Red'], 'Invalid request: choices[2] is the same option as choices[0].'],
      ['choices', ['Red', ''], 'Invalid request: choices[1] has no text.'],
      ['choices', ['Red', 'x'.repeat(101)], /^Invalid request: choices\[1\] is longer than the 100 characters/],
      [
        'choices',
        Array.from({ length: 13 }, (_, at) => `o${at}`),
        'Invalid request: choices[12] is more than 12 options.',
      ],
      ['selectableCount', 3, 'Invalid request: selectableCount must be 0 (any number) to 2, the number of options.'],
    ])
    await assertRefuses(t, '/send/menu', carousel, [
      [
        'choices',
        ['Yes'],
        'Invalid request: choices[0] stands before the first card: a carousel begins with [text of a card].',
      ],
      ['choices', ['[A]'], 'Invalid request: choices[0] is a card without a button.'],
      ['choices', ['[ ]', 'Yes'], 'Invalid request: choices[0] has no text.'],
      ['choices', ['[A]', '{a.png}', 'Yes'], 'Invalid request: choices[1] is neither an http or https URL nor base64.'],
      ['choices', ['[A]', '1', '2', '3', '4'], 'Invalid request: choices[4] is more than 3 buttons on a card.'],
      [
        'choices',
        Array.from({ length: 11 }, (_, at) => [`[C${at}]`, 'Yes']).flat(),
        'Invalid request: choices[20] is more than 10 cards.',
      ],
    ])
  })
})
