import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from './bare-client.js'
import { type SeenMessage, useSandbox } from './fixture.js'

const fixture = useSandbox(15550003000)

test('after its first login a client learns its name, the keys and the history of its phone', async () => {
  const phone = await fixture.makePhone('Ana Maria')
  const bruno = await fixture.makePhone('Bruno')
  await fixture.call('PUT', `/phones/${phone}/history`, {
    chats: [
      {
        id: bruno,
        name: 'Bruno B.',
        unreadCount: 1,
        messages: [
          { id: 'H1', text: 'old one', fromMe: true, timestamp: 1_700_000_000 },
          { id: 'H2', text: 'old two', timestamp: 1_700_000_060, pushName: 'Bruno' },
        ],
      },
    ],
    contacts: [{ number: bruno, name: 'Bruno' }],
  })
  const client = fixture.makeClient()
  await client.pairByQr(phone, false)
  const part = await until('the history', () => client.history.find(({ chats }) => chats.length > 0))
  assert.equal(part.chats[0]?.id, `${bruno}@s.whatsapp.net`)
  assert.deepEqual(part.messages.map(({ key }) => key.id).sort(), ['H1', 'H2'])
  await until('the app-state key', () => client.credentials.creds.myAppStateKeyId)
  await until('the name', () => client.credentials.creds.me?.name === 'Ana Maria')
  const lid = fixture.sandbox.network.directory.accounts.get(bruno)?.lidUser
  await until('the LID mapping', () => client.credentials.values.get(`lid-mapping.${bruno}`) === lid)

  await client.end()
  const again = fixture.makeClient({ credentials: client.credentials }).connect()
  await again.opened()
  await fixture.call('POST', `/phones/${bruno}/text`, { to: phone, text: 'after' })
  await until('a text without any wait for history', () => again.received('after'))
  assert.equal(again.history.length, 0)
})

test('two companions of one account share sent, received and read messages', async () => {
  const { phone: ana, client: first } = await fixture.linked('Ana')
  const second = fixture.makeClient()
  await second.pairByQr(ana, false)
  assert.equal(second.credentials.creds.me?.id, `${ana}:2@s.whatsapp.net`)
  const bruno = await fixture.makePhone('Bruno')

  await first.sendText(`${bruno}@s.whatsapp.net`, 'from the first')
  const copy = await until('the copy', () => second.received('from the first'))
  assert.equal(copy.key.fromMe, true)
  assert.equal(copy.key.remoteJid, `${bruno}@s.whatsapp.net`)

  await fixture.call('POST', `/phones/${bruno}/text`, { to: ana, text: 'to both' })
  const atFirst = await until('the text at the first', () => first.received('to both'))
  const atSecond = await until('the text at the second', () => second.received('to both'))
  await second.socket.readMessages([atSecond.key])
  await until('the read sync at the first', () =>
    first.stanzas.find(
      ({ tag, attrs }) => tag === 'receipt' && attrs.type === 'read' && attrs.id === atFirst.key.id && attrs.recipient,
    ),
  )

  await fixture.call('POST', `/phones/${ana}/text`, { to: bruno, text: 'from the phone' })
  for (const client of [first, second]) {
    const own = await until('the copy of the phone', () => client.received('from the phone'))
    assert.equal(own.key.fromMe, true)
    assert.equal(own.key.remoteJid, `${bruno}@s.whatsapp.net`)
  }
  const { ids } = await readOnPhone(ana, bruno)
  await until('the read sync from the phone', () =>
    first.stanzas.find(
      ({ tag, attrs }) =>
        tag === 'receipt' && attrs.recipient && ids.includes(attrs.id ?? '') && attrs.from?.startsWith(`${ana}@`),
    ),
  )
})

function readOnPhone(phone: string, chat: string): Promise<{ ids: string[] }> {
  return fixture.call('POST', `/phones/${phone}/read`, { chat })
}

test('a new companion gets messages sent after it was linked, although the sender knew the old list', async () => {
  const { phone: ana, client: first } = await fixture.linked('Ana')
  const { client: sender } = await fixture.linked('Bruno')
  await sender.sendText(`${ana}@s.whatsapp.net`, 'one device')
  await until('the text', () => first.received('one device'))
  const second = fixture.makeClient()
  await second.pairByQr(ana, false)
  await until('the device list at the sender', () =>
    sender.stanzas.some(({ tag, attrs }) => tag === 'notification' && attrs.type === 'devices'),
  )
  await sender.sendText(`${ana}@s.whatsapp.net`, 'two devices')
  await until('the text at the new one', () => second.received('two devices'))
})

