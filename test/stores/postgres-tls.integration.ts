import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { readConfig } from '../../runtime/config.js'
import { databasePlace } from '../../runtime/connect/database-place.js'
import { examine } from '../../runtime/doctor/examine.js'
import { openDatabase } from '../../runtime/store/database.js'
import { connectJournal } from '../../runtime/store/journal/connection.js'
import { newAuthority } from '../../sandbox/media/authority.js'
import { writeCertificates } from '../support/certificates.js'
import { testFolder } from '../support/embedded.js'
import { testLog } from '../support/store.js'
import { tlsPostgres } from '../support/tls-postgres.js'

/** For a doctor that finds no network and no Redis. */
const QUICK = { answerMaxMs: 1_000, checkMaxMs: 5_000 }
const NO_NETWORK = { WA_WEBSOCKET_URL: 'ws://127.0.0.1:1/ws', WA_NOISE_ROOT_KEY: '', PORT: '0', PEER_PORT: '0' }
const IS_TLS = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'

function open(t: TestContext, env: NodeJS.ProcessEnv) {
  const place = databasePlace(readConfig({ ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'), ...env }).database)
  assert.ok(place !== undefined)
  const database = openDatabase({ ...place, poolMax: 1 }, testLog)
  t.after(() => database.close())
  return database
}

async function isTls(t: TestContext, env: NodeJS.ProcessEnv): Promise<boolean> {
  const { rows } = await open(t, env).pool.query<{ ssl: boolean }>(IS_TLS)
  return rows[0]?.ssl === true
}

describe('PostgreSQL with TLS', () => {
  it('is reached by the pool and by the journal, with the authority that is given', async (t) => {
    const { url, caFile } = await tlsPostgres(t, newAuthority())
    const database = open(t, { DATABASE_URL: url, DATABASE_TLS_CA_FILE: caFile })
    assert.equal((await database.pool.query<{ ssl: boolean }>(IS_TLS)).rows[0]?.ssl, true)
    const journal = await connectJournal(database.clientConfig, { statementMs: 5_000, lockMs: 1_000 })
    t.after(() => journal.close())
    assert.equal((await journal.query<{ ssl: boolean }>(IS_TLS)).rows[0]?.ssl, true)
  })

  it('is not believed when somebody else has signed its certificate', async (t) => {
    const { url } = await tlsPostgres(t, newAuthority())
    const other = writeCertificates(testFolder(t), newAuthority())
    for (const mode of ['', '?sslmode=require', '?sslmode=verify-ca', '?sslmode=verify-full'])
      await assert.rejects(
        isTls(t, { DATABASE_URL: `${url}${mode}`, DATABASE_TLS_CA_FILE: other.caFile }),
        /certificate/,
      )
    await assert.rejects(isTls(t, { DATABASE_URL: `${url}?sslmode=verify-full` }), /certificate/)
  })

  it('is trusted with the certificate of another host only with a weaker sslmode', async (t) => {
    const { url, caFile } = await tlsPostgres(t, newAuthority(), { host: 'database.example' })
    const settings = (mode: string) => ({ DATABASE_URL: `${url}${mode}`, DATABASE_TLS_CA_FILE: caFile })
    await assert.rejects(isTls(t, settings('')), /does not match certificate's altnames/)
    await assert.rejects(isTls(t, settings('?sslmode=verify-full')), /does not match certificate's altnames/)
    assert.equal(await isTls(t, settings('?sslmode=verify-ca')), true)
    assert.equal(await isTls(t, { DATABASE_URL: `${url}?sslmode=require` }), true)
  })

  it('is not reached without', async (t) => {
    const { url } = await tlsPostgres(t, newAuthority())
    for (const mode of ['', '?sslmode=disable'])
      await assert.rejects(isTls(t, { DATABASE_URL: `${url}${mode}` }), /no encryption/)
  })

  it('refuses a wrong password, which the doctor tells from one that is right', async (t) => {
    const { url, caFile } = await tlsPostgres(t, newAuthority(), { withPassword: 'guarded' })
    await open(t, { DATABASE_URL: url, DATABASE_TLS_CA_FILE: caFile }).pool.query(
      "CREATE ROLE guarded LOGIN PASSWORD 'right-word'",
    )
    const found = async (password: string) => {
      const DATABASE_URL = url.replace(/\/\/[^@]+@/, `//guarded:${password}@`)
      const env = { DATABASE_URL, DATABASE_TLS_CA_FILE: caFile, DATA_DIR: testFolder(t), ...NO_NETWORK }
      const all = await examine(readConfig({ ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'), ...env }), QUICK)
      return all.filter(({ check }) => check === 'PostgreSQL')
    }
    const [wrong] = await found('wrong-word')
    assert.match(wrong?.text ?? '', /^It refuses the user: password authentication failed for user "guarded"/)
    assert.match(wrong?.remedy ?? '', /password in DATABASE_URL/)
    assert.doesNotMatch(JSON.stringify(wrong), /wrong-word/)
    assert.match((await found('right-word'))[0]?.text ?? '', /^Version \d/)
  })

  it('takes our certificate when it asks for one', async (t) => {
    const { url, caFile, certFile, keyFile } = await tlsPostgres(t, newAuthority(), { asksForCertificate: true })
    const settings = { DATABASE_URL: url, DATABASE_TLS_CA_FILE: caFile }
    await assert.rejects(isTls(t, settings), /certificate/)
    const files = { DATABASE_TLS_CERT_FILE: certFile, DATABASE_TLS_KEY_FILE: keyFile }
    assert.equal(await isTls(t, { ...settings, ...files }), true)
    const inUrl = new URLSearchParams({ sslrootcert: caFile, sslcert: certFile, sslkey: keyFile })
    assert.equal(await isTls(t, { DATABASE_URL: `${url}?${inUrl}` }), true)
  })
})
