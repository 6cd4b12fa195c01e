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

/** Numbers of `PairedMediaType` at the network: the large copy of a video or picture. */
const LARGE_COPIES: ReadonlySet<unknown> = new Set([2, 4])

/** Returns whether the file of a message is the large one of two that the phone has sent. */
export function isHighDefinition(content: unknown): boolean {
  return isObject(content) && isObject(content.contextInfo) && LARGE_COPIES.has(content.contextInfo.pairedMediaType)
}

function hasFile(holder: unknown): boolean {
  return isObject(holder) && PARTS.some((part) => isFile(holder[part]))
}

function isFile(part: unknown): boolean {
  // The key is not in the content. A file that is not encrypted has the hash of its plain bytes only.
  return isObject(part) && Boolean((part.fileEncSha256 || part.fileSha256) && (part.directPath || part.url))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