test('typing reaches available devices, presence reaches available devices that subscribed', async () => {
  const { phone: ana, client } = await fixture.linked('Ana', { markOnlineOnConnect: false })
  const bruno = await fixture.makePhone('Bruno')
  await until('the name', () => client.credentials.creds.me?.name === 'Ana')
  const see = (available: boolean) => fixture.call('POST', `/phones/${bruno}/presence`, { available })
  const shown = async () => {
    const seen = await fixture.call<{ state: string }[]>('GET', `/phones/${bruno}/presences`)
    return seen.map(({ state }) => state)
  }
  // Nobody is available: neither side sees the other.
  await client.socket.sendPresenceUpdate('composing', `${bruno}@s.whatsapp.net`)
  await fixture.call('POST', `/phones/${bruno}/subscribe`, { to: ana })
  await client.socket.sendPresenceUpdate('available')
  await fixture.call('POST', `/phones/${bruno}/typing`, { to: ana })
  await until('typing at the client', () => client.presences.length > 0)
  await client.socket.sendPresenceUpdate('unavailable')
  await client.sendText(`${bruno}@s.whatsapp.net`, 'hello')
  await fixture.seen(bruno, 'hello')
  assert.deepEqual(await shown(), [])
  const before = client.presences.length
  await fixture.call('POST', `/phones/${bruno}/typing`, { to: ana })
  await fixture.call('POST', `/phones/${bruno}/text`, { to: ana, text: 'and back' })
  await until('the text behind it', () => client.received('and back'))
  assert.equal(client.presences.length, before)
  // An app that is open, and has not subscribed.
  await see(true)
  await client.socket.sendPresenceUpdate('composing', `${bruno}@s.whatsapp.net`)
  await untilPresence(bruno, ana, 'composing')
  await client.socket.sendPresenceUpdate('recording', `${bruno}@s.whatsapp.net`)
  await untilPresence(bruno, ana, 'recording')
  await client.socket.sendPresenceUpdate('available')
  await client.socket.sendPresenceUpdate('composing', `${bruno}@s.whatsapp.net`)
  await untilPresence(bruno, ana, 'composing')
  assert.ok(!(await shown()).includes('available'))
  await fixture.call('POST', `/phones/${bruno}/subscribe`, { to: ana })
  await untilPresence(bruno, ana, 'available')
  await client.socket.sendPresenceUpdate('unavailable')
  await untilPresence(bruno, ana, 'unavailable')

  await fixture.call('POST', `/phones/${bruno}/typing`, { to: ana })
  await until('typing at the client', () =>
    client.presences.find(({ presences }) => Object.values(presences)[0]?.lastKnownPresence === 'composing'),
  )
})

function untilPresence(phone: string, from: string, state: string): Promise<unknown> {
  return until(`${state} at the phone`, async () => {
    const seen = await fixture.call<{ from: string; state: string }[]>('GET', `/phones/${phone}/presences`)
    return seen.some((presence) => presence.from === from && presence.state === state)
  })
}

test('an undecryptable message is requested again and then arrives', async () => {
  const { phone: ana, client } = await fixture.linked('Ana')
  const bruno = await fixture.makePhone('Bruno')
  await fixture.call('POST', `/phones/${bruno}/text`, { to: ana, text: 'session' })
  await until('a session', () => client.received('session'))
  await client.sendText(`${bruno}@s.whatsapp.net`, 'session back')
  await fixture.seen(bruno, 'session back')
  for (const key of client.credentials.values.keys())
    if (key.startsWith('session.')) client.credentials.values.delete(key)
  await fixture.call('POST', `/phones/${bruno}/text`, { to: ana, text: 'again please' })
  await until('the text after a retry', () => client.received('again please'))
  const retries = await fixture.call<{ device: string }[]>('GET', '/log/retries')
  assert.ok(retries.some(({ device }) => device === `${ana}:1`))
  await client.sendText(`${bruno}@s.whatsapp.net`, 'all well')
  await fixture.seen(bruno, 'all well')
})

