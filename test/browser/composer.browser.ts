/** Journeys through the composer, where each kind of message is compared with what the phone shows, and through a campaign of a list. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

const run = promisify(execFile)
const SHOP = '5511999990001'
const ANA = '5511999990002'
const CLIENT = new URL('../../clients/typescript/src/index.js', import.meta.url).href
const UNPACED = {
  NEW_CHATS_PER_DAY: '0',
  NEW_CHATS_WARM_UP: 'none',
  SEND_RATE_PER_MINUTE: '0',
  NUMBER_CHECKS_PER_MINUTE: '0',
}

interface Drawn {
  readonly id: string
  readonly text: string
  readonly media: readonly { readonly kind: string; readonly caption: string; readonly fileName: string }[]
  readonly menu: Readonly<Record<string, unknown>> | null
  readonly poll: { readonly question: string; readonly options: readonly { readonly text: string }[] } | null
  readonly message: Readonly<Record<string, unknown>>
}

describe('the composer', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let shop: TestInstance
  let folder: string
  before(async () => {
    ;[world, browser] = await Promise.all([startWorld(cleanup, UNPACED), startBrowser(cleanup)])
    shop = await world.paired(SHOP, 'Shop')
    await world.phone(ANA, 'Ana')
    await world.write(ANA, SHOP, 'Hello')
    await shop.chat(ANA)
    folder = mkdtempSync(path.join(tmpdir(), 'composer-'))
    cleanup.after(() => rmSync(folder, { recursive: true }))
  })

  it('builds each kind, shows it, sends it once, and its line for a shell sends the same again', async (t) => {
    const { page, expect } = await browser.session(t, world.gateway.url)
    // Chromium writes each answer from 400 on to the console.
    expect(/status of 400/)
    await signIn(page, `scheduled?to=${ANA}`)
    const composer = page.getByRole('form', { name: 'New message' })
    const picture = path.join(folder, `Ana's "red".png`)
    writeFileSync(
      picture,
      await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    )

    await composer.getByLabel('Message', { exact: true }).fill('Hi {{fir')
    await page.keyboard.press('Enter')
    await composer.getByLabel('Message', { exact: true }).pressSequentially('!')
    assert.equal(await composer.getByLabel('Message', { exact: true }).inputValue(), 'Hi {{first_name}}!')
    await sentTwice(page, (message) => message.text === 'Hi Ana!')

    await choose(page, 'Picture')
    await composer.getByLabel('Choose a file').setInputFiles(picture)
    await composer.getByLabel('Caption').fill('Look')
    await composer.getByRole('region', { name: 'Preview' }).getByRole('img', { name: 'Picture' }).waitFor()
    await sentTwice(page, ({ media }) => media[0]?.kind === 'image' && media[0].caption === 'Look', 'TypeScript')

    await choose(page, 'Buttons')
    await composer.getByLabel('Text', { exact: true }).fill('Which?')
    await composer.getByLabel('Label').fill('Yes')
    await composer.getByRole('button', { name: '+ Add a button' }).click()
    const second = composer.getByRole('group', { name: 'Button 2' })
    await second.getByLabel('Label').fill('Site')
    await second.getByLabel('It', { exact: true }).selectOption('url')
    await second.getByLabel('Address').fill('https://example.com/?a=1|2')
    await composer.getByLabel('Footer').fill('Shop')
    await composer.getByText('1. Yes\n2. Site: https://example.com/?a=1|2').waitFor()
    const menu = await sentTwice(page, (message) => message.menu?.type === 'buttons')
    assert.deepEqual(menu.menu, {
      type: 'buttons',
      text: 'Which?',
      footer: 'Shop',
      image: false,
      buttons: [
        { text: 'Yes', does: 'reply', value: 'Yes' },
        { text: 'Site', does: 'open', value: 'https://example.com/?a=1|2' },
      ],
    })
    await world.network('POST', `/phones/${ANA}/tap`, { id: menu.id, choice: 'Yes' })

    await choose(page, 'List')
    await composer.getByLabel('Text', { exact: true }).first().fill('Choose')
    await composer.getByLabel('Title').fill('[Phones]')
    await composer.getByRole('group', { name: 'Item 1' }).getByLabel('Text', { exact: true }).fill('One')
    await composer.getByLabel('Description').fill('small | red')
    const list = await sentTwice(page, (message) => message.menu?.type === 'list')
    assert.deepEqual(list.menu?.sections, [
      { title: '[Phones]', rows: [{ text: 'One', description: 'small | red', id: 'One' }] },
    ])

    await choose(page, 'Poll')
    await composer.getByLabel('Question').fill('Colour?')
    await composer.getByRole('group', { name: 'Option 1' }).getByLabel('Text').fill('Red')
    await composer.getByRole('group', { name: 'Option 2' }).getByLabel('Text').fill('Blue')
    const poll = await sentTwice(page, (message) => message.poll !== null)
    assert.deepEqual(
      poll.poll?.options.map(({ text }) => text),
      ['Red', 'Blue'],
    )
    await world.network('POST', `/phones/${ANA}/vote`, { id: poll.id, options: ['Blue'] })

    await choose(page, 'Carousel')
    await composer.getByLabel('Text', { exact: true }).fill('Look')
    for (const card of ['Card 1', 'Card 2']) {
      const inside = composer.getByRole('group', { name: card })
      await inside.getByLabel('Text of the card').fill(card)
      await inside.getByLabel('Choose a file').setInputFiles(picture)
      await inside.getByLabel('Label').fill(`Take ${card}`)
    }
    const carousel = await sentTwice(page, (message) => message.menu?.type === 'carousel')
    assert.equal((carousel.menu as { cards: readonly unknown[] }).cards.length, 2)
    const prices = path.join(folder, 'prices.pdf')
    writeFileSync(prices, `%PDF-1.4\n${'% prices\n'.repeat(50)}%%EOF\n`)
    await choose(page, 'Carousel')
    await composer.getByLabel('Text', { exact: true }).fill('Look at the prices')
    for (const card of ['Card 1', 'Card 2']) {
      const inside = composer.getByRole('group', { name: card })
      await inside.getByLabel('Text of the card').fill(card)
      if (card === 'Card 2') await inside.getByLabel('It shows').selectOption('Document')
      await inside.getByLabel('Choose a file').setInputFiles(card === 'Card 2' ? prices : picture)
      await inside.getByLabel('Label').fill(`Take ${card}`)
    }
    const mixed = await sentTwice(page, ({ media }) => media.some(({ kind }) => kind === 'document'), 'TypeScript')
    assert.deepEqual(
      mixed.media.map(({ kind }) => kind),
      ['image', 'document'],
    )

    await choose(page, 'Place')
    await composer.getByLabel('Latitude').fill('-23.5505')
    await composer.getByLabel('Longitude').fill('-46,6333')
    await composer.getByLabel('Name of the place').fill('Centre')
    await sentTwice(page, ({ message }) => 'locationMessage' in message)

    await choose(page, 'Contact')
    await composer.getByLabel('Name', { exact: true }).fill('Bia')
    await composer.getByLabel('Numbers').fill('5511999990003')
    await sentTwice(page, ({ message }) => 'contactMessage' in message)

    await choose(page, 'Pix key')
    await composer.getByLabel('Key', { exact: true }).fill('not a key')
    await composer.getByRole('button', { name: 'Schedule', exact: true }).click()
    await composer.getByRole('alert').first().waitFor()
    // The text stays after a refusal.
    assert.equal(await composer.getByLabel('Key', { exact: true }).inputValue(), 'not a key')
    await composer.getByLabel('Key', { exact: true }).fill('123e4567-e89b-12d3-a456-426614174000')
    await sentTwice(page, (message) => message.menu?.type === 'payment')

    await eventually(
      () => shop.messages({ chatid: `${ANA}@s.whatsapp.net` }),
      (messages) => ['Yes', 'Blue'].every((vote) => messages.some((message) => message.vote === vote)),
    )
  })

  it('makes a campaign of a table with errors, follows it to its end, and repeats it for those that failed', async (t) => {
    const first = 5_511_988_880_000
    await world.network('POST', '/crowd', { first: String(first), count: 30 })
    const table = path.join(folder, 'list.csv')
    writeFileSync(table, Buffer.from(createTable(first), 'latin1'))
    const { page } = await browser.session(t, world.gateway.url)
    await signIn(page, 'opt-outs')
    await page.getByLabel('Numbers').fill(String(first))
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('1 added, 0 were in the list.').waitFor()
    await page.getByRole('rowheader', { name: String(first) }).waitFor()

    await page.getByLabel('Words', { exact: true }).fill('SAIR\nchega')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    assert.deepEqual((await shop.call<{ words: string[] }>('GET', '/sender/suppression/words')).body.words, [
      'sair',
      'chega',
    ])

    await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click()
    await page.getByText('There is no campaign yet.').waitFor()
    await page.getByRole('link', { name: 'New campaign' }).click()
    await page.getByLabel('List as a file').setInputFiles(table)
    await page.getByText('300 rows, Windows-1252, separated by ;.').waitFor()
    await page.getByText('50 numbers can be right, 250 rows have none, 15 are doubles.').waitFor()
    await page.getByText('Rows without a number').click()
    await page.getByText('Line 52: none').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByLabel('Message', { exact: true }).fill('Oi {{name}} de {{Cidade}}')
    await page.getByRole('button', { name: 'Add another text' }).click()
    await page.getByLabel('Text of this variant').fill('Olá {{name}}')
    await page.getByRole('button', { name: 'Row after' }).click()
    await page.getByRole('region', { name: 'Preview' }).getByText('Olá Pessoa 1').waitFor()
    await page.getByRole('button', { name: 'Remove: Text 2' }).click()
    await page.getByRole('region', { name: 'Preview' }).getByText('Oi Pessoa 1 de São Paulo').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByLabel('Name of the campaign').fill('Offers')
    await page.getByLabel('Shortest pause').fill('0')
    await page.getByLabel('Longest pause').fill('0')
    await page.getByLabel('Maximum campaign messages').fill('5')
    await page.getByText('Share and errors').click()
    await page.getByLabel('Pause at this percentage').fill('90')
    await page.getByLabel('Share of the turns').fill('3')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('Left out: 14 doubles, 2 who opted out, 0 who got a campaign lately, 0 wrong lines.').waitFor()
    await page.getByText('Oi Pessoa 1 de São Paulo').waitFor()
    await page.getByRole('button', { name: 'Start for 34 people' }).click()

    await page.getByRole('heading', { name: 'Offers', level: 1 }).waitFor()
    await page.getByText('34 of 34').waitFor()
    const funnel = page.getByRole('list', { name: 'From the list to an answer' })
    await funnel.getByRole('listitem').filter({ hasText: 'Sent' }).getByText('29', { exact: true }).waitFor()
    const { body: folders } = await shop.call<
      { readonly weight: number; readonly errorRateMax: number; readonly frequencyCap: unknown }[]
    >('GET', '/sender/listfolders')
    const { weight, errorRateMax, frequencyCap } = folders[0] ?? {}
    assert.deepEqual(
      { weight, errorRateMax, frequencyCap },
      { weight: 3, errorRateMax: 90, frequencyCap: { messages: 5, days: 7 } },
    )
    const reason = page.getByRole('list', { name: 'Why some got nothing yet' }).getByRole('listitem')
    await reason.filter({ hasText: 'The number is not on WhatsApp.' }).getByText('5 failed').waitFor()
    const [message] = await world.network<Drawn[]>('GET', `/phones/${first + 7}/messages`)
    assert.equal(message?.text, 'Oi Pessoa 7 de São Paulo')
    await page.getByRole('button', { name: 'failed (5)' }).click()
    await page.waitForURL(/show=Failed/)
    await page.getByRole('rowheader', { name: String(first + 34) }).waitFor()
    // The rows of before the choice stay until the chosen ones have come.
    await eventually(async () => (await page.getByRole('rowheader').count()) === 5)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the results' }).click(),
    ])
    assert.match(download.suggestedFilename(), /^campaign-.*\.csv$/)
    await page.getByRole('button', { name: 'Repeat for those that failed' }).click()
    await page.getByText('5 of 5').waitFor()
  })

  it('opens from a conversation for all kinds but text', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await signIn(page, `chats?chat=${ANA}@s.whatsapp.net`)
    await page.getByRole('button', { name: 'More kinds of messages' }).click()
    await choose(page, 'Poll')
    const composer = page.getByRole('form', { name: 'New message' })
    await composer.getByLabel('Question').fill('From the conversation?')
    await composer.getByRole('group', { name: 'Option 1' }).getByLabel('Text').fill('Yes')
    await composer.getByRole('group', { name: 'Option 2' }).getByLabel('Text').fill('No')
    await composer.getByRole('button', { name: 'Send', exact: true }).click()
    await composer.waitFor({ state: 'detached' })
    await page.getByRole('log').locator('article', { hasText: 'From the conversation?' }).waitFor()
    await page.getByRole('button', { name: /^Your menu/ }).click()
    await page.getByRole('menuitem', { name: 'Calls of this page, as code' }).click()
    const calls = page.getByRole('dialog', { name: 'Calls of this page' })
    await calls.getByText('POST /send/menu').click()
    await calls.getByRole('button', { name: 'TypeScript' }).click()
    assert.match(
      (await calls.locator('pre:visible').textContent()) ?? '',
      /posthorn\.sendMenu\(\{[\s\S]*From the conversation\?/,
    )
  })

  it('keeps what the composer sends while the gateway is away, and opens again with what was refused', async (t) => {
    const { page, expect } = await browser.session(t, world.gateway.url)
    expect(/status of (40[019]|50[0-9])|net::ERR_|Failed to fetch/)
    await signIn(page, `chats?chat=${ANA}@s.whatsapp.net`)
    const composer = page.getByRole('form', { name: 'New message' })
    const place = async (name: string) => {
      await page.getByRole('button', { name: 'More kinds of messages' }).click()
      await choose(page, 'Place')
      await composer.getByLabel('Latitude').fill('1.5')
      await composer.getByLabel('Longitude').fill('2')
      await composer.getByLabel('Name of the place').fill(name)
      await composer.getByRole('button', { name: 'Send', exact: true }).click()
      await composer.waitFor({ state: 'detached' })
      return page.getByRole('log').locator('article', { hasText: name })
    }
    await page.getByRole('log').locator('article').first().waitFor()
    // The builders load when they are wanted first.
    await page.getByRole('button', { name: 'More kinds of messages' }).click()
    await composer.waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await composer.waitFor({ state: 'detached' })
    await world.gateway.kill('SIGKILL')
    const row = await place('Harbour')
    await row.locator('[data-status="waiting"]').waitFor()
    await world.gateway.start()
    await row.locator('[data-status="delivered"]').waitFor()
    const places = await world.network<Drawn[]>('GET', `/phones/${ANA}/messages`)
    assert.equal(places.filter(({ message }) => JSON.stringify(message).includes('Harbour')).length, 1)

    await shop.connected()
    await world.network('POST', '/faults', { kind: 'ack-error', phone: SHOP, recipient: ANA, code: 479, times: 1 })
    await place('Market')
    await page.getByText('Not sent:').waitFor()
    await page.getByRole('button', { name: 'Open it again' }).click()
    assert.equal(await composer.getByLabel('Name of the place').inputValue(), 'Market')
    await composer.getByRole('button', { name: 'Send', exact: true }).click()
    await composer.waitFor({ state: 'detached' })
    await page.getByRole('log').locator('article', { hasText: 'Market' }).locator('[data-status="delivered"]').waitFor()
    assert.equal(await page.getByText('Not sent:').count(), 0)
  })

  /** Returns 300 rows: 30 people with an account, 5 without one, 15 doubles, and 250 without a number. */
  function createTable(first: number): string {
    const person = (index: number) => `${first + index};Pessoa ${index};São Paulo`
    const rows = [
      ...Array.from({ length: 35 }, (_, index) => person(index)),
      ...Array.from({ length: 15 }, (_, index) => person(index)),
      ...Array.from({ length: 250 }, (_, index) => `none;Ninguém ${index};Rio`),
    ]
    return ['Telefone;Nome;Cidade', ...rows].join('\r\n')
  }

  async function signIn(page: Page, view: string): Promise<void> {
    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/${view}`)
    await page.getByLabel('the token or a key of an instance').check()
    await page.getByLabel('Token', { exact: true }).fill(shop.token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1 }).waitFor()
  }

  async function choose(page: Page, kind: string): Promise<void> {
    await page.getByRole('button', { name: 'Choose another kind' }).click()
    await page.getByRole('menuitemradio', { name: kind, exact: true }).click()
  }

  /** Sends what is written, then runs the code that is shown; returns the first of the two messages that the phone has. */
  async function sentTwice(
    page: Page,
    isIt: (message: Drawn) => boolean,
    form: 'curl' | 'TypeScript' = 'curl',
  ): Promise<Drawn> {
    const composer = page.getByRole('form', { name: 'New message' })
    await composer.getByLabel('Send at').fill('')
    // Of texts the code is folded, and curl at first.
    const choice = composer.getByRole('button', { name: form, exact: true })
    if (await choice.isVisible()) await choice.click()
    const code = (await composer.locator('pre').textContent()) ?? ''
    const runs: readonly [string, string[]] =
      form === 'curl'
        ? ['sh', ['-c', code]]
        : ['node', ['--input-type=module', '-e', code.replace('posthorn-client', CLIENT)]]
    await composer.getByRole('button', { name: 'Send', exact: true }).click()
    await composer.getByText(/^Sent(\.|, with remarks:)$/).waitFor()
    const fitting = (count: number) =>
      eventually(
        async () => (await world.network<Drawn[]>('GET', `/phones/${ANA}/messages`)).filter(isIt),
        (messages) => messages.length >= count,
      )
    const [first] = await fitting(1)
    await run(...runs, { cwd: folder, env: { ...process.env, TOKEN: shop.token } })
    const messages = await fitting(2)
    assert.equal(messages.length, 2)
    assert.deepEqual(messages[1]?.menu, messages[0]?.menu)
    return first as Drawn
  }
})
