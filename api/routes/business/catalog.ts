import type { Product } from '../../../schemas/business-profile.js'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  AddProductReply,
  AddProductRequest,
  CatalogProduct,
  ChangeProductReply,
  ChangeProductRequest,
  DeleteProductReply,
  DeleteProductRequest,
  HideInCatalogReply,
  HideInCatalogRequest,
  ListCatalogReply,
  ListCatalogRequest,
  ShowInCatalogReply,
  ShowInCatalogRequest,
  ShowOrderReply,
  ShowOrderRequest,
  ShowProductReply,
  ShowProductRequest,
} from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { LinkPreviews } from '../../../schemas/ports/media.js'
import { instanceRoute } from '../../route.js'
import { changeErrors } from '../change-failed.js'
import { portraitOf } from '../portrait.js'
import { businessOf, readErrors } from './profile.js'

const deleteErrors = [...changeErrors, 'PRODUCT_NOT_FOUND'] as const
const productErrors = [...deleteErrors, 'NETWORK_REFUSED', 'NOT_A_BUSINESS'] as const
const imageErrors = ['URL_NOT_ALLOWED', 'FETCH_FAILED', 'MEDIA_REFUSED', 'MEDIA_UPLOAD_FAILED'] as const

export const listCatalog = instanceRoute<ListCatalogRequest>({
  method: 'POST',
  path: '/business/catalog/list',
  name: 'listCatalog',
  area: 'Business',
  scope: 'read',
  summary: 'List the products of a business',
  schema: 'business/catalog-list.json',
  errors: [...readErrors, 'NOT_A_BUSINESS'],
  async handle({ instance, body }, { ports }): Promise<ListCatalogReply> {
    const { jid, after = '', limit = 10 } = body
    const page = await ports.router.ask(instance.id, { type: 'listCatalog', of: businessOf(jid), after, limit })
    return { response: { products: page.products.map(shown), after: page.after } }
  },
})

export const showProduct = instanceRoute<ShowProductRequest>({
  method: 'POST',
  path: '/business/catalog/info',
  name: 'showProduct',
  area: 'Business',
  scope: 'read',
  isSearch: true,
  summary: 'Show a product of a business',
  schema: 'business/catalog-info.json',
  errors: [...readErrors, 'NOT_A_BUSINESS', 'PRODUCT_NOT_FOUND'],
  async handle({ instance, body: { jid, id } }, { ports }): Promise<ShowProductReply> {
    return { response: shown(await ports.router.ask(instance.id, { type: 'showProduct', of: businessOf(jid), id })) }
  },
})

export const addProduct = instanceRoute<AddProductRequest>({
  method: 'POST',
  path: '/business/catalog/create',
  name: 'addProduct',
  area: 'Business',
  scope: 'token',
  summary: 'Add a product to the catalogue of the account',
  schema: 'business/catalog-create.json',
  idempotent: 'kept',
  errors: [...changeErrors, ...imageErrors],
  async handle({ instance, body }, { ports }): Promise<AddProductReply> {
    const product = await givenProduct(body, instance.id, ports.linkPreviews)
    return { response: shown(await ports.router.ask(instance.id, { type: 'addProduct', product })) }
  },
})

export const changeProduct = instanceRoute<ChangeProductRequest>({
  method: 'POST',
  path: '/business/catalog/edit',
  name: 'changeProduct',
  area: 'Business',
  scope: 'token',
  summary: "Change a product in the account's catalogue",
  schema: 'business/catalog-edit.json',
  errors: [...productErrors, ...imageErrors],
  async handle({ instance, body: { id, ...fields } }, { ports }): Promise<ChangeProductReply> {
    if (Object.keys(fields).length === 0) throw invalidField('name', 'or another field to change is missing')
    const product = await givenProduct(fields, instance.id, ports.linkPreviews)
    return { response: shown(await ports.router.ask(instance.id, { type: 'changeProduct', id, product })) }
  },
})

export const showInCatalog = instanceRoute<ShowInCatalogRequest>({
  method: 'POST',
  path: '/business/catalog/show',
  name: 'showInCatalog',
  area: 'Business',
  scope: 'token',
  summary: 'Show a hidden product of the account again',
  schema: 'business/catalog-show.json',
  errors: productErrors,
  async handle({ instance, body: { id } }, { ports }): Promise<ShowInCatalogReply> {
    return { response: shown(await ports.router.ask(instance.id, { type: 'hideProduct', id, isHidden: false })) }
  },
})

export const hideInCatalog = instanceRoute<HideInCatalogRequest>({
  method: 'POST',
  path: '/business/catalog/hide',
  name: 'hideInCatalog',
  area: 'Business',
  scope: 'token',
  summary: 'Hide a product of the account',
  schema: 'business/catalog-hide.json',
  errors: productErrors,
  async handle({ instance, body: { id } }, { ports }): Promise<HideInCatalogReply> {
    return { response: shown(await ports.router.ask(instance.id, { type: 'hideProduct', id, isHidden: true })) }
  },
})

export const deleteProduct = instanceRoute<DeleteProductRequest>({
  method: 'POST',
  path: '/business/catalog/delete',
  name: 'deleteProduct',
  area: 'Business',
  scope: 'token',
  summary: "Delete a product in the account's catalogue",
  schema: 'business/catalog-delete.json',
  errors: deleteErrors,
  async handle({ instance, body: { id } }, { ports }): Promise<DeleteProductReply> {
    const { isDeleted } = await ports.router.ask(instance.id, { type: 'deleteProduct', id })
    if (!isDeleted) throw new GatewayError('PRODUCT_NOT_FOUND')
    return { response: 'Product deleted' }
  },
})

export const showOrder = instanceRoute<ShowOrderRequest>({
  method: 'POST',
  path: '/business/order',
  name: 'showOrder',
  area: 'Business',
  scope: 'read',
  summary: 'Show the products of an order that a customer sent',
  schema: 'business/order.json',
  errors: [...readErrors, 'MESSAGE_NOT_FOUND'],
  async handle({ instance, body: { id } }, { ports }): Promise<ShowOrderReply> {
    const { products, ...order } = await ports.router.ask(instance.id, { type: 'showOrder', id })
    return { response: { ...order, products: products.map((product) => ({ ...product })) } }
  },
})

/** @throws GatewayError INVALID_REQUEST, URL_NOT_ALLOWED, FETCH_FAILED */
async function givenProduct(
  { images, ...fields }: Partial<Omit<ChangeProductRequest, 'id'>>,
  owner: InstanceId,
  pictures: LinkPreviews,
) {
  if (fields.price !== undefined && fields.currency === undefined)
    throw invalidField('currency', 'is missing: a price needs it')
  if (images === undefined) return fields
  const taken: ({ url: string } | { jpeg: string })[] = []
  for (const image of images) {
    if (isOfNetwork(image)) taken.push({ url: image })
    else {
      const jpeg = await portraitOf(image, owner, pictures)
      if (jpeg === null) throw invalidField('images', 'must be JPEG, PNG, WebP or GIF images, as URLs or base64')
      taken.push({ jpeg })
    }
  }
  return { ...fields, images: taken }
}

/** Returns whether it is the address of an image that the network gave. */
function isOfNetwork(image: string): boolean {
  return URL.canParse(image) && new URL(image).hostname.endsWith('.whatsapp.net')
}

function shown({ image_urls, ...product }: Product): CatalogProduct {
  return { ...product, image_urls: [...image_urls] }
}