test('a phone sends its sender key once: its holders read a flood, and a device linked later reads what follows', async () => {
  const [author, member] = [await fixture.makePhone('Ana'), await fixture.linked('Bruno')]
  const { jid } = await fixture.call<{ jid: string }>('POST', '/groups', {
    owner: author,
    subject: 'Many',
    members: [member.phone],
  })
  await fixture.call('POST', `/phones/${author}/text`, { to: jid, text: 'flood', count: 300 })
  await until('the last text', () => member.client.received('flood 300'))
  const texts = member.client.messages.map(({ message }) => message?.conversation).filter((text) => text)
  assert.deepEqual(
    texts,
    Array.from({ length: 300 }, (_, index) => `flood ${index + 1}`),
  )

  const later = fixture.makeClient()
  await later.pairByQr(member.phone, false)
  await fixture.call('POST', `/phones/${author}/text`, { to: jid, text: 'afterwards' })
  await until('the text at the new device', () => later.received('afterwards'))
  await until('the text at the old one', () => member.client.received('afterwards'))
  const retries = await fixture.call<{ device: string }[]>('GET', '/log/retries')
  assert.ok(!retries.some(({ device }) => device.startsWith(member.phone)), JSON.stringify(retries))
})

test('groups: sender keys reach every member, and receipts name the reader', async () => {
  const ana = await fixture.linked('Ana')
  const bruno = await fixture.linked('Bruno')
  const carla = await fixture.makePhone('Carla')
  for (const addressing of ['lid', 'pn']) {
    const group = await fixture.call<{ jid: string }>('POST', '/groups', {
      owner: carla,
      subject: 'Friends',
      members: [ana.phone, bruno.phone],
      addressing,
    })
    const metadata = await ana.client.socket.groupMetadata(group.jid)
    assert.equal(metadata.subject, 'Friends')
    assert.equal(metadata.participants.length, 3)
    const all = await bruno.client.socket.groupFetchAllParticipating()
    assert.ok(all[group.jid])

    const id = await ana.client.sendText(group.jid, `to all, ${addressing}`)
    const received = await until('the text at Bruno', () => bruno.client.received(`to all, ${addressing}`))
    assert.equal(received.key.remoteJid, group.jid)
    const atPhone = await fixture.seen(carla, `to all, ${addressing}`)
    assert.equal(atPhone.chat, group.jid)
    assert.equal(atPhone.from, ana.phone)
    await bruno.client.socket.readMessages([received.key])
    await fixture.call('POST', `/phones/${carla}/read`, { ids: [id] })
    const readers = await until('both read receipts', () => {
      const found = ana.client.stanzas.filter(
        ({ tag, attrs }) => tag === 'receipt' && attrs.type === 'read' && attrs.from === group.jid,
      )
      return found.length === 2 ? found.map(({ attrs }) => attrs.participant) : undefined
    })
    assert.equal(new Set(readers).size, 2)

    await fixture.call('POST', `/phones/${carla}/text`, { to: group.jid, text: `from Carla, ${addressing}` })
    await until('the text of the phone', () => bruno.client.received(`from Carla, ${addressing}`))
    await ana.client.sendText(group.jid, `second, ${addressing}`)
    await until('the second text', () => bruno.client.received(`second, ${addressing}`))
    await fixture.seen(carla, `second, ${addressing}`)
  }
})

test('an invitation is refused on command, and a community accepts groups by one kind of link', async () => {
  const { client } = await fixture.linked('Ana')
  const bruno = await fixture.makePhone('Bruno')
  const made = { owner: bruno, subject: 'Open', members: [] }
  const { inviteCode } = await fixture.call<{ inviteCode: string }>('POST', '/groups', made)
  await fixture.call('POST', '/faults', { kind: 'join-refused', times: 1 })
  await assert.rejects(client.socket.groupAcceptInvite(inviteCode), { data: 419 })
  assert.ok(await client.socket.groupAcceptInvite(inviteCode))

  const community = await client.socket.groupCreate('Own', [])
  const group = await client.socket.groupCreate('Sub', [])
  const parent = fixture.sandbox.network.groups.get(community.id)
  assert.ok(parent)
  parent.isParent = true
  const link = (link_type: string) =>
    client.socket.query({
      tag: 'iq',
      attrs: { to: community.id, type: 'set', xmlns: 'w:g2' },
      content: [
        {
          tag: 'links',
          attrs: {},
          content: [{ tag: 'link', attrs: { link_type }, content: [{ tag: 'group', attrs: { jid: group.id } }] }],
        },
      ],
    })
  for (const wrong of ['parent_group', 'sibling_group', '']) await assert.rejects(link(wrong), { data: 400 })
  await link('sub_group')
  assert.equal(fixture.sandbox.network.groups.get(group.id)?.parent, parent)
})

