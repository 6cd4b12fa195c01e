import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { png } from '../support/samples.js'

type Json = Record<string, unknown>
interface Product {
  readonly id: string
  readonly name: string
  readonly price: number | null
  readonly currency: string
  readonly description: string
  readonly image_urls: readonly string[]
  readonly is_hidden: boolean
}
type Reply<T> = Json & { readonly response: T }

const [ANA, BEN, SHOP] = ['15550440001', '15550440002', '15550440003']

describe('businesses', () => {
  const { world, account: ana } = gatewaySuite({
    phones: { [BEN]: 'Ben', [SHOP]: 'A shop' },
    account: [ANA, 'Ana'],
  })
  const network = <T = Json>(method: string, path: string, body?: unknown) => world.network<T>(method, path, body)
  const refused = async (path: string, body: Json, status: number, code: string) => {
    const answer = await ana.call('POST', path, body)
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body))
    return answer.body
  }
  const list = async (body: Json = {}) =>
    (await ana.done<Reply<{ products: Product[]; after: string }>>('/business/catalog/list', body)).response
  const create = async (body: Json) => (await ana.done<Reply<Product>>('/business/catalog/create', body)).response

  before(async () => {
    await network('PUT', `/phones/${SHOP}/business`, { description: 'We sell', address: 'Rua 1', email: 'a@b.example' })
  })

  it('show their profile to anybody; an account that is none says so', async () => {
    const { response } = await ana.done<Reply<Json>>('/business/get/profile', { jid: SHOP })
    assert.deepEqual(response, {
      tag: '7',
      description: 'We sell',
      address: 'Rua 1',
      email: 'a@b.example',
      websites: [],
      categories: [],
      hours: { timezone: 'America/Sao_Paulo', days: [{ day: 'mon', mode: 'specific_hours', open: 480, close: 1080 }] },
    })
    await refused('/business/get/profile', { jid: BEN }, 404, 'NOT_A_BUSINESS')
    await refused('/business/get/profile', { jid: '120363000000000000@g.us' }, 400, 'INVALID_NUMBER')
    const { body } = await ana.call<Reply<Json[]>>('GET', '/business/get/categories')
    assert.deepEqual(body.response, [
      { id: '1', localized_display_name: 'Bakery' },
      { id: '2', localized_display_name: 'Hotel' },
    ])
  })

  it('are changed by accounts of WhatsApp Business only', async () => {
    const { provider_code } = await refused('/business/update/profile', { description: 'x' }, 500, 'CHANGE_FAILED')
    assert.equal(provider_code, 403)
    const image = (await png()).toString('base64')
    await refused('/business/catalog/create', { name: 'Bread', images: [image] }, 500, 'CHANGE_FAILED')
    await refused('/business/catalog/delete', { id: '1' }, 500, 'CHANGE_FAILED')
    for (const what of ['list', 'info', 'hide'])
      await refused(`/business/catalog/${what}`, { ...(what === 'list' ? {} : { id: '1' }) }, 404, 'NOT_A_BUSINESS')
    await refused('/business/catalog/list', { jid: BEN }, 404, 'NOT_A_BUSINESS')
  })

  describe('of the account', () => {
    before(async () => void (await network('PUT', `/phones/${ANA}/business`, { description: 'old' })))

    it('change fields of their profile, and say which were refused', async () => {
      const whole = await ana.call('POST', '/business/update/profile', {
        description: 'new',
        websites: ['https://one.example', 'https://two.example'],
        categories: ['2'],
      })
      assert.deepEqual(
        [whole.status, whole.body.updated, whole.body.failed],
        [200, ['description', 'websites', 'categories'], []],
      )
      const part = await ana.call<Json & { results: Json[] }>('POST', '/business/update/profile', {
        address: 'Rua 2',
        email: 'no address',
      })
      assert.deepEqual([part.status, part.body.updated, part.body.failed], [207, ['address'], ['email']])
      assert.equal(part.body.results[1]?.provider_code, 406)
      const none = await ana.call('POST', '/business/update/profile', { email: 'no address' })
      assert.deepEqual([none.status, none.body.code, none.body.failed], [500, 'CHANGE_FAILED', ['email']])
      await refused('/business/update/profile', {}, 400, 'INVALID_REQUEST')
      const { response } = await ana.done<Reply<Json>>('/business/get/profile', {})
      assert.deepEqual(
        [response.description, response.address, response.websites, response.categories],
        [
          'new',
          'Rua 2',
          ['https://one.example', 'https://two.example'],
          [{ id: '2', localized_display_name: 'Hotel' }],
        ],
      )
    })

    it('have a catalogue, whose products are created, changed in part, hidden, shown and deleted', async () => {
      const image = (await png()).toString('base64')
      const bread = await create({ name: 'Bread', price: 5000, currency: 'BRL', description: 'fresh', images: [image] })
      assert.deepEqual([bread.name, bread.price, bread.currency, bread.is_hidden], ['Bread', 5000, 'BRL', false])
      assert.equal(bread.image_urls.length, 1)
      const changed = await ana.done<Reply<Product>>('/business/catalog/edit', { id: bread.id, name: 'Rye bread' })
      // The network drops what a change leaves out.
      assert.deepEqual(changed.response, { ...bread, name: 'Rye bread' })
      const hidden = await ana.done<Reply<Product>>('/business/catalog/hide', { id: bread.id })
      assert.deepEqual(hidden.response, { ...bread, name: 'Rye bread', is_hidden: true })
      const shown = await ana.done<Reply<Product>>('/business/catalog/show', { id: bread.id })
      assert.equal(shown.response.is_hidden, false)
      const info = await ana.done<Reply<Product>>('/business/catalog/info', { id: bread.id })
      assert.deepEqual(info.response, shown.response)
      await ana.done('/business/catalog/delete', { id: bread.id })
      for (const what of ['info', 'delete', 'hide'])
        await refused(`/business/catalog/${what}`, { id: bread.id }, 404, 'PRODUCT_NOT_FOUND')
      await refused('/business/catalog/create', { name: 'x', images: [image], price: 5 }, 400, 'INVALID_REQUEST')
      await refused('/business/catalog/create', { name: 'x', images: ['no image'] }, 400, 'INVALID_REQUEST')
    })

    it('list their products page by page, and find one on a later page', async () => {
      const image = (await png()).toString('base64')
      const ids: string[] = []
      for (let one = 0; one < 5; one += 1) ids.push((await create({ name: `Bread ${one}`, images: [image] })).id)
      const first = await list({ limit: 3 })
      const second = await list({ limit: 3, after: first.after })
      assert.deepEqual(
        [...first.products, ...second.products].map(({ id }) => id),
        ids,
      )
      assert.equal(second.after, '')
      const info = await ana.done<Reply<Product>>('/business/catalog/info', { jid: ANA, id: ids[4] })
      assert.equal(info.response.name, 'Bread 4')
    })

    it('read the order that a customer sent', async () => {
      const products = [{ id: 'p1', name: 'Bread', price: '5000', quantity: '2' }]
      await network('PUT', `/phones/${ANA}/orders/900`, { token: 'dG9rZW4=', currency: 'BRL', products })
      const orderMessage = {
        ...{ orderId: '900', token: 'dG9rZW4=', itemCount: 2, orderTitle: 'Cart' },
        ...{ totalAmount1000: 10_000, totalCurrencyCode: 'BRL' },
      }
      const sent = await network<{ id: string }>('POST', `/phones/${BEN}/message`, {
        to: ANA,
        message: { orderMessage },
      })
      await eventually(
        () => ana.messages({ id: sent.id }),
        ([message]) => message !== undefined,
      )
      const { response } = await ana.done<Reply<Json>>('/business/order', { id: sent.id })
      assert.deepEqual(response, {
        ...{ orderId: '900', messageid: sent.id, total: 10_000, currency: 'BRL' },
        products: [{ id: 'p1', name: 'Bread', image_url: '', price: 5000, currency: 'BRL', quantity: 2 }],
      })
      const text = await world.write(BEN, ANA, 'no order')
      await eventually(
        () => ana.messages({ id: text }),
        ([message]) => message !== undefined,
      )
      await refused('/business/order', { id: text }, 404, 'MESSAGE_NOT_FOUND')
    })
  })
})
