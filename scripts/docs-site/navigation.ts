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

interface SiteGroup {
  readonly name: string
  /** Folder whose pages belong to the group unless another one lists them. */
  readonly folder?: string
  readonly files: readonly string[]
}

/** Pages in the order of the list, by their files; the other pages of a folder follow them. */
const GROUPS: readonly SiteGroup[] = [
  {
    name: 'Start',
    files: [
      'README.md',
      'README.pt-BR.md',
      'README.es.md',
      'docs/README.md',
      'docs/guides/first-steps.md',
      'docs/guides/primeiros-passos.md',
      'docs/guides/primeros-pasos.md',
      'docs/reference/features.md',
      'docs/reference/comparison.md',
      'docs/limits.md',
    ],
  },
  {
    name: 'Guides',
    folder: 'docs/guides/',
    files: [
      'docs/guides/webhooks.md',
      'docs/guides/scheduled-messages.md',
      'docs/guides/campaigns.md',
      'docs/guides/agents.md',
      'docs/guides/mcp.md',
      'docs/guides/chatwoot.md',
      'docs/guides/moving-in.md',
      'docs/guides/evolution-drop-in.md',
      'docs/guides/evolution-em-cinco-minutos.md',
      'docs/guides/evolution-en-cinco-minutos.md',
      'docs/guides/from-evolution-api.md',
      'docs/guides/from-waha.md',
      'docs/guides/from-uazapi.md',
      'clients/typescript/README.md',
      'examples/README.md',
    ],
  },
  {
    name: 'Reference',
    folder: 'docs/reference/',
    files: [
      'docs/reference/api-conventions.md',
      'docs/reference/message-kinds.md',
      'docs/reference/choices.md',
      'docs/reference/errors.md',
      'docs/reference/configuration.md',
      'docs/reference/metrics.md',
    ],
  },
  {
    name: 'Operation',
    folder: 'docs/operations/',
    files: [
      'docs/operations/production.md',
      'docs/operations/monitoring.md',
      'docs/operations/handbook.md',
      'docs/operations/releases.md',
      'k8s/README.md',
      'docs/operations/stores.md',
      'docs/operations/failover.md',
      'docs/operations/security.md',
      'docs/operations/runbook.md',
    ],
  },
  {
    name: 'Design',
    folder: 'docs/design/',
    files: [
      'docs/ARCHITECTURE.md',
      'docs/console.md',
      'docs/design/ownership.md',
      'docs/benchmarks.md',
      'CONTRIBUTING.md',
      'test/README.md',
      'sandbox/README.md',
      'CHANGELOG.md',
    ],
  },
]
const DECISIONS = 'Decisions'
const API = 'API'
const ORDER = ['Start', 'Guides', API, 'Reference', 'Operation', 'Design', DECISIONS]

/** Returns the group of a file: the one that lists it, or else the one of its folder. */
export function chooseGroup(file: string): string {
  if (file.startsWith('docs/decisions/')) return DECISIONS
  const listing = GROUPS.find(({ files }) => files.includes(file))
  const owning = GROUPS.find(({ folder }) => folder !== undefined && file.startsWith(folder))
  return (listing ?? owning)?.name ?? 'Design'
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
    const isOpen = name === from.group || (name !== DECISIONS && name !== 'Design') ? ' open' : ''
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
