import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expandPlaceholders, unknownPlaceholders } from './placeholders.js'

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

  it('name custom fields without regard to case and accents; the exact name wins', () => {
    const values = {
      lead_field01: 'Recife',
      lead_field02: 'exact',
      fieldsMap: { lead_field01: 'Endereço', lead_field02: 'endereço' },
    }
    assert.equal(expandPlaceholders('{{ENDERECO}} {{ Endereço }} {{endereço}}', values), 'Recife Recife exact')
  })

  it('are reported once each if they are unknown, with the one that was probably meant', () => {
    const unknown = new Set<string>()
    const values = { fieldsMap: { lead_field01: 'Cidade' } }
    expandPlaceholders('{{nmae}} {{nmae}} {{cidades}} {{qwertz}} {{name}}', values, unknown)
    assert.deepEqual(unknownPlaceholders(unknown, values), [
      '{{nmae}} is not a placeholder and was sent as it is; did you mean {{name}}?',
      '{{cidades}} is not a placeholder and was sent as it is; did you mean {{Cidade}}?',
      '{{qwertz}} is not a placeholder and was sent as it is',
    ])
    const many = new Set<string>()
    expandPlaceholders(Array.from({ length: 500 }, (_, index) => `{{x${index}}}`).join(), null, many)
    assert.equal(many.size, 10)
  })

  it('leave unknown ones as they are and empty the known ones without a value', () => {
    assert.equal(
      expandPlaceholders('{{nobody}} [{{lead_status}}] {{__proto__}} {{constructor}}', chat),
      '{{nobody}} [] {{__proto__}} {{constructor}}',
    )
    assert.equal(expandPlaceholders('[{{name}}]', null), '[]')
  })

  it('read the list of a campaign first, by the names of its columns and by what they mean', () => {
    const vars = { Nome: 'Ana Paula', Código: '7', CIDADE: ' Natal ', telefone: '5511999990001', vazio: '' }
    const values = { ...chat, fieldsMap: { lead_field01: 'cidade' }, vars }
    for (const [text, filled] of [
      ['{{nome}} {{NOME}} {{name}} {{Name}} {{nombre}}', 'Ana Paula Ana Paula Ana Paula Ana Paula Ana Paula'],
      ['{{first_name}}, {{First_Name}}', 'Ana, Ana'],
      ['{{codigo}} {{código}} {{cidade}} {{number}} {{Telefone}}', '7 7 Natal 5511999990001 5511999990001'],
      ['[{{vazio}}] {{lead_email}} {{Lead_Email}} {{outro}}', '[] m@example.org m@example.org {{outro}}'],
    ] as const)
      assert.equal(expandPlaceholders(text, values), filled)
    // The chat fills what the list leaves open.
    const open = { ...chat, vars: { nome: ' ', lead_email: '' } }
    assert.equal(
      expandPlaceholders('{{nome}}|{{name}}|{{first_name}}|{{lead_email}}', open),
      '|J. Maria Silva|Maria|m@example.org',
    )
    const both = { vars: { nombre: 'Eva', name: 'Eve Miller', 'primeiro nome': 'E.', first_name: 'Evie' } }
    assert.equal(
      expandPlaceholders('{{nombre}}|{{name}}|{{nome}}|{{first_name}}', both),
      'Eva|Eve Miller|Eve Miller|Evie',
    )
  })

  it('do not expand what a value holds', () => {
    assert.equal(expandPlaceholders('{{lead_field01}}', chat), 'Lisbon {{name}}')
  })

  it('cost no more than their length, whatever is between the braces', () => {
    const text = `${'{{'.repeat(5_000)}${' '.repeat(50_000)}${'{{ name '.repeat(1_000)}`
    const before = process.cpuUsage()
    assert.equal(expandPlaceholders(text, chat), text)
    // By trying each beginning of a name with each end, hours.
    assert.ok(process.cpuUsage(before).user < 5_000_000)
  })

  it('know custom names of lead fields', () => {
    assert.equal(expandPlaceholders('{{city}}', { ...chat, fieldsMap: { lead_field01: 'city' } }), 'Lisbon {{name}}')
  })
})
