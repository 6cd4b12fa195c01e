/** Certificates for servers on loopback, as files. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Authority } from '../../sandbox/media/authority.js'

export interface TlsFolder {
  readonly caFile: string
  readonly certFile: string
  readonly keyFile: string
}

/** As files in a folder, as servers and settings want them. */
export function writeCertificates(folder: string, { ca, issue }: Authority, host?: string): TlsFolder {
  const { cert, key } = issue(host)
  const files = {
    caFile: path.join(folder, 'ca.pem'),
    certFile: path.join(folder, 'cert.pem'),
    keyFile: path.join(folder, 'key.pem'),
  }
  for (const [file, text] of [
    [files.caFile, ca],
    [files.certFile, cert],
    [files.keyFile, key],
  ] as const)
    writeFileSync(file, text, { mode: 0o600 })
  return files
}
