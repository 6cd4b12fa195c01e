/** Businesses: profiles, catalogues and orders, as `Socket/business.js` of Baileys asks for them. */
import { child, children, type Node, node, text } from '../wire/nodes.js'
import { IqError } from './iq-error.js'
import type { Account, Session } from './model.js'
import type { Network } from './network.js'

export interface SoldProduct {
  id: string
  fields: Record<string, string>
  images: string[]
  hidden: boolean
}

export interface CustomerOrder {
  token: string
  currency: string
  products: { id: string; name: string; price: string; quantity: string }[]
}

/** Fields that make an account a business. */
export interface Business {
  profile: Record<string, string>
  websites: string[]
  categories: { id: string; name: string }[]
  products: SoldProduct[]
  orders: Map<string, CustomerOrder>
}

const TEXTS = ['description', 'address', 'email'] as const
const PRODUCT_TEXTS = ['name', 'description', 'retailer_id', 'url', 'price', 'currency'] as const
/** The categories that the network offers. */
export const CATEGORIES = [
  { id: '1', name: 'Bakery' },
  { id: '2', name: 'Hotel' },
]

export function newBusiness(profile: Record<string, string> = {}): Business {
  return { profile, websites: [], categories: [], products: [], orders: new Map() }
}

export function handleBusiness(network: Network, session: Session, iq: Node): Node[] {
  const change = child(iq, 'business_profile')
  if (iq.attrs.type === 'set') {
    changeProfile(findBusiness(session), change)
    return [node('business_profile', {})]
  }
  const asked = network.directory.resolve(child(change, 'profile')?.attrs.jid)?.account
  const profiles = asked?.business === undefined ? [] : [profileNode(asked, asked.business)]
  return [node('business_profile', {}, profiles)]
}

/** @throws IqError 403 for an account that is no business, as the server refuses its changes */
function findBusiness({ device }: Session): Business {
  if (device.account.business === undefined) throw new IqError(403, 'forbidden')
  return device.account.business
}

function changeProfile(business: Business, change: Node | undefined): void {
  for (const field of children(change)) {
    const value = text(field)
    if (field.tag === 'email' && value !== '' && !value.includes('@')) throw new IqError(406, 'not-acceptable')
    if ((TEXTS as readonly string[]).includes(field.tag)) business.profile[field.tag] = value
    else if (field.tag === 'categories') business.categories = children(field).map(findCategory)
    else if (field.tag !== 'website') throw new IqError(400, 'bad-request')
  }
  const websites = children(change, 'website').map(text)
  if (websites.length > 2) throw new IqError(406, 'not-acceptable')
  if (websites.length > 0) business.websites = websites.filter((website) => website !== '')
}

function findCategory({ attrs }: Node) {
  const known = CATEGORIES.find(({ id }) => id === attrs.id)
  if (known === undefined) throw new IqError(406, 'not-acceptable')
  return known
}

function profileNode(account: Account, { profile, websites, categories }: Business): Node {
  return node('profile', { jid: account.jid('pn'), tag: '7' }, [
    ...Object.entries(profile).map(([tag, value]) => node(tag, {}, value)),
    ...websites.map((website) => node('website', {}, website)),
    node(
      'categories',
      {},
      categories.map(({ id, name }) => node('category', { id }, name)),
    ),
    node('business_hours', { timezone: 'America/Sao_Paulo' }, [
      node('business_hours_config', {
        ...{ day_of_week: 'mon', mode: 'specific_hours', open_time: '480', close_time: '1080' },
      }),
    ]),
  ])
}

