/** Every page of the dashboard with hostile text in each field that strangers, receivers, models and lists of campaigns can fill. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { SCRIPTS } from '../support/attacks.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'
import type { ListedPage } from './page-list.js'

const SHOP = '5511999990001'
const EVE = '5511999990002'
const [SCRIPT = '', PICTURE = '', SVG = '', FRAME = '', , , FORMULA = ''] = SCRIPTS
/** The bar is 1 s on an idle machine, and the longest is printed; the test fails where a page surely takes too long on a busy one. */
const PAGE_FAILS_MS = 4_000
/** Elements that only hostile text would make. */
const MADE_OF_TEXT =
  'script:not([src]), iframe, object, embed, img[src="x"], [onload], [onerror], a[href^="javascript:"], a[href^="data:text"]'

interface Shown {
  readonly hacked: unknown
  readonly made: number
  readonly longestMs: number
  readonly text: string
}

/** Pages with the hostile text that each shows; none where what it shows is decided elsewhere. */
const pages: readonly (ListedPage & { readonly shows: string })[] = [
  { name: 'overview', path: () => '/overview', heading: 'Overview', shows: '' },
  { name: 'instances', path: () => '/instances?columns=tags%2Cnotes', heading: 'Instances', shows: FRAME.slice(0, 50) },
  { name: 'leads', path: ({ instance }) => `/instances/${instance}/leads`, heading: 'Leads', shows: PICTURE },
  {
    name: 'board',
    path: ({ instance }) => `/instances/${instance}/leads?view=board`,
    heading: 'Leads',
    shows: PICTURE,
  },
  {
    name: 'groups',
    path: ({ instance }) => `/instances/${instance}/groups`,
    heading: 'Groups',
    shows: SVG.slice(0, 60),
  },
  {
    name: 'labels',
    path: ({ instance }) => `/instances/${instance}/groups?view=labels`,
    heading: 'Groups',
    shows: PICTURE,
  },
  {
    name: 'knowledge',
    path: ({ instance }) => `/instances/${instance}/knowledge`,
    heading: 'Knowledge',
    shows: SCRIPT,
  },
  {
    name: 'functions',
    path: ({ instance }) => `/instances/${instance}/functions`,
    heading: 'Functions',
    shows: 'hostile',
  },
  { name: 'agents', path: ({ instance }) => `/instances/${instance}/agents`, heading: 'Agents', shows: SCRIPT },
  {
    name: 'quick replies',
    path: ({ instance }) => `/instances/${instance}/quick-replies`,
    heading: 'Quick replies',
    shows: PICTURE,
  },
  {
    name: 'campaigns',
    path: ({ instance }) => `/instances/${instance}/campaigns`,
    heading: 'Campaigns',
    shows: SCRIPT,
  },
  { name: 'opt-outs', path: ({ instance }) => `/instances/${instance}/opt-outs`, heading: 'Opt-outs', shows: PICTURE },
  {
    name: 'scheduled',
    path: ({ instance }) => `/instances/${instance}/scheduled`,
    heading: 'Scheduled messages',
    shows: PICTURE,
  },
  { name: 'keys', path: ({ instance }) => `/instances/${instance}/keys`, heading: 'Keys', shows: SCRIPT },
  {
    name: 'deliveries',
    path: ({ instance }) => `/instances/${instance}/webhooks?view=deliveries`,
    heading: 'Webhooks',
    shows: '',
  },
  {
    name: 'settings',
    path: ({ instance }) => `/instances/${instance}/settings`,
    heading: 'Settings',
    shows: FRAME.slice(0, 50),
  },
  { name: 'audit', path: () => '/audit', heading: 'Audit log', shows: '' },
]

