/** Journeys through the conversations of the dashboard: a real browser, a real gateway process, and phones of the sandbox. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import pg from 'pg'
import type { Locator, Page } from 'playwright-core'
import { ATTACKS, SCRIPTS } from '../support/attacks.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { traced } from '../support/page-tasks.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

const SHOP = '5511999990001'
const ANA = '5511999990002'
const BEN = '5511999990003'
/** The person of the long chat. */
const CLARA = '5511999990004'
/** A stranger whose every field is an attack. */
const EVE = '5511999990005'
const LONG_CHAT = 50_000
/** A PNG of one pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
/** Chromium writes each call that fails to the console. */
const BROKEN_CALLS = /status of (40[19]|50[0-9])|net::ERR_|Failed to fetch/

describe('the conversations', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let shop: TestInstance
  before(async () => {
    ;[world, browser] = await Promise.all([startWorld(cleanup), startBrowser(cleanup)])
    await world.phone(ANA, 'Ana')
    await world.phone(BEN, 'Ben')
    shop = await world.paired(SHOP, 'Shop')
  })

  it('lists chats, shows what comes and goes, and answers with a reply', async (t) => {
    await world.write(ANA, SHOP, 'Do you have *two* left? See https://example.com/shop')
    await world.write(BEN, SHOP, 'Hello from Ben')
    const { page } = await signedIn(t, shop.token, `/instances/${shop.id}/chats`)
    const chats = page.getByRole('listbox', { name: 'Chats' })
    await chats.getByRole('option', { name: /Ana/ }).click()
    const log = page.getByRole('log')
    await log.getByText('two', { exact: true }).waitFor()
    assert.equal(await log.locator('strong', { hasText: 'two' }).count(), 1)
    assert.equal(await log.getByRole('link').getAttribute('href'), 'https://example.com/shop')

    await log.getByRole('button', { name: 'Actions for the message of Ana' }).click()
    await page.getByRole('menuitem', { name: 'Reply' }).click()
    await page.getByLabel('Write a message').fill('Yes, two')
    await page.keyboard.press('Enter')
    const own = log.locator('article', { hasText: 'Yes, two' })
    await own.locator('[data-status="delivered"]').waitFor()
    await world.network('POST', `/phones/${ANA}/read`, { chat: SHOP })
    await own.locator('[data-status="read"]').waitFor()
    const [sent] = await world.network<{ id: string; quotedId: string }[]>(
      'GET',
      `/phones/${ANA}/messages?text=${encodeURIComponent('Yes, two')}`,
    )
    assert.ok(sent?.quotedId)

    await world.network('POST', `/phones/${ANA}/react`, { id: sent.id, text: '🎉' })
    await own.getByText('🎉').waitFor()
    const written = await world.write(ANA, SHOP, 'Then I take on')
    await log.getByText('Then I take on').waitFor()
    await world.network('POST', `/phones/${ANA}/edit`, { id: written, text: 'Then I take one' })
    await log.getByText('Then I take one', { exact: true }).waitFor()
    await world.network('POST', `/phones/${ANA}/delete`, { id: written })
    await log.getByText('This message was deleted.').waitFor()
    await world.network('POST', `/phones/${ANA}/media`, {
      to: SHOP,
      kind: 'image',
      base64: PICTURE,
      mimetype: 'image/png',
    })
    await log.getByRole('button', { name: /^Show: Picture/ }).click()
    const picture = log.getByRole('img', { name: 'Picture' })
    await picture.waitFor()
    assert.match((await picture.getAttribute('src')) ?? '', /^blob:/)
    assert.equal(
      await page.evaluate(`document.querySelector('[role=log] img[src^=blob]').decode().then(() => 'drawn')`),
      'drawn',
    )
    await page.getByRole('button', { name: 'More kinds of messages' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).waitFor()
    await shots(page, 'chat')
  })

  it('keeps a send until the gateway answers, sends it once, and gives a refused text back', async (t) => {
    const { page, expect } = await signedIn(t, shop.token, `/instances/${shop.id}/chats?chat=${ANA}%40s.whatsapp.net`)
    expect(BROKEN_CALLS)
    const log = page.getByRole('log')
    await log.getByText('Yes, two').waitFor()
    const { id: fault } = await world.network<{ id: string }>('POST', '/faults', { kind: 'swallow-acks', phone: SHOP })
    await page.getByLabel('Write a message').fill('Before the crash')
    await page.keyboard.press('Enter')
    const row = log.locator('article', { hasText: 'Before the crash' })
    await row.waitFor()
    await eventually(async () => (await page.getByLabel('Write a message').inputValue()) === '')
    await eventually(
      () => world.network<unknown[]>('GET', `/phones/${ANA}/messages?text=${encodeURIComponent('Before the crash')}`),
      (found) => found.length === 1,
    )
    await world.gateway.kill('SIGKILL')
    // The event of the message, and the receipt of the phone, may have come before the end of the gateway.
    await row.locator('[data-status="waiting"], [data-status="pending"], [data-status="delivered"]').waitFor()
    await page.getByLabel('Write a message').fill('While it is away')
    await page.keyboard.press('Enter')
    const later = log.locator('article', { hasText: 'While it is away' })
    await later.locator('[data-status="waiting"]').waitFor()
    await world.network('DELETE', `/faults/${fault}`)
    await world.gateway.start()
    for (const [text, one] of [
      ['Before the crash', row],
      ['While it is away', later],
    ] as const) {
      await one.locator('[data-status="delivered"]').waitFor()
      assert.equal(await one.count(), 1)
      const arrived = `/phones/${ANA}/messages?text=${encodeURIComponent(text)}`
      assert.equal((await world.network<unknown[]>('GET', arrived)).length, 1)
    }

    await shop.connected()
    await world.network('POST', '/faults', { kind: 'ack-error', phone: SHOP, recipient: ANA, code: 479, times: 1 })
    await page.getByLabel('Write a message').fill('Refused once')
    await page.keyboard.press('Enter')
    await page.getByText('Not sent:').waitFor()
    await eventually(async () => (await page.getByLabel('Write a message').inputValue()) === 'Refused once')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await log.locator('article', { hasText: 'Refused once' }).locator('[data-status="delivered"]').waitFor()
  })

  it('has one line above a chat on a phone, with what has no room there in the menu', async (t) => {
    const { page } = await signedIn(t, shop.token, `/instances/${shop.id}/chats?chat=${ANA}%40s.whatsapp.net`)
    await page.setViewportSize({ width: 360, height: 740 })
    const chat = page.getByRole('region', { name: 'Messages', exact: true })
    const actions = chat.getByRole('button', { name: 'Actions', exact: true })
    const middles = await Promise.all(
      [chat.getByRole('heading', { level: 1 }), chat.getByRole('button', { name: 'Back to the chats' }), actions].map(
        async (part) => {
          const { y, height } = (await part.boundingBox()) ?? { y: Number.NaN, height: 0 }
          return y + height / 2
        },
      ),
    )
    assert.ok(Math.max(...middles) - Math.min(...middles) < 30, `the parts of the head are at ${middles.join(', ')} px`)
    await actions.click()
    await page.getByRole('menuitem', { name: 'Search in this chat' }).click()
    await chat.getByLabel('Search in this chat').waitFor()
    await actions.click()
    await page.getByRole('menuitem', { name: 'Close the search' }).click()
    await chat.getByLabel('Search in this chat').waitFor({ state: 'detached' })
    await actions.click()
    await page.getByRole('menuitem', { name: 'Details' }).click()
    await page.getByRole('complementary', { name: 'Details' }).waitFor()
  })

  it('shows and edits who the person is, and calls as they come', async (t) => {
    const { page } = await signedIn(t, shop.token, `/instances/${shop.id}/chats?chat=${ANA}%40s.whatsapp.net`)
    await page.getByRole('button', { name: 'Details' }).click()
    const details = page.getByRole('complementary', { name: 'Details' })
    await details.getByRole('button', { name: 'Edit the lead' }).click()
    const lead = page.getByRole('dialog', { name: 'Lead: Ana' })
    await lead.getByLabel('Status').fill('customer')
    await lead.getByRole('button', { name: 'Save' }).click()
    await lead.waitFor({ state: 'detached' })
    await details.getByText('customer', { exact: true }).waitFor()
    assert.equal((await shop.chat(ANA)).lead_status, 'customer')

    // A filter is kept under a name, and brought back; a chat is found by the palette.
    const ticket = page.getByRole('button', { name: 'Ticket open', exact: true })
    await ticket.click()
    await page.getByRole('button', { name: 'Save this filter' }).click()
    await page.getByLabel('Name of the filter').fill('Tickets')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Forget this filter' }).waitFor()
    await ticket.click()
    await page.waitForURL(/chats\?(?!.*ticket)/)
    await page.getByLabel('Saved filters').selectOption('Tickets')
    await page.waitForURL(/ticket=true/)
    await page.getByRole('button', { name: 'Forget this filter' }).click()
    await ticket.click()
    await page.getByLabel('Saved filters').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Page, instance or action' }).fill('Ben')
    await page.getByRole('option', { name: /^Ben/ }).click()
    await page.getByRole('heading', { name: 'Ben', level: 1 }).waitFor()
    await page.goBack()

    const ring = async () => world.network<{ id: string }>('POST', `/phones/${ANA}/call`, { to: SHOP, video: true })
    const first = await ring()
    await page.getByText(/Video call from Ana: ringing/).waitFor()
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByText(/Video call from Ana: refused/).waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).first().click()
    const second = await ring()
    await page.getByText(/Video call from Ana: ringing/).waitFor()
    await world.network('POST', `/phones/${ANA}/hangup`, { id: second.id })
    await page.getByText(/Video call from Ana: (ended|nobody answered)/).waitFor()
    assert.notEqual(first.id, second.id)
  })

  it('shows what strangers send as text: nothing runs, nothing is asked of another host, nothing takes long', async (t) => {
    const { page } = await signedIn(t, shop.token, `/instances/${shop.id}/chats`)
    await world.phone(EVE, SCRIPTS[1])
    for (const text of ATTACKS) await world.write(EVE, SHOP, text)
    const send = (message: object) => world.network('POST', `/phones/${EVE}/message`, { to: SHOP, message })
    const [script = '', picture = ''] = SCRIPTS
    await send({
      contactMessage: {
        displayName: script,
        vcard: `BEGIN:VCARD\nFN:${script}\nTEL:${picture}\nURL:javascript:window.hacked=1\nPHOTO;VALUE=uri:https://evil.example/x.png\nEND:VCARD`,
      },
    })
    await send({
      locationMessage: {
        degreesLatitude: 1.5,
        degreesLongitude: -2,
        name: script,
        address: picture,
        url: 'javascript:window.hacked=1',
      },
    })
    await send({
      buttonsMessage: {
        contentText: script,
        headerType: 1,
        buttons: [{ buttonId: picture, buttonText: { displayText: picture }, type: 1 }],
      },
    })
    await send({
      listMessage: {
        title: script,
        description: picture,
        buttonText: script,
        listType: 1,
        sections: [{ title: picture, rows: [{ title: script, rowId: picture }] }],
      },
    })
    await world.network('POST', `/phones/${EVE}/poll`, {
      to: SHOP,
      question: picture,
      options: [script, `${picture} `],
    })
    await world.network('POST', `/phones/${EVE}/media`, {
      to: SHOP,
      kind: 'document',
      sizeBytes: 100,
      mimetype: 'image/svg+xml',
      fileName: `${picture}.svg`,
      caption: script,
    })
    await sendRareKinds(send, script, picture)
    const reacted = await world.write(EVE, SHOP, 'Reacted to')
    await world.network('POST', `/phones/${EVE}/react`, { id: reacted, text: picture })
    const edited = await world.write(EVE, SHOP, script)
    await world.network('POST', `/phones/${EVE}/edit`, { id: edited, text: picture })
    const { jid } = await world.network<{ jid: string }>('POST', '/groups', {
      owner: EVE,
      subject: SCRIPTS[3]?.slice(0, 90),
      members: [SHOP],
    })
    await world.network('POST', `/phones/${EVE}/text`, { to: jid, text: picture })
    await world.write(EVE, SHOP, 'a'.repeat(1_000_000))
    await world.write(EVE, SHOP, 'The last one')
    await shop.chat(jid)
    const chats = page.getByRole('listbox', { name: 'Chats' })
    const group = chats.getByRole('option', { name: /iframe/ })
    await group.click()
    await page.getByRole('log').getByText(picture).first().waitFor()
    await page.evaluate(`window.longest = 0; new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
    }).observe({ type: 'longtask' })`)
    await chats.locator(`[id="chat-${EVE}@s.whatsapp.net"]`).click()
    const log = page.getByRole('log')
    await log.getByText('The last one').waitFor()
    await page.getByRole('button', { name: 'Details' }).click()
    await page.getByRole('complementary', { name: 'Details' }).waitFor()
    await log.getByRole('button', { name: 'Show all' }).last().click()
    await log.getByRole('button', { name: 'Show less' }).click()
    // From the end to the beginning, so that every row was drawn once.
    await log.hover()
    for (
      let turn = 0;
      turn < 100 && !(await log.getByText('The stored conversation begins here.').isVisible());
      turn += 1
    )
      await page.mouse.wheel(0, -300)
    await log.getByText('The stored conversation begins here.').waitFor()
    await log
      .getByText(SCRIPTS[0] ?? '', { exact: true })
      .first()
      .waitFor()
    await shots(page, 'hostile')
    await world.network('POST', `/phones/${EVE}/call`, { to: SHOP })
    await page.getByText(/^Call from .*: ringing/).waitFor()
    assert.equal(await page.evaluate('window.hacked'), undefined)
    for (const form of [
      'script',
      'iframe',
      'svg:not([aria-hidden="true"])',
      'img[src=x]',
      'a[href^="javascript:"]',
      'a[href^="data:"]',
    ])
      assert.equal(await log.locator(form).count(), 0, form)
    const longest = Number(await page.evaluate('longest'))
    t.diagnostic(`longest task with hostile texts: ${Math.round(longest)} ms`)
    assert.ok(longest < 1_000, `a task took ${longest} ms`)
  })

  it('reads a chat of 50,000 messages: the place stays, jumps come back, and little is drawn', async (t) => {
    await world.phone(CLARA, 'Clara')
    await world.write(CLARA, SHOP, 'The newest of all')
    await shop.chat(CLARA)
    await fill(LONG_CHAT)
    const { page } = await signedIn(t, shop.token, `/instances/${shop.id}/chats?chat=${CLARA}%40s.whatsapp.net`)
    const log = page.getByRole('log')
    await log.getByText('The newest of all').waitFor()
    const frames = await scrolledFrames(page, log, 150)
    // A trace of all would take longer to read than to make.
    const { tasks } = await traced(page, () => scrolledFrames(page, log, 100))
    t.diagnostic(`50,000 messages: ${JSON.stringify({ ...frames, ...tasks })}`)
    assert.ok(frames.rows <= 80, `${frames.rows} rows in the document`)
    assert.ok(frames.scrolled > 50_000, `scrolled ${frames.scrolled} px`)

    const before = await findPlace(log)
    for (const text of ['one', 'two', 'three']) await world.write(CLARA, SHOP, `Meanwhile ${text}`)
    const toNew = page.getByRole('button', { name: '3 new messages' })
    await toNew.waitFor()
    const after = await findPlace(log, before.index)
    assert.ok(Math.abs(after.top - before.top) <= 1, `the place moved by ${after.top - before.top} px`)
    await toNew.click()
    await log.getByText('Meanwhile three').waitFor()
    await log.getByText('New', { exact: true }).waitFor({ state: 'attached' })
    await world.write(CLARA, SHOP, 'Followed at the end')
    await log.getByText('Followed at the end').waitFor()

    const quoting = log.locator('article', { hasText: 'Answers an old one' })
    await log.focus()
    while (!(await quoting.isVisible())) await page.keyboard.press('PageUp')
    await quoting.getByRole('button', { name: 'Go to the quoted message' }).click()
    await log.getByText(`text ${LONG_CHAT - 20_000} `).waitFor()
    await page.getByRole('button', { name: 'Back to where you were' }).click()
    await quoting.waitFor()

    const typing = await typedWhileEvents(page)
    t.diagnostic(`typing while 20 events a second arrive: ${typing} ms to paint at most`)
    assert.ok(typing < 1_000)
  })

  it('gives a read key no way to write, and shows a key for one chat that chat only, without a stream', async (t) => {
    const reads = await shop.done<{ token: string }>('/instance/keys', { name: 'reads', scopes: ['read'] })
    const { page } = await signedIn(t, reads.token, `/instances/${shop.id}/chats?chat=${ANA}%40s.whatsapp.net`)
    await page.getByRole('log').getByText('Yes, two').waitFor()
    await page.getByText('This key may only read.').waitFor()
    assert.equal(await page.getByLabel('Write a message').count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Mark as read' }).count(), 0)
    await page.getByRole('button', { name: 'Actions for the message of Ana' }).first().click()
    const inMenu = page.getByRole('menuitem')
    await inMenu.first().waitFor()
    assert.deepEqual(await inMenu.allInnerTexts(), ['Copy the text', 'Show as curl'])

    const one = await shop.done<{ token: string }>('/instance/keys', {
      name: 'one chat',
      scopes: ['read', 'send'],
      chat: ANA,
    })
    const narrow = await browser.session(t, world.gateway.url)
    const asked: string[] = []
    // Parts of the page may still be loaded.
    narrow.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (!pathname.startsWith('/dashboard/')) asked.push(pathname)
    })
    await open(narrow.page, one.token, `/instances/${shop.id}/chats`)
    await narrow.page.getByRole('log').getByText('Yes, two').waitFor()
    assert.equal(await narrow.page.getByRole('listbox').count(), 0)
    const count = asked.length
    const text = `After the last look ${count}`
    const id = await world.write(ANA, SHOP, text)
    await eventually(
      () => shop.messages({ id }),
      (found) => found.length === 1,
    )
    // Pictures in sight are loaded when they are, whatever arrives.
    const later = asked.slice(count).filter((path) => path !== '/message/download')
    assert.deepEqual(later, [])
    assert.ok(!asked.includes('/sse') && !asked.includes('/chat/find'), String(asked))
    await narrow.page.getByRole('button', { name: 'Read again' }).click()
    await narrow.page.getByRole('log').getByText(text).waitFor()
    await narrow.page.getByLabel('Write a message').fill('From a key for one chat')
    await narrow.page.keyboard.press('Enter')
    await narrow.page
      .getByRole('log')
      .locator('article', { hasText: 'From a key for one chat' })
      .locator('[data-status="sent"], [data-status="delivered"]')
      .waitFor()
  })

  /** Puts older messages before the one of the chat, as its copies. */
  async function fill(count: number): Promise<void> {
    const pool = new pg.Pool({ connectionString: world.gateway.databaseUrl, max: 1 })
    try {
      await pool.query(
        `INSERT INTO message (instance_id, id, chat_id, "messageid", "fromMe", "isGroup", "messageType", type, "messageTimestamp", sender, "senderName", status, text, quoted)
         SELECT m.instance_id, 'r' || lpad(to_hex(n), 12, '0'), m.chat_id, 'LONG' || n, n % 3 = 0, false, 'text', 'text',
           m."messageTimestamp" - ($2::bigint - n + 1) * 60000, m.sender, m."senderName", CASE WHEN n % 3 = 0 THEN 'read' ELSE 'delivered' END,
           CASE WHEN n = $2 - 5 THEN 'Answers an old one' ELSE 'text ' || n || ' ' || repeat('some words ', n % 23) END,
           CASE WHEN n = $2 - 5 THEN 'LONG' || ($2 - 20000) ELSE '' END
         FROM message m, generate_series(1, $2::int) AS n WHERE m.instance_id = $1 AND m.text = 'The newest of all'`,
        [shop.id, count],
      )
    } finally {
      await pool.end()
    }
  }

  /** Types while a phone writes, and returns the longest time from a key to what it paints. */
  async function typedWhileEvents(page: Page): Promise<number> {
    await page.evaluate(`window.slowest = 0; new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown' || name === 'keypress') slowest = Math.max(slowest, duration)
    }).observe({ type: 'event', durationThreshold: 16 })`)
    let isTyping = true
    const writing = (async () => {
      while (isTyping)
        await Promise.all([world.write(CLARA, SHOP, 'Noise'), new Promise((done) => setTimeout(done, 50))])
    })()
    await page.getByLabel('Write a message').pressSequentially('Words that somebody types meanwhile', { delay: 40 })
    isTyping = false
    await writing
    return Number(await page.evaluate('slowest'))
  }

  async function signedIn(t: Parameters<typeof browser.session>[0], token: string, path: string) {
    const session = await browser.session(t, world.gateway.url)
    await open(session.page, token, path)
    return session
  }

  async function open(page: Page, token: string, path: string): Promise<void> {
    await page.goto(`${world.gateway.url}/dashboard${path}`)
    await page.getByLabel('the token or a key of an instance').check()
    await page.getByLabel('Token', { exact: true }).fill(token)
    await page.keyboard.press('Enter')
  }
})

