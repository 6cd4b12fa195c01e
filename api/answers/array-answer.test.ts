import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { GatewayError } from '../../schemas/errors.js'
import { eventually } from '../../test/support/eventually.js'
import { startFakeNode, token } from '../../test/support/fake-node.js'

const contact = (index: number) => ({ jid: `${index}@s.whatsapp.net`, contact_name: 'x'.repeat(1_000) })
const page = Array.from({ length: 100 }, (_, index) => contact(index))
const PAGES = 500

describe('a list of everything', () => {
  it('is read no faster than its reader takes it, and has every row', async (t) => {
    let read = 0
    const { port } = await startFakeNode(t, {}, {
      contacts: {
        async *all() {
          for (; read < PAGES; read += 1) yield page
        },
      },
    } as never)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ port, path: '/contacts', headers: { token } }, resolve).on('error', reject)
    })
    // 50 MB, of which the buffers of both ends of the connection take a few.
    let [before, same] = [-1, 0]
    await eventually(
      () => {
        same = read === before ? same + 1 : 0
        before = read
        return same
      },
      (looks) => looks > 20,
    )
    assert.ok(read > 0 && read < PAGES / 2, `${read} of ${PAGES} pages were read`)
    const records = JSON.parse(await text(answer)) as unknown[]
    assert.equal(records.length, PAGES * page.length)
    assert.deepEqual(records[101], contact(1))
  })

  it('that fails at once is answered with the error, and one that fails later is cut off', async (t) => {
    let pages = 0
    const { call, port } = await startFakeNode(t, {}, {
      contacts: {
        async *all() {
          for (let index = 0; index < pages; index += 1) yield page
          throw new GatewayError('STORE_UNAVAILABLE')
        },
      },
    } as never)
    const refused = await call('/contacts')
    assert.deepEqual([refused.status, refused.body.code], [503, 'STORE_UNAVAILABLE'])
    pages = 2
    const request = get({ port, path: '/contacts', headers: { token } })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    await assert.rejects(text(answer))
  })

  it('without rows is an empty array', async (t) => {
    const { call } = await startFakeNode(t, {}, { contacts: { async *all() {} } } as never)
    assert.deepEqual((await call('/contacts')).body, [])
  })
})
