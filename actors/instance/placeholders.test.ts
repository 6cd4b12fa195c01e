import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expandPlaceholders } from './placeholders.js'

describe('placeholders in a text', () => {
  const chat = {
    wa_name: 'J. Maria Silva',
    wa_contactName: '',
    lead_name: '',
    lead_email: 'm@example.org',
    lead_field01: 'Lisbon {{name}}',
  }

  it('take the first name that is there, and its first real word', () => {
    assert.equal(expandPlaceholders('Hi {{name}}, or {{ first_name }}!', chat), 'Hi J. Maria Silva, or Maria!')
    for (const [name, first] of [
      ['3M Brasil', '3M'],
      ['ली कुमार', 'ली'],
      ['A B', ''],
      ['1234 Lima', 'Lima'],
    ])
      assert.equal(expandPlaceholders('{{first_name}}', { wa_name: name }), first)
    const names = { wa_name: 'Own', wa_contactName: 'Book', lead_fullName: 'Full', lead_name: 'Short' }
    const given = Object.entries(names)
    for (const [index, [, name]] of given.entries())
      assert.equal(expandPlaceholders('{{name}}', Object.fromEntries(given.slice(0, index + 1))), name)
    assert.equal(expandPlaceholders('{{wa_name}} {{wa_contactName}}', names), 'Own Book')
  })

  it('leave unknown ones as they are and empty the known ones without a value', () => {
    assert.equal(
      expandPlaceholders('{{nobody}} [{{lead_status}}] {{__proto__}} {{constructor}}', chat),
      '{{nobody}} [] {{__proto__}} {{constructor}}',
    )
    assert.equal(expandPlaceholders('[{{name}}]', null), '[]')
  })

  it('do not expand what a value holds', () => {
    assert.equal(expandPlaceholders('{{lead_field01}}', chat), 'Lisbon {{name}}')
  })

  it('cost no more than their length, whatever is between the braces', () => {
    const text = `${'{{'.repeat(5_000)}${' '.repeat(50_000)}${'{{ name '.repeat(1_000)}`
    const startMs = performance.now()
    assert.equal(expandPlaceholders(text, chat), text)
    // By trying each beginning of a name with each end, hours.
    assert.ok(performance.now() - startMs < 5_000)
  })

  it('know custom names of lead fields', () => {
    assert.equal(expandPlaceholders('{{city}}', { ...chat, fieldsMap: { lead_field01: 'city' } }), 'Lisbon {{name}}')
  })
})