interface Frames {
  readonly p95Ms: number
  /** Most rows of messages and chats that were in the document at once. */
  readonly rows: number
  readonly scrolled: number
}

/** Sends what clients send less often, with an attack in each field that is a text. */
async function sendRareKinds(send: (message: object) => Promise<unknown>, script: string, picture: string) {
  const vcard = `BEGIN:VCARD\nFN:${picture}\nORG:${script}\nNOTE:${picture}\nEND:VCARD`
  const quoted = {
    stanzaId: 'NEVERSEEN',
    participant: `${EVE}@s.whatsapp.net`,
    quotedMessage: { conversation: script },
  }
  for (const message of [
    {
      extendedTextMessage: {
        text: `https://evil.example/ ${picture}`,
        matchedText: 'javascript:window.hacked=1',
        title: script,
        description: picture,
      },
    },
    { extendedTextMessage: { text: script, contextInfo: quoted } },
    { contactsArrayMessage: { displayName: script, contacts: [{ displayName: picture, vcard }] } },
    {
      liveLocationMessage: { degreesLatitude: 1, degreesLongitude: 2, caption: script, sequenceNumber: 1 },
    },
    {
      groupInviteMessage: {
        groupJid: '120363000000000001@g.us',
        inviteCode: 'abc',
        groupName: script,
        caption: picture,
      },
    },
    {
      productMessage: {
        product: { productId: '1', title: script, description: picture, url: 'javascript:window.hacked=1' },
        body: picture,
        footer: script,
      },
    },
    { orderMessage: { orderId: '1', itemCount: 1, orderTitle: script, message: picture, token: 'x' } },
    {
      eventMessage: {
        name: script,
        description: picture,
        location: { name: picture },
        joinLink: 'javascript:window.hacked=1',
      },
    },
    {
      listResponseMessage: {
        title: script,
        description: picture,
        listType: 1,
        singleSelectReply: { selectedRowId: picture },
      },
    },
    { buttonsResponseMessage: { selectedButtonId: script, selectedDisplayText: picture, type: 1 } },
    {
      templateMessage: {
        hydratedTemplate: {
          hydratedTitleText: script,
          hydratedContentText: picture,
          hydratedFooterText: script,
          hydratedButtons: [
            { index: 0, urlButton: { displayText: script, url: 'javascript:window.hacked=1' } },
            { index: 1, quickReplyButton: { displayText: picture, id: script } },
          ],
        },
      },
    },
  ])
    await send(message)
}

