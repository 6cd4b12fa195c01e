import assert from 'node:assert/strict'
import { it } from 'node:test'
import { summarizeVcard, writeVcard } from './vcard.js'

it('composes a card from the given values, none of which can add a line', () => {
  const vcard = writeVcard({
    fullName: 'Silva; Ana, the \\ 1st\nTEL:+666',
    phoneNumbers: ['5511999990003'],
    organization: 'A & B; C',
  })
  assert.deepEqual(vcard.split('\n'), [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:;Silva\\; Ana\\, the \\\\ 1st\\nTEL:+666;;;',
    'FN:Silva\\; Ana\\, the \\\\ 1st\\nTEL:+666',
    'ORG:A & B\\; C',
    'TEL;type=CELL;type=VOICE;waid=5511999990003:+5511999990003',
    'END:VCARD',
  ])
  assert.equal(summarizeVcard('Ana', vcard), 'Ana\n+5511999990003\nA & B; C')
})

it('describes a card of another program by its name, numbers, organization and addresses', () => {
  const vcard = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:Silva;Ana;;;',
    'FN:Ana Silva',
    'item1.TEL;waid=5511999990003:+55 11 99999-0003',
    'item1.X-ABLabel:Mobile',
    'ORG:Posthorn;',
    'EMAIL;type=INTERNET:ana@exa',
    ' mple.org',
    'PHOTO;BASE64:AAAA',
    'END:VCARD',
  ].join('\r\n')
  assert.equal(summarizeVcard('', vcard), 'Ana Silva\n+55 11 99999-0003\nPosthorn\nana@example.org')
  assert.equal(summarizeVcard('Ana', 'no card at all'), 'Ana')
})

it('describes a hostile card as fast as any other', () => {
  // Looked through from each semicolon it would take minutes, in which nobody else is served.
  const parts = ';'.repeat(1_000_000)
  assert.equal(summarizeVcard('Eve', `BEGIN:VCARD\nORG:a${parts}x\nTEL:1${parts}\nEND:VCARD`), 'Eve')
  assert.equal(summarizeVcard('Eve', `TEL:1${';'.repeat(1_000)}`), 'Eve\n1')
})
