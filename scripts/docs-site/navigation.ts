/** The order of the pages of the site, and its list at the side of each page. */
import path from 'node:path'

export interface SitePage {
  /** Address below the site, such as `guides/from-waha.html`. */
  readonly address: string
  readonly title: string
  /** Heading in the list at the side, or undefined for pages that are only linked. */
  readonly group: string
  readonly language: string
  readonly markdown: string
  /** The file in the repository, for links; undefined for pages that are made. */
  readonly file: string | undefined
}

/** Pages in the order of the list, by their files; others of `docs/` follow at the end of `Operation`. */
const GROUPS: readonly { readonly name: string; readonly files: readonly string[] }[] = [
  {
    name: 'Start',
    files: ['README.md', 'docs/guides/primeiros-passos.md', 'docs/guides/primeros-pasos.md', 'docs/limits.md'],
  },
  {
    name: 'Guides',
    files: [
      'docs/guides/from-evolution-api.md',
      'docs/guides/from-waha.md',
      'docs/guides/from-uazapi.md',
      'docs/moving-in.md',
      'docs/webhooks.md',
      'docs/message-kinds.md',
      'docs/choices.md',
      'docs/api-conventions.md',
      'docs/scheduled-messages.md',
      'docs/campaigns.md',
      'docs/agents.md',
      'docs/mcp.md',
      'clients/typescript/README.md',
      'examples/README.md',
    ],
  },
  {
    name: 'Operation',
    files: [
      'docs/configuration.md',
      'docs/operations.md',
      'docs/operations/failover.md',
      'k8s/README.md',
      'docs/stores.md',
      'docs/security.md',
    ],
  },
  {
    name: 'Inside',
    files: [
      'docs/ARCHITECTURE.md',
      'docs/ownership.md',
      'docs/guarantees.md',
      'docs/interface-specification.md',
      'docs/specification-coverage.md',
      'docs/benchmarks.md',
      'docs/licences.md',
      'CONTRIBUTING.md',
      'test/README.md',
      'sandbox/README.md',
      'CHANGELOG.md',
    ],
  },
]
const DECISIONS = 'Decisions'
const API = 'API'
const ORDER = ['Start', 'Guides', API, 'Operation', 'Inside', DECISIONS]

/** Returns the group of a file. */
export function groupOf(file: string): string {
  if (file.startsWith('docs/decisions/')) return DECISIONS
  if (file.startsWith('docs/guides/')) return GROUPS.find(({ files }) => files.includes(file))?.name ?? 'Guides'
  return GROUPS.find(({ files }) => files.includes(file))?.name ?? 'Operation'
}

export const apiGroup = API

/** Returns the list of all pages as HTML, seen from one of them. */
export function navigation(pages: readonly SitePage[], from: SitePage): string {
  const places = new Map(GROUPS.flatMap(({ files }) => files).map((file, index) => [file, index]))
  const place = ({ file = '' }: SitePage): number => places.get(file) ?? places.size
  return ORDER.map((name) => {
    const members = pages.filter(({ group }) => group === name).toSorted((a, b) => place(a) - place(b))
    const links = members.map((page) => {
      const mark = page === from ? ' aria-current="page"' : ''
      return `<li><a href="${relative(from.address, page.address)}"${mark}>${escapeHtml(page.title)}</a></li>`
    })
    const isOpen = name === from.group || (name !== DECISIONS && name !== 'Inside') ? ' open' : ''
    return `<details${isOpen}><summary>${name}</summary><ul>${links.join('')}</ul></details>`
  }).join('\n')
}

/** Returns an address as a link on another page names it. */
export function relative(from: string, to: string): string {
  return path.posix.relative(path.posix.dirname(from), to)
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
