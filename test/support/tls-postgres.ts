import { randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { databaseName } from '../../runtime/embedded/postgres.js'
import { databaseUser } from '../../runtime/embedded/postgres-cluster.js'
import type { Authority } from '../../sandbox/media/authority.js'
import { writeCertificates } from './certificates.js'
import type { Cleanup } from './cleanup.js'
import { testPostgres } from './embedded.js'

export interface TlsPostgres {
  /** Without any word of TLS. */
  readonly url: string
  readonly caFile: string
  /** A certificate that the same authority has issued. */
  readonly certFile: string
  readonly keyFile: string
}

export interface TlsPostgresOptions {
  /** Host of the certificate. Default: its address. */
  readonly host?: string
  readonly asksForCertificate?: boolean
  /** User who must give a password. */
  readonly withPassword?: string
}

/** A PostgreSQL of the test's own that takes nothing but TLS; its certificate is for its address, or for `host`. */
export async function tlsPostgres(
  t: Cleanup,
  authority: Authority,
  { host, asksForCertificate = false, withPassword }: TlsPostgresOptions = {},
): Promise<TlsPostgres> {
  // The name of a socket has the port in it, which is therefore always the same.
  const address = `127.${randomInt(1, 255)}.${randomInt(255)}.${randomInt(1, 255)}`
  let files = { caFile: '', certFile: '', keyFile: '' }
  await testPostgres(t, (folder, own) => {
    const tls = path.join(folder, 'tls')
    mkdirSync(tls)
    files = writeCertificates(tls, authority, host ?? address)
    const rules = path.join(tls, 'hba.conf')
    const clientCertificate = asksForCertificate ? ' clientcert=verify-ca' : ''
    const guarded = withPassword === undefined ? '' : `hostssl all ${withPassword} all scram-sha-256\n`
    writeFileSync(rules, `local all all trust\n${guarded}hostssl all all all trust${clientCertificate}\n`)
    own(tls)
    return {
      listen_addresses: address,
      ssl: 'on',
      ssl_ca_file: files.caFile,
      ssl_cert_file: files.certFile,
      ssl_key_file: files.keyFile,
      hba_file: rules,
    }
  })
  return { url: `postgresql://${databaseUser}@${address}/${databaseName}`, ...files }
}
