/** Tools for businesses: their profiles, products and orders. Their words are those of strangers. */
import type {
  AddProductReply,
  BusinessProfileReply,
  CatalogProduct,
  ListCatalogReply,
  McpBusinessInfoReply,
  McpBusinessInfoRequest,
  McpChangeBusinessReply,
  McpChangeBusinessRequest,
  ShowOrderReply,
  ShowProductReply,
  UpdateBusinessProfileReply,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import {
  addProduct,
  changeProduct,
  deleteProduct,
  hideInCatalog,
  listCatalog,
  showBusinessProfile,
  showInCatalog,
  showOrder,
  showProduct,
  updateBusinessProfile,
} from '../../routes/business/index.js'
import { defineTool, type ToolCall } from '../tool.js'
import { quotedWords, visibleText } from '../visible-text.js'

const PRODUCTS = 20
const [ID_MAX, NAME_MAX, TEXT_MAX, ADDRESS_MAX, CODE_MAX] = [4_000, 200, 500, 1_000, 100]

type Info = ToolCall<McpBusinessInfoRequest>
type Shown = Pick<McpBusinessInfoReply, 'untrusted' | 'next'>

export const businessInfo = defineTool<McpBusinessInfoRequest, McpBusinessInfoReply>({
  name: 'business_info',
  title: 'Profile, products and orders of a business',
  schema: 'mcp/business-info.json',
  routes: [showBusinessProfile, listCatalog, showProduct, showOrder],
  isReadOnly: true,
  async run(call) {
    const { show } = call.args
    const shown = await (show === 'profile'
      ? readProfile(call)
      : show === 'order'
        ? readOrder(call)
        : show === 'product'
          ? readProduct(call)
          : readProducts(call))
    return { ...shown, warnings: call.warnings }
  },
})

async function readProfile({ args: { of }, ask }: Info): Promise<Shown> {
  const { response } = await ask<BusinessProfileReply>(showBusinessProfile, whose(of))
  const { description, address, email, websites, categories } = response
  const profile = {
    description: visibleText(description, 4_000),
    address: visibleText(address, ADDRESS_MAX),
    email: visibleText(email, 300),
    websites: websites.map((website) => visibleText(website, ADDRESS_MAX)),
    categories: categories.map((category) => visibleText(category.localized_display_name, NAME_MAX)),
  }
  return { untrusted: { profile, products: [] }, next: '' }
}

async function readProducts({ args: { of, after, limit = PRODUCTS }, ask }: Info): Promise<Shown> {
  const body = { ...whose(of), limit, ...(after ? { after } : {}) }
  const { response } = await ask<ListCatalogReply>(listCatalog, body)
  return { untrusted: { products: response.products.map(productView) }, next: response.after }
}

async function readProduct({ args: { of, id }, ask }: Info): Promise<Shown> {
  const { response } = await ask<ShowProductReply>(showProduct, { ...whose(of), id: needed(id, 'id', 'a product') })
  return { untrusted: { products: [productView(response)] }, next: '' }
}

async function readOrder({ args: { of, id }, ask }: Info): Promise<Shown> {
  if (of !== undefined) throw invalidField('of', 'does not belong to an order, which `id` names')
  const { response } = await ask<ShowOrderReply>(showOrder, { id: needed(id, 'id', 'an order') })
  const items = response.products.map((product) => ({
    id: visibleText(product.id, ID_MAX),
    name: visibleText(product.name, NAME_MAX),
    quantity: product.quantity,
    price: product.price,
  }))
  const order = { total: response.total, currency: visibleText(response.currency, CODE_MAX), items }
  return { untrusted: { products: [], order }, next: '' }
}

function whose(of: string | undefined): { readonly jid?: string } {
  return of === undefined ? {} : { jid: of }
}

function productView({ id, name, description, price, currency, url, is_hidden }: CatalogProduct) {
  return {
    id: visibleText(id, ID_MAX),
    name: visibleText(name, NAME_MAX),
    description: visibleText(description, TEXT_MAX),
    price,
    currency: visibleText(currency, CODE_MAX),
    url: visibleText(url, ADDRESS_MAX),
    is_hidden,
  }
}

function needed<T>(value: T | undefined, field: string, what: string): T {
  if (value === undefined) throw invalidField(field, `is required for ${what}`)
  return value
}

const OF_PROFILE = ['description', 'address', 'email', 'websites'] as const
const OF_PRODUCT = ['name', 'description', 'price', 'currency', 'url', 'images'] as const
const FIELDS = new Set<keyof McpChangeBusinessRequest>([...OF_PROFILE, ...OF_PRODUCT])

type Change = ToolCall<McpChangeBusinessRequest>

export const changeBusiness = defineTool<McpChangeBusinessRequest, McpChangeBusinessReply>({
  name: 'change_business',
  title: 'Change the business profile or a product',
  schema: 'mcp/change-business.json',
  routes: [updateBusinessProfile, addProduct, changeProduct, deleteProduct, showInCatalog, hideInCatalog],
  isDestructive: true,
  async run(call) {
    const { args, confirm, warnings } = call
    const given = pickFields(args)
    await confirm(question(args, given))
    return { action: args.action, ...(await carryOut(call, given)), warnings }
  },
})

/** Returns the fields that belong to the action. @throws GatewayError INVALID_REQUEST for others, which an agent would believe to be stored */
function pickFields(args: McpChangeBusinessRequest): Readonly<Record<string, unknown>> {
  const { action, id } = args
  const isOfProduct = action === 'change' || action === 'delete' || action === 'show' || action === 'hide'
  if (isOfProduct) needed(id, 'id', `the action ${action}`)
  else if (id !== undefined) throw invalidField('id', `does not belong to the action ${action}`)
  const own: readonly string[] =
    action === 'profile' ? OF_PROFILE : action === 'add' || action === 'change' ? OF_PRODUCT : []
  const given: Record<string, unknown> = {}
  for (const field of FIELDS) {
    if (args[field] === undefined) continue
    if (!own.includes(field)) throw invalidField(field, `does not belong to the action ${action}`)
    given[field] = args[field]
  }
  if (own.length > 0 && Object.keys(given).length === 0)
    throw invalidField(own[0] as string, 'or another field is missing')
  if (action === 'add') for (const field of ['name', 'images']) needed(given[field], field, 'a new product')
  return given
}

function question({ action, id }: McpChangeBusinessRequest, given: Readonly<Record<string, unknown>>): string {
  const words = quotedWords(JSON.stringify(given))
  if (action === 'profile') return `Change the business profile of the account? ${words}`
  if (action === 'add') return `Add a product to the catalogue of the account? ${words}`
  const what = { change: 'Change', delete: 'Delete', show: 'Show', hide: 'Hide' }[action]
  return `${what} the product ${id} in the catalogue of the account?${action === 'change' ? ` ${words}` : ''}`
}

async function carryOut(
  { args: { action, id = '' }, ask }: Change,
  given: Readonly<Record<string, unknown>>,
): Promise<Pick<McpChangeBusinessReply, 'id' | 'failed'>> {
  switch (action) {
    case 'profile':
      return { id: '', failed: (await ask<UpdateBusinessProfileReply>(updateBusinessProfile, given)).failed }
    case 'add':
      return { id: (await ask<AddProductReply>(addProduct, given)).response.id, failed: [] }
    case 'change':
      await ask(changeProduct, { id, ...given })
      break
    case 'delete':
      await ask(deleteProduct, { id })
      break
    case 'show':
      await ask(showInCatalog, { id })
      break
    case 'hide':
      await ask(hideInCatalog, { id })
  }
  return { id, failed: [] }
}
