import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { InstanceId } from '../../schemas/ids.js'
import { createFileLinks } from './links.js'

const place = { instance: 'i1' as InstanceId, record: 'r0000001', variant: 'own' } as const
const open = (links: ReturnType<typeof createFileLinks>, path: string) => {
  const [, , instance = '', file = '', proof = ''] = path.split('/')
  return links.findPlace(instance, file, proof)
}

it('a link leads to its file on every node of the cluster until it ends, and to no other', () => {
  let now = 1_000_000_000_000
  const made = createFileLinks({ secret: 'a', lifeMs: 60_000, now: () => now })
  const other = createFileLinks({ secret: 'a', lifeMs: 1, now: () => now })
  const stranger = createFileLinks({ secret: 'b', lifeMs: 60_000, now: () => now })
  for (const variant of ['own', 'mp3', 'quoted', 'card3'] as const) {
    const path = made.pathTo({ ...place, variant }, now)
    assert.deepEqual(open(other, path), { ...place, variant })
    assert.equal(open(stranger, path), null)
    assert.equal(open(made, path.replace('r0000001', 'r0000002')), null)
  }
  const path = made.pathTo(place, now)
  now += 59_000
  assert.ok(open(made, path))
  now += 3_000
  assert.equal(open(made, path), null)
})

it('a record has a link when it has a file that can be fetched', () => {
  const links = createFileLinks({ secret: 'a', lifeMs: 60_000 })
  const record = { id: 'r1', mediaType: 'image', content: { fileEncSha256: 'h', directPath: '/v' } }
  const has = (changed: object) => links.pathOfRecord(place.instance, { ...record, ...changed }, 0) !== ''
  assert.ok(has({}))
  assert.ok(has({ content: { fileEncSha256: 'h', url: 'https://a' } }))
  for (const changed of [
    { mediaType: 'location' },
    { mediaType: '' },
    { content: null },
    { content: 'text' },
    { content: { directPath: '/v' } },
    { status: 'deleted' },
  ])
    assert.equal(has(changed), false, JSON.stringify(changed))
})

it('a record of a menu has the link of its header, else of the first card that has a file', () => {
  const links = createFileLinks({ secret: 'a', lifeMs: 60_000 })
  const imageMessage = { fileEncSha256: 'h', directPath: '/v' }
  const of = (content: object, record: object = { messageType: 'button', mediaType: '' }) =>
    links.pathOfRecord(place.instance, { id: 'r1', ...record, content }, 0).split('/')[3]
  assert.equal(of({ header: { imageMessage } }), 'r1')
  assert.equal(of({ imageMessage, contentText: 'older' }), 'r1')
  assert.equal(of({ hydratedTemplate: { imageMessage } }, { messageType: 'text', type: 'templateMessage' }), 'r1')
  const cards = [{ header: {} }, null, { header: { documentMessage: imageMessage } }, { header: { imageMessage } }]
  assert.equal(of({ carouselMessage: { cards } }), 'r1.card3')
  assert.equal(of({ carouselMessage: { cards: 'none' }, header: 'none' }), undefined)
  assert.equal(of({ header: { imageMessage } }, { messageType: 'text', mediaType: '' }), undefined)
})
