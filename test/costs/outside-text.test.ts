import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answerText, withoutHeaderSecrets } from '../../actors/agents/tools/answer-text.js'
import { readChoiceAnswer } from '../../actors/network/baileys/interactive-content.js'
import { readMessage } from '../../actors/network/baileys/kinds/read-message.js'
import { summarizeVcard } from '../../actors/network/baileys/vcard.js'
import { createExtractor } from '../../runtime/agents/extract/extractor.js'
import { toChatwootText, toNetworkText } from '../../runtime/chatwoot/shown-message.js'
import { readPage } from '../../runtime/outgoing/page.js'
import { createWork } from '../../runtime/work/work.js'
import { expandPlaceholders } from '../../schemas/placeholders.js'
import { longestStopMs } from '../support/main-thread-time.js'

const MAX_MS = 20
const MIB = 1024 * 1024
const deep = `${'['.repeat(MIB / 2)}${']'.repeat(MIB / 2)}`
const names = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [
    `lead_field${String(index + 1).padStart(2, '0')}`,
    `${'é'.repeat(200)}${index}`,
  ]),
)
const headers = JSON.stringify({
  cookie: Array.from({ length: 5_400 }, (_, index) => String(index).padStart(8, 'x')).join(' '),
})
/** A poll with as many options as fit, two bytes each. */
const poll = Buffer.concat([Buffer.from([0x8a, 0x03, ...varint(MIB)]), Buffer.alloc(MIB, Buffer.from([0x1a, 0x00]))])
const extractor = createExtractor({ work: createWork() })

/** Text of strangers and tenants, each made to cost as much as possible. */
const works: Readonly<Record<string, () => unknown>> = {
  "a stranger's answer to a button": () =>
    readChoiceAnswer({ interactiveResponseMessage: { nativeFlowResponseMessage: { paramsJson: deep } } }),
  "a stranger's contact card of short lines": () => summarizeVcard('', 'TEL:1\n'.repeat(MIB / 6)),
  "a stranger's contact card of empty lines": () => summarizeVcard('', '\r\n'.repeat(MIB / 2)),
  "a stranger's contact card that goes on and on": () => summarizeVcard('', `FN:a\n${' a\n'.repeat(MIB / 3)}`),
  "a stranger's contact card of escapes": () => summarizeVcard('', `FN:${'\\n'.repeat(MIB / 2)}`),
  "a stranger's poll of a million options": () => readMessage(poll),
  'placeholders that are unknown': () => expandPlaceholders('{{b}}'.repeat(13_000), { fieldsMap: names }, new Set()),
  'placeholders of many names': () =>
    expandPlaceholders(
      Array.from({ length: 7_000 }, (_, index) => `{{b${index}}}`).join(''),
      { fieldsMap: names },
      new Set(),
    ),
  'placeholders of accents': () =>
    expandPlaceholders(`{{${'\u0300\u0316'.repeat(150)}}}`.repeat(215), { fieldsMap: names }, new Set()),
  "a stranger's name again and again": () =>
    expandPlaceholders('{{first_name}}'.repeat(4_600), { wa_name: `a ${'-'.repeat(200)}`.repeat(100) }),
  'an answer of a function whose headers have many values': () =>
    withoutHeaderSecrets('xxxxxxx'.repeat(9_362), headers),
  'a text of the knowledge': () =>
    extractor.read('ana', { type: 'txt', bytes: Buffer.from('a\n'.repeat(32_768)) }, new AbortController().signal),
  'marks of code in Chatwoot': () => toNetworkText('`'.repeat(150_000)),
  'marks of code in WhatsApp': () => toChatwootText('```a'.repeat(37_500)),
  'a page with attributes': () =>
    readPage(
      Buffer.from(`<meta ${Array.from({ length: 55_000 }, (_, index) => `a${index}=1`).join(' ')}>`),
      'text/html',
    ),
}

describe('text from outside keeps the event loop for less than 20 ms', () => {
  for (const [name, work] of Object.entries(works))
    it(name, async () => {
      const ms = await longestStopMs(work, MAX_MS)
      assert.ok(ms < MAX_MS, `${ms.toFixed(1)} ms`)
    })
})

describe('what is left of such a text', () => {
  it('is a contact card with its name and numbers, behind a large picture', () => {
    const picture = `PHOTO;ENCODING=b:${'A'.repeat(70)}\r\n${` ${'B'.repeat(73)}\r\n`.repeat(2_000)}`
    const card = `BEGIN:VCARD\r\n${picture}FN:Ana\r\n  Maria\r\nTEL;waid=5511999990001:+55 11\r\n\t99999\r\nEND:VCARD`
    assert.equal(summarizeVcard('', card), 'Ana Maria\n+55 1199999')
  })

  it('is an answer to a button of a few fields', () => {
    const paramsJson = JSON.stringify({ id: 'yes', display_text: 'Yes' })
    const answer = readChoiceAnswer({ interactiveResponseMessage: { nativeFlowResponseMessage: { paramsJson } } })
    assert.deepEqual([answer?.id, answer?.text], ['yes', 'Yes'])
  })

  it('is a sentence, not an answer with secrets in it', () => {
    const { text } = answerText(
      { isAnswered: true, statusCode: 200, contentType: 'text/plain', text: 'xxxxxxx1', isCut: false },
      true,
    )
    assert.match(withoutHeaderSecrets(text, headers), /^\[The answer is not shown/)
  })

  it('is a message with a long text, whatever its letters are', () => {
    for (const letter of ['x', 'H', 'z', '\b', '\n']) {
      const text = Buffer.from(letter.repeat(65_536))
      assert.equal(
        readMessage(Buffer.concat([Buffer.from([0x0a, ...varint(text.length)]), text])).conversation?.length,
        65_536,
      )
    }
  })
})

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}
