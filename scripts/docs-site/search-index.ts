/** Makes the index of the search, which the browser reads as a script: it works without a server too. */
import { createSlugs } from './headings.js'
import type { SitePage } from './navigation.js'
import { loadMiniSearch } from './packages.js'

interface Entry {
  readonly id: number
  readonly title: string
  readonly heading: string
  readonly address: string
  readonly text: string
}

/** Their texts are lists that fill every search; their headings are found. */
const HEADINGS_ONLY = /(?:specification-coverage|licences|changelog)\.html$/

export const searchOptions = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['title', 'heading', 'address'],
  processTerm: searchTerm,
}

/** Leaves out accents, as the search does with what people type. */
function searchTerm(term: string): string {
  return term.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Returns a script that holds the index. */
export async function searchScript(pages: readonly SitePage[]): Promise<string> {
  const MiniSearch = await loadMiniSearch()
  const search = new MiniSearch(searchOptions)
  search.addAll(pages.flatMap(splitSections).map((entry, id) => ({ ...entry, id })))
  return `globalThis.siteSearchIndex = ${JSON.stringify(JSON.stringify(search))}\n`
}

/** Splits a page at its headings of the second level. */
function splitSections({ address, title, markdown }: SitePage): readonly Omit<Entry, 'id'>[] {
  const slug = createSlugs()
  let isCode = false
  const sections = [{ title, heading: title, address, lines: [] as string[] }]
  for (const line of markdown.split('\n')) {
    if (/^ *```/.test(line)) isCode = !isCode
    const heading = isCode
      ? undefined
      : /^#{1,6} (.+)$/
          .exec(line)?.[1]
          ?.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
          .replace(/[`*]/g, '')
    const name = heading === undefined ? '' : slug(heading)
    if (heading !== undefined && line.startsWith('## '))
      sections.push({ title, heading, address: `${address}#${name}`, lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections.map(({ lines, ...one }) => ({
    ...one,
    text: HEADINGS_ONLY.test(address) ? '' : lines.join('\n').replace(/[`*|#]|\]\([^)]*\)|-{3,}/g, ' '),
  }))
}
