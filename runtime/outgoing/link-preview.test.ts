import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import sharp from 'sharp'
import { createWork } from '../work/work.js'
import { createOutgoing } from './client.js'
import { createLinkPreviews } from './link-preview.js'
import { readPage } from './page.js'

const page = (html: string, contentType = 'text/html') => readPage(Buffer.from(html), contentType)

describe('a page', () => {
  it('is described by Open Graph first, then by the older names', async () => {
    const html = `<!doctype html><head><title>Plain</title><meta name="description" content="plain words">
      <meta property='og:title' content="Caf&eacute; &amp; more &#x1F600;"><META content=pic.jpg property=og:image />`
    assert.deepEqual(await page(html), { title: 'Café & more 😀', description: 'plain words', image: 'pic.jpg' })
    assert.equal((await page('<title>\n Only\n a title </title>')).title, 'Only a title')
  })

  it('cannot disguise itself with comments, scripts or marks of direction', async () => {
    const html = `<!-- <title>no</title> --><script>"<title>no</title>"</script><svg><title>no</title></svg>
      <title>yes\u202eand\u0000 no</title><meta property="og:description" content="<script>alert(1)</script>">`
    assert.deepEqual(await page(html), { title: 'yes and no', description: '<script>alert(1)</script>', image: '' })
  })

  it('is read as browsers read it: every named character, old numbers, ampersands in addresses', async () => {
    assert.equal((await page('<title>a &rarr; &NotEqual; &alpha; &#128; &lt b</title>')).title, 'a → ≠ α € < b')
    const link = '<meta property=og:image content="/a?x=1&copy=2&amp;y=3"><title>T</title>'
    assert.equal((await page(link)).image, '/a?x=1&copy=2&y=3')
    assert.equal((await page('<svg/><title>yes</title>')).title, 'yes')
    assert.equal((await page('<title>never ends')).title, '')
  })

  it('is read to its body, and further only if its head does not name it', async () => {
    const late = '<body><meta property="og:description" content="late">'
    assert.equal((await page(`<title>a</title>${late}`)).description, 'late')
    assert.equal((await page(`<meta property=og:title content=a>${late}`)).description, '')
  })

  it('is read in its own charset', async () => {
    const latin = Buffer.from('<meta charset="windows-1252"><title>Ma\xf1ana</title>', 'latin1')
    assert.equal((await readPage(latin, 'text/html')).title, 'Mañana')
    assert.equal(
      (await readPage(Buffer.from('<title>Ma\xf1ana</title>', 'latin1'), 'text/html; charset=ISO-8859-1')).title,
      'Mañana',
    )
    assert.equal((await readPage(Buffer.from('<title>Mañana</title>'), 'text/html; charset=nonsense')).title, 'Mañana')
  })

  it('gives at most 80 and 160 characters, cut between whole ones', async () => {
    const { title, description } = await page(
      `<title>${'👨‍👩‍👧'.repeat(200)}</title><meta name=description content="${'é'.repeat(500)}">`,
    )
    const count = (text: string) => [...new Intl.Segmenter().segment(text)].length
    assert.equal(count(title), 80)
    assert.ok(title.startsWith('👨‍👩‍👧') && title.endsWith('👨‍👩‍👧…'))
    assert.equal(count(description), 160)
  })

  it('takes no longer than its length allows, however it is broken', async () => {
    for (const part of [
      '<',
      '<meta ',
      '<!--',
      '<title',
      '<meta a="',
      '<script>',
      '<a =',
      '</',
      '<svg><',
      '&#',
      "<a b='",
      '<a>',
      '<a></b>',
      '<title>&',
      '<meta name=a content=&eacute;>',
    ]) {
      const html = part.repeat(Math.ceil(524_288 / part.length))
      const before = process.cpuUsage()
      await page(html)
      assert.ok(process.cpuUsage(before).user < 500_000, part)
    }
  })
})

