import { PROFILE_FIELDS, type Product, type ProfileChange } from '../../../schemas/business-profile.js'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  AddProductReply,
  AddProductRequest,
  BusinessCategoriesReply,
  BusinessProfileReply,
  BusinessProfileRequest,
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
  UpdateBusinessProfileReply,
  UpdateBusinessProfileRequest,
} from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { type ChatAddress, parseAddress } from '../../../schemas/jid.js'
import type { LinkPreviews } from '../../../schemas/ports/media.js'
import { instanceRoute, PartlyDone, type Route } from '../../route.js'
import { changeErrors } from '../change-failed.js'
import { makePortrait } from '../portrait.js'

/** Error codes of reads. */
const readErrors = [
  'INVALID_NUMBER',
  'INSTANCE_NOT_FOUND',
  'INSTANCE_NOT_CONNECTED',
  'INSTANCE_MOVING',
  'NETWORK_REFUSED',
  'OUTCOME_UNKNOWN',
] as const

export const showBusinessProfile = instanceRoute<BusinessProfileRequest>({
  method: 'POST',
  path: '/business/get/profile',
  name: 'showBusinessProfile',
  area: 'Business',
  scope: 'read',
  summary: 'Show the profile of a business',
  schema: 'business/get-profile.json',
  errors: [...readErrors, 'NOT_A_BUSINESS'],
  async handle({ instance, body }, { ports }): Promise<BusinessProfileReply> {
    const of = readBusiness(body.jid)
    const profile = await ports.router.ask(instance.id, { type: 'showBusinessProfile', of })
    if (profile === null) throw new GatewayError('NOT_A_BUSINESS')
    const { hours, websites, categories, ...texts } = profile
    const days = (hours?.days ?? []).map(({ day, mode, openMinutes, closeMinutes }) => ({
      ...{ day, mode, open: openMinutes, close: closeMinutes },
    }))
    const shownHours = { timezone: hours?.timezone ?? '', days }
    return {
      response: { ...texts, websites: [...websites], categories: [...categories], hours: shownHours },
    }
  },
})

const listBusinessCategories = instanceRoute({
  method: 'GET',
  path: '/business/get/categories',
  name: 'listBusinessCategories',
  area: 'Business',
  scope: 'read',
  summary: 'List the categories that a business may have',
  schema: 'business/get-categories.json',
  errors: readErrors,
  async handle({ instance }, { ports }): Promise<BusinessCategoriesReply> {
    return { response: [...(await ports.router.ask(instance.id, { type: 'listBusinessCategories' }))] }
  },
})

export const updateBusinessProfile = instanceRoute<UpdateBusinessProfileRequest>({
  method: 'POST',
  path: '/business/update/profile',
  name: 'updateBusinessProfile',
  area: 'Business',
  scope: 'token',
  summary: 'Change the business profile of the account',
  schema: 'business/update-profile.json',
  doesPart: true,
  errors: changeErrors,
  async handle({ instance, body }, { ports }): Promise<UpdateBusinessProfileReply | PartlyDone> {
    const change: ProfileChange = Object.fromEntries(
      PROFILE_FIELDS.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]])),
    )
    if (Object.keys(change).length === 0) throw noField()
    const outcomes = await ports.router.ask(instance.id, { type: 'changeBusinessProfile', change })
    const results = outcomes.map(({ field, error, code }) => ({
      field,
      success: error === null,
      error: error ?? '',
      provider_code: code,
    }))
    const updated = results.filter(({ success }) => success).map(({ field }) => field)
    const failed = results.filter(({ success }) => !success).map(({ field }) => field)
    const reply = { updated, failed, results }
    if (updated.length > 0) return failed.length === 0 ? reply : new PartlyDone(reply)
    const [{ error = '', provider_code = null } = {}] = results
    throw new GatewayError('CHANGE_FAILED', {
      message: `${error} Only accounts of WhatsApp Business have a profile to change.`,
      fields: { provider: 'whatsapp', provider_code, ...reply },
    })
  },
})

/** Returns null for the account itself. @throws GatewayError INVALID_NUMBER */
export function readBusiness(jid: string | undefined): ChatAddress | null {
  if (jid === undefined) return null
  const address = parseAddress(jid, 'jid')
  if (address.group === undefined) return address
  const why = 'names a group or channel, which is no business'
  throw new GatewayError('INVALID_NUMBER', { message: `Invalid jid: it ${why}.`, details: [{ field: 'jid', why }] })
}

function noField(): GatewayError {
  const why = `must have at least one of ${PROFILE_FIELDS.join(', ')}`
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: it ${why}.`,
    details: [{ field: PROFILE_FIELDS[0], why }],
  })
}

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
    const page = await ports.router.ask(instance.id, { type: 'listCatalog', of: readBusiness(jid), after, limit })
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
    return { response: shown(await ports.router.ask(instance.id, { type: 'showProduct', of: readBusiness(jid), id })) }
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
      const jpeg = await makePortrait(image, owner, pictures)
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

/** Routes of the area, in the order of the documentation. */
export const businessRoutes: readonly Route[] = [
  showBusinessProfile,
  listBusinessCategories,
  updateBusinessProfile,
  listCatalog,
  showProduct,
  addProduct,
  changeProduct,
  deleteProduct,
  showInCatalog,
  hideInCatalog,
  showOrder,
]
