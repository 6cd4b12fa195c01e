import type { CatalogPage, Product, ProductFields } from '../../../schemas/business-profile.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import { orUnknown } from '../../instance/outcome.js'
import type { BusinessNetwork } from '../../network/port/business.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { businessAddress } from './profile.js'

/** Number of products in one request, and of requests in a search for one product. */
const PAGE = 50
const PAGES_MAX = 40

const EXAMPLE: Product = {
  id: '7000000000000001',
  retailer_id: '',
  name: 'Bread',
  description: '',
  price: 5_000,
  currency: 'BRL',
  url: '',
  image_urls: [],
  is_hidden: false,
  availability: 'in stock',
  review_status: 'APPROVED',
}

/** Product fields as a caller gives them: those that are missing stay. Images are JPEG in base64, or URLs that the network gave. */
export interface GivenProduct extends Partial<Omit<ProductFields, 'image_urls'>> {
  readonly images?: readonly ({ readonly url: string } | { readonly jpeg: string })[]
}

interface CatalogRequest {
  readonly of: ChatAddress | null
  readonly after: string
  readonly limit: number
}

/** Answers with a page of the products of a business, or of the account itself. */
export const listCatalogOperation = operation('listCatalog', {
  repeat: true,
  example: { products: [EXAMPLE], after: '' },
  async run(context: InstanceContext, { of, after, limit }: CatalogRequest): Promise<CatalogPage> {
    const { business } = await context.connection()
    return await readPage(business, await businessAddress(context, of), after, limit)
  },
})

/** Answers with one product. The network has no request for one, so the pages are searched. */
export const showProductOperation = operation('showProduct', {
  repeat: true,
  example: ({ id }: { readonly id: string }) => ({ ...EXAMPLE, id }),
  async run(
    context: InstanceContext,
    { of, id }: { readonly of: ChatAddress | null; readonly id: string },
  ): Promise<Product> {
    const { business } = await context.connection()
    return await findProduct(business, await businessAddress(context, of), id)
  },
})

export const addProductOperation = operation('addProduct', {
  repeat: false,
  example: EXAMPLE,
  async run(context: InstanceContext, { product }: { readonly product: GivenProduct }): Promise<Product> {
    const { business } = await context.connection()
    const image_urls = await uploaded(business, product)
    const { images: _, ...given } = product
    return await orUnknown(() => business.addProduct({ ...NEW, ...given, image_urls }))
  },
})

const NEW: ProductFields = {
  name: '',
  description: '',
  retailer_id: '',
  price: null,
  currency: '',
  url: '',
  image_urls: [],
  is_hidden: false,
}

/** Changes fields of a product. It is read first, since the network may drop fields that a change leaves out. */
export const changeProductOperation = operation('changeProduct', {
  repeat: true,
  example: EXAMPLE,
  async run(
    context: InstanceContext,
    { id, product }: { readonly id: string; readonly product: GivenProduct },
  ): Promise<Product> {
    return await change(context, id, product)
  },
})

/** Hides a product from the catalogue, or shows it again. */
export const hideProductOperation = operation('hideProduct', {
  repeat: true,
  example: EXAMPLE,
  async run(
    context: InstanceContext,
    { id, isHidden }: { readonly id: string; readonly isHidden: boolean },
  ): Promise<Product> {
    return await change(context, id, { is_hidden: isHidden })
  },
})

export const deleteProductOperation = operation('deleteProduct', {
  repeat: true,
  example: { isDeleted: true },
  async run(context: InstanceContext, { id }: { readonly id: string }) {
    const { business } = await context.connection()
    return { isDeleted: await orUnknown(() => business.deleteProduct(id)) }
  },
})

async function change(context: InstanceContext, id: string, product: GivenProduct): Promise<Product> {
  const { business } = await context.connection()
  const former = await findProduct(business, await businessAddress(context, null), id)
  const { images, ...given } = product
  const image_urls = images === undefined ? former.image_urls : await uploaded(business, product)
  const { name, description, retailer_id, price, currency, url, is_hidden } = former
  const fields = { name, description, retailer_id, price, currency, url, is_hidden, ...given, image_urls }
  return await orUnknown(() => business.changeProduct(id, fields))
}

async function findProduct(business: BusinessNetwork, of: ChatAddress, id: string): Promise<Product> {
  let after = ''
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const found = await readPage(business, of, after, PAGE)
    const product = found.products.find((one) => one.id === id)
    if (product !== undefined) return product
    // A cursor that does not move would never end.
    if (found.after === '' || found.after === after) break
    after = found.after
  }
  throw new GatewayError('PRODUCT_NOT_FOUND')
}

/** @throws GatewayError NOT_A_BUSINESS: the network knows no catalogue of others */
async function readPage(
  business: BusinessNetwork,
  of: ChatAddress,
  after: string,
  limit: number,
): Promise<CatalogPage> {
  return await orUnknown(() => business.catalog(of, after, limit)).catch((error: unknown) => {
    const isUnknown =
      error instanceof GatewayError && error.code === 'NETWORK_REFUSED' && error.fields.provider_code === 404
    throw isUnknown ? new GatewayError('NOT_A_BUSINESS', { cause: error }) : error
  })
}

async function uploaded(business: BusinessNetwork, { images = [] }: GivenProduct): Promise<readonly string[]> {
  const urls: string[] = []
  for (const image of images)
    urls.push('url' in image ? image.url : await business.uploadImage(Buffer.from(image.jpeg, 'base64')))
  return urls
}
