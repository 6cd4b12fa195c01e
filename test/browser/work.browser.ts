/** Journeys through the pages of webhooks, events, agents, leads and groups, of one gateway with phones of the sandbox. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startFront } from '../../demo/front.js'
import { startProviders } from '../../sandbox/providers/index.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { feedEvents, growthOver } from '../support/event-memory.js'
import { eventually } from '../support/eventually.js'
import { hasFocus } from '../support/keyboard.js'
import { startReceiver } from '../support/receiver.js'
import { png } from '../support/samples.js'
import { openSignedIn } from '../support/sign-in.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

/** Chromium writes each answer from 400 on to the console. */
const REFUSED = /status of 400/
const SHOP = '5511999990001'
const ANA = '5511999990002'
/** As many events as in 3 minutes at 400 a second, or in an hour at 20. */
const FED_SECONDS = 8
const FED_PER_SECOND = 9_600
const GROWTH_MAX_MB = 20
const GIVE_UP_SOON = { WEBHOOK_BACKOFF_MIN_MS: '10', WEBHOOK_BACKOFF_MAX_MS: '20', WEBHOOK_ATTEMPTS_MAX: '3' }

describe('the pages of work', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let shop: TestInstance
  before(async () => {
    ;[world, browser] = await Promise.all([startWorld(cleanup, GIVE_UP_SOON), startBrowser(cleanup)])
    shop = await world.paired(SHOP, 'Shop')
    await world.phone(ANA, 'Ana')
  })

  it('repairs a webhook: shows what failed, tries it, replays what was given up, and checks a signature', async (t) => {
    const receiver = await startReceiver(t)
    t.after(() => shop.unhook())
    const { page, expect } = await browser.session(t, world.gateway.url)
    expect(REFUSED)
    await open(page, 'webhooks')
    await page.getByText('There is no webhook yet.').waitFor()
    await page.getByRole('button', { name: 'New webhook' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Address', { exact: true }).fill('ftp://receiver.example/')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').waitFor()
    await form.getByLabel('Address', { exact: true }).fill(receiver.url)
    await form.getByLabel('messages_update').uncheck()
    await form.getByRole('button', { name: 'Save' }).click()
    const secret = await page.getByRole('dialog', { name: 'Secret of the webhook' }).locator('pre').innerText()
    await page.keyboard.press('Escape')

    receiver.answer(400)
    const ids = [await world.write(ANA, SHOP, 'one'), await world.write(ANA, SHOP, 'two')]
    await eventually(
      async () => (await shop.call<{ total: number }>('GET', '/webhook/deadletters')).body.total,
      (total) => total === 2,
    )
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/The receiver answered 400/).waitFor()
    receiver.answer(200)
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/The receiver answered 200/).waitFor()

    await page.getByRole('button', { name: 'Deliveries' }).click()
    await page
      .getByRole('row', { name: /Given up/ })
      .first()
      .getByRole('button', { name: 'Open' })
      .click()
    const opened = page.getByRole('dialog', { name: 'Delivery of messages' })
    await opened.getByText('Attempt 3').waitFor()
    await opened.getByRole('button', { name: 'Check the signature' }).click()
    await page.getByLabel('Secret', { exact: true }).fill(secret)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('The signature fits.').waitFor()
    await page.getByRole('button', { name: 'Dead letters' }).click()
    await page.getByText('2 dead letters fit.').waitFor()
    const before = receiver.of('messages').length
    await page.getByRole('button', { name: 'Replay all 2 that fit' }).click()
    await page.getByRole('dialog', { name: 'Deliver 2 dead letters again?' }).waitFor()
    await page.getByRole('button', { name: 'Deliver again' }).click()
    await page.getByText('There is no dead letter.').waitFor()
    const replayed = await eventually(
      () => receiver.of('messages').slice(before),
      ({ length }) => length === 2,
    )
    assert.deepEqual(replayed.map(({ body }) => (body.message as { messageid: string }).messageid).sort(), ids.sort())

    await page.getByRole('button', { name: 'Deliveries' }).click()
    await page
      .getByRole('row', { name: /Delivered/ })
      .last()
      .getByRole('button', { name: 'Open' })
      .click()
    await opened.getByRole('button', { name: 'Send again' }).click()
    await opened.getByText('sent again', { exact: true }).last().waitFor()
    const [delivery, other, again] = await eventually(
      () => receiver.of('messages').slice(before),
      ({ length }) => length === 3,
    )
    assert.ok(delivery !== undefined)
    assert.ok([delivery.text, other?.text].includes(again?.text), 'one of the two came again as it was')
    await page.keyboard.press('Escape')
    await opened.waitFor({ state: 'detached' })
    assert.equal(delivery.headers['webhook-id'], delivery.body.eventId)
    await page.getByRole('button', { name: 'Signature' }).click()
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      await page.getByLabel(name).fill(String(delivery.headers[name]))
    await page.getByLabel('Body, exactly as received').fill(delivery.text)
    await page.getByLabel('Secret', { exact: true }).fill(secret)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('The signature fits.').waitFor()
    await page.getByLabel('Body, exactly as received').fill(`${delivery.text} `)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('The signature does not fit').waitFor()
    await page.getByRole('button', { name: 'Go', exact: true }).click()
    await page.getByText('package receiver').waitFor()
  })

  it('tries the webhook of all instances', async (t) => {
    const receiver = await startReceiver(t)
    const session = await browser.session(t, world.gateway.url)
    const { page } = session
    const body = { url: receiver.url, events: ['messages'], enabled: false }
    assert.equal((await world.gateway.call('POST', '/globalwebhook', { admin: true, body })).status, 200)
    await openSignedIn(session, world.gateway, '/webhooks')
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/The receiver answered 200/).waitFor()
    assert.equal(receiver.got.length, 1)
  })

  it('makes an agent, a function and knowledge, tries the agent, and shows what its model did', async (t) => {
    const providers = await startProviders()
    t.after(() => providers.close())
    const { page } = await browser.session(t, world.gateway.url)
    await open(page, 'functions')
    await page.getByRole('button', { name: 'New function' }).click()
    await page.getByLabel('Name', { exact: true }).fill('find_order')
    await page.getByLabel('Description for the model').fill('Finds an order')
    await page.getByLabel('Address, with {{placeholders}}').fill('https://api.example/orders/{{order}}')
    await page.getByRole('button', { name: 'Add a parameter' }).click()
    await page.getByLabel('Name of the parameter').fill('order')
    await page.getByLabel('Allowed values').fill('1,2')
    await page.getByRole('checkbox', { name: 'As JSON' }).check()
    assert.deepEqual(JSON.parse(await page.getByLabel('Parameters, as JSON').inputValue()), [
      { name: 'order', type: 'string', required: true, enum: '1,2' },
    ])
    await page.getByRole('checkbox', { name: 'As JSON' }).uncheck()
    await page.getByLabel('Headers, as JSON').fill('{"authorization":"Bearer of-the-shop"}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('rowheader', { name: 'find_order' }).waitFor()
    await page.getByText('authorization: ••••').waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /of-the-shop/)

    await page.getByRole('link', { name: 'Knowledge' }).click()
    await page.getByRole('button', { name: 'New entry' }).click()
    await page.getByLabel('Title').fill('Opening hours')
    await page.getByLabel('Text, or address of a page or file').fill('The shop is open on Mondays from nine to six.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('found by words').waitFor()
    await page.getByLabel('Question').fill('open Mondays')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('The shop is open on Mondays').waitFor()

    await page.getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('button', { name: 'New agent' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Bia')
    await page.getByLabel('Provider', { exact: true }).selectOption('custom')
    await page.getByLabel('Model', { exact: true }).fill('qwen3:8b')
    await page.getByLabel('Key of the provider').fill('sk-custom-key-of-a-test')
    await page.getByLabel('Base address').fill(providers.baseUrl('custom'))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('rowheader', { name: 'Bia' }).waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /key-of-a-test/)

    providers.clear()
    providers.answer({ calls: [{ name: 'find_order', arguments: { order: 'A7' } }] })
    providers.answer({ text: 'It was sent.' })
    await page.getByRole('button', { name: 'Playground' }).click()
    await page.getByLabel('Message of the customer').fill('Where is order A7?')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByRole('log').getByText('It was sent.').waitFor()
    await page.getByText('Answer 2 of the model').waitFor()
    await page.getByText('"A7"').waitFor()
  })

  it('tries a function with typed values, and shows what a model would be told', async (t) => {
    const got: string[] = []
    const server = createServer((request, response) => {
      got.push(`${request.method} ${request.url}`)
      response.setHeader('content-type', 'application/json').end('{"state":"<b>sent</b>"}')
    }).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { id } = await shop.done<{ id: string }>('/function/edit', {
      function: {
        name: 'track_order',
        description: 'Tracks',
        method: 'GET',
        endpoint: `http://127.0.0.1:${port}/{{order}}?limit={{limit}}&phone={{chat.phone}}`,
        parameters: [
          { name: 'order', type: 'string', description: 'Number of the order', required: true },
          { name: 'limit', type: 'integer', maximum: 10 },
        ],
      },
    })
    t.after(() => shop.done('/function/edit', { id, delete: true }))
    const { page } = await browser.session(t, world.gateway.url)
    await open(page, 'functions')
    await page
      .getByRole('row', { name: /track_order/ })
      .getByRole('button', { name: 'Try' })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Try track_order' })
    await dialog.getByLabel('order', { exact: true }).fill('A/1')
    await dialog.getByLabel('limit', { exact: true }).fill('3')
    await dialog.getByRole('button', { name: 'Call it' }).click()
    await dialog.getByText(/needs chat\.phone/).waitFor()
    await dialog.getByText('The model would receive that the call failed.').waitFor()
    assert.deepEqual(got, [])
    await dialog.getByLabel('chat.phone', { exact: true }).fill(ANA)
    await dialog.getByRole('button', { name: 'Call it' }).click()
    await dialog.getByText('{"state":"<b>sent</b>"}').waitFor()
    await dialog.getByText(`GET 127.0.0.1:${port} · 200`).waitFor()
    assert.deepEqual(got, [`GET /A%2F1?limit=3&phone=${ANA}`])

    // A key may read the functions, and may not call them.
    const key = await shop.done<{ token: string }>('/instance/keys', { name: 'reads', scopes: ['read'] })
    const other = await browser.session(t, world.gateway.url)
    await open(other.page, 'functions', world.gateway.url, key.token)
    await other.page.getByRole('rowheader', { name: 'track_order' }).waitFor()
    assert.equal(await other.page.getByRole('button', { name: 'Try' }).count(), 0)
  })

  it('changes the profile and the privacy of the account, and unblocks a person', async (t) => {
    interface Phone {
      readonly about: string
      readonly picture: string
      readonly privacy: Readonly<Record<string, string>>
      readonly disappearingSeconds: number
    }
    const phone = () => world.network<Phone>('GET', `/phones/${SHOP}`)
    await shop.done('/chat/block', { number: ANA, block: true })
    t.after(() => shop.done('/chat/block', { number: ANA, block: false }))
    const { page, expect } = await browser.session(t, world.gateway.url)
    expect(REFUSED)
    await open(page, 'account')
    const name = page.getByRole('region', { name: 'Name', exact: true })
    await name.getByLabel('Name that others see').fill('The shop')
    await name.getByRole('button', { name: 'Save' }).click()
    await name.getByText('Saved.').waitFor()
    await eventually(async () => (await shop.status()).instance.profileName === 'The shop')

    const about = page.getByRole('region', { name: 'About', exact: true })
    await about.getByLabel('New text').fill('Open from 9 to 18')
    await about.getByRole('button', { name: 'Save' }).click()
    await about.getByText('Saved.').waitFor()
    assert.equal((await phone()).about, 'Open from 9 to 18')
    await about.getByRole('button', { name: 'Remove the text' }).click()
    await eventually(async () => (await phone()).about === '')

    const picture = page.getByRole('region', { name: 'Picture', exact: true })
    const file = (buffer: Buffer) => ({ name: 'shop.png', mimeType: 'image/png', buffer })
    await picture.getByLabel('New picture').setInputFiles(file(Buffer.alloc(99)))
    await picture.getByRole('button', { name: 'Save the picture' }).click()
    await picture
      .getByRole('alert')
      .getByText(/must be a JPEG/)
      .waitFor()
    await picture.getByLabel('New picture').setInputFiles(file(await png(90, 50)))
    await picture.getByRole('button', { name: 'Save the picture' }).click()
    await picture.getByText('Saved.').waitFor()
    assert.notEqual((await phone()).picture, '')
    await picture.locator('img').waitFor()
    await picture.getByRole('button', { name: 'Remove the picture' }).click()
    await picture.locator('img').waitFor({ state: 'detached' })
    await eventually(async () => (await phone()).picture === '')

    const privacy = page.getByRole('region', { name: 'Privacy', exact: true })
    await privacy.getByLabel('Who sees when the account was last seen').selectOption('none')
    await privacy.getByLabel('Messages of new chats disappear').selectOption('604800')
    await privacy.getByRole('button', { name: 'Save' }).click()
    await privacy.getByText('Saved.').waitFor()
    const changed = await phone()
    assert.deepEqual([changed.privacy.last, changed.disappearingSeconds], ['none', 604_800])

    // A key may see who is blocked, and change nothing.
    const key = await shop.done<{ token: string }>('/instance/keys', { name: 'reads', scopes: ['read'] })
    const other = await browser.session(t, world.gateway.url)
    await open(other.page, 'account', world.gateway.url, key.token)
    await other.page.getByText('1 person is blocked.').waitFor()
    assert.equal(
      await other.page
        .getByRole('main')
        .getByRole('button', { name: /Save|Unblock|Remove/ })
        .count(),
      0,
    )

    await page.getByRole('button', { name: `Unblock +${ANA}` }).click()
    await page.getByText('Nobody is blocked.').waitFor()
    assert.deepEqual((await shop.call<{ blockList: string[] }>('GET', '/chat/blocklist')).body.blockList, [])
  })

  it('shows leads on a board, moves a card by keys, edits one, and exports what is filtered', async (t) => {
    await world.write(ANA, SHOP, 'Hello')
    await shop.chat(ANA)
    await shop.done('/instance/updateFieldsMap', { lead_field01: 'Plan' })
    await shop.done('/chat/editLead', { id: ANA, lead_name: '=Ana', lead_status: 'new', lead_field01: 'Gold' })
    await world.phone('5511999990004', 'Bob')
    await world.write('5511999990004', SHOP, 'Hello')
    await shop.chat('5511999990004')
    await shop.done('/chat/editLead', { id: '5511999990004', lead_name: 'Bob', lead_status: 'won' })
    const { page } = await browser.session(t, world.gateway.url)
    await open(page, 'leads?view=board')
    const card = page.getByRole('listitem', { name: '=Ana' })
    await card.focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.getByText('won, place 1.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'new' }).getByRole('listitem', { name: '=Ana' }).waitFor()
    await hasFocus(card, 'Escape')
    for (const key of ['Space', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    await shop.chat(ANA, ({ lead_status }) => lead_status === 'won')
    await page.getByRole('region', { name: 'won' }).getByRole('listitem').nth(1).waitFor()
    assert.equal(await page.getByRole('region', { name: 'won' }).getByRole('listitem').count(), 2)

    // A change by another program appears.
    await shop.done('/chat/editLead', { id: ANA, lead_status: 'lost' })
    await page.getByRole('region', { name: 'lost' }).getByRole('listitem', { name: '=Ana' }).waitFor()
    await card.getByRole('button', { name: 'Edit' }).click()
    assert.equal(await page.getByRole('dialog').getByLabel('Plan').inputValue(), 'Gold')
    await page.getByRole('dialog').getByLabel('Plan').fill('Silver')
    await page.getByRole('button', { name: 'Save' }).click()
    await shop.chat(ANA, ({ lead_field01 }) => lead_field01 === 'Silver')
    // A card opens its conversation beside the board.
    await card.getByRole('link', { name: '=Ana' }).click()
    await page.getByRole('log').getByText('Hello').waitFor()
    await page.waitForURL(/leads\?(?=.*view=board)(?=.*chat=)/)
    await card.waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).first().click()
    await page.getByRole('log').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByLabel('Status', { exact: true }).fill('lost')
    await page.getByText('1 lead', { exact: true }).waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const text = readFileSync(await (await downloading).path(), 'utf8')
    assert.match(text, /Name,.*Plan\r\n'=Ana,.*Silver\r\n$/)
    await page.getByRole('link', { name: '=Ana' }).click()
    await page.waitForURL(/chats\?chat=/)
  })

  it('lists contacts, saves and removes one, checks numbers, and leads to the conversation', async (t) => {
    const stranger = '5511999990008'
    const { page, expect } = await browser.session(t, world.gateway.url)
    await world.phone(stranger, 'Cleo')
    await world.write(stranger, SHOP, 'Hello')
    await shop.chat(stranger)
    await open(page, 'contacts')
    const row = page.getByRole('row', { name: /Cleo/ })
    await row.getByText(`+${stranger}`).waitFor()
    const search = page.getByLabel('Name or number contains')
    await search.fill('nobody')
    await page.getByText('No contact has “nobody” in a name or number.').waitFor()
    await search.fill(`+${stranger}`)
    await row.waitFor()
    assert.match(page.url(), /text=/)
    await search.fill('cle')
    await page.getByText(/^1 contact, /).waitFor()
    await search.fill('')
    // Only the address book can lose one.
    assert.equal(await row.getByRole('button').count(), 0)

    await page.getByLabel('Number with country code').fill('12')
    await page.getByLabel('Name', { exact: true }).fill('Cleo of the bakery')
    expect(REFUSED)
    await page.getByRole('button', { name: 'Save the contact' }).click()
    await page.getByRole('alert').first().waitFor()
    await page.getByLabel('Number with country code').fill(stranger)
    await page.getByRole('button', { name: 'Save the contact' }).click()
    await page.getByText('Cleo of the bakery is saved.').waitFor()
    await page.getByRole('button', { name: 'Address book' }).click()
    await page.getByText('1 contact, 1 in the address book of the phone').waitFor()
    assert.match(page.url(), /scope=address_book/)
    await page.getByRole('button', { name: 'Remove Cleo of the bakery' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No contact is of this kind.').waitFor()

    await page.getByLabel('Numbers', { exact: true }).fill(`${stranger}\n5511999990009`)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByRole('row', { name: '5511999990009 has no WhatsApp' }).waitFor()
    await page
      .getByRole('row', { name: `${stranger} has WhatsApp` })
      .getByRole('link')
      .click()
    await page.getByRole('log').getByText('Hello').waitFor()
  })

  it('says in the language of the reader what the gateway says in English', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await page.addInitScript(`localStorage.setItem('posthorn.language', 'pt-BR')`)
    const at = new Date().toISOString()
    const lost = {
      at,
      state: 'reconnecting',
      status: 'connecting',
      node: 'n1',
      reason: '408: The connection was lost; we connect again (ETIMEDOUT).',
    }
    await page.route('**/instance/connections*', (route) => route.fulfill({ json: { connections: [lost] } }))
    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/contacts`)
    await page.getByLabel('o token ou uma chave de uma instância').check()
    await page.getByLabel('Token', { exact: true }).fill(shop.token)
    await page.keyboard.press('Enter')
    await page.getByLabel('Números', { exact: true }).fill('55 11 9x999-0001')
    await page.getByRole('button', { name: 'Verificar', exact: true }).click()
    await page.getByText('Número inválido: contém "x", que não faz parte de um telefone.').waitFor()

    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}`)
    await page.getByText('408: A conexão caiu; vamos reconectar (ETIMEDOUT).').waitFor()
  })

  it('shows events as they come, filtered, paused and opened', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await open(page, 'events')
    await page.getByText('No event yet.').waitFor()
    await world.write(ANA, SHOP, 'For the <b>viewer</b>')
    await page.getByLabel('messages', { exact: true }).check()
    await page.getByLabel('Events with this text').fill('viewer')
    await page.getByRole('button', { name: /messages.*For the <b>viewer/ }).click()
    await page.getByText('"For the <b>viewer</b>"').first().waitFor()
    // The view is a link.
    await page.waitForURL(/events\?(?=.*kinds=messages)(?=.*text=viewer)/)
    await page.getByRole('button', { name: 'Pause' }).click()
    await world.write(ANA, SHOP, 'While paused')
    await page.getByText(/Paused: [1-9]/).waitFor()
  })

  it('keeps its memory while as many events come as in an hour', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await feedEvents(page, FED_PER_SECOND)
    await open(page, 'events')
    const megabytes = (await growthOver(page, FED_SECONDS, FED_PER_SECOND)) / 1_000_000
    t.diagnostic(`${megabytes.toFixed(1)} MB more after ${FED_SECONDS} s at ${FED_PER_SECOND} events/s`)
    assert.ok(megabytes <= GROWTH_MAX_MB, `${megabytes} MB`)
  })

  it('shows own and followed channels, their posts with views and reactions, and posts', async (t) => {
    const network = <T>(method: string, path: string, body?: object) => world.network<T>(method, path, body)
    const { jid } = await network<{ jid: string }>('POST', '/channels', { owner: ANA, name: 'Baker' })
    await network('POST', `/channels/${jid}/posts`, { text: 'We bake at six' })
    await network('POST', `/channels/${jid}/counts`, { views: 12, emoji: '👍', by: [ANA] })
    const { page } = await browser.session(t, world.gateway.url)
    await open(page, 'channels')
    await page.getByText('The account has no channel and follows none.').waitFor()
    await page.getByRole('button', { name: 'Follow by link' }).click()
    const { invite } = await network<{ invite: string }>('GET', `/channels/${jid}`)
    await page.getByLabel('Link of the channel').fill(`https://whatsapp.com/channel/${invite}`)
    await page.getByRole('button', { name: 'Look at the channel' }).click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Baker' }).waitFor()
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByText('We bake at six').waitFor()
    await page.getByText('12 views').waitFor()
    await page.getByRole('list', { name: 'Reactions' }).getByText('👍 1').waitFor()
    await network('POST', `/channels/${jid}/counts`, { views: 13 })
    await page.getByText('13 views').waitFor()

    await page.getByRole('button', { name: 'New channel' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Shop news')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByLabel('New post').fill('Open {{today}}')
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByRole('list', { name: 'Posts' }).getByText('Open {{today}}').waitFor()
    const channels = await network<{ name: string; posts: unknown[] }[]>('GET', '/channels')
    assert.equal(channels.find(({ name }) => name === 'Shop news')?.posts.length, 1)

    await page.getByRole('link', { name: /^Baker/ }).click()
    await page.getByRole('button', { name: 'Unfollow' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unfollow' }).click()
    await page.getByRole('link', { name: /^Baker/ }).waitFor({ state: 'detached' })
  })

  it('shows groups, changes one and several, and edits labels', async (t) => {
    const made = await shop.done<{ JID: string }>('/group/create', { name: 'Buyers', participants: [ANA] })
    const { page } = await browser.session(t, world.gateway.url)
    await open(page, 'groups')
    await page.getByLabel('Choose Buyers').check()
    await page.getByRole('button', { name: 'Only admins send' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Only admins send' }).click()
    await page.getByText('Done', { exact: true }).waitFor()
    const told = await shop.done<{ IsAnnounce: boolean }>('/group/info', { groupjid: made.JID })
    assert.equal(told.IsAnnounce, true)
    await page.getByRole('button', { name: 'Open' }).click()
    const group = page.getByRole('dialog', { name: 'Buyers' })
    await page.waitForURL(/groups\?group=/)
    await page.reload()
    await group.getByText(/^https:\/\/chat\.whatsapp\.com\//).waitFor()
    await group.getByLabel(new RegExp(`Choose \\+${ANA}`)).check()
    await group.getByRole('button', { name: 'Make admin' }).click()
    await group.getByRole('row', { name: new RegExp(`${ANA}.*Admin`) }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Labels' }).click()
    await page.getByRole('button', { name: 'New label' }).click()
    await page.getByLabel('Name', { exact: true }).fill('VIP')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('rowheader', { name: 'VIP' }).waitFor()
  })

  it('joins a group by its link after a look at it, and gives a group a picture', async (t) => {
    interface NetworkGroup {
      readonly jid: string
      readonly inviteCode: string
      readonly picture: string
    }
    const made = await world.network<NetworkGroup>('POST', '/groups', { owner: ANA, subject: 'Open <b>', members: [] })
    const { page, expect } = await browser.session(t, world.gateway.url)
    expect(REFUSED)
    await open(page, 'groups')
    await page.getByRole('button', { name: 'Join by link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Join by link' })
    await dialog.getByLabel('Invite link').fill('no link')
    await dialog.getByRole('button', { name: 'Look at the group' }).click()
    await dialog.getByRole('alert').getByText('Invalid invite code').waitFor()
    await dialog.getByLabel('Invite link').fill(`https://chat.whatsapp.com/${made.inviteCode}`)
    await dialog.getByRole('button', { name: 'Look at the group' }).click()
    await dialog.getByRole('heading', { name: 'Open <b>' }).waitFor()
    await dialog.getByText('1 member').waitFor()
    await dialog.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByRole('rowheader', { name: 'Open <b>' }).waitFor()
    await dialog.waitFor({ state: 'detached' })

    const guarded = await world.network<NetworkGroup>('POST', '/groups', {
      owner: ANA,
      subject: 'Guarded',
      members: [],
    })
    await world.network('PATCH', `/groups/${guarded.jid}`, { by: ANA, approval: true })
    await page.getByRole('button', { name: 'Join by link' }).click()
    await dialog.getByLabel('Invite link').fill(guarded.inviteCode)
    await dialog.getByRole('button', { name: 'Look at the group' }).click()
    await dialog.getByRole('button', { name: 'Join', exact: true }).click()
    await dialog.getByText(/An admin must let the account in/).waitFor()
    await page.keyboard.press('Escape')

    const own = await shop.done<{ JID: string }>('/group/create', { name: 'With a picture', participants: [ANA] })
    await page.reload()
    await page
      .getByRole('row', { name: /With a picture/ })
      .getByRole('button', { name: 'Open' })
      .click()
    const details = page.getByRole('dialog', { name: 'With a picture' })
    const picture = async () =>
      (await world.network<NetworkGroup[]>('GET', '/groups')).find(({ jid }) => jid === own.JID)?.picture
    await details
      .getByLabel('New picture')
      .setInputFiles({ name: 'group.png', mimeType: 'image/png', buffer: await png(90, 50) })
    await details.getByRole('button', { name: 'Save the picture' }).click()
    await details.getByText('Saved.').waitFor()
    assert.notEqual(await picture(), '')
    await details.locator('img').waitFor()
    await details.getByRole('button', { name: 'Remove the picture' }).click()
    await details.locator('img').waitFor({ state: 'detached' })
    await eventually(async () => (await picture()) === '')
  })

  it('shows the phones of the demo beside its pages, and writes on them, and none elsewhere', async (t) => {
    const phones = [
      { number: SHOP, name: 'Shop' },
      { number: ANA, name: 'Ana' },
    ]
    const front = await startFront({ gatewayUrl: world.gateway.url, controlUrl: world.networkUrl, phones, port: 0 })
    const { page } = await browser.session(t, front.url)
    // After the page is closed, which would miss its stream.
    t.after(front.close)
    await page.setViewportSize({ width: 1_500, height: 900 })
    await open(page, `chats?chat=${ANA}%40s.whatsapp.net`, front.url)
    const panel = page.getByRole('complementary', { name: 'The two phones' })
    // A chat that opens takes the focus.
    await page.getByLabel('Write a message').waitFor()
    const onPhone = panel.getByLabel('Ana writes to Shop')
    await onPhone.fill('From the side panel')
    await onPhone.press('Enter')
    await page.getByRole('log').getByText('From the side panel').waitFor()
    await page.getByLabel('Write a message').fill('Seen on the phone')
    await page.keyboard.press('Enter')
    await panel.getByRole('list', { name: 'Messages on the phone of Ana' }).getByText('Seen on the phone').waitFor()
    // Nothing of the frame is below the panel.
    await page.setViewportSize({ width: 1_280, height: 800 })
    await page.getByRole('button', { name: /^Your menu/ }).click({ trial: true })
    await panel.getByRole('button', { name: 'Close' }).click()
    await panel.waitFor({ state: 'detached' })

    const elsewhere = await browser.session(t, world.gateway.url)
    await open(elsewhere.page, 'chats')
    await elsewhere.page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await elsewhere.page.getByRole('button', { name: 'Phones' }).count(), 0)
  })

  it('lets a phone of the demo scan the QR of a new instance', async (t) => {
    const phones = [{ number: ANA, name: 'Ana' }]
    const front = await startFront({ gatewayUrl: world.gateway.url, controlUrl: world.networkUrl, phones, port: 0 })
    const fresh = await world.instance('fresh')
    const { page } = await browser.session(t, front.url)
    t.after(front.close)
    await page.goto(`${front.url}/dashboard/instances/${fresh.id}`)
    await page.getByLabel('the token or a key of an instance').check()
    await page.getByLabel('Token', { exact: true }).fill(fresh.token)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Show the QR code' }).click()
    // A QR that WhatsApp retires is followed by the next one, which the phone scans by itself.
    await page.getByRole('button', { name: 'Scan with Ana’s phone' }).click()
    await fresh.connected()
    await page.getByText(`+${ANA}`).first().waitFor()
  })

  /** Opens a page of the instance and signs in with its token there. */
  async function open(page: Page, path: string, url = world.gateway.url, token = shop.token): Promise<void> {
    await page.goto(`${url}/dashboard/instances/${shop.id}/${path}`)
    await page.getByLabel('the token or a key of an instance').check()
    await page.getByLabel('Token', { exact: true }).fill(token)
    await page.keyboard.press('Enter')
  }
})
