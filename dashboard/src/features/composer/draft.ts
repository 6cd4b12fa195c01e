/** A message before it is sent: one form for all kinds, so that a text stays when another kind is chosen. */

export const kinds = [
  'text',
  'image',
  'video',
  'document',
  'audio',
  'ptt',
  'sticker',
  'location',
  'contact',
  'button',
  'list',
  'poll',
  'carousel',
  'pix',
] as const
export type Kind = (typeof kinds)[number]

/** A file of this machine, or an address from which the gateway fetches it. */
export type FileSource =
  | { readonly from: 'file'; readonly name: string; readonly blob: Blob }
  | { readonly from: 'url'; readonly url: string }

export type ButtonAction = 'reply' | 'url' | 'call' | 'copy'

export interface ButtonDraft {
  readonly key: string
  readonly text: string
  readonly does: ButtonAction
  /** Id of a reply, else the address, the phone number or the code. */
  readonly value: string
}

export interface RowDraft {
  readonly key: string
  readonly text: string
  readonly id: string
  readonly description: string
}

export interface SectionDraft {
  readonly key: string
  readonly title: string
  readonly rows: readonly RowDraft[]
}

export interface OptionDraft {
  readonly key: string
  readonly text: string
}

export const cardMedia = ['image', 'video', 'document'] as const
export type CardMedia = (typeof cardMedia)[number]

export interface CardDraft {
  readonly key: string
  readonly text: string
  readonly shows: CardMedia
  readonly file: FileSource | null
  readonly buttons: readonly ButtonDraft[]
}

export interface Draft {
  readonly kind: Kind
  /** The text; of a file its caption, of a menu the text above, of a poll the question. */
  readonly text: string
  readonly linkPreview: boolean
  readonly file: FileSource | null
  readonly viewOnce: boolean
  /** Sends a picture in full size beside a small copy. */
  readonly hd: boolean
  readonly latitude: string
  readonly longitude: string
  readonly place: string
  readonly address: string
  readonly fullName: string
  readonly phoneNumber: string
  readonly organization: string
  readonly email: string
  readonly url: string
  readonly footer: string
  readonly picture: FileSource | null
  readonly buttons: readonly ButtonDraft[]
  readonly listButton: string
  readonly sections: readonly SectionDraft[]
  readonly options: readonly OptionDraft[]
  readonly selectableCount: number
  readonly cards: readonly CardDraft[]
  readonly pixType: string
  readonly pixKey: string
  readonly pixName: string
  /** Sends a menu as text where the network refuses it. */
  readonly fallback: boolean
}

let lastKey = 0

/** Returns a key for a row of a builder, so that rows keep their fields when one before them goes. */
export function makeRowKey(): string {
  lastKey += 1
  return String(lastKey)
}

export function makeButton(): ButtonDraft {
  return { key: makeRowKey(), text: '', does: 'reply', value: '' }
}

export function makeRow(): RowDraft {
  return { key: makeRowKey(), text: '', id: '', description: '' }
}

export function makeSection(): SectionDraft {
  return { key: makeRowKey(), title: '', rows: [makeRow()] }
}

export function makeOption(): OptionDraft {
  return { key: makeRowKey(), text: '' }
}

export function makeCard(): CardDraft {
  return { key: makeRowKey(), text: '', shows: 'image', file: null, buttons: [makeButton()] }
}

export function makeDraft(kind: Kind = 'text'): Draft {
  return {
    kind,
    text: '',
    linkPreview: true,
    file: null,
    viewOnce: false,
    hd: false,
    latitude: '',
    longitude: '',
    place: '',
    address: '',
    fullName: '',
    phoneNumber: '',
    organization: '',
    email: '',
    url: '',
    footer: '',
    picture: null,
    buttons: [makeButton()],
    listButton: '',
    sections: [makeSection()],
    options: [makeOption(), makeOption()],
    selectableCount: 1,
    cards: [makeCard(), makeCard()],
    pixType: 'EVP',
    pixKey: '',
    pixName: '',
    fallback: true,
  }
}

/** Returns true for kinds with a text above choices, which clients may not draw. */
export function isMenu(kind: Kind): kind is 'button' | 'list' | 'poll' | 'carousel' {
  return kind === 'button' || kind === 'list' || kind === 'poll' || kind === 'carousel'
}

/** Returns true for kinds that are one file. */
export function isFile(kind: Kind): boolean {
  return ['image', 'video', 'document', 'audio', 'ptt', 'sticker'].includes(kind)
}

/** Returns true for kinds that have the text of the box. */
export function hasText(kind: Kind): boolean {
  return kind === 'text' || kind === 'image' || kind === 'video' || kind === 'document' || isMenu(kind)
}
