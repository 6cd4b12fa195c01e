import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import type { ShownMedia } from '../../sandbox/phones/media.js'
import type { Cleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { visibleState } from './visible-state.js'

type Json = Record<string, unknown>
interface Shown {
  id: string
  media: ShownMedia[]
  message: { extendedTextMessage: Json }
}

const ANA = '15550730001'
const BEN = '15550730002'

/** A picture of one colour, so that it is known again after it was made small. */
const coloured = (background: string, width = 600) =>
  sharp({ create: { width, height: width / 2, channels: 3, background } })
    .png()
    .toBuffer()

/** A web site with one page and some pictures. It adds each path that is requested to `asked`. */
async function startSite(t: Cleanup, asked: string[]): Promise<string> {
  const pictures: Record<string, Buffer> = {
    '/red.png': await coloured('#ff0000'),
    '/blue.png': await coloured('#0000ff'),
    '/wide.png': await coloured('#0000ff', 3000),
  }
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const picture = pictures[url]
    if (picture) response.end(picture)
    else if (url === '/words.png') response.end('no picture')
    else if (url !== '/page') response.writeHead(404).end()
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<title>A page for {{name}}</title><meta property="og:image" content="/red.png">')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('link previews', () => {
  let site: string
  const asked: string[] = []
  const {
    world,
    account: ana,
    cleanup,
  } = gatewaySuite({
    env: { ALLOW_PRIVATE_ADDRESSES: 'true' },
    phones: { [BEN]: 'Ben' },
    account: [ANA, 'Ana'],
    complete: async () => {
      site = await startSite(cleanup, asked)
    },
  })

  const send = (more: Json) =>
    ana.call<Json & { warnings?: string[] }>('POST', '/send/text', {
      number: BEN,
      text: `see ${site}/page`,
      linkPreview: true,
      ...more,
    })
  /** Returns what Ben sees: title, description, and the picture's size and colour. */
  const seen = async (more: Json) => {
    const { status, body } = await send(more)
    assert.equal(status, 200, JSON.stringify(body))
    const shown = await world.shownAt<Shown>(BEN, body.messageid)
    const large = shown.media.find(({ kind }) => kind === 'preview')
    const { title, description, jpegThumbnail, matchedText } = shown.message.extendedTextMessage
    return {
      title,
      description,
      matchedText,
      picture: await picture(jpegThumbnail),
      large,
      warnings: body.warnings,
      id: body.messageid,
    }
  }
  async function picture(base64: unknown) {
    if (!base64) return null
    const image = sharp(Buffer.from(String(base64), 'base64'))
    const { width, height, format } = await image.metadata()
    const { dominant } = await image.stats()
    const colour = dominant.r > 200 ? 'red' : dominant.b > 200 ? 'blue' : 'other'
    return `${format} ${width}×${height} ${colour}`
  }

  it('show the title and the picture of the page, without filling placeholders in them', async () => {
    const { warnings, id: _, ...shown } = await seen({})
    assert.deepEqual(shown, {
      large: undefined,
      title: 'A page for {{name}}',
      description: undefined,
      matchedText: `${site}/page`,
      picture: 'jpeg 192×96 red',
    })
    assert.equal(warnings, undefined)
  })

  it('show a given picture instead, by URL or as base64', async () => {
    const base64 = (await coloured('#0000ff')).toString('base64')
    for (const linkPreviewImage of [`${site}/blue.png`, base64, `data:image/png;base64,${base64}`])
      assert.equal((await seen({ linkPreviewImage })).picture, 'jpeg 192×96 blue')
    asked.length = 0
    const own = await seen({ linkPreviewImage: base64, linkPreviewTitle: 'Mine', linkPreviewDescription: 'all of it' })
    assert.deepEqual([own.title, own.description, own.picture], ['Mine', 'all of it', 'jpeg 192×96 blue'])
    assert.deepEqual(asked, [])
  })

  it('are shown large on request, with a picture that the other phone can fetch', async () => {
    for (const [more, colour, size] of [
      [{}, 'red', '600×300'],
      [{ linkPreviewImage: `${site}/wide.png` }, 'blue', '1200×600'],
      [
        { linkPreviewImage: (await coloured('#0000ff')).toString('base64'), linkPreviewTitle: 'Mine' },
        'blue',
        '600×300',
      ],
    ] as const) {
      const { id, large, picture: small, warnings } = await seen({ linkPreviewLarge: true, ...more })
      assert.deepEqual([large?.error, `${large?.width}×${large?.height}`], [null, size])
      assert.match(String(small), new RegExp(`192×96 ${colour}`))
      const [file] = await world.network<{ base64: string }[]>('GET', `/phones/${BEN}/media/${id}`)
      assert.equal(await picture(file?.base64), `jpeg ${size} ${colour}`)
      assert.equal(warnings, undefined)
    }
  })

  it('are shown small when the network refuses the large picture, or there is none', async () => {
    await world.network('POST', '/faults', { kind: 'media-upload', code: 500 })
    const failed = await seen({ linkPreviewLarge: true })
    assert.deepEqual([failed.large, failed.picture], [undefined, 'jpeg 192×96 red'])
    assert.deepEqual(failed.warnings, [
      'linkPreviewLarge: the picture could not be brought to WhatsApp, so it is shown small',
    ])
    await world.network('DELETE', '/faults')
    const bare = await seen({ linkPreviewLarge: true, linkPreviewTitle: 'Mine' })
    assert.deepEqual([bare.large, bare.warnings], [undefined, ['linkPreviewLarge: there is no picture']])
  })

  it('are sent without the picture when it cannot be fetched', async () => {
    for (const [linkPreviewImage, warning] of [
      [`${site}/gone.png`, 'linkPreviewImage: it could not be fetched, so there is no picture'],
      [`${site}/words.png`, 'linkPreviewImage: it leads to no picture, so there is none'],
    ] as const) {
      const { title, picture: none, warnings } = await seen({ linkPreviewImage })
      assert.deepEqual([title, none, warnings], ['A page for {{name}}', null, [warning]])
    }
  })

  it('are refused with an invalid picture or address, and nothing is sent', async () => {
    // Earlier sends must have been settled.
    await eventually(
      () => ana.call<{ messages: Json[] }>('POST', '/message/find', {}),
      ({ body }) => body.messages.every(({ status }) => status === 'delivered'),
    )
    const state = await visibleState(world, ana)
    const words = Buffer.from('these words are not a picture, however long').toString('base64')
    for (const [linkPreviewImage, error] of [
      ['ftp://example.org/a.png', 'Invalid request: linkPreviewImage must be a URL (http or https) or base64.'],
      ['', 'Invalid request: linkPreviewImage must be a URL (http or https) or base64.'],
      [words, 'Invalid request: linkPreviewImage is not a JPEG, PNG, WebP or GIF of at most 5 MiB.'],
      [5, 'Invalid request: linkPreviewImage must be string.'],
    ] as const) {
      const { status, body } = await send({ linkPreviewImage })
      assert.deepEqual([status, body.error], [400, error])
    }
    assert.equal(await visibleState(world, ana), state)
  })
})
