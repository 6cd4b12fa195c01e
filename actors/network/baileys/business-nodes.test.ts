import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BinaryNode } from '@whiskeysockets/baileys'
import { findCategories, readCatalog, readOrder, readProfile } from './business-nodes.js'

const node = (tag: string, content?: BinaryNode['content'], attrs: Record<string, string> = {}): BinaryNode => ({
  tag,
  attrs,
  ...(content === undefined ? {} : { content }),
})
const bytes = (text: string) => Buffer.from(text)
const product = (id: string, more: readonly BinaryNode[] = []) => node('product', [node('id', bytes(id)), ...more])
const catalog = (...content: BinaryNode[]) => node('iq', [node('product_catalog', content)])

describe('what the network answers about businesses', () => {
  it('is read with all websites, categories and hours', () => {
    const profile = node(
      'profile',
      [
        node('description', bytes('Bread')),
        node('website', 'https://one.example'),
        node('website', bytes('https://two.example')),
        node('categories', [node('category', bytes('Bakery'), { id: '1' }), node('category', 'Café', { id: '2' })]),
        node('business_hours', [
          node('business_hours_config', undefined, {
            day_of_week: 'mon',
            mode: 'specific_hours',
            open_time: '480',
            close_time: 'late',
          }),
        ]),
      ],
      { tag: '7' },
    )
    assert.deepEqual(readProfile(node('iq', [node('business_profile', [profile])])), {
      tag: '7',
      description: 'Bread',
      address: '',
      email: '',
      websites: ['https://one.example', 'https://two.example'],
      categories: [
        { id: '1', localized_display_name: 'Bakery' },
        { id: '2', localized_display_name: 'Café' },
      ],
      hours: { timezone: '', days: [{ day: 'mon', mode: 'specific_hours', openMinutes: 480, closeMinutes: null }] },
    })
    assert.equal(readProfile(node('iq', [node('business_profile', [])])), null)
  })

  it('has bounds, whatever a stranger writes', () => {
    const long = 'é'.repeat(100_000)
    const images = node(
      'media',
      Array.from({ length: 500 }, () => node('image', [node('original_image_url', 'javascript:alert(1)')])),
    )
    const products = Array.from({ length: 500 }, (_, one) =>
      product(String(one), [node('name', bytes(long)), node('price', bytes('-1e9')), images]),
    )
    const page = readCatalog(catalog(...products, node('paging', [node('after', bytes(long))])))
    assert.equal(page.products.length, 100)
    const [first] = page.products
    assert.deepEqual([first?.name.length, first?.price, first?.image_urls], [4_096, null, []])
    assert.equal(page.after.length, 4_096)
  })

  it('finds categories in an answer of any form, and none in an endless one', () => {
    const listed = {
      a: [
        { id: 1, localized_display_name: 'Bakery' },
        { id: 'x' },
        { node: { id: '2', localized_display_name: 'Hotel' } },
      ],
    }
    assert.deepEqual(findCategories(listed), [
      { id: '1', localized_display_name: 'Bakery' },
      { id: '2', localized_display_name: 'Hotel' },
    ])
    let deep: unknown = { id: '9', localized_display_name: 'Deep' }
    for (let level = 0; level < 10_000; level += 1) deep = { deep }
    assert.deepEqual(findCategories(deep), [])
    const many = Array.from({ length: 60_000 }, (_, id) => ({ id, localized_display_name: 'x' }))
    assert.ok(findCategories(many).length <= 2_000)
  })

  it('never throws, and keeps to its form, for random answers', () => {
    let state = Number(process.env.SEED ?? 42)
    const below = (max: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return state % max
    }
    const text = (): string => String.fromCharCode(...Array.from({ length: below(8) }, () => below(70_000)))
    const tags = ['product_catalog', 'product', 'order', 'business_profile', 'profile', 'media', 'image', 'id', 'price']
    const make = (depth: number): BinaryNode => {
      const kind = below(5)
      const content =
        kind === 0
          ? undefined
          : kind === 1
            ? text()
            : kind === 2
              ? Buffer.from(text(), 'utf16le')
              : depth > 4
                ? []
                : Array.from({ length: below(5) }, () => make(depth + 1))
      return node(tags[below(tags.length)] ?? '', content, { is_hidden: text(), id: text() })
    }
    for (let round = 0; round < 2_000; round += 1) {
      const answer = node('iq', [make(0), make(0)])
      for (const read of [readCatalog, readOrder, readProfile]) JSON.stringify(read(answer))
    }
  })
})
