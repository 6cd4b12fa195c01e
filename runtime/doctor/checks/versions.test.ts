import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it, type TestContext } from 'node:test'
import { type KnownRevision, type UsableRevisions, usableRevisions } from '../../client-version/known-versions.js'
import { clientVersionCheck } from './client-version.js'
import { nodeVersionCheck } from './node-version.js'

const BUILT_IN: readonly [number, number, number] = [2, 3000, 1_043_857_760]

it('accepts the versions of Node.js that the package names, and no others', async () => {
  const findState = async (version: string) => (await nodeVersionCheck(version).run())[0]?.state
  for (const version of ['20.19.0', '20.20.2', '22.12.0', '24.0.0', '25.1.0'])
    assert.equal(await findState(version), 'ok', version)
  for (const version of ['18.20.0', '20.18.9', '21.9.0', '22.11.0', '23.5.0'])
    assert.equal(await findState(version), 'failed', version)
})

it('compares the client version with the one of the network', async (t) => {
  const script = (revision: number) => `self.x=JSON.parse("{\\"client_revision\\":${revision},\\"y\\":1}")`
  const found = async (revision: number) =>
    await checkVersion(t, (_request, response) => response.end(script(revision)))
  assert.equal((await found(1_043_857_760)).state, 'ok')
  assert.match(
    (await found(1_043_857_999)).text,
    /^2\.3000\.1043857760 \(of the library\); WhatsApp's own is 2\.3000\.1043857999\.$/,
  )
  const old = await found(1_053_857_760)
  assert.equal(old.state, 'warning')
  assert.match(old.remedy ?? '', /WA_VERSION=2\.3000\.1053857760/)
})

it('says that the version of the network was not read, whatever the network answers', async (t) => {
  const answers: RequestListener[] = [
    (_request, response) => response.writeHead(400).end('no'),
    (_request, response) => response.end('<html>'),
    (_request, response) => response.end('"client_revision":"x"'),
    // Never ends, and is never silent.
    (_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(100_000)), 1)
      response.on('close', () => clearInterval(timer))
    },
    () => {},
  ]
  for (const answer of answers) {
    const { state, text } = await checkVersion(t, answer, 500)
    assert.equal(state, 'warning')
    assert.match(text, /was not read/)
  }
})

it('asks as a browser asks for a page', async (t) => {
  let asked: unknown
  await checkVersion(t, ({ headers }, response) => {
    asked = headers['sec-fetch-site']
    response.end()
  })
  assert.equal(asked, 'none')
})

it('reports the version that the nodes of the cluster share, and whether the network refuses it', async (t) => {
  const script: RequestListener = (_request, response) => response.end('{"client_revision":1043858800}')
  const of = async (known: readonly KnownRevision[]) =>
    await checkVersion(t, script, 10_000, usableRevisions(known, BUILT_IN[2]))
  const good = { revision: 1_043_858_700, state: 'good' } as const
  assert.match(
    (await of([good])).text,
    /^2\.3000\.1043858700 \(of the cluster\); WhatsApp's own is 2\.3000\.1043858800\.$/,
  )
  const next = await of([good, { revision: 1_043_858_800, state: 'candidate' }])
  assert.match(next.text, /\(of the cluster, 2\.3000\.1043858800 is tried next\)/)
  const refused = await of([{ revision: BUILT_IN[2], state: 'refused' }])
  assert.equal(refused.state, 'failed')
  assert.match(refused.remedy ?? '', /cluster_job.*WA_VERSION to 2\.3000\.1043858800/)
})

async function checkVersion(t: TestContext, answer: RequestListener, timeoutMs = 10_000, shared?: UsableRevisions) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const scriptUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sw.js`
  const known = shared === undefined ? undefined : Promise.resolve(shared)
  const options = { pinned: undefined, builtIn: BUILT_IN, shared: known, scriptUrl, timeoutMs }
  const [result] = await clientVersionCheck(options).run()
  assert.ok(result !== undefined)
  return result
}
