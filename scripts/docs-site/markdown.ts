/** Teaches the generator's Markdown parser our headings and links. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../lib/package-root.js'
import { createSlugs } from './headings.js'
import { relative, type SitePage } from './navigation.js'
import type { Markdown, Token } from './packages.js'
import { findTarget } from './source-pages.js'

/** Gives headings their names, and turns links to files of the repository into links between pages. */
export function useSiteMarkdown(markdown: Markdown, pages: readonly SitePage[]): void {
  const byAddress = new Map(pages.map((page) => [page.address, page]))
  const byFile = new Map(pages.filter(({ file }) => file !== undefined).map((page) => [page.file ?? '', page]))
  markdown.core.ruler.push('site-headings', ({ tokens }) => nameHeadings(tokens))
  markdown.core.ruler.push('site-links', ({ tokens, env }) => {
    const page = byAddress.get((env.page?.url ?? '').replace(/^\//, '').replace(/^$|(?<=\/)$/, 'index.html'))
    if (page?.file === undefined) return
    for (const token of tokens) if (token.children !== null) changeLinks(token.children, page, byFile)
  })
}

function nameHeadings(tokens: readonly Token[]): void {
  const slug = createSlugs()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const inner = tokens[index + 1]?.children ?? []
    token.attrSet('id', slug(inner.map(({ content }) => content).join('')))
  }
}

/** Links to pages lead to their addresses. Links to other files become plain text, because they are not on the site. */
function changeLinks(tokens: Token[], page: SitePage, byFile: ReadonlyMap<string, SitePage>): void {
  let isPlain = false
  for (const token of tokens) {
    if (token.type === 'link_close' && isPlain) {
      token.tag = 'span'
      isPlain = false
    }
    // Pictures have the same path on the site as in the repository.
    if (token.type === 'image') {
      const picture = findTarget(page.file ?? '', token.attrGet('src') ?? '')
      if (picture !== undefined) token.attrSet('src', relative(page.address, picture.file))
    }
    if (token.type !== 'link_open') continue
    const target = findTarget(page.file ?? '', token.attrGet('href') ?? '')
    if (target === undefined) continue
    const other = byFile.get(target.file) ?? byFile.get(`${target.file}/README.md`)
    if (other !== undefined) {
      const heading = target.heading === '' ? '' : `#${target.heading}`
      const address = other === page && heading !== '' ? '' : relative(page.address, other.address)
      token.attrSet('href', address + heading)
    } else {
      if (!existsSync(path.join(packageRoot, target.file)))
        throw new Error(`${page.file}: ${target.file} is not there.`)
      token.tag = 'span'
      token.attrs = [['title', `${target.file} in the sources`]]
      isPlain = true
    }
  }
}