test('of a Brazilian number with and without the ninth digit one is known, and answered to both', async () => {
  const { client } = await fixture.linked('Ana')
  for (const [known, asked] of [
    ['551187654321', '5511987654321'],
    ['5521987654321', '552187654321'],
  ]) {
    await fixture.call('POST', '/phones', { phone: known })
    assert.deepEqual(await client.socket.onWhatsApp(String(asked)), [{ jid: `${known}@s.whatsapp.net`, exists: true }])
  }
  // Others are what they are: of Brazil's land lines, and elsewhere.
  for (const [known, asked] of [
    ['551134567890', '5511934567890'],
    ['541187654321', '5411987654321'],
  ]) {
    await fixture.call('POST', '/phones', { phone: known })
    assert.deepEqual(await client.socket.onWhatsApp(String(asked)), [])
  }
})

test('the settings that clients ask for are answered and kept', async () => {
  const { phone: ana, client } = await fixture.linked('Ana')
  const bruno = await fixture.makePhone('Bruno')
  await until('the name', () => client.credentials.creds.me?.name === 'Ana')
  await client.socket.updateReadReceiptsPrivacy('none')
  assert.equal((await client.socket.fetchPrivacySettings(true)).readreceipts, 'none')
  await client.sendText(`${bruno}@s.whatsapp.net`, 'hello')
  await client.socket.updateBlockStatus(`${bruno}@s.whatsapp.net`, 'block')
  assert.equal((await client.socket.fetchBlocklist()).length, 1)
  await fixture.call('POST', `/phones/${bruno}/text`, { to: ana, text: 'blocked' })
  await client.socket.updateBlockStatus(`${bruno}@s.whatsapp.net`, 'unblock')
  await fixture.call('POST', `/phones/${bruno}/text`, { to: ana, text: 'free' })
  await until('the text after', () => client.received('free'))
  assert.equal(client.received('blocked'), undefined)
  await client.socket.updateProfileStatus('busy')
  const { lidUser } = fixture.sandbox.network.directory.accounts.get(ana) ?? {}
  assert.ok(lidUser)
})

test('app state written by one companion reaches the other', async () => {
  const { phone: ana, client: first } = await fixture.linked('Ana')
  const second = fixture.makeClient()
  await second.pairByQr(ana, false)
  await until('keys at both', () =>
    [first, second].every(
      ({ credentials }) => credentials.creds.myAppStateKeyId && credentials.creds.accountSyncCounter,
    ),
  )
  const bruno = await fixture.makePhone('Bruno')
  const chats: unknown[] = []
  second.socket.ev.on('chats.update', (updates) => void chats.push(...updates))
  await first.socket.chatModify({ pin: true }, `${bruno}@s.whatsapp.net`)
  await until('the pin', () => chats.find((chat) => (chat as { pinned?: unknown }).pinned))
})

test('a flood in both directions is decrypted without errors and without repeats', async () => {
  const ana = await fixture.linked('Ana')
  const bruno = await fixture.makePhone('Bruno')
  const outbound = Array.from({ length: 50 }, (_, index) =>
    ana.client.sendText(`${bruno}@s.whatsapp.net`, `out ${index}`),
  )
  const inbound = fixture.call<{ ids: string[] }>('POST', `/phones/${bruno}/text`, {
    to: ana.phone,
    text: 'in',
    count: 50,
  })
  await Promise.all([...outbound, inbound])
  await until('all inbound', () => ana.client.received('in 50'))
  const seen = await until('all outbound', async () => {
    const messages = await fixture.call<SeenMessage[]>('GET', `/phones/${bruno}/messages?chat=${ana.phone}`)
    return messages.length === 50 ? messages : undefined
  })
  assert.ok(seen.every(({ arrivals }) => arrivals === 1))
  assert.deepEqual(await fixture.call('GET', `/phones/${bruno}/failures`), [])
})
