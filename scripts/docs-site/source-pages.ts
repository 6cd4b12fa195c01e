/** Lists the Markdown files that are pages of the site, and the links in them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../lib/package-root.js'
import { listSlugs, withoutCode } from './headings.js'

/** Markdown files outside of `docs/` that readers of it are sent to. */
const OUTSIDE = [
  'README.md',
  'README.es.md',
  'README.pt-BR.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'clients/typescript/README.md',
  'examples/README.md',
  'k8s/README.md',
  'sandbox/README.md',
  'test/README.md',
]

/** Paths of all pages in the repository, with `/` between their parts. */
export function sourcePages(): readonly string[] {
  const inside = readdirSync(path.join(packageRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.split(path.sep).join('/')}`)
  return [...OUTSIDE, ...inside].sort()
}

export const readPage = (file: string): string => readFileSync(path.join(packageRoot, file), 'utf8')

/** Address of a link of a page: the file of the repository that it names, and the heading. */
export interface Target {
  readonly file: string
  readonly heading: string
}

/** Returns the target of a link, or undefined for one that leads out of the repository. */
export function findTarget(page: string, href: string): Target | undefined {
  if (/^[a-z][a-z+.-]*:|^\/\//i.test(href)) return undefined
  const [file = '', heading = ''] = href.split('#')
  const folder = path.posix.dirname(page)
  const resolved = file === '' ? page : path.posix.normalize(path.posix.join(folder, decodeURIComponent(file)))
  return { file: resolved.replace(/\/$/, ''), heading: decodeURIComponent(heading) }
}

/** Returns the links of the pages that lead to nothing, one sentence for each. */
export function deadLinks(pages: readonly string[], read: (file: string) => string = readPage): readonly string[] {
  const slugs = new Map<string, ReadonlySet<string>>()
  const hasHeading = (file: string, heading: string): boolean => {
    const found = slugs.get(file) ?? listSlugs(read(file))
    slugs.set(file, found)
    return found.has(heading)
  }
  return pages.flatMap((page) =>
    listLinks(read(page)).flatMap((href) => {
      const target = findTarget(page, href)
      if (target === undefined) return []
      if (!existsSync(path.join(packageRoot, target.file))) return [`${page}: ${href} does not exist.`]
      if (target.heading === '' || !target.file.endsWith('.md') || hasHeading(target.file, target.heading)) return []
      return [`${page}: ${href} names no heading of that page.`]
    }),
  )
}

/** Returns the addresses of all links of a page, as they are written. */
export function listLinks(markdown: string): readonly string[] {
  const text = withoutCode(markdown).replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ' '))
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href)
}
