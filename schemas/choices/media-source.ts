import type { CardMedia, MediaSource, Menu, PictureSource } from './menu.js'

const URL_LENGTH_MAX = 4096
/** The smallest picture there is takes more; shorter ones are words that happen to have no spaces. */
const BASE64_LENGTH_MIN = 32
const DATA_URL_HEAD_MAX = 200

// Bound: 1,048,576, a field of a request.
const ARRIVED = /^arrived-file:\d+-[0-9a-f]{64}$/

/** Returns the text that replaces a file in a body when the file went to disk. `content`: 64 hex digits. */
export function arrivedFileName(index: number, content: string): string {
  return `arrived-file:${index}-${content}`
}

/** As `parseMediaSource`, where files are not sent to disk. */
export function parsePictureSource(input: string): PictureSource | null {
  const source = parseMediaSource(input)
  return source?.from === 'arrived' ? null : source
}

/** A URL, a data URL or base64 as a caller gave it; null when it is none of them. What it holds is not looked at. */
export function parseMediaSource(input: string): MediaSource | null {
  const text = input.trim()
  if (ARRIVED.test(text)) return { from: 'arrived', name: text }
  // Bound: 1,048,576, a field of a request.
  if (/^https?:\/\//i.test(text)) {
    return text.length <= URL_LENGTH_MAX && URL.canParse(text) ? { from: 'url', url: text } : null
  }
  // Bound: 1,048,576, a field of a request.
  if (!/^data:/i.test(text)) return base64(text)
  const head = text.slice(0, DATA_URL_HEAD_MAX)
  const comma = head.indexOf(',')
  if (comma < 0) return null
  // Bound: 1,000, cut above.
  const [mimetype = '', ...parameters] = head.slice('data:'.length, comma).split(';')
  if (parameters.at(-1)?.trim().toLowerCase() !== 'base64') return null
  return base64(text.slice(comma + 1), mimetype.trim().toLowerCase())
}

function base64(text: string, mimetype = ''): PictureSource | null {
  // Bound: 1,048,576, a field of a request.
  const data = text.replace(/\s+/g, '')
  // Bound: 1,048,576, a field of a request.
  if (data.length < BASE64_LENGTH_MIN || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(data)) return null
  return { from: 'base64', data, ...(mimetype === '' ? {} : { mimetype }) }
}

/** Lists the media to upload before the menu can be sent, in the order in which the composer takes the uploads. */
export function listMenuMedia(menu: Menu): readonly CardMedia[] {
  switch (menu.type) {
    case 'button':
      return menu.image === undefined ? [] : [{ at: 'imageButton', kind: 'image', source: menu.image }]
    case 'carousel':
      return menu.cards.flatMap(({ media }) => media ?? [])
    default:
      return []
  }
}

/** The same without what its media are made from, which may be large; how many there are and of what kind stays. */
export function withoutSources(menu: Menu): Menu {
  const source = { from: 'url', url: '' } as const
  switch (menu.type) {
    case 'button':
      return menu.image === undefined ? menu : { ...menu, image: source }
    case 'carousel': {
      const cards = menu.cards.map((card) =>
        card.media === undefined ? card : { ...card, media: { ...card.media, source } },
      )
      return { ...menu, cards }
    }
    default:
      return menu
  }
}
