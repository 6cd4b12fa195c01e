import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MockAgent } from 'undici'
import { createMediaHosts, guardLibraryFetch } from './hosts.js'

it('a request of the network library goes through the route that it names, and none goes without a route', async (t) => {
  const former = globalThis.fetch
  t.after(() => {
    globalThis.fetch = former
  })
  guardLibraryFetch(createMediaHosts({ mediaHost: null, networkHost: null, certificateAuthority: undefined }))
  const route = new MockAgent()
  route.disableNetConnect()
  route.get('https://mmg.whatsapp.net').intercept({ path: '/file' }).reply(200, 'here')
  const through = { dispatcher: route } as object
  const answer = await fetch('https://mmg.whatsapp.net/file', through)
  assert.equal(await answer.text(), 'here')
  await assert.rejects(fetch('https://mmg.whatsapp.net/file'), /has no route/)
  await assert.rejects(fetch('https://example.org/file', through), /not fetched from example\.org/)
})
