import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OperatorError } from '../../schemas/operator-error.js'
import { clientPlace, findClientPrograms, withoutPassword } from './client-programs.js'

const noTls = { caFile: undefined, certFile: undefined, keyFile: undefined }

describe('the way of pg_dump to the database', () => {
  it('keeps the password out of the list of processes', () => {
    const forms: readonly (readonly [string, string, string | undefined])[] = [
      [
        'postgresql://ana:s%40crt@db:5432/posthorn?sslmode=require',
        'postgresql://ana@db:5432/posthorn?sslmode=require',
        's@crt',
      ],
      [
        'postgres://ana@db/posthorn?password=abc&connect_timeout=3',
        'postgres://ana@db/posthorn?connect_timeout=3',
        'abc',
      ],
      ['postgres://ana@db/posthorn?password=abc', 'postgres://ana@db/posthorn', 'abc'],
      [
        'postgresql://posthorn@/posthorn?host=%2Frun%2Fpg',
        'postgresql://posthorn@/posthorn?host=%2Frun%2Fpg',
        undefined,
      ],
      ['postgresql://db/posthorn', 'postgresql://db/posthorn', undefined],
      ['postgresql://ana:s@crt@db/posthorn', 'postgresql://ana@db/posthorn', 's@crt'],
    ]
    for (const [given, url, password] of forms) assert.deepEqual(withoutPassword(given), { url, password }, given)
  })

  it('leads past a pooler, and verifies the server when there is an authority', () => {
    const place = clientPlace({
      ...{ url: 'postgres://a:b@pooler/x', pooler: 'transaction', directUrl: 'postgres://a:c@db/x' },
      tls: { ...noTls, caFile: '/etc/ca.pem' },
      ...{ poolMax: 3, connectTimeoutMs: 1, statementTimeoutMs: 1, searchTimeoutMs: 1 },
      readLagMaxMs: 5_000,
    })
    const { PGPASSWORD, PGSSLMODE, PGSSLROOTCERT } = place.environment
    assert.deepEqual([place.url, PGPASSWORD], ['postgres://a@db/x', 'c'])
    assert.deepEqual([PGSSLMODE, PGSSLROOTCERT], ['verify-full', '/etc/ca.pem'])
  })

  it('names the package to install when there is no pg_dump of the version of the server', async () => {
    await assert.rejects(findClientPrograms(99, { PATH: '' }), (error: Error) => {
      assert.ok(error instanceof OperatorError)
      assert.match(error.message, /Install postgresql-client-99/)
      return true
    })
  })
})
