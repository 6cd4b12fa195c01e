import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { startBrowser, withoutBrowser } from '../support/browser.js'

it('a page that errs, breaks its policy or asks another host fails its test', { skip: withoutBrowser }, async (t) => {
  const headers = { 'content-type': 'text/html', 'content-security-policy': "img-src 'none'" }
  const server = createServer((_request, response) => response.writeHead(200, headers).end(page)).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ends: (() => Promise<void> | void)[] = []
  const browser = await startBrowser(t)
  const opened = await browser.session({ after: (work) => void ends.push(work) }, origin)
  opened.expect(/expected/)
  await opened.page.goto(origin)
  await opened.page.locator('#done').waitFor()
  await assert.rejects(
    async () => {
      for (const end of ends) await end()
    },
    (error: unknown) => {
      const faults = String((error as { actual?: unknown }).actual)
      for (const fault of [
        /console: written/,
        /uncaught: .*thrown/,
        /uncaught: .*rejected/,
        /policy: img-src of /,
        /another host: https:\/\/example\.com\/fetched/,
        /another host: wss:\/\/example\.com\/socket/,
      ])
        assert.match(faults, fault)
      assert.doesNotMatch(faults, /expected/)
      return true
    },
  )
})

const page = `<!doctype html><title>A page</title><link rel="icon" href="data:,">
<img src="/picture.png">
<script>
  console.error('written')
  console.error('expected')
  setTimeout(() => { throw new Error('thrown') })
  Promise.reject(new Error('rejected'))
  const asked = [
    fetch('https://example.com/fetched'),
    new Promise((done) => { new WebSocket('wss://example.com/socket').onclose = done }),
    new Promise((done) => addEventListener('securitypolicyviolation', done)),
    new Promise((done) => addEventListener('error', done)),
  ]
  Promise.allSettled(asked).then(() => setTimeout(() => { document.body.append(Object.assign(document.createElement('p'), { id: 'done', textContent: 'Done' })) }, 50))
</script>`
