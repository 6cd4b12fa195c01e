import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from './bare-client.js'
import { useSandbox } from './fixture.js'

const fixture = useSandbox(15550001000)

for (const refresh of [false, true]) {
  test(`a client pairs by QR ${refresh ? 'when the secret of the first scan is retired' : 'at the first scan'}`, async () => {
    const phone = await fixture.makePhone()
    const client = fixture.makeClient()
    await client.pairByQr(phone, refresh)
    assert.equal(client.credentials.creds.me?.id, `${phone}:1@s.whatsapp.net`)
    assert.match(client.credentials.creds.me?.lid ?? '', /:1@lid$/)
    const [login] = await fixture.call<{ device: string; end: string | null }[]>('GET', `/log/logins?phone=${phone}`)
    assert.equal(login?.device, `${phone}:1`)
    assert.equal(login?.end, null)
  })
}

test('a secret that was retired pairs nothing, however often it is scanned', async () => {
  const phone = await fixture.makePhone()
  const client = fixture.makeClient().connect()
  await until('a QR', () => client.qrs.length > 0)
  for (let scan = 0; scan < 3; scan++) {
    const answer = await fixture.call('POST', `/phones/${phone}/scan`, { qr: client.qrs[0] })
    assert.deepEqual(answer, { status: 'refresh' })
  }
  const bareList = client.qrs.at(-1)?.split('#')[1]
  assert.deepEqual(await fixture.call('POST', `/phones/${phone}/scan`, { qr: bareList }), {
    status: 'paired',
    device: 1,
  })
  await client.opened()
})

test('a QR of a client that is gone is refused', async () => {
  const phone = await fixture.makePhone()
  const client = fixture.makeClient().connect()
  await until('a QR', () => client.qrs.length > 0)
  await client.end()
  await until('its registration to close', () => fixture.sandbox.network.registrations.size === 0)
  await assert.rejects(fixture.call('POST', `/phones/${phone}/scan`, { qr: client.qrs[0] }), /410/)
})

