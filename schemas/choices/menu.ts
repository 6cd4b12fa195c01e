/** A menu after its choices are parsed: one form for all ways of asking for it. Plain data; types only. */

export type MenuType = Menu['type']

export type Menu = ButtonMenu | ListMenu | PollMenu | CarouselMenu

export interface ButtonMenu {
  readonly type: 'button'
  readonly text: string
  readonly footer?: string
  readonly image?: MediaSource
  readonly buttons: readonly Button[]
}

export interface ListMenu {
  readonly type: 'list'
  readonly text: string
  readonly footer?: string
  /** The label of the button that opens the list. */
  readonly opener: string
  readonly sections: readonly Section[]
}

export interface PollMenu {
  readonly type: 'poll'
  readonly text: string
  readonly options: readonly Option[]
  /** How many options a voter may take; 0 for any number. */
  readonly selectableCount: number
}

export interface CarouselMenu {
  readonly type: 'carousel'
  readonly text: string
  readonly cards: readonly Card[]
}

/** Where something stood in the request, such as `choices[2]`: errors and warnings name it. */
interface Placed {
  readonly at: string
}

export type Button = Placed & { readonly text: string } & (
    | { readonly kind: 'reply'; readonly id: string }
    | { readonly kind: 'copy'; readonly code: string }
    | { readonly kind: 'call'; readonly phone: string }
    | { readonly kind: 'url'; readonly url: string }
  )

export interface Section {
  /** Empty for items that stand before the first title. */
  readonly title: string
  readonly rows: readonly ListRow[]
}

export interface ListRow extends Placed {
  readonly text: string
  readonly id: string
  readonly description?: string
}

export interface Option extends Placed {
  readonly text: string
}

export interface Card extends Placed {
  readonly text: string
  readonly media?: CardMedia
  readonly buttons: readonly Button[]
}

export interface CardMedia extends Placed {
  readonly kind: 'image' | 'video' | 'document'
  readonly source: MediaSource
  /** Documents only. */
  readonly filename?: string
}

/** Not fetched and not decoded yet. */
export type MediaSource =
  | PictureSource
  /** It went to disk while the body was read; `name` stands in its place there. */
  | { readonly from: 'arrived'; readonly name: string }

/** A picture that is small enough for memory. */
export type PictureSource =
  | { readonly from: 'url'; readonly url: string }
  | { readonly from: 'base64'; readonly data: string; readonly mimetype?: string }
