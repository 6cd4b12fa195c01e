/** The page of the licences of what is shipped, from the lockfile. A licence that nobody has looked at fails it. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from '../schemas/operator-error.js'
import { packageRoot } from '../schemas/package-root.js'

export interface LockedPackage {
  readonly version?: string
  /** SPDX expression. */
  readonly license?: string
  readonly dev?: boolean
  readonly optional?: boolean
}

/** They ask for attribution and no more. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0', 'Unlicense'],
])
/** Looked at one by one; NOTICE and docs/decisions/0004-licence.md say what they mean for who hands it on. */
const EXCEPTIONS: readonly { readonly name: RegExp; readonly licence: string }[] = [
  { name: /^libsignal$/, licence: 'GPL-3.0' },
  { name: /^@img\/sharp-/, licence: 'LGPL-3.0-or-later' },
]

/**
 * The text of `docs/licences.md`.
 * @throws OperatorError when a package that is shipped has a licence that is not in the list
 */
export function licencesPage(): string {
  const { packages } = JSON.parse(readFileSync(path.join(packageRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const refused = refusedLicences(packages)
  if (refused.length > 0)
    throw new OperatorError(
      `scripts/licences-page.ts does not know these licences; look at them:\n${refused.join('\n')}`,
    )
  const shipped = shippedOf(packages)
  const count = (licence: string): number => shipped.filter((one) => one.licence === licence).length
  const licences = [...new Set(shipped.map(({ licence }) => licence))].sort(
    (a, b) => count(b) - count(a) || (a < b ? -1 : 1),
  )
  return [
    '# Licences of what is shipped',
    '',
    'Made by `npm run generate` from `package-lock.json`, without what only building and testing needs; a licence that is not in the list of',
    '`scripts/licences-page.ts` fails it. What the unusual ones mean: [NOTICE](../NOTICE), [decision 0004](decisions/0004-licence.md).',
    'Packages marked with * are for some platforms only, or may be left out.',
    '',
    '| licence | packages |',
    '|---|--:|',
    ...licences.map((licence) => `| ${licence} | ${count(licence)} |`),
    '',
    '| package | version | licence |',
    '|---|---|---|',
    ...shipped.map(
      ({ name, version, licence, isOptional }) => `| ${name}${isOptional ? ' *' : ''} | ${version} | ${licence} |`,
    ),
    '',
  ].join('\n')
}

/** Each package that is shipped under a licence which is not allowed, as `name version: licence`. */
export function refusedLicences(packages: Readonly<Record<string, LockedPackage>>): string[] {
  return shippedOf(packages)
    .filter(({ name, licence }) => !isAllowed(name, licence))
    .map(({ name, version, licence }) => `${name} ${version}: ${licence || 'none is named'}`)
}

function shippedOf(packages: Readonly<Record<string, LockedPackage>>) {
  const shipped = Object.entries(packages)
    .filter(([where, { dev }]) => where !== '' && dev !== true)
    .map(([where, { version = '', license: licence = '', optional = false }]) => ({
      name: where.slice(where.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence,
      isOptional: optional,
    }))
  const byName = new Map(shipped.map((one) => [`${one.name} ${one.version}`, one]))
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

/** Of `A OR B` one must be allowed, of `A AND B` all. */
function isAllowed(name: string, licence: string): boolean {
  const parts = licence.replace(/^\((.*)\)$/, '$1')
  if (parts.includes(' OR ')) return parts.split(' OR ').some((one) => isAllowed(name, one))
  return parts
    .split(' AND ')
    .every((one) => ALLOWED.has(one) || EXCEPTIONS.some((known) => known.licence === one && known.name.test(name)))
}
