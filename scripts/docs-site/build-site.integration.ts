/** The documentation as a site: it builds, its links lead somewhere, its examples fit, its search finds. */
// Own process: the generator needs the working directory to be the repository.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats, { type FormatsPlugin } from 'ajv-formats'
import { Parser } from 'htmlparser2'
import { suiteCleanup } from '../../test/support/cleanup.js'
import { testFolder } from '../../test/support/embedded.js'
import { exampleReply, exampleValues, formatAddress, formatAnchor } from './api-pages.js'
import { buildSite } from './build-site.js'
import type { SitePage } from './navigation.js'
import { JSON_TYPE, readOpenApi } from './open-api.js'
import { loadMiniSearch } from './packages.js'
import { searchOptions } from './search-index.js'
import { serveFolder } from './serve-folder.js'

interface Html {
  readonly names: ReadonlySet<string>
  /** Addresses of links, and of what the browser loads by itself. */
  readonly links: readonly string[]
  readonly loads: readonly string[]
  readonly text: string
}

describe('the site of the documentation', () => {
  const cleanup = suiteCleanup()
  let folder = ''
  let pages: readonly SitePage[] = []
  const loadHtml = (address: string): Html => readHtml(readFileSync(path.join(folder, address), 'utf8'))

  before(async () => {
    folder = testFolder(cleanup)
    pages = await buildSite(folder)
  })

  it('has each page of the repository, and the guides in their languages', () => {
    for (const { address } of pages) assert.ok(existsSync(path.join(folder, address)), address)
    assert.equal(new Set(pages.map(({ address }) => address)).size, pages.length)
    assert.match(readFileSync(path.join(folder, 'guides/primeiros-passos.html'), 'utf8'), /<html lang="pt-BR">/)
    assert.match(readFileSync(path.join(folder, 'index.html'), 'utf8'), /<h1 id="posthorn">Posthorn<\/h1>/)
  })

  it('has no dead link, and loads nothing from other hosts', () => {
    const seen = new Map(pages.map(({ address }) => [address, loadHtml(address)]))
    const wrong = [...seen].flatMap(([address, { links, loads }]) => [
      ...links.filter((href) => isDead(seen, folder, address, href)).map((href) => `${address}: ${href}`),
      ...loads
        .filter((src) => !existsSync(path.join(folder, path.posix.join(path.posix.dirname(address), src))))
        .map((src) => `${address} loads ${src}`),
    ])
    assert.deepEqual(wrong, [])
  })

  it('keeps placeholders of texts as they are', () => {
    assert.match(loadHtml('guides/from-waha.html').text, /\{\{name\}\}/)
  })

  it('has each operation, with a call by curl and by the client library', () => {
    const { operations } = readOpenApi()
    const texts = new Map(pages.map(({ address }) => [address, loadHtml(address)]))
    for (const operation of operations) {
      const page = texts.get(formatAddress(operation.area))
      assert.ok(page?.names.has(formatAnchor(operation)), `${operation.method} ${operation.path}`)
    }
    const send = loadHtml('api/send.html').text
    assert.match(
      send,
      /curl 'http:\/\/127\.0\.0\.1:3000\/send\/text' -H 'token: <TOKEN>' -H 'Content-Type: application\/json' -d '\{"number"/,
    )
    assert.match(send, /await posthorn\.sendText\(\{ number: '5511999990002', text: 'Hello \{\{first_name\}\}' \}\)/)
  })

  it('shows answers that fit their schemas', () => {
    const api = readOpenApi()
    const known = exampleValues(api)
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    ;((formats as unknown as { default?: FormatsPlugin }).default ?? (formats as unknown as FormatsPlugin))(ajv)
    ajv.addSchema({ $id: 'document', components: { schemas: api.schemas } })
    for (const operation of api.operations) {
      const schema = Object.values(operation.replies)[0]?.content[JSON_TYPE]?.schema
      if (schema === undefined) continue
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object)
      const isRight = validate(exampleReply(operation, api, known))
      assert.ok(isRight, `${operation.method} ${operation.path} ${JSON.stringify(validate.errors)}`)
    }
  })

  it('finds pages by words, by their beginnings and without accents', async () => {
    const script = readFileSync(path.join(folder, 'assets/search-index.js'), 'utf8')
    const json = JSON.parse(script.slice(script.indexOf('=') + 1)) as string
    const search = (await loadMiniSearch()).loadJSON(json, searchOptions)
    const first = (words: string): string =>
      String(search.search(words, { prefix: true, combineWith: 'AND', boost: { heading: 3, title: 2 } })[0]?.address)
    assert.match(first('send pix-button'), /^api\/send\.html#post-sendpix-button$/)
    assert.match(first('dead letters'), /webhooks|deadletters/)
    assert.match(first('demonstracao'), /primeiros-passos|primeros-pasos/)
  })

  it('is served on this machine, with a policy that names no other host', async (t) => {
    const { server, url } = await serveFolder(folder, 0)
    t.after(() => server.close())
    const start = await fetch(url)
    assert.equal(start.status, 200)
    assert.match(start.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/)
    assert.match(await start.text(), /<title>Posthorn · Posthorn<\/title>/)
    for (const address of ['gone.html', '..%2f..%2fpackage.json', '%', 'assets'])
      assert.equal((await fetch(new URL(address, url))).status, 404, address)
    assert.equal((await fetch(url, { method: 'POST' })).status, 405)
  })
})

function isDead(seen: ReadonlyMap<string, Html>, folder: string, from: string, href: string): boolean {
  if (/^https?:/.test(href)) return false
  const [file = '', name = ''] = href.split('#')
  const address = file === '' ? from : path.posix.join(path.posix.dirname(from), decodeURIComponent(file))
  const page = seen.get(address)
  if (page === undefined) return !existsSync(path.join(folder, address)) || name !== ''
  return name !== '' && !page.names.has(decodeURIComponent(name))
}

function readHtml(source: string): Html {
  const names = new Set<string>()
  const links: string[] = []
  const loads: string[] = []
  let text = ''
  const parser = new Parser({
    onopentag(tag, { id, href, src }) {
      if (id !== undefined) names.add(id)
      if (href !== undefined) (tag === 'a' ? links : loads).push(href)
      if (src !== undefined) loads.push(src)
    },
    ontext(part) {
      text += part
    },
  })
  parser.end(source)
  return { names, links, loads, text }
}
