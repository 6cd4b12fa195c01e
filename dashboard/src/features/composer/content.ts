/** Turns a draft into the body of a send, or into the message of a campaign. */
import { writeChoices } from './choices.js'
import type { Draft, FileSource } from './draft.js'

export interface LocalFile {
  readonly name: string
  readonly blob: Blob
}

export interface Content {
  /** Kind as the API names it. */
  readonly type: string
  /** Fields of the body. A local file stands in them as its mark. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Local files, by their mark. */
  readonly files: ReadonlyMap<string, LocalFile>
  /** Place in the builder of each field that the gateway may refuse, such as `choices[2]`. */
  readonly places: Readonly<Record<string, string>>
}

/** Nobody can guess it, so that no text of a message is taken for a file. */
const MARK = `file-${[...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16)).join('')}-`

const BUTTON_TYPES = { reply: 'REPLY', url: 'URL', call: 'CALL', copy: 'COPY' } as const

export function makeContent(draft: Draft): Content {
  const { files, fileText } = collectFiles()
  const choices = writeChoices(draft, fileText)
  const places = Object.fromEntries(choices.map(({ place }, index) => [`choices[${index}]`, place]))
  const menu = choices.length === 0 ? {} : { choices: choices.map(({ text }) => text) }
  return { type: draft.kind, fields: { ...makeFields(draft, fileText), ...menu }, files, places }
}

/** Returns true for a carousel that no list of choices can say: choices know pictures only. */
export function isMixed({ kind, cards }: Draft): boolean {
  return kind === 'carousel' && cards.some(({ shows, file }) => file !== null && shows !== 'image')
}

/** Turns a carousel into the body of its own operation, which takes films and documents too. */
export function makeCarousel({ text, cards, fallback }: Draft): Content {
  const { files, fileText } = collectFiles()
  const places: Record<string, string> = {}
  const carousel = cards.map((card, index) => {
    const at = `carousel[${index}]`
    places[`${at}.text`] = `cards.${index}`
    places[`${at}.${card.shows}`] = `cards.${index}.file`
    const buttons = card.buttons.map((button, place) => {
      for (const field of ['id', 'text']) places[`${at}.buttons[${place}].${field}`] = `cards.${index}.buttons.${place}`
      return { text: button.text, type: BUTTON_TYPES[button.does], ...pickGiven({ id: button.value }) }
    })
    const { shows, file } = card
    return {
      text: card.text,
      ...(file === null ? {} : { [shows]: fileText(file) }),
      ...(shows === 'document' && file?.from === 'file' ? { filename: file.name } : {}),
      buttons,
    }
  })
  return { type: 'carousel', fields: { text, carousel, fallback }, files, places }
}

function collectFiles() {
  const files = new Map<string, LocalFile>()
  const fileText = (source: FileSource): string => {
    if (source.from === 'url') return source.url.trim()
    const mark = `${MARK}${files.size}-`
    files.set(mark, source)
    return mark
  }
  return { files, fileText }
}

function makeFields(draft: Draft, fileText: (source: FileSource) => string): Record<string, unknown> {
  const { kind, text } = draft
  switch (kind) {
    case 'text':
      return { text, ...(draft.linkPreview && /https?:\/\//i.test(text) ? { linkPreview: true } : {}) }
    case 'image':
    case 'video':
    case 'document':
      return { ...makeFileFields(draft, fileText), ...pickGiven({ text }) }
    case 'audio':
    case 'ptt':
    case 'sticker':
      return makeFileFields(draft, fileText)
    case 'location':
      return {
        latitude: readNumber(draft.latitude),
        longitude: readNumber(draft.longitude),
        ...pickGiven({ name: draft.place, address: draft.address }),
      }
    case 'contact': {
      const { fullName, phoneNumber, organization, email, url } = draft
      return { fullName, phoneNumber, ...pickGiven({ organization, email, url }) }
    }
    case 'pix':
      return { pixType: draft.pixType, pixKey: draft.pixKey, ...pickGiven({ pixName: draft.pixName }) }
    default:
      return { text, ...makeMenuFields(draft, fileText), ...(kind === 'poll' ? {} : { fallback: draft.fallback }) }
  }
}

function makeFileFields(draft: Draft, fileText: (source: FileSource) => string): Record<string, unknown> {
  const { kind, file, viewOnce, hd } = draft
  const canBeOnce = kind === 'image' || kind === 'video' || kind === 'audio'
  return {
    file: file === null ? '' : fileText(file),
    ...(kind === 'document' && file?.from === 'file' ? { docName: file.name } : {}),
    ...(canBeOnce && viewOnce ? { viewOnce: true } : {}),
    ...(kind === 'image' && hd && !viewOnce ? { hd: true } : {}),
  }
}

function makeMenuFields(draft: Draft, fileText: (source: FileSource) => string): Record<string, unknown> {
  switch (draft.kind) {
    case 'button':
      return {
        ...pickGiven({ footerText: draft.footer }),
        ...(draft.picture === null ? {} : { imageButton: fileText(draft.picture) }),
      }
    case 'list':
      return pickGiven({ footerText: draft.footer, listButton: draft.listButton })
    case 'poll':
      return { selectableCount: draft.selectableCount }
    default:
      return {}
  }
}

/** Returns the fields that are not empty. */
function pickGiven(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''))
}

/** Reads a number in the writer's form. Text that is no number stays, so that the gateway names the field. */
function readNumber(text: string): number | string {
  const value = Number(text.trim().replace(',', '.'))
  return text.trim() === '' || Number.isNaN(value) ? text : value
}
