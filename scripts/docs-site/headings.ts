/** Names of headings in addresses, as GitHub makes them, so that one link works there and on the site. */

/** Returns a function that gives each heading of one page its name; a second one of the same text gets `-1`. */
export function createSlugs(): (heading: string) => string {
  const seen = new Map<string, number>()
  return (heading) => {
    const slug = heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}

/** Returns the names of the headings of a Markdown text. */
export function listSlugs(markdown: string): ReadonlySet<string> {
  const slug = createSlugs()
  const headings = withoutCode(markdown).matchAll(/^#{1,6} (.+)$/gm)
  return new Set([...headings].map(([, text = '']) => slug(plainText(text))))
}

export function withoutCode(markdown: string): string {
  return markdown.replace(/^( *)(```+)[^\n]*\n[\s\S]*?^ *\2 *$/gm, '')
}

/** Leaves out links and marks, of which GitHub takes the text only. */
function plainText(heading: string): string {
  return heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')
}
