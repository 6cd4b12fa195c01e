import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from './bare-client.js'
import { useSandbox } from './fixture.js'

const fixture = useSandbox(15550005000)

interface Shown {
  id: string
  text: string | null
  edited: boolean
  deleted: boolean
  reactions: { from: string; text: string }[]
}
const at = async (phone: string, list: 'messages' | 'sent', id: string) =>
  (await fixture.call<Shown[]>('GET', `/phones/${phone}/${list}`)).find((one) => one.id === id)

test('a phone shows the changes of a client: reactions, one for each person, edits and deletions', async () => {
  const { phone: ana, client } = await fixture.linked('Ana')
  const bruno = await fixture.makePhone('Bruno')
  const to = `${bruno}@s.whatsapp.net`
  const { id } = await fixture.call<{ id: string }>('POST', `/phones/${bruno}/text`, { to: ana, text: 'a question' })
  const { key } = await until('the text', () => client.received('a question'))
  for (const text of ['👍', '❤️']) await client.socket.sendMessage(to, { react: { text, key } })
  const reactions = [{ from: ana, text: '❤️' }]
  await until('the reaction', async () => (await at(bruno, 'sent', id))?.reactions[0]?.text === '❤️')
  assert.deepEqual((await at(bruno, 'sent', id))?.reactions, reactions)
  // The account's own phone shows it as well.
  await until('the copy', async () => (await at(ana, 'messages', id))?.reactions[0]?.text === '❤️')
  await client.socket.sendMessage(to, { react: { text: '', key } })
  await until('its end', async () => (await at(bruno, 'sent', id))?.reactions.length === 0)

  const sent = await client.sendText(to, 'befoer')
  await client.socket.sendMessage(to, { text: 'before', edit: { remoteJid: to, fromMe: true, id: sent } })
  await until('the edit', async () => (await at(bruno, 'messages', sent))?.edited)
  assert.equal((await at(bruno, 'messages', sent))?.text, 'before')
  await client.socket.sendMessage(to, { delete: { remoteJid: to, fromMe: true, id: sent } })
  await until('the deletion', async () => (await at(bruno, 'messages', sent))?.deleted)

  // Nobody may change what another wrote.
  await client.socket.sendMessage(to, { text: 'forged', edit: { remoteJid: to, fromMe: true, id } })
  const last = await client.sendText(to, 'the last')
  await until('the last', () => at(bruno, 'messages', last))
  assert.deepEqual([(await at(bruno, 'sent', id))?.text, (await at(bruno, 'sent', id))?.edited], ['a question', false])
})

test('a client learns of the changes of a phone, with the attribute for the server', async () => {
  const { phone: ana, client } = await fixture.linked('Ana')
  const bruno = await fixture.makePhone('Bruno')
  const id = await client.sendText(`${bruno}@s.whatsapp.net`, 'a text')
  await until('the text', () => at(bruno, 'messages', id))
  await fixture.call('POST', `/phones/${bruno}/react`, { id, text: '👍' })
  const reaction = await until('the reaction', () => client.messages.find(({ message }) => message?.reactionMessage))
  assert.deepEqual([reaction.message?.reactionMessage?.key?.id, reaction.message?.reactionMessage?.text], [id, '👍'])
  assert.deepEqual((await at(bruno, 'messages', id))?.reactions, [{ from: bruno, text: '👍' }])

  const own = (await fixture.call<{ id: string }>('POST', `/phones/${bruno}/text`, { to: ana, text: 'befoer' })).id
  const edit = (
    await fixture.call<{ id: string }>('POST', `/phones/${bruno}/edit`, { id: own, text: 'before', form: 'plain' })
  ).id
  await until('the edit', () => client.updates.find(({ update }) => update.message?.editedMessage))
  const deletion = (await fixture.call<{ id: string }>('POST', `/phones/${bruno}/delete`, { id: own })).id
  await until('the deletion', () => client.updates.find(({ key, update }) => key.id === own && update.message === null))
  const edits = client.stanzas.filter(({ tag }) => tag === 'message').map(({ attrs }) => [attrs.id, attrs.edit])
  assert.deepEqual(
    edits.filter(([, attribute]) => attribute !== undefined),
    [
      [edit, '1'],
      [deletion, '7'],
    ],
  )
  assert.equal((await at(bruno, 'sent', own))?.deleted, true)
})
