/** Which files a message record leads to, by its `content`: one of its own, also in the header of a menu, or those of cards. */

/** Kinds of media in cards and headers of menus. */
const PARTS = ['imageMessage', 'videoMessage', 'documentMessage'] as const

export interface FilesInContent {
  readonly isOwn: boolean
  /** The numbers of the cards that have a file; the first card is 1. */
  readonly cards: readonly number[]
}

export function filesInContent(content: unknown): FilesInContent {
  if (!isObject(content)) return { isOwn: false, cards: [] }
  const isOwn = isFile(content) || [content, content.header, content.hydratedTemplate].some(hasFile)
  const { cards } = isObject(content.carouselMessage) ? content.carouselMessage : {}
  const withFiles = Array.isArray(cards) ? cards.map((card) => isObject(card) && hasFile(card.header)) : []
  return { isOwn, cards: withFiles.flatMap((has, index) => (has ? [index + 1] : [])) }
}

function hasFile(holder: unknown): boolean {
  return isObject(holder) && PARTS.some((part) => isFile(holder[part]))
}

function isFile(part: unknown): boolean {
  // Its key is not told; what only those have that have a key, is.
  return isObject(part) && Boolean(part.fileEncSha256 && (part.directPath || part.url))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