describe('hostile text on every page', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let receiver: Receiver
  let shop: TestInstance
  before(async () => {
    ;[world, browser, receiver] = await Promise.all([
      startWorld(cleanup),
      startBrowser(cleanup),
      startReceiver(cleanup),
    ])
    shop = await world.paired(SHOP, SVG.slice(0, 25))
    await world.phone(EVE, PICTURE)
    await fill()
  })

  it('runs nothing, asks no other host, and shows the text as text', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await page.addInitScript(`window.longest = 0; new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
    }).observe({ type: 'longtask', buffered: true })`)
    await page.goto(`${world.gateway.url}/dashboard/overview`)
    await page.getByLabel('Token', { exact: true }).fill(world.gateway.adminToken)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    let longestMs = 0
    for (const one of pages) {
      await page.goto(`${world.gateway.url}/dashboard${one.path({ instance: shop.id })}`)
      await page.getByRole('heading', { name: one.heading, level: 1 }).waitFor()
      const { hacked, made, longestMs: taskMs } = await shownOf(page, one.shows)
      longestMs = Math.max(longestMs, taskMs)
      assert.deepEqual({ page: one.name, hacked, made }, { page: one.name, hacked: undefined, made: 0 })
    }
    t.diagnostic(`longest task of ${pages.length} pages with hostile text: ${Math.round(longestMs)} ms`)
    assert.ok(longestMs < PAGE_FAILS_MS, `a task took ${longestMs} ms`)
  })

  it('follows hostile events, opens what a receiver answered, and finds a hostile name by the palette', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/events`)
    await page.getByLabel('Token', { exact: true }).fill(world.gateway.adminToken)
    const opened = page.waitForResponse(/\/sse\?/)
    await page.keyboard.press('Enter')
    await opened
    await page.getByLabel('Events with this text').fill('window.hacked')
    await world.write(EVE, SHOP, SCRIPT)
    await page
      .getByRole('button', { name: /hacked/ })
      .first()
      .click()
    await page.getByText(`"${SCRIPT}"`).first().waitFor()
    await assertHarmless(page, SCRIPT)

    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/webhooks?view=deliveries`)
    await page.getByRole('table').getByRole('button').last().click()
    await page.locator('summary', { hasText: 'Answer' }).first().click()
    await page.getByText(`${SCRIPT}${PICTURE}`).first().waitFor()
    await assertHarmless(page, `${SCRIPT}${PICTURE}`)

    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Page, instance or action' }).fill('iframe')
    await page.getByRole('option', { name: /iframe/ }).waitFor()
    await assertHarmless(page, FRAME.slice(0, 50))
  })

  async function assertHarmless(page: Page, text: string): Promise<void> {
    const { hacked, made } = await shownOf(page, text)
    assert.deepEqual({ hacked, made }, { hacked: undefined, made: 0 })
  }

  async function fill(): Promise<void> {
    receiver.misbehave((response) =>
      response.writeHead(500, { 'content-type': 'text/html' }).end(`${SCRIPT}${PICTURE}`),
    )
    await shop.hook(receiver.url)
    await made('/instance/updateInstanceName', { name: FRAME.slice(0, 50) })
    await made('/instance/updateFieldsMap', { lead_field01: SCRIPT.slice(0, 30) })
    await world.write(EVE, SHOP, PICTURE)
    await shop.chat(EVE)
    await made('/chat/editLead', {
      id: EVE,
      lead_name: PICTURE,
      lead_status: SCRIPT,
      lead_notes: SVG,
      lead_field01: FORMULA,
      lead_tags: [PICTURE],
    })
    await world.network('POST', '/groups', { owner: EVE, subject: SVG.slice(0, 60), members: [SHOP] })
    await made('/label/edit', { name: PICTURE, color: 1 })
    await made('/quickreply/edit', { shortCut: PICTURE, type: 'text', text: SCRIPT })
    await made('/knowledge/edit', { knowledge: { tittle: SCRIPT, content: PICTURE } })
    await made('/function/edit', {
      function: {
        name: 'hostile',
        description: SCRIPT,
        method: 'GET',
        endpoint: `${receiver.url}/${encodeURI(PICTURE)}`,
      },
    })
    await made('/agent/edit', {
      agent: { name: SCRIPT, provider: 'openai', model: PICTURE, apikey: 'sk-0123456789abcdef', baseUrl: receiver.url },
    })
    await made('/instance/keys', { name: SCRIPT, scopes: ['read'] })
    await made('/sender/suppression/add', { numbers: ['5511999990003'], reason: PICTURE })
    await made('/sender/simple', {
      numbers: [EVE],
      type: 'text',
      text: PICTURE,
      scheduled_for: 60,
      folder: SCRIPT,
      info: PICTURE,
    })
    await made('/send/text', { number: EVE, text: PICTURE, send_at: Date.now() + 3_600_000 })
    await eventually(
      () => shop.call<{ deliveries: unknown[] }>('GET', '/webhook/deliveries'),
      ({ body }) => body.deliveries.length > 0,
    )
  }

  async function made(path: string, body: Record<string, unknown>): Promise<void> {
    const answer = await shop.call('POST', path, body)
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
  }
})

/** Waits until the page shows the text as text, in it or in a field, and looks for what became of it. */
async function shownOf(page: Page, text: string): Promise<Shown> {
  const look = (): Promise<Shown> =>
    page.evaluate<Shown>(`({
      hacked: window.hacked,
      made: document.querySelectorAll(${JSON.stringify(MADE_OF_TEXT)}).length,
      longestMs: window.longest ?? 0,
      text: document.body.innerText + [...document.querySelectorAll('input, textarea')].map(({ value }) => value).join(),
    })`)
  return await eventually(look, (shown) => text === '' || shown.text.includes(text), 30_000)
}
