import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BareClient, until } from './bare-client.js'
import { useSandbox } from './fixture.js'

const fixture = useSandbox(15550007000)

test('companions that are played read a client’s texts, to people, of its own account, and in groups', async () => {
  const { phone: ana, client } = await fixture.linked()
  const bruno = await fixture.makePhone('Bruno')
  await fixture.call('POST', `/phones/${bruno}/companions`, { count: 2 })
  await fixture.call('POST', `/phones/${ana}/companions`)
  const { jid } = await fixture.call<{ jid: string }>('POST', '/groups', {
    owner: ana,
    subject: 'Ours',
    members: [bruno],
  })

  const ids: string[] = []
  for (let index = 0; index < 3; index += 1) ids.push(await client.sendText(`${bruno}@s.whatsapp.net`, `text ${index}`))
  for (let index = 0; index < 2; index += 1) ids.push(await client.sendText(jid, `to all ${index}`))

  for (const [phone, companions] of [
    [bruno, 2],
    [ana, 1],
  ] as const) {
    const shown = await until(`the companions of ${phone} to read`, async () => {
      const { companions: all } = await readPhone(phone)
      return all.length === companions && all.every(({ read }) => ids.every((id) => read.includes(id)))
        ? all
        : undefined
    })
    assert.equal(shown.length, companions)
    assert.deepEqual(await fixture.call('GET', `/phones/${phone}/failures`), [])
  }
  assert.equal(confirmedBy(client, bruno, ids[0] ?? ''), 3, 'The phone and two companions confirm.')
  await assert.rejects(fixture.call('POST', `/phones/${bruno}/companions`, { count: 3 }), /at most 4 companions/)
})

interface Shown {
  readonly companions: readonly { readonly device: number; readonly read: readonly string[] }[]
}

function readPhone(phone: string): Promise<Shown> {
  return fixture.call<Shown>('GET', `/phones/${phone}`)
}

/** Returns the number of devices that have confirmed a message. */
function confirmedBy({ stanzas }: BareClient, phone: string, id: string): number {
  const lid = fixture.sandbox.network.directory.accounts.get(phone)?.lidUser ?? ''
  const from = stanzas
    .filter(({ tag, attrs }) => tag === 'receipt' && attrs.id === id)
    .map(({ attrs }) => attrs.from ?? '')
  return new Set(from.filter((jid) => jid.startsWith(phone) || jid.startsWith(lid))).size
}