describe('a link preview', () => {
  async function site(t: TestContext) {
    const picture = await sharp({ create: { width: 1200, height: 630, channels: 3, background: '#336699' } })
      .png()
      .toBuffer()
    const requests: string[] = []
    const server = createServer((request, response) => {
      requests.push(request.url!)
      const path = request.url!
      if (path === '/picture.png') response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
      else if (path === '/evil.png') response.end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
      else if (path === '/file') response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF')
      else if (path === '/untitled') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>nothing</p>')
      else if (path === '/gone') response.writeHead(404).end()
      else {
        const image = path === '/evil' ? 'evil.png' : '/picture.png'
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
          .end(`<title>Title</title><meta property="og:image" content="${image}"><meta name=description content=Words>`)
      }
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const outgoing = createOutgoing({ allowPrivateAddresses: true, userAgent: 'posthorn-test' })
    t.after(async () => {
      await outgoing.close()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { url, requests, previews: createLinkPreviews({ outgoing, work: createWork() }) }
  }

  it('has title, description and a small JPEG, and is fetched once', async (t) => {
    const { url, requests, previews } = await site(t)
    const [preview] = await Promise.all([previews.fetch(`${url}/page`), previews.fetch(`${url}/page`)])
    assert.deepEqual(
      { ...preview, thumbnail: '' },
      { url: `${url}/page`, title: 'Title', description: 'Words', thumbnail: '', image: `${url}/picture.png` },
    )
    const { format, width, height } = await sharp(Buffer.from(preview!.thumbnail!, 'base64')).metadata()
    assert.deepEqual({ format, width, height }, { format: 'jpeg', width: 192, height: 101 })
    await previews.fetch(`${url}/page`)
    assert.deepEqual(requests, ['/page', '/picture.png'])
  })

  it('does not wait behind the silent pages of many owners', async (t) => {
    const server = createServer((request, response) => {
      if (request.url !== '/silent')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Title</title>')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const outgoing = createOutgoing({ allowPrivateAddresses: true, userAgent: 'posthorn-test', connectionsMax: 100 })
    t.after(async () => {
      await outgoing.close()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const previews = createLinkPreviews({ outgoing, work: createWork() })
    const silent = Array.from({ length: 36 }, (_, index) =>
      previews.fetch(`${url}/silent?${index}`.replace('?', '#'), `hostile ${index % 9}`).then(
        () => 'silent',
        () => 'silent',
      ),
    )
    const other = previews.fetch(`${url}/page`, 'other').then((preview) => preview?.title)
    assert.equal(await Promise.race([...silent, other]), 'Title')
    await Promise.all(silent)
  })

  it('does not wait behind the slow pages of another owner', async () => {
    const get = async (url: string) => {
      if (url.includes('slow')) return await new Promise<never>(() => {})
      return { url, contentType: 'text/html', body: Buffer.from('<title>Title</title>') }
    }
    const previews = createLinkPreviews({ outgoing: { get }, work: createWork() })
    const page = 'https://wanted.example/'
    for (const url of [...Array.from({ length: 10 }, (_, index) => `https://slow.example/${index}`), page])
      void previews.fetch(url, 'hostile')
    assert.equal((await previews.fetch(page, 'other'))?.title, 'Title')
  })

  it('comes without a picture when the picture is none', async (t) => {
    const { url, previews } = await site(t)
    assert.deepEqual(await previews.fetch(`${url}/evil`), { url: `${url}/evil`, title: 'Title', description: 'Words' })
  })

  it('is none for a page without a title or a file, and an error for a page that is not there', async (t) => {
    const { url, previews } = await site(t)
    assert.equal(await previews.fetch(`${url}/untitled`), null)
    assert.equal(await previews.fetch(`${url}/file`), null)
    await assert.rejects(previews.fetch(`${url}/gone`), { code: 'FETCH_FAILED' })
  })
})

describe('the picture that a caller gives for a preview', () => {
  const picture = (format: 'png' | 'webp' | 'gif' | 'jpeg') =>
    sharp({ create: { width: 400, height: 800, channels: 3, background: '#884400' } })
      .toFormat(format)
      .toBuffer()
  const previewsFor = (t: TestContext, allowPrivateAddresses = true) => {
    const outgoing = createOutgoing({ allowPrivateAddresses, userAgent: 'posthorn-test' })
    t.after(() => outgoing.close())
    return createLinkPreviews({ outgoing, work: createWork() })
  }

  it('becomes a small JPEG, whatever its format', async (t) => {
    const previews = previewsFor(t)
    for (const format of ['png', 'webp', 'gif', 'jpeg'] as const) {
      const small = await previews.picture({ from: 'base64', data: (await picture(format)).toString('base64') })
      const { format: made, width, height } = await sharp(Buffer.from(small ?? '', 'base64')).metadata()
      assert.deepEqual([made, width, height], ['jpeg', 96, 192], format)
    }
  })

  it('is none when it is something else, broken or too large', async (t) => {
    const previews = previewsFor(t)
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const broken = (await picture('png')).subarray(0, 60)
    for (const bytes of [svg, broken, Buffer.from('words, and some more words'), Buffer.alloc(5 * 2 ** 20 + 1)])
      assert.equal(await previews.picture({ from: 'base64', data: bytes.toString('base64') }), null)
  })

  it('is fetched through the guard', async (t) => {
    const previews = previewsFor(t, false)
    for (const url of ['http://127.0.0.1:1/a.png', 'http://169.254.169.254/', 'http://[::1]/a.png'])
      await assert.rejects(previews.picture({ from: 'url', url }), { code: 'URL_NOT_ALLOWED' })
    await assert.rejects(previewsFor(t).picture({ from: 'url', url: 'http://127.0.0.1:1/a.png' }), {
      code: 'FETCH_FAILED',
    })
  })
})
