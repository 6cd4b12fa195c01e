import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { it } from 'node:test'
import fc from 'fast-check'
import { getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { chooseSeed } from '../test/durability/random.js'
import { readPhoneNumber } from './phone-number.js'

const examples: unknown = createRequire(import.meta.url)('libphonenumber-js/mobile/examples')

const read = (text: string, country = '') => {
  const found = readPhoneNumber(text, country)
  return 'why' in found ? found.why : found.digits
}

it('takes numbers with country code as they are, those of WhatsApp too', () => {
  for (const [text, digits] of [
    ['5511987650010', '5511987650010'],
    ['551187650010', '551187650010'],
    ['5511987650010.0', '5511987650010'],
    ['5215512345678', '5215512345678'],
    ['525512345678', '525512345678'],
    ['5491112345678', '5491112345678'],
    ['541112345678', '541112345678'],
    ['15550720001', '15550720001'],
    ['+1 (555) 072-0001', '15550720001'],
    ['12025550123', '12025550123'],
    ['390612345678', '390612345678'],
    ['2250102030405', '2250102030405'],
    ['+298 123456', '298123456'],
    ['8613800138000', '8613800138000'],
  ] as const)
    assert.equal(read(text), digits, text)
})

it('leaves out what is dialled within a country only', () => {
  for (const [text, digits] of [
    ['+44 (0)7911 123456', '447911123456'],
    ['4407911123456', '447911123456'],
    ['+55 (011) 98765-0010', '5511987650010'],
    ['+54 11 15-1234-5678', '5491112345678'],
  ] as const)
    assert.equal(read(text), digits, text)
})

it('refuses national numbers while no country is set', () => {
  for (const [text, why] of [
    ['011987650010', /begins with 0, so it is a national number: .* defaultCountry/],
    ['(11) 98765-0010', /country code 1: no number there begins with 19; .* defaultCountry/],
    ['21987650010', /no country code that exists/],
    ['98765-0010', /so short that it may have neither/],
    ['55119876500100', /country code 55: it has 12 digits after it/],
    ['+21987650010', /no country code that exists/],
    ['12345', /6 to 15 digits/],
    ['5511987650010551198', /6 to 15 digits|not a possible number/],
  ] as const)
    assert.match(read(text), why, text)
})

it('takes national numbers of the country that is set', () => {
  for (const [country, text, digits] of [
    ['BR', '011 98765-0010', '5511987650010'],
    ['BR', '0 15 11 98765-0010', '5511987650010'],
    ['BR', '(11) 98765-0010', '5511987650010'],
    ['BR', '11987650010.0', '5511987650010'],
    ['BR', '11 8765-0010', '551187650010'],
    ['BR', '31987650010', '5531987650010'],
    ['BR', '5533334444', '555533334444'],
    ['AR', '011 15-1234-5678', '5491112345678'],
    ['AR', '11 1234-5678', '541112345678'],
    ['MX', '55 1234 5678', '525512345678'],
    ['MX', '044 55 1234 5678', '525512345678'],
    ['US', '(202) 555-0123', '12025550123'],
    ['US', '011 55 11 98765 0010', '5511987650010'],
    ['GB', '07911 123456', '447911123456'],
    ['IT', '06 1234 5678', '390612345678'],
    ['CI', '01 02 03 04 05', '2250102030405'],
    ['RU', '8 (912) 345-67-89', '79123456789'],
  ] as const)
    assert.equal(read(text, country), digits, `${country} ${text}`)
})

it('takes the numbers of each country with its code, and without it the same number or none', () => {
  const places = examples as Readonly<Record<string, string>>
  for (const country of getCountries()) {
    const number = parsePhoneNumberFromString(places[country] ?? '', country)
    if (number === undefined || number.nationalNumber.length < 6) continue
    const digits = number.number.slice(1)
    for (const text of [digits, `+${digits}`, `00${digits}`, `${digits}.0`])
      assert.equal(read(text, country), digits, `${country} ${text}`)
    const national = number.formatNational()
    const found = read(national, country)
    if (found !== digits) assert.match(found, /^may be \+\d+ or \+\d+:/, `${country} ${national}`)
  }
})

it('takes international numbers whatever country is set', () => {
  for (const text of [
    '5511987650010',
    '+5511987650010',
    '15550720001',
    '+51987654321',
    '5215512345678',
    '447911123456',
  ])
    assert.equal(read(text, 'BR'), text.replace('+', ''), text)
})

it('refuses digits that are a number here and elsewhere', () => {
  assert.equal(read('51987654321', 'BR'), 'may be +51987654321 or +5551987654321: write it with + and the country code')
  assert.match(read('98765-0010', 'BR'), /so short/)
  assert.match(read('0999', 'BR'), /6 to 15 digits/)
  assert.match(read('0551198765', 'BR'), /neither an international number nor one of the country BR/)
})

it('puts no digits into a number that nobody has typed', () => {
  for (const text of ['67200000', '+67200000', '0067201234'])
    assert.match(read(text), /^is not a possible number/, text)
})

it('returns the digits of a text, or refuses it', (t) => {
  const number = fc.stringMatching(/^[1-9]\d{5,16}$/)
  fc.assert(
    fc.property(number, fc.constantFrom('', '+', '00'), fc.constantFrom('', '.0', '.00'), (digits, start, tail) => {
      const found = readPhoneNumber(`${start}${digits}${start === '' ? tail : ''}`)
      if ('why' in found || found.digits === digits) return
      // What follows the country code may begin with a zero that is dialled within the country only; Argentina has a 15.
      const rest = digits.startsWith('54')
        ? /^549\d{10}$/
        : new RegExp(`^${digits.replace(/^([1-9]\d{0,2}?)0.*/, '$1')}\\d+$`)
      assert.match(found.digits, rest, `${start}${digits}${tail}`)
      assert.ok(digits.startsWith('54') || digits.endsWith(found.digits.slice(3)), `${start}${digits}${tail}`)
    }),
    { numRuns: 5_000, seed: chooseSeed(t) },
  )
})
