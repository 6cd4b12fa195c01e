import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { suiteCleanup } from '../../test/support/cleanup.js'
import { clientConfigAt, databaseMistakes, databasePlace, replicaPlace } from './database-place.js'

const noFiles = { caFile: undefined, certFile: undefined, keyFile: undefined }
const ca = '-----BEGIN CERTIFICATE-----\n'

describe('where PostgreSQL is', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'posthorn-tls-'))
  suiteCleanup().after(() => rmSync(folder, { recursive: true }))
  const caFile = path.join(folder, 'ca.pem')
  writeFileSync(caFile, ca)
  const hideFolder = (url: string) => url.replace(encodeURIComponent(folder), '')

  const cases: readonly [url: string, caFile: string | undefined, verifies: string | undefined][] = [
    ['postgresql://host/db', undefined, undefined],
    ['postgresql://host/db', caFile, 'host'],
    ['postgresql://host/db?sslmode=disable', undefined, undefined],
    ['postgresql://host/db?sslmode=require', undefined, 'nothing'],
    ['postgresql://host/db?sslmode=require', caFile, 'authority'],
    ['postgresql://host/db?sslmode=verify-ca', caFile, 'authority'],
    ['postgresql://host/db?sslmode=verify-full', caFile, 'host'],
    ['postgresql://host/db?sslmode=verify-full', undefined, 'host'],
    ['postgresql://host/db?sslmode=verify-full&sslrootcert=system', undefined, 'host'],
    [`postgresql://host/db?sslrootcert=${encodeURIComponent(caFile)}`, undefined, 'host'],
    ['postgresql://user@/db?host=%2Frun%2Fpostgresql&sslmode=require', undefined, undefined],
  ]
  for (const [url, file, verifies] of cases)
    it(`is ${hideFolder(url)} ${file === undefined ? '' : 'with an authority '}verified: ${verifies ?? 'no TLS'}`, () => {
      const settings = { url, tls: { ...noFiles, caFile: file } }
      assert.deepEqual(databaseMistakes(settings), [])
      const place = databasePlace(settings)
      assert.equal(place?.tls?.verifies, verifies)
      assert.equal(
        place?.tls?.ca,
        verifies !== undefined && (file ?? (url.includes('pem') || undefined)) ? ca : undefined,
      )
      assert.doesNotMatch(place?.connectionString ?? '', /ssl/)
    })

  it('keeps the other parameters of the URL, and all that a thread needs', () => {
    const url = 'postgresql://user:p%40ss@host:7000/db?options=-c%20jit%3Doff&sslmode=verify-full'
    const place = databasePlace({ url, tls: noFiles })
    assert.deepEqual(place, {
      connectionString: 'postgresql://user:p%40ss@host:7000/db?options=-c+jit%3Doff',
      tls: { verifies: 'host' },
    })
    assert.deepEqual(structuredClone(place), place)
  })

  it('has a way past a pooler in transaction mode, and needs one', () => {
    const url = 'postgresql://pooler/db'
    const pooled = { url, tls: { ...noFiles, caFile }, pooler: 'transaction' as const }
    const directUrl = 'postgresql://host/db?sslmode=verify-ca'
    assert.deepEqual(databaseMistakes({ ...pooled, directUrl }), [])
    assert.deepEqual(databasePlace({ ...pooled, directUrl })?.direct, {
      connectionString: 'postgresql://host/db',
      tls: { verifies: 'authority', ca },
    })
    const mistakes = (settings: Parameters<typeof databaseMistakes>[0]) => databaseMistakes(settings).join('\n')
    assert.match(mistakes(pooled), /^DATABASE_DIRECT_URL: must be set/)
    assert.match(mistakes({ url, tls: noFiles, directUrl }), /^DATABASE_DIRECT_URL: is of no use/)
    assert.match(mistakes({ ...pooled, url: undefined, tls: noFiles }), /^DATABASE_POOLER: is of no use/)
    const prefer = 'postgresql://host/db?sslmode=prefer'
    assert.match(mistakes({ ...pooled, directUrl: prefer }), /^DATABASE_DIRECT_URL: sslmode must be one of/)
  })

  it('has a replica, with the TLS of its own address', () => {
    const url = 'postgresql://host/db'
    const settings = { url, tls: { ...noFiles, caFile }, readUrl: 'postgresql://standby/db?sslmode=verify-ca' }
    assert.deepEqual(databaseMistakes(settings), [])
    assert.deepEqual(replicaPlace(settings), {
      connectionString: 'postgresql://standby/db',
      tls: { verifies: 'authority', ca },
    })
    assert.equal(replicaPlace({ url, tls: noFiles }), undefined)
    const alone = { ...settings, url: undefined, tls: noFiles }
    assert.match(databaseMistakes(alone).join('\n'), /^DATABASE_READ_URL: is of no use/)
    const prefer = 'postgresql://standby/db?sslmode=prefer'
    assert.match(
      databaseMistakes({ ...settings, readUrl: prefer }).join('\n'),
      /^DATABASE_READ_URL: sslmode must be one of/,
    )
  })

  it('is reached as it says, whatever PGSSLMODE is', () => {
    assert.equal(clientConfigAt({ connectionString: 'x' }).ssl, false)
    assert.deepEqual(clientConfigAt({ connectionString: 'x', tls: { verifies: 'host', ca } }).ssl, {
      ca,
      rejectUnauthorized: true,
    })
    assert.deepEqual(clientConfigAt({ connectionString: 'x', tls: { verifies: 'nothing' } }).ssl, {
      rejectUnauthorized: false,
    })
  })

  for (const [url, files, mistake] of [
    ['postgresql://host/db?sslmode=prefer', {}, /sslmode must be one of disable, require, verify-ca, verify-full/],
    ['postgresql://host/db?sslmode=verify-ca', {}, /needs DATABASE_TLS_CA_FILE/],
    ['postgresql://host/db?ssl=true', {}, /use sslmode/],
    ['postgresql://host/db?sslmode=disable', { caFile }, /sslmode=disable although/],
    [`postgresql://host/db?sslrootcert=${encodeURIComponent(caFile)}`, { caFile }, /use one of them/],
    ['postgresql://host/db', { keyFile: caFile }, /DATABASE_TLS_KEY_FILE: needs DATABASE_TLS_CERT_FILE/],
    ['postgresql://user:hunter2@host:port/db', {}, /not a valid URL/],
    [undefined, { caFile }, /of no use without DATABASE_URL/],
  ] as const)
    it(`is refused: ${hideFolder(url ?? 'no URL')} with ${Object.keys(files).join() || 'no files'}`, () => {
      const mistakes = databaseMistakes({ url, tls: { ...noFiles, ...files } })
      assert.equal(mistakes.length, 1, mistakes.join())
      assert.match(mistakes[0] ?? '', mistake)
      assert.doesNotMatch(mistakes[0] ?? '', /hunter2/)
    })
})
