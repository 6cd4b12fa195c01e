/** `posthorn upgrade --check`: says which versions a list of changes names that are newer than this one, and what to do. Asks nobody. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot, packageVersion } from '../lib/package-root.js'
import { type Output, read, UsageError } from './options.js'

interface Release {
  readonly version: string
  /** Lines of the list, by section. */
  readonly sections: ReadonlyMap<string, readonly string[]>
}

/** Sections that are shown whole, since they may ask for something; of the others only the number of lines is. */
const SHOWN = ['Changed', 'Removed', 'Deprecated', 'Security']

export async function upgrade(typed: readonly string[], { write }: Output): Promise<number> {
  const { values } = read(typed, [0, 0], { check: { type: 'boolean' }, changelog: { type: 'string' } })
  if (values.check !== true)
    throw new UsageError('`posthorn upgrade` installs nothing. Type `posthorn upgrade --check`.')
  const file = findFile(values.changelog as string | undefined)
  const releases = readReleases(readFileSync(file, 'utf8'))
  write(checkText(releases, packageVersion, file))
  return 0
}

/** Returns the file that was named, else the one in this folder, else that of this version. @throws UsageError */
function findFile(named: string | undefined): string {
  const file = [named ?? 'CHANGELOG.md', ...(named === undefined ? [path.join(packageRoot, 'CHANGELOG.md')] : [])]
    .map((one) => path.resolve(one))
    .find((one) => existsSync(one))
  if (file === undefined) throw new UsageError(`There is no ${named ?? 'CHANGELOG.md'}. Name one with --changelog.`)
  return file
}

/** Returns the releases of a list of changes, the newest first. */
export function readReleases(text: string): readonly Release[] {
  return text
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const [, version] = /^\[?(\d+\.\d+\.\d+)/.exec(part) ?? []
      if (version === undefined) return []
      const sections = part.split(/^### /m).slice(1)
      return [{ version, sections: new Map(sections.map(parseSection)) }]
    })
    .sort((one, other) => compareVersions(other.version, one.version))
}

function parseSection(text: string): readonly [string, readonly string[]] {
  const [title = '', ...lines] = text.split('\n')
  const joined = lines.join('\n').split(/^- /m).slice(1)
  return [title.trim(), joined.map((line) => line.replace(/\s+/g, ' ').trim())]
}

export function checkText(releases: readonly Release[], current: string, file: string): string {
  const newer = releases.filter(({ version }) => compareVersions(version, current) > 0).reverse()
  const lines = [`This is ${current}. The newest version in ${file} is ${releases[0]?.version ?? current}.`]
  if (newer.length === 0)
    lines.push(
      'No newer one is known from it, and nobody was asked. Put the CHANGELOG.md of a newer version into this folder, or name it with --changelog.',
    )
  for (const { version, sections } of newer) {
    const counts = [...sections].map(([title, all]) => `${all.length} ${title.toLowerCase()}`).join(', ')
    lines.push('', `${version}: ${counts}`)
    for (const title of SHOWN) for (const line of sections.get(title) ?? []) lines.push(`  ${title}: ${line}`)
  }
  const [next] = newer
  if (next !== undefined)
    lines.push(
      '',
      `What to do, one release at a time, ${next.version} first:`,
      '  1. posthorn backup',
      `  2. npm install posthorn@${next.version}, or the image posthorn:${next.version}`,
      '  3. Start it; with several nodes, new ones before old ones leave. The first one applies the migrations.',
      '  4. posthorn doctor',
    )
  return `${lines.join('\n')}\n`
}

function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((version) => version.split('.').map(Number))
  const at = [0, 1, 2].find((index) => first?.[index] !== second?.[index])
  return at === undefined ? 0 : (first?.[at] ?? 0) - (second?.[at] ?? 0)
}
