import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { adminToken, startFakeNode } from '../test/support/fake-node.js'

const SCRIPT = 'console.log("the dashboard")'
const PAGE = `<!doctype html><link rel="stylesheet" href="./assets/a-1.css"><script src="./theme.js"></script>
<script type="module" src="./assets/a-1.js"></script>`
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** A small build, as `npm run build` leaves it. */
function createBuild(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'posthorn-dashboard-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'assets'))
  const write = (name: string, content: string | Buffer) => writeFileSync(path.join(folder, name), content)
  write('index.html', PAGE)
  write('theme.js', 'theme()')
  write('assets/a-1.js', SCRIPT)
  write('assets/a-1.js.br', brotliCompressSync(SCRIPT))
  write('assets/a-1.js.gz', gzipSync(SCRIPT))
  write('assets/a-1.css', 'a{}')
  write('assets/secret.key', 'not a file of a page')
  return folder
}

async function start(t: TestContext) {
  const node = await startFakeNode(t, { dashboardFolder: createBuild(t), corsOrigins: ['https://app.example'] })
  const get = (where: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(node.url + where, { method, headers, redirect: 'manual' })
  return { node, get }
}

describe('the dashboard', () => {
  it('is served at every address of a view, with links that lead to its files from there', async (t) => {
    const { node, get } = await start(t)
    for (const where of ['/dashboard/', '/dashboard/chats', '/dashboard/chats/', '/dashboard/a/5511@s.whatsapp.net']) {
      const answer = await get(where, browser)
      assert.equal(answer.status, 200, where)
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
      const body = await answer.text()
      const links = [...body.matchAll(/="(\.[^"]*)"/g)].map(([, link]) => link ?? '')
      assert.equal(links.length, 3)
      for (const link of links) {
        const linked = await fetch(new URL(link, node.url + where))
        assert.equal(linked.status, 200, `${where} ${link}`)
        assert.doesNotMatch(linked.headers.get('content-type') ?? '', /html/)
      }
    }
    const bare = await get('/dashboard', browser)
    assert.deepEqual([bare.status, bare.headers.get('location')], [302, './dashboard/'])
    assert.equal((await get(`/dashboard${'/x'.repeat(30)}`)).status, 404, 'an address as deep as no view is')
  })

  it('lets nothing run but its own files, and gives the page again only when it has changed', async (t) => {
    const { get } = await start(t)
    const first = await get('/dashboard/')
    const policy = first.headers.get('content-security-policy') ?? ''
    for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      assert.ok(policy.split('; ').includes(part), part)
    assert.match(policy, /require-trusted-types-for 'script'/)
    assert.doesNotMatch(policy, /unsafe|upgrade-insecure|\*/)
    assert.equal(first.headers.get('cache-control'), 'no-cache')
    assert.equal(first.headers.get('x-frame-options'), 'DENY')
    assert.equal(first.headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.match(first.headers.get('permissions-policy') ?? '', /camera=\(\)/)
    const etag = first.headers.get('etag') ?? ''
    const again = await get('/dashboard/', { 'if-none-match': `"other", W/${etag}` })
    assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag])
    assert.equal((await get('/dashboard/a/b', { 'if-none-match': etag })).status, 200, 'its links differ')
    const head = await get('/dashboard/', {}, 'HEAD')
    assert.deepEqual([head.status, await head.text()], [200, ''])
  })

  it('gives files for good, in the best encoding that the browser takes', async (t) => {
    const { get } = await start(t)
    const encodings: readonly (readonly [string, string | null])[] = [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['identity', null],
    ]
    for (const [accepted, given] of encodings) {
      const answer = await get('/dashboard/assets/a-1.js', {
        'accept-encoding': accepted,
        origin: 'https://app.example',
      })
      assert.equal(answer.headers.get('content-encoding'), given)
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(answer.headers.get('vary'), 'Accept-Encoding, Origin')
      assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8')
      assert.equal(await answer.text(), SCRIPT)
    }
    const plain = await get('/dashboard/assets/a-1.css', { 'accept-encoding': 'br' })
    assert.equal(plain.headers.get('content-encoding'), null, 'there is no compressed copy')
    assert.equal((await get('/dashboard/theme.js')).headers.get('cache-control'), 'no-cache', 'its name never changes')
  })

  it('answers 404 for a file that it does not have, never the page, and never a file from elsewhere', async (t) => {
    const { get } = await start(t)
    const missing = [
      ...['assets/b-2.js', 'assets/', 'assets', 'assets/a/b', 'missing.js', 'deep/assets.css', 'index.html'],
      ...['assets/secret.key', 'assets/a-1.js.br', 'assets/..%2findex.html', 'assets/%2e%2e%2f%2e%2e%2fpackage.json'],
      ...['assets/%00', 'assets/%ff', 'assets/__proto__', 'assets/constructor', '..%2f..%2fpackage.json'],
    ]
    for (const name of missing) {
      const answer = await get(`/dashboard/${name}`, browser)
      assert.equal(answer.status, 404, name)
      assert.match(answer.headers.get('content-type') ?? '', /json/, name)
      assert.match(await answer.text(), /"code":"(ROUTE_)?NOT_FOUND"/)
    }
  })

  it('is where browsers are led from /, while programs get their 404', async (t) => {
    const { get } = await start(t)
    for (const method of ['GET', 'HEAD']) {
      const answer = await get('/?a=b', browser, method)
      assert.deepEqual([answer.status, answer.headers.get('location')], [302, './dashboard/'])
      assert.match(answer.headers.get('vary') ?? '', /Accept/)
    }
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: 'text/htmlx' }])
      assert.equal((await get('/', headers)).status, 404)
    assert.equal((await get('/', browser, 'POST')).status, 404)
    assert.equal((await get('/nothing', browser)).status, 404)
  })

  it('answers with the way out when it is not built, and is gone altogether when it is switched off', async (t) => {
    const empty = await startFakeNode(t, { dashboardFolder: path.join(tmpdir(), 'posthorn-no-such-folder') })
    for (const where of ['/dashboard', '/dashboard/', '/dashboard/chats', '/dashboard/assets/a-1.js']) {
      const { status, body } = await empty.call(where)
      assert.equal(status, 404)
      assert.match(String(body.error), /^The dashboard is not built: run `npm run build`/)
    }
    assert.equal((await fetch(`${empty.url}/`, { headers: browser, redirect: 'manual' })).status, 404)

    const off = await startFakeNode(t, { dashboardFolder: null })
    for (const where of ['/', '/dashboard', '/dashboard/', '/dashboard/assets/a-1.js']) {
      const answer = await fetch(off.url + where, {
        headers: { ...browser, admintoken: adminToken },
        redirect: 'manual',
      })
      assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [404, 'ROUTE_NOT_FOUND'])
      assert.equal((await fetch(off.url + where, { method: 'PUT' })).status, 404)
    }
  })
})
