/**
 * Reads what the network answers about businesses. Strangers write these texts and numbers: each is cut to a bound, and what is not of its form
 * is left out. Forms: `Utils/business.js` and `Socket/chats.js` of Baileys 7.0.0-rc14.
 */
import type { BinaryNode } from '@whiskeysockets/baileys'
import { cut } from '../../../lib/cut.js'
import {
  type BusinessCategory,
  type BusinessHours,
  type BusinessProfile,
  type CatalogPage,
  type OrderDetails,
  PRODUCTS_MAX,
  PROFILE_TEXT_MAX,
  type Product,
} from '../../../schemas/business-profile.js'
import { children, findChild } from './child-nodes.js'

const URLS_MAX = 10
const CATEGORIES_MAX = 2_000
const DAYS_MAX = 21
const WORD_MAX = 200
/** Depth and number of values to which an answer with categories is searched. */
const DEPTH_MAX = 12
const VALUES_MAX = 50_000

export function readProfile(answer: BinaryNode): BusinessProfile | null {
  const profile = findChild(findChild(answer, 'business_profile'), 'profile')
  if (profile === undefined) return null
  const categories = some(findChild(profile, 'categories'), 'category', URLS_MAX).map((category) => ({
    id: cut(category.attrs.id ?? '', WORD_MAX),
    localized_display_name: readNodeText(category),
  }))
  return {
    tag: cut(profile.attrs.tag ?? '', WORD_MAX),
    description: readNodeText(findChild(profile, 'description')),
    address: readNodeText(findChild(profile, 'address')),
    email: readNodeText(findChild(profile, 'email')),
    websites: some(profile, 'website', URLS_MAX)
      .map(readNodeText)
      .filter((website) => website !== ''),
    categories,
    hours: readHours(findChild(profile, 'business_hours')),
  }
}

function readHours(hours: BinaryNode | undefined): BusinessHours | null {
  if (hours === undefined) return null
  return {
    timezone: cut(hours.attrs.timezone ?? '', WORD_MAX),
    days: some(hours, 'business_hours_config', DAYS_MAX).map(({ attrs }) => ({
      day: cut(attrs.day_of_week ?? '', WORD_MAX),
      mode: cut(attrs.mode ?? '', WORD_MAX),
      openMinutes: parseWhole(attrs.open_time),
      closeMinutes: parseWhole(attrs.close_time),
    })),
  }
}

export function readCatalog(answer: BinaryNode): CatalogPage {
  const catalog = findChild(answer, 'product_catalog')
  return {
    products: some(catalog, 'product', PRODUCTS_MAX).map(readProduct),
    after: readNodeText(findChild(findChild(catalog, 'paging'), 'after')),
  }
}

/** Reads the product that a change answers with. Returns null if there is none. */
export function readChanged(answer: BinaryNode, tag: string): Product | null {
  const product = findChild(findChild(answer, tag), 'product')
  return product === undefined ? null : readProduct(product)
}

function readProduct(product: BinaryNode): Product {
  const of = (tag: string) => readNodeText(findChild(product, tag))
  const images = some(findChild(product, 'media'), 'image', URLS_MAX)
  const imageUrls = images.map((image) =>
    [findChild(image, 'original_image_url'), findChild(image, 'request_image_url'), findChild(image, 'url')]
      .map(readNodeText)
      .find(isUrl),
  )
  return {
    id: of('id'),
    retailer_id: of('retailer_id'),
    name: of('name'),
    description: of('description'),
    price: parseWhole(of('price')),
    currency: cut(of('currency'), WORD_MAX),
    url: of('url'),
    image_urls: imageUrls.filter((url) => url !== undefined),
    is_hidden: product.attrs.is_hidden === 'true',
    availability: of('availability') || 'in stock',
    review_status: cut(readNodeText(findChild(findChild(product, 'status_info'), 'status')), WORD_MAX),
  }
}

export function readOrder(answer: BinaryNode): OrderDetails | null {
  const order = findChild(answer, 'order')
  if (order === undefined) return null
  const price = findChild(order, 'price')
  return {
    total: parseWhole(readNodeText(findChild(price, 'total'))),
    currency: cut(readNodeText(findChild(price, 'currency')), WORD_MAX),
    products: some(order, 'product', PRODUCTS_MAX).map((product) => {
      const of = (tag: string) => readNodeText(findChild(product, tag))
      const image = readNodeText(findChild(findChild(product, 'image'), 'url'))
      return {
        id: of('id'),
        name: of('name'),
        image_url: isUrl(image) ? image : '',
        price: parseWhole(of('price')),
        currency: cut(of('currency'), WORD_MAX),
        quantity: parseWhole(of('quantity')) ?? 0,
      }
    }),
  }
}

/**
 * Finds the categories in the answer of a query whose form is not documented: entries with an id and a name, wherever they are. A category that
 * comes twice is listed once.
 */
export function findCategories(answer: unknown): readonly BusinessCategory[] {
  const found = new Map<string, string>()
  let values = 0
  const search = (value: unknown, depth: number): void => {
    values += 1
    if (typeof value !== 'object' || value === null || depth > DEPTH_MAX || values > VALUES_MAX) return
    const { id, localized_display_name: name } = value as Readonly<Record<string, unknown>>
    const isNamed = (typeof id === 'string' || typeof id === 'number') && typeof name === 'string'
    if (isNamed && found.size < CATEGORIES_MAX) found.set(cut(String(id), WORD_MAX), cut(name, WORD_MAX))
    for (const inner of Object.values(value)) search(inner, depth + 1)
  }
  search(answer, 0)
  return [...found].map(([id, localized_display_name]) => ({ id, localized_display_name }))
}

function some(parent: BinaryNode | undefined, tag: string, max: number): readonly BinaryNode[] {
  if (parent === undefined) return []
  return children(parent)
    .filter((child) => child.tag === tag)
    .slice(0, max)
}

function readNodeText(node: BinaryNode | undefined): string {
  const content = node?.content
  if (typeof content === 'string') return cut(content, PROFILE_TEXT_MAX)
  // A character has up to four bytes.
  if (content instanceof Uint8Array) {
    const bytes = content.subarray(0, 4 * PROFILE_TEXT_MAX)
    return cut(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'), PROFILE_TEXT_MAX)
  }
  return ''
}

/** Returns a whole number that is not negative; null for anything else. */
function parseWhole(text: string | undefined): number | null {
  const value = text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isSafeInteger(value) && value >= 0 ? value : null
}

function isUrl(text: string): boolean {
  return text.startsWith('https://') && URL.canParse(text)
}