/** Turns the wheel upwards. */
async function scrolledFrames(page: Page, log: Locator, turns: number): Promise<Frames> {
  await log.hover()
  await page.evaluate(`{
    const view = document.querySelector('[role=log]')
    const seen = { frames: [], rows: 0, scrolled: 0, isOn: true }
    window.seen = seen
    let last = performance.now()
    const each = (now) => {
      seen.frames.push(now - last)
      last = now
      seen.rows = Math.max(seen.rows, document.querySelectorAll('article, [role=option]').length)
      if (seen.isOn) requestAnimationFrame(each)
    }
    requestAnimationFrame(each)
  }`)
  let scrolled = 0
  for (let turn = 0; turn < turns; turn += 1) {
    await page.mouse.wheel(0, -500)
    scrolled += 500
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  return page.evaluate<Frames>(`new Promise((done) => {
    seen.isOn = false
    const sorted = seen.frames.slice(1).sort((a, b) => a - b)
    const p95Ms = Math.round(sorted[Math.floor(sorted.length * 0.95)] * 10) / 10
    done({ p95Ms, rows: seen.rows, scrolled: ${scrolled} })
  })`)
}

/** Returns a row in the middle of what is seen, and its place on the screen. */
async function findPlace(log: Locator, index?: string): Promise<{ readonly index: string; readonly top: number }> {
  return log.evaluate((view, wanted) => {
    const element = view as unknown as {
      getBoundingClientRect(): { top: number; height: number }
      querySelectorAll(s: string): Iterable<never>
    }
    const frame = element.getBoundingClientRect()
    type Row = { dataset: { index: string }; getBoundingClientRect(): { top: number }; textContent: string }
    const rows = [...element.querySelectorAll('article')] as Row[]
    const text = (row: Row) => row.textContent
    const row =
      wanted === undefined
        ? rows.find((one) => one.getBoundingClientRect().top > frame.top + frame.height / 3)
        : rows.find((one) => text(one) === wanted)
    return { index: row === undefined ? '' : text(row), top: row?.getBoundingClientRect().top ?? Number.NaN }
  }, index)
}

async function shots(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
