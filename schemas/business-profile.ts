/** Business profiles, products and orders, as network, actors and API share them. Types, and their bounds. */

/** What anybody sees of a business. Empty where the business gives nothing. */
export interface BusinessProfile {
  /** The network's version of the profile. */
  readonly tag: string
  readonly description: string
  readonly address: string
  readonly email: string
  readonly websites: readonly string[]
  readonly categories: readonly BusinessCategory[]
  readonly hours: BusinessHours | null
}

export interface BusinessCategory {
  readonly id: string
  readonly localized_display_name: string
}

export interface BusinessHours {
  readonly timezone: string
  readonly days: readonly {
    readonly day: string
    readonly mode: string
    /** Minutes since midnight; null unless the mode has hours. */
    readonly openMinutes: number | null
    readonly closeMinutes: number | null
  }[]
}

/** Fields of the own profile that can be changed. Each is a request of its own, so that one can fail alone. */
export const PROFILE_FIELDS = ['description', 'address', 'email', 'websites', 'categories'] as const
export type ProfileField = (typeof PROFILE_FIELDS)[number]
export type ProfileChange = Readonly<Partial<Record<ProfileField, string | readonly string[]>>>

/** Largest texts and lists of a profile that are taken from the network. Further ones are cut off. */
export const PROFILE_TEXT_MAX = 4_096
export const PRODUCTS_MAX = 100

export interface Product {
  readonly id: string
  readonly retailer_id: string
  readonly name: string
  readonly description: string
  /** In thousandths of the currency's unit, as the network has it; null: none. */
  readonly price: number | null
  readonly currency: string
  readonly url: string
  readonly image_urls: readonly string[]
  readonly is_hidden: boolean
  readonly availability: string
  /** State of WhatsApp's review. */
  readonly review_status: string
}

export interface CatalogPage {
  readonly products: readonly Product[]
  /** Cursor of the next page; empty at the end. */
  readonly after: string
}

/** A product that is written. The network replaces what is given. */
export interface ProductFields {
  readonly name: string
  readonly description: string
  readonly retailer_id: string
  readonly price: number | null
  readonly currency: string
  readonly url: string
  readonly image_urls: readonly string[]
  readonly is_hidden: boolean
}

export interface OrderDetails {
  /** In thousandths. */
  readonly total: number | null
  readonly currency: string
  readonly products: readonly {
    readonly id: string
    readonly name: string
    readonly image_url: string
    readonly price: number | null
    readonly currency: string
    readonly quantity: number
  }[]
}