export function handleCatalog(network: Network, session: Session, iq: Node): Node[] {
  const [request] = children(iq)
  if (request === undefined) throw new IqError(400, 'bad-request')
  if (request.tag === 'product_catalog') return [listed(network, session, request)]
  const business = findBusiness(session)
  const product = child(request, 'product')
  if (product === undefined) throw new IqError(400, 'bad-request')
  const id = textIn(product, 'id')
  const known = business.products.find((one) => one.id === id)
  if (request.tag === 'product_catalog_delete') {
    business.products = business.products.filter((one) => one !== known)
    return [node(request.tag, { deleted_count: known === undefined ? '0' : '1' })]
  }
  const written = writtenProduct(network, product)
  if (request.tag === 'product_catalog_add') {
    const added = { id: String(7_000_000_000_000_001 + network.nextProduct++), ...written }
    business.products.push(added)
    return [node(request.tag, {}, [productNode(added)])]
  }
  if (request.tag !== 'product_catalog_edit' || known === undefined) throw new IqError(404, 'item-not-found')
  // Fields that a change leaves out are removed.
  Object.assign(known, written)
  return [node(request.tag, {}, [productNode(known)])]
}

function listed(network: Network, session: Session, request: Node): Node {
  const account = network.directory.resolve(request.attrs.jid)?.account
  if (account?.business === undefined) throw new IqError(404, 'item-not-found')
  const shown = account.business.products.filter(({ hidden }) => !hidden || account === session.device.account)
  const from = Number(textIn(request, 'after') || 0)
  const end = from + Math.min(Number(textIn(request, 'limit') || 10), 100)
  const paging = end < shown.length ? [node('paging', {}, [node('after', {}, String(end))])] : []
  return node('product_catalog', {}, [...shown.slice(from, end).map(productNode), ...paging])
}

function writtenProduct(network: Network, product: Node): Omit<SoldProduct, 'id'> {
  const texts = PRODUCT_TEXTS.map((tag) => [tag, textIn(product, tag)] as const)
  const fields = Object.fromEntries(texts.filter(([, value]) => value !== ''))
  const images = children(child(product, 'media'), 'image').map((image) => textIn(image, 'url'))
  const isComplete = fields.name !== undefined && images.length > 0 && (!fields.price || fields.currency !== undefined)
  const areUploaded = images.every((image) => isOnHost(network, image))
  if (!isComplete || !areUploaded) throw new IqError(400, 'bad-request')
  return { fields, images, hidden: product.attrs.is_hidden === 'true' }
}

function isOnHost({ media }: Network, image: string): boolean {
  if (!URL.canParse(image)) return false
  const { pathname, search } = new URL(image)
  return media.read(pathname + search) !== undefined
}

function productNode({ id, fields, images, hidden }: SoldProduct): Node {
  const media = images.map((image) =>
    node('image', {}, [node('original_image_url', {}, image), node('request_image_url', {}, image)]),
  )
  return node('product', { is_hidden: String(hidden) }, [
    node('id', {}, id),
    ...Object.entries(fields).map(([tag, value]) => node(tag, {}, value)),
    node('media', {}, media),
    node('status_info', {}, [node('status', {}, 'APPROVED')]),
  ])
}

/** Gives an order to the seller who shows its token. */
export function handleOrder(_network: Network, session: Session, iq: Node): Node[] {
  const asked = child(iq, 'order')
  const order = findBusiness(session).orders.get(asked?.attrs.id ?? '')
  if (order === undefined || textIn(asked, 'token') !== order.token) throw new IqError(404, 'item-not-found')
  const total = order.products.reduce((sum, { price, quantity }) => sum + Number(price) * Number(quantity), 0)
  const products = order.products.map(({ id, name, price, quantity }) =>
    node('product', {}, [
      ...Object.entries({ id, name, price, quantity, currency: order.currency }).map(([tag, value]) =>
        node(tag, {}, value),
      ),
    ]),
  )
  const price = node('price', {}, [node('total', {}, String(total)), node('currency', {}, order.currency)])
  return [node('order', {}, [...products, price])]
}

function textIn(parent: Node | undefined, tag: string): string {
  const found = child(parent, tag)
  return found === undefined ? '' : text(found)
}
