import type { BinaryNode } from '@whiskeysockets/baileys'
import { errorText } from '../../../../lib/error-text.js'
import type {
  BusinessCategory,
  BusinessProfile,
  CatalogPage,
  OrderDetails,
  Product,
  ProductFields,
  ProfileField,
} from '../../../../schemas/business-profile.js'
import { GatewayError } from '../../../../schemas/errors.js'
import { type ChatAddress, toChatId } from '../../../../schemas/jid.js'
import type { BusinessNetwork } from '../../port/business.js'
import { findCategories, readCatalog, readChanged, readOrder, readProfile } from '../business-nodes.js'
import { findChild } from '../child-nodes.js'
import type { LiveSocket } from '../live-socket.js'
import type { MediaHosts } from '../media/hosts.js'
import { uploadPlain } from '../media/upload.js'
import { queryMex } from '../mex.js'
import { refusedAs } from '../refused-as.js'

/** Width and height for which the network gives URLs of images. */
const IMAGE_PX = '800'

/**
 * Builds the stanzas of `Socket/business.js` of Baileys 7.0.0-rc14 itself: the library reads one website and one category only, and throws for a
 * change of a product without images. Not yet tested against WhatsApp.
 */
export class BaileysBusiness implements BusinessNetwork {
  readonly #live: LiveSocket
  readonly #hosts: MediaHosts

  constructor(live: LiveSocket, hosts: MediaHosts) {
    this.#live = live
    this.#hosts = hosts
  }

  async profile(of: ChatAddress): Promise<BusinessProfile | null> {
    const profile = node('profile', { jid: toChatId(of) })
    return readProfile(await this.#get('w:biz', node('business_profile', { v: '244' }, [profile])))
  }

  async categories(): Promise<readonly BusinessCategory[]> {
    const query = (request: BinaryNode) => this.#live.query(request)
    return findCategories(await queryMex(query, 'businessCategories', { query_params: {} }, this.#live.queries))
  }

  async changeProfile(field: ProfileField, value: string | readonly string[]): Promise<void> {
    const change = node('business_profile', { v: '3', mutation_type: 'delta' }, changeNodes(field, value))
    await this.#set('w:biz', change)
  }

  async catalog(of: ChatAddress, after: string, limit: number): Promise<CatalogPage> {
    const content = [textNode('limit', String(limit)), ...imageSize()]
    if (after !== '') content.push(textNode('after', after))
    const attrs = { jid: toChatId(of), allow_shop_source: 'true' }
    return readCatalog(await this.#get('w:biz:catalog', node('product_catalog', attrs, content)))
  }

  async addProduct(product: ProductFields): Promise<Product> {
    return await this.#write('product_catalog_add', productNode(product))
  }

  async changeProduct(id: string, product: ProductFields): Promise<Product> {
    return await this.#write('product_catalog_edit', productNode(product, id))
  }

  async deleteProduct(id: string): Promise<boolean> {
    const tag = 'product_catalog_delete'
    const product = node('product', {}, [textNode('id', id)])
    const answer = await this.#set('w:biz:catalog', node(tag, { v: '1' }, [product]))
    return Number(findChild(answer, tag)?.attrs.deleted_count ?? 0) > 0
  }

  async uploadImage(jpeg: Uint8Array): Promise<string> {
    const { live, hosts } = { live: this.#live, hosts: this.#hosts }
    const { url } = await uploadPlain('product-catalog-image', jpeg, {
      hosts: { ...hosts, dispatcher: live.route.dispatcher },
      place: (renewed) => live.whileOpen(live.live().refreshMediaConn(renewed)),
      onFailure: (error) => live.logger.warn({ error: errorText(error) }, 'A media host refused an image.'),
    })
    return url
  }

  async order(id: string, token: string): Promise<OrderDetails> {
    const size = node('image_dimensions', {}, imageSize())
    const order = node('order', { op: 'get', id }, [size, textNode('token', token)])
    const read = readOrder(await this.#get('fb:thrift_iq', order, { smax_id: '5' }))
    if (read === null) throw new GatewayError('NETWORK_REFUSED', { message: 'WhatsApp does not give the order.' })
    return read
  }

  async #write(tag: string, product: BinaryNode): Promise<Product> {
    const answer = await this.#set('w:biz:catalog', node(tag, { v: '1' }, [product, ...imageSize()]))
    const changed = readChanged(answer, tag)
    if (changed === null) throw new GatewayError('OUTCOME_UNKNOWN')
    return changed
  }

  async #get(xmlns: string, content: BinaryNode, more: Readonly<Record<string, string>> = {}): Promise<BinaryNode> {
    const attrs = { to: 's.whatsapp.net', type: 'get', xmlns, ...more }
    return await this.#live.query(node('iq', attrs, [content])).catch(refusedAs('NETWORK_REFUSED'))
  }

  async #set(xmlns: string, content: BinaryNode): Promise<BinaryNode> {
    const attrs = { to: 's.whatsapp.net', type: 'set', xmlns }
    return await this.#live.query(node('iq', attrs, [content])).catch(refusedAs('CHANGE_FAILED'))
  }
}

function changeNodes(field: ProfileField, value: string | readonly string[]): BinaryNode[] {
  const values = typeof value === 'string' ? [value] : value
  if (field === 'categories')
    return [
      node(
        'categories',
        {},
        values.map((id) => node('category', { id })),
      ),
    ]
  // An empty website removes all.
  if (field === 'websites') return (values.length === 0 ? [''] : values).map((website) => textNode('website', website))
  return [textNode(field, values[0] ?? '')]
}

function productNode(product: ProductFields, id?: string): BinaryNode {
  const { name, description, retailer_id, price, currency, url, image_urls, is_hidden } = product
  const images = image_urls.map((image) => node('image', {}, [textNode('url', image)]))
  return node('product', { is_hidden: String(is_hidden) }, [
    ...(id === undefined ? [] : [textNode('id', id)]),
    textNode('name', name),
    textNode('description', description),
    ...(retailer_id === '' ? [] : [textNode('retailer_id', retailer_id)]),
    ...(url === '' ? [] : [textNode('url', url)]),
    ...(images.length === 0 ? [] : [node('media', {}, images)]),
    ...(price === null ? [] : [textNode('price', String(price)), textNode('currency', currency)]),
  ])
}

function imageSize(): BinaryNode[] {
  return [textNode('width', IMAGE_PX), textNode('height', IMAGE_PX)]
}

function textNode(tag: string, text: string): BinaryNode {
  return { tag, attrs: {}, content: Buffer.from(text, 'utf8') }
}

function node(tag: string, attrs: Readonly<Record<string, string>>, content?: BinaryNode[]): BinaryNode {
  return { tag, attrs: { ...attrs }, ...(content === undefined ? {} : { content }) }
}
