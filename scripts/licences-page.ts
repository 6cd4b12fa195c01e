/** The page of the licences of what is shipped, from the lockfile. A licence that nobody has looked at fails it. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../lib/package-root.js'
import { OperatorError } from '../schemas/operator-error.js'

export interface LockedPackage {
  readonly version?: string
  /** SPDX expression. */
  readonly license?: string
  readonly dev?: boolean
  readonly optional?: boolean
  /** True for a package of this repository. */
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Packages whose code the build puts into the files of the dashboard, with what they need. Nothing of them runs in a node. */
const OF_DASHBOARD: ReadonlySet<string> = new Set([
  ...[
    '@base-ui/react',
    '@tanstack/react-query',
    '@tanstack/react-router',
    '@tanstack/react-virtual',
    'react',
    'react-dom',
  ],
])

/** They ask for attribution and no more. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0', 'Unlicense'],
])
/** Looked at one by one; NOTICE and docs/decisions/0004-licence.md say what they mean for who hands it on. */
const EXCEPTIONS: readonly { readonly name: RegExp; readonly licence: string }[] = [
  { name: /^libsignal$/, licence: 'GPL-3.0' },
  { name: /^@img\/sharp-/, licence: 'LGPL-3.0-or-later' },
  { name: /^libheif-js$/, licence: 'LGPL-3.0' },
  { name: /^mediabunny$/, licence: 'MPL-2.0' },
]

/**
 * The text of `docs/reference/licences.md`.
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
  const shipped = listShipped(packages)
  const count = (licence: string): number => shipped.filter((one) => one.licence === licence).length
  const licences = [...new Set(shipped.map(({ licence }) => licence))].sort(
    (a, b) => count(b) - count(a) || (a < b ? -1 : 1),
  )
  return [
    '# Licences of what is shipped',
    '',
    'Made by `npm run generate` from `package-lock.json`, without what only building and testing needs; a licence that is not in the list of',
    '`scripts/licences-page.ts` fails it. The files of the dashboard hold code of packages too; their texts are in `dist/dashboard/licences.txt`. What the unusual ones mean: [NOTICE](../../NOTICE), [decision 0004](../decisions/0004-licence.md).',
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
  return listShipped(packages)
    .filter(({ name, licence }) => !isAllowed(name, licence))
    .map(({ name, version, licence }) => `${name} ${version}: ${licence || 'none is named'}`)
}

function listShipped(packages: Readonly<Record<string, LockedPackage>>) {
  const inPages = packagesOfPages(packages)
  const shipped = Object.entries(packages)
    // Packages of this repository are outside of `node_modules`, with a link in it.
    .filter(
      ([where, { dev, link }]) =>
        where.includes('node_modules/') && link !== true && (dev !== true || inPages.has(where)),
    )
    .map(([where, { version = '', license: licence = '', optional = false }]) => ({
      name: where.slice(where.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence,
      isOptional: optional,
    }))
  const byName = new Map(shipped.map((one) => [`${one.name} ${one.version}`, one]))
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

/** Returns where the packages of the dashboard are, each as Node.js finds it from the one that needs it. */
function packagesOfPages(packages: Readonly<Record<string, LockedPackage>>): ReadonlySet<string> {
  const found = new Set<string>()
  const left = [...OF_DASHBOARD].map((name) => ({ from: '', name }))
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    const where = findPlace(one.name, one.from, packages)
    if (where === undefined || found.has(where)) continue
    found.add(where)
    for (const name of Object.keys(packages[where]?.dependencies ?? {})) left.push({ from: where, name })
  }
  return found
}

function findPlace(name: string, from: string, packages: Readonly<Record<string, LockedPackage>>): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (place in packages) return place
    if (folder === '') return undefined
  }
}

/** Of `A OR B` one must be allowed, of `A AND B` all. */
function isAllowed(name: string, licence: string): boolean {
  const parts = licence.replace(/^\((.*)\)$/, '$1')
  if (parts.includes(' OR ')) return parts.split(' OR ').some((one) => isAllowed(name, one))
  return parts
    .split(' AND ')
    .every((one) => ALLOWED.has(one) || EXCEPTIONS.some((known) => known.licence === one && known.name.test(name)))
}
