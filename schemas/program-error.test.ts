import assert from 'node:assert/strict'
import { it } from 'node:test'
import { GatewayError } from './errors.js'
import { isProgramError } from './program-error.js'

const withCode = (code: string, error: Error = new Error('x')) => Object.assign(error, { code })

it('tells errors of the program from those of a store, the network and callers', async () => {
  const ours = [
    new TypeError('x is not a function'),
    new ReferenceError('x is not defined'),
    new RangeError('Maximum call stack size exceeded'),
    new assert.AssertionError({ message: 'never' }),
    withCode('ERR_INVALID_ARG_TYPE', new TypeError('x')),
    withCode('42703'),
    new GatewayError('INTERNAL'),
  ]
  assert.deepEqual(
    ours.filter((error) => !isProgramError(error)),
    [],
  )
  const refused = await fetch('http://127.0.0.1:1').catch((error: unknown) => error)
  assert.ok(refused instanceof TypeError)
  const others = [
    refused,
    new Error('Connection terminated unexpectedly'),
    withCode('ECONNRESET'),
    withCode('57P01'),
    withCode('23505'),
    withCode('42501'),
    new GatewayError('STORE_UNAVAILABLE', { cause: new TypeError('x') }),
    'a text',
    undefined,
  ]
  assert.deepEqual(
    others.filter((error) => isProgramError(error)),
    [],
  )
})
