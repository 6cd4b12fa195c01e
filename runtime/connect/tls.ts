/** Reads the options of a TLS connection to a store from files, and finds mistakes in these files. */
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** PEM texts. */
export interface TlsPlace {
  /** Trusted instead of the certificates that Node.js comes with. */
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

/** Absolute paths. */
export interface TlsFiles {
  readonly caFile: string | undefined
  readonly certFile: string | undefined
  readonly keyFile: string | undefined
}

/**
 * A sentence for each file that cannot serve. What is in them is not told.
 * @param prefix of the settings: `<prefix>_CA_FILE`
 */
export function tlsMistakes(prefix: string, { caFile, certFile, keyFile }: TlsFiles): string[] {
  const mistakes = [
    ...fileMistakes(`${prefix}_CA_FILE`, caFile),
    ...fileMistakes(`${prefix}_CERT_FILE`, certFile),
    ...fileMistakes(`${prefix}_KEY_FILE`, keyFile),
  ]
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const [given, missing] = certFile === undefined ? ['KEY', 'CERT'] : ['CERT', 'KEY']
    mistakes.push(`${prefix}_${given}_FILE: needs ${prefix}_${missing}_FILE beside it.`)
  }
  if (mistakes.length > 0) return mistakes
  const { ca, cert, key } = readTls({ caFile, certFile, keyFile })
  // Node.js takes anything for an authority, and trusts nobody then.
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    mistakes.push(`${prefix}_CA_FILE: holds no certificate in PEM form.`)
  try {
    if (cert !== undefined && key !== undefined) createSecureContext({ cert, key })
  } catch (error) {
    mistakes.push(`${prefix}_CERT_FILE and ${prefix}_KEY_FILE: cannot be used (${(error as Error).message}).`)
  }
  return mistakes
}

/** @throws when a file cannot be read */
export function readTls({ caFile, certFile, keyFile }: TlsFiles): TlsPlace {
  return {
    ...(caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') }),
    ...(certFile === undefined ? {} : { cert: readFileSync(certFile, 'utf8') }),
    ...(keyFile === undefined ? {} : { key: readFileSync(keyFile, 'utf8') }),
  }
}

export function fileMistakes(name: string, file: string | undefined): string[] {
  try {
    if (file !== undefined) readFileSync(file)
    return []
  } catch {
    return [`${name}: ${JSON.stringify(file)} cannot be read.`]
  }
}
