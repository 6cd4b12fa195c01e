import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from './errors.js'
import { type PixKeyType, parsePixKey } from './payment-request.js'

function refusal(pixType: string, pixKey: string): { message: string; details: unknown } {
  try {
    parsePixKey({ pixType, pixKey })
  } catch (error) {
    assert.ok(error instanceof GatewayError)
    assert.equal(error.status, 400)
    return { message: error.message, details: error.details }
  }
  throw new assert.AssertionError({ message: `${pixType} ${pixKey} was taken.` })
}

describe('the key of a payment button', () => {
  const taken: readonly [type: string, key: string, wanted: string][] = [
    ['CPF', '529.982.247-25', '52998224725'],
    ['cpf', '11144477735', '11144477735'],
    ['CPF', ' 123 456 789 09 ', '12345678909'],
    ['CNPJ', '11.222.333/0001-81', '11222333000181'],
    ['cnpj', '00000000000191', '00000000000191'],
    ['CNPJ', '12.abc.345/01de-35', '12ABC34501DE35'],
    ['PHONE', '+55 (11) 99999-9999', '+5511999999999'],
    ['Phone', '5511999999999', '+5511999999999'],
    ['PHONE', '11999999999', '+5511999999999'],
    ['PHONE', '1133334444', '+551133334444'],
    ['PHONE', '+351912345678', '+351912345678'],
    ['EMAIL', 'Ana@Example.com.BR', 'ana@example.com.br'],
    ['eMail', 'a+b@example.org', 'a+b@example.org'],
    ['EVP', '123E4567-e89b-12d3-a456-426655440000', '123e4567-e89b-12d3-a456-426655440000'],
    [' evp ', '123e4567-e89b-12d3-a456-426655440000', '123e4567-e89b-12d3-a456-426655440000'],
  ]
  for (const [pixType, pixKey, wanted] of taken) {
    it(`${pixType} ${pixKey} is ${wanted}`, () => {
      const type = pixType.trim().toUpperCase() as PixKeyType
      assert.deepEqual(parsePixKey({ pixType, pixKey }), { type, key: wanted, name: 'Pix' })
    })
  }

  const refused: readonly [type: string, key: string, why: string][] = [
    ['CPF', '529.982.247-24', 'has wrong check digits for a CPF'],
    ['CPF', '529.982.247-15', 'has wrong check digits for a CPF'],
    ['CPF', '111.111.111-11', 'is one character repeated, which no CPF is'],
    ['CPF', '5299822472', 'is not a CPF of 11 digits'],
    ['CPF', '', 'is not a CPF of 11 digits'],
    ['CNPJ', '11.222.333/0001-80', 'has wrong check digits for a CNPJ'],
    ['CNPJ', '12ABC34501DE36', 'has wrong check digits for a CNPJ'],
    ['CNPJ', '00000000000000', 'is one character repeated, which no CNPJ is'],
    ['CNPJ', '1122233300018A', 'is not a CNPJ of 14 characters'],
    ['PHONE', 'call me', 'is not a phone number'],
    ['PHONE', '', 'is not a phone number'],
    ['PHONE', '999999999', 'is not a phone number with country code, such as +5511999999999'],
    ['PHONE', '+0511999999999', 'is not a phone number with country code, such as +5511999999999'],
    ['EMAIL', 'ana@localhost', 'is not an e-mail address of at most 77 characters'],
    ['EMAIL', `${'a'.repeat(70)}@a.com.br`, 'is not an e-mail address of at most 77 characters'],
    ['EVP', '123e4567e89b12d3a456426655440000', 'is not a UUID'],
  ]
  for (const [pixType, pixKey, why] of refused) {
    it(`${pixType} ${JSON.stringify(pixKey)} ${why}`, () => {
      assert.deepEqual(refusal(pixType, pixKey), {
        message: `Invalid request: pixKey ${why}.`,
        details: [{ field: 'pixKey', why }],
      })
    })
  }

  it('is of one of five types, in the words of the specification', () => {
    for (const pixType of ['', 'IBAN', '__proto__', 'toString']) {
      const { message, details } = refusal(pixType, '52998224725')
      assert.equal(message, 'Invalid keyType. Allowed: CPF, CNPJ, PHONE, EMAIL, EVP')
      assert.deepEqual(details, [{ field: 'pixType', why: 'must be one of: CPF, CNPJ, PHONE, EMAIL, EVP' }])
    }
  })

  it('is shown under a name, which is Pix unless one is given', () => {
    const key = { pixType: 'CPF', pixKey: '52998224725' }
    assert.equal(parsePixKey({ ...key, pixName: ' Ana ' }).name, 'Ana')
    assert.equal(parsePixKey({ ...key, pixName: '  ' }).name, 'Pix')
  })
})