test('a client pairs by code, and the code is forgiving about dashes and case', async () => {
  const phone = await fixture.makePhone()
  const client = fixture.makeClient().connect()
  await until('the registration to stand', () => client.qrs.length > 0)
  const code = await client.socket.requestPairingCode(phone)
  await until('the answer of the network', () => [...fixture.sandbox.network.registrations].some(({ code }) => code))
  const shown = `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase()
  assert.deepEqual(await fixture.call('POST', `/phones/${phone}/code`, { code: shown }), {
    status: 'paired',
    device: 1,
  })
  await client.opened()
  assert.equal(client.credentials.creds.registered, true)
  const acks = await fixture.call<{ device: string; type?: string }[]>('GET', '/log/notification-acks')
  assert.ok(acks.some(({ device, type }) => device.startsWith('registration-') && type === 'link_code_companion_reg'))
  assert.equal(client.credentials.creds.me?.id, `${phone}:1@s.whatsapp.net`)
})

test('a wrong code fails on the phone and pairs nothing', async () => {
  const phone = await fixture.makePhone()
  const client = fixture.makeClient().connect()
  await until('the registration to stand', () => client.qrs.length > 0)
  await client.socket.requestPairingCode(phone, 'ABCDEFGH')
  await until('the answer of the network', () => [...fixture.sandbox.network.registrations].some(({ code }) => code))
  await assert.rejects(fixture.call('POST', `/phones/${phone}/code`, { code: 'ABCDEFGX' }), /400.*wrong/)
  await assert.rejects(fixture.call('POST', `/phones/${phone}/code`, { code: 'ABCDEFGH' }), /410/)
})

for (const [what, browser, number, expected] of [
  ['an unknown brand', ['Mac OS', 'Acme', '1'], 'own', '400'],
  ['a number that is not on the network', ['Windows', 'Chrome', '1'], '15559999999', '404'],
] as const) {
  test(`a code is refused for ${what}`, async () => {
    const phone = await fixture.makePhone()
    const client = fixture.makeClient({ config: { browser: [...browser] } }).connect()
    await until('the registration to stand', () => client.qrs.length > 0)
    await client.socket.requestPairingCode(number === 'own' ? phone : number)
    const refusal = await until('the refusal', () =>
      client.stanzas.find(({ tag, attrs }) => tag === 'iq' && attrs.type === 'error'),
    )
    const [error] = refusal.content as { attrs: Record<string, string> }[]
    assert.equal(error?.attrs.code, expected)
  })
}

test('texts go both ways between a client and a phone, with acks, receipts and a copy for the own phone', async () => {
  const { phone: ana, client } = await fixture.linked('Ana')
  const bruno = await fixture.makePhone('Bruno')

  const id = await client.sendText(`${bruno}@s.whatsapp.net`, 'good morning')
  const seen = await fixture.seen(bruno, 'good morning')
  assert.equal(seen.id, id)
  assert.equal(seen.from, ana)
  assert.equal(seen.arrivals, 1)
  await until('the ack', () => client.acks.find(({ attrs }) => attrs.id === id && !attrs.error))
  await until('the delivery receipt', () => client.findStatus(id) >= 3)
  const copy = await fixture.seen(ana, 'good morning')
  assert.equal(copy.own, true)
  assert.equal(copy.chat, bruno)

  await fixture.call('POST', `/phones/${bruno}/read`, { ids: [id] })
  await until('the read receipt', () => client.findStatus(id) === 4)
  await fixture.call('POST', `/phones/${bruno}/read`, { ids: [id], type: 'played' })
  await until('the played receipt', () => client.findStatus(id) === 5)

  for (const addressing of ['pn', 'lid']) {
    const text = `and to you, by ${addressing}`
    await fixture.call('POST', `/phones/${bruno}/text`, { to: ana, text, addressing, quotedId: id })
    const message = await until('the text', () => client.received(text))
    assert.match(message.key.remoteJid ?? '', addressing === 'pn' ? /^\d+@s/ : /@lid$/)
    assert.equal(message.pushName, 'Bruno')
    assert.equal(message.message?.extendedTextMessage?.contextInfo?.stanzaId, id)
    await until('a delivery receipt at the phone', async () => {
      const path = `/phones/${bruno}/receipts?id=${message.key.id}`
      const receipts = await fixture.call<{ from: string }[]>('GET', path)
      return receipts.some(({ from }) => from === ana)
    })
  }
})

test('two clients write to each other, and read receipts and numbers are true', async () => {
  const ana = await fixture.linked('Ana')
  const bruno = await fixture.linked('Bruno')
  for (let round = 1; round <= 3; round++) {
    const there = await ana.client.sendText(`${bruno.phone}@s.whatsapp.net`, `there ${round}`)
    const message = await until('the text at Bruno', () => bruno.client.received(`there ${round}`))
    assert.equal(message.key.id, there)
    await bruno.client.socket.readMessages([message.key])
    await until('the read receipt', () => ana.client.findStatus(there) === 4)
    await bruno.client.sendText(message.key.remoteJid ?? '', `back ${round}`)
    await until('the text at Ana', () => ana.client.received(`back ${round}`))
  }
  const known = await ana.client.socket.onWhatsApp(bruno.phone, '15558887777')
  assert.deepEqual(known, [{ jid: `${bruno.phone}@s.whatsapp.net`, exists: true }])
  assert.deepEqual(await fixture.call('GET', '/log/retries'), [])
})

test('a notice of a code without its keys, as seen in the field, can come before the true one', async () => {
  const phone = await fixture.makePhone()
  const client = fixture.makeClient().connect()
  await until('the registration to stand', () => client.qrs.length > 0)
  const code = await client.socket.requestPairingCode(phone)
  await until('the answer of the network', () => [...fixture.sandbox.network.registrations].some(({ code }) => code))
  await fixture.call('POST', `/phones/${phone}/code`, { code, emptyNoticeFirst: true })
  await client.opened()
})

test('receipts that come late come one after the other, and a phone that went offline sends none', async () => {
  const { phone, client } = await fixture.linked()
  const late = { deliveryDelayMs: 200, autoRead: true, readDelayMs: 200 }
  const [friend, away] = [await fixture.makePhone('Ben', late), await fixture.makePhone('Kim', late)]
  const unanswered = await client.sendText(`${away}@s.whatsapp.net`, 'hello')
  await fixture.seen(away, 'hello')
  await fixture.call('POST', `/phones/${away}/offline`)
  const sentMs = Date.now()
  const id = await client.sendText(`${friend}@s.whatsapp.net`, 'hello')
  const receipts = (of: string) =>
    fixture.call<{ type: string; from: string; atMs: number }[]>('GET', `/phones/${phone}/receipts?id=${of}`)
  const two = await until('both receipts', async () => {
    const found = (await receipts(id)).filter(({ from }) => from === friend)
    return found.length === 2 ? found : undefined
  })
  assert.deepEqual(
    two.map(({ type }) => type),
    ['delivery', 'read'],
  )
  const [delivered = 0, read = 0] = two.map(({ atMs }) => atMs - sentMs)
  assert.ok(delivered >= 95 && read - delivered >= 95, `${delivered} ms, ${read} ms`)
  assert.deepEqual(await fixture.call('GET', '/receipts/waiting'), { count: 0 })
  assert.deepEqual(await receipts(unanswered), [])
  await fixture.call('POST', `/phones/${away}/online`)
  await until('the receipts of the phone that was away', async () => (await receipts(unanswered)).length === 2)
})
