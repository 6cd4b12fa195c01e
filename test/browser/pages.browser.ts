/** Every page of the dashboard: readable by everyone, in both themes, on a narrow window and with large text. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { findingsInBothThemes } from '../support/axe.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { findBrokenWords, sidewaysBy } from '../support/page-fit.js'
import { png } from '../support/samples.js'
import { goTo, openSignedIn } from '../support/sign-in.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'
import { faultsOfOpenings, inBothSizes, NARROW, WIDE } from './faults-of-openings.js'
import { openings } from './openings.js'
import { type ListedPage, listedPages } from './page-list.js'

const ANA = '5511999990002'
const DAY_MS = 86_400_000
/** An asynchronous send waits behind another, so that the queue can be emptied. */
const SLOW_QUEUE = { SEND_DELAY_MIN_MS: '600000', SEND_DELAY_MAX_MS: '600000' }
/** Loads of which the median counts. The bars are 1 s, and 2.5 s with the processor slowed 4 times, on an idle machine. */
const LOADS = 5

/** Height of what stands before a page on a phone. */
const TITLE_WITHIN_PX = 260

/** A file that pages load later. */
const DIALOG_CODE = /\/assets\/dialog-window-[\w-]+\.js$/
const AWAY = 'The gateway does not answer.'

/** Notes when the list of instances has its rows. */
const NOTE_USABLE = `{
  const observer = new MutationObserver(() => {
    if (document.querySelector('tbody th') === null) return
    observer.disconnect()
    window.usableMs = performance.now()
  })
  observer.observe(document, { childList: true, subtree: true })
}`

describe('every page of the dashboard', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let shop: TestInstance
  let campaign: string
  before(async () => {
    ;[world, browser] = await Promise.all([startWorld(cleanup, SLOW_QUEUE), startBrowser(cleanup)])
    shop = await world.paired('5511999990001', 'Shop')
    await world.phone(ANA, 'Ana')
    await world.network('PUT', '/phones/5511999990001/business', { description: 'We bake' })
    await world.write(ANA, '5511999990001', 'Hello')
    await shop.chat(ANA)
    const hook = { url: 'https://receiver.example/hook', events: ['messages'] }
    await world.gateway.call('POST', '/globalwebhook', { admin: true, body: hook })
    await shop.done('/webhook', { action: 'add', ...hook })
    const offers = { numbers: [ANA], type: 'text', text: 'Hi', folder: 'Offers', scheduled_for: 600 }
    campaign = (await shop.done<{ folder_id: string }>('/sender/simple', offers)).folder_id
  })

  it('has no finding of axe in light and dark, and no sideways scroll at 360 px or with text of 200 %', async (t) => {
    const session = await browser.session(t, world.gateway.url)
    const { page } = session
    const found: string[] = []
    await page.goto(`${world.gateway.url}/dashboard/`)
    for (const one of listedPages.filter(({ isOpen }) => isOpen === true)) found.push(...(await listFaults(page, one)))
    await openSignedIn(session, world.gateway, '/instances')
    for (const one of listedPages.filter(({ isOpen }) => isOpen !== true)) found.push(...(await listFaults(page, one)))
    assert.deepEqual(found, [])
  })

  it('begins each page near the top of a narrow window, with all links in a sheet', async (t) => {
    const session = await browser.session(t, world.gateway.url)
    const { page } = session
    await openSignedIn(session, world.gateway, `/instances/${shop.id}/groups`)
    await page.setViewportSize(NARROW)
    const title = page.getByRole('heading', { name: 'Groups', level: 1 })
    const { y } = (await title.boundingBox()) ?? { y: Number.NaN }
    assert.ok(y < TITLE_WITHIN_PX, `the title is ${y} px below the top`)

    const menu = page.getByRole('button', { name: 'Menu', exact: true })
    const sheet = page.getByRole('dialog', { name: 'Menu' })
    assert.equal(await menu.getAttribute('aria-expanded'), 'false')
    await menu.click()
    await sheet.getByRole('link', { name: 'Keys', exact: true }).waitFor()
    assert.deepEqual(await findingsInBothThemes(page, 'menu of a phone'), [])
    assert.equal(await sidewaysBy(page), '')
    await sheet.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    await sheet.waitFor({ state: 'detached' })
    await menu.click()
    await sheet.getByRole('link', { name: 'Cluster', exact: true }).click()
    await page.getByRole('heading', { name: 'Cluster', level: 1 }).waitFor()
    await sheet.waitFor({ state: 'detached' })
    // The icon is asked for where it is, whatever the address of the view.
    assert.equal(
      await page.evaluate(`document.querySelector('link[rel=icon]').href`),
      `${world.gateway.url}/dashboard/icon.svg`,
    )
  })

  it('has no finding of axe with a dialog, a menu or the palette open, shows all of it at 360 px and with text of 200 %, and gives the focus back', async (t) => {
    await fill()
    const session = await browser.session(t, world.gateway.url)
    await openSignedIn(session, world.gateway, '/instances')
    const found = await faultsOfOpenings(session.page, openings, { instance: shop.id, campaign })
    assert.deepEqual(found, [])
  })

  it('has no finding of axe on the page of a link to pair', async (t) => {
    const made = await world.instance('For a guest')
    const link = await made.done<{ code: string }>('/instance/pairinglink', {})
    const { page } = await browser.session(t, world.gateway.url)
    await page.goto(`${world.gateway.url}/dashboard/#pair=${link.code}`)
    await page.getByRole('button', { name: 'Show the QR code' }).click()
    await page.getByAltText('QR code for the phone').waitFor()
    assert.deepEqual(await findingsInBothThemes(page, 'link to pair'), [])
    await page.setViewportSize(NARROW)
    assert.equal(await sidewaysBy(page), '')
  })

  it('is usable soon, as it prints', async (t) => {
    const session = await browser.session(t, world.gateway.url)
    const { page } = session
    await page.addInitScript(NOTE_USABLE)
    await page.setViewportSize(WIDE)
    await openSignedIn(session, world.gateway, '/instances')
    const protocol = await page.context().newCDPSession(page)
    await protocol.send('Performance.enable', { timeDomain: 'threadTicks' })
    for (const rate of [1, 4]) {
      await protocol.send('Emulation.setCPUThrottlingRate', { rate })
      const times: number[] = []
      const cpu: number[] = []
      for (let turn = 0; turn < LOADS; turn += 1) {
        await page.reload()
        times.push(await eventually(() => page.evaluate<number>('window.usableMs ?? 0')))
        const { metrics } = await protocol.send('Performance.getMetrics')
        cpu.push((metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000)
      }
      const files = await page.evaluate<number>(`performance.getEntriesByType('resource').length`)
      t.diagnostic(
        `the list of instances is usable after ${median(times)} ms, of which its tasks take ${median(cpu)} ms of the processor ` +
          `(medians of ${LOADS}, processor slowed ${rate} times, ${files} files and calls)`,
      )
    }
  })

  it('loads itself again, once, when the code of a dialog is gone after a new build', async (t) => {
    const session = await browser.session(t, world.gateway.url)
    const { page } = session
    session.expect(/status of 404/)
    let isGone = true
    await page.route(DIALOG_CODE, (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()))
    await openSignedIn(session, world.gateway, '/overview')
    const dialog = page.getByRole('button', { name: 'Go to' })
    const loaded = page.waitForEvent('domcontentloaded')
    await dialog.click()
    await loaded
    // The reloaded page asks for it again.
    await dialog.click()
    await page.getByText(AWAY).waitFor()
    isGone = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await opens(page)
  })

  it('stays, and tries again, when the code of a dialog does not come because the gateway is away', async (t) => {
    const session = await browser.session(t, world.gateway.url)
    const { page } = session
    session.expect(/net::ERR_FAILED/)
    await page.route(DIALOG_CODE, (route) => route.abort())
    await page.route(/\/dashboard\/$/, (route) =>
      route.request().method() === 'HEAD' ? route.abort() : route.continue(),
    )
    await openSignedIn(session, world.gateway, '/overview')
    await page.evaluate('window.isSame = true')
    await page.getByRole('button', { name: 'Go to' }).click()
    await page.getByText(AWAY).waitFor()
    const isAway = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD')
    await page.getByRole('button', { name: 'Try again' }).click()
    await isAway
    await page.getByText(AWAY).waitFor()
    assert.equal(await page.evaluate('window.isSame'), true)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await opens(page)
  })

  /** Waits for the dialog. If the browser does not ask again for a file that failed, the page reloads first, and the dialog is opened again. */
  async function opens(page: Page): Promise<void> {
    const anew = page.waitForEvent('domcontentloaded', { timeout: 10_000 }).then(
      () => page.getByRole('button', { name: 'Go to' }).click(),
      () => undefined,
    )
    await Promise.all([anew, page.getByRole('dialog').waitFor()])
  }

  async function listFaults(page: Page, { name, path: pathOf, heading, text }: ListedPage): Promise<string[]> {
    await page.setViewportSize(WIDE)
    await goTo(page, pathOf({ instance: shop.id, campaign }))
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    if (text !== undefined) await page.getByText(text).first().waitFor()
    const found = await findingsInBothThemes(page, name)
    const look = () => sidewaysBy(page)
    for (const [size, fault] of await inBothSizes(page, look)) found.push(`${name} scrolls sideways ${size}: ${fault}`)
    const words = () => findBrokenWords(page)
    for (const [size, broken] of [['at 1280 px', await words()], ...(await inBothSizes(page, words))])
      if (broken !== '') found.push(`${name} breaks words ${size}: ${broken}`)
    return found
  }

  /** Puts a record into each list, so that it can be changed and deleted. */
  async function fill(): Promise<void> {
    await made('/instance/keys', { name: 'reads', scopes: ['read'] })
    const agent = { name: 'Bia', provider: 'openai', model: 'some-model', apikey: 'sk-0123456789abcdef' }
    const { id } = await made('/agent/edit', { agent })
    await made('/trigger/edit', { trigger: { type: 'agent', agent_id: id, wordsToStart: 'hello' } })
    const parameters = [{ name: 'order', type: 'string', required: true }]
    await made('/function/edit', {
      function: {
        name: 'find_order',
        description: 'Finds',
        method: 'GET',
        endpoint: 'https://api.example/',
        parameters,
      },
    })
    await made('/knowledge/edit', { knowledge: { tittle: 'Hours', content: 'Open on Mondays.' } })
    await made('/quickreply/edit', { shortCut: 'hours', type: 'text', text: 'From nine to six' })
    await made('/contact/add', { phone: ANA, name: 'Ana' })
    await made('/group/create', { name: 'Buyers', participants: [ANA] })
    const news = await world.network<{ jid: string }>('POST', '/channels', { owner: ANA, name: 'News' })
    await world.network('POST', `/channels/${news.jid}/posts`, { text: 'We bake at six' })
    await made('/newsletter/follow', { id: news.jid })
    await made('/business/catalog/create', {
      name: 'Bread',
      price: 5000,
      currency: 'BRL',
      images: [(await png()).toString('base64')],
    })
    await made('/send/text', { number: ANA, text: 'See you', send_at: Date.now() + DAY_MS })
    await made('/sender/suppression/add', { numbers: ['5511999990003'] })
    await made('/pass', {})
    await shop.text(ANA, 'Good morning')
    for (const text of ['First', 'Second']) await made('/send/text', { number: ANA, text, async: true })
  }

  async function made(path: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
    const answer = await shop.call('POST', path, body)
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
})

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN)
}
