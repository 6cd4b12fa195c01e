/** Journeys of administrators and of those with fewer rights: settings, keys, changes of several instances. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import pg from 'pg'
import type { Locator, Page, Request } from 'playwright-core'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { openSignedIn, signOut } from '../support/sign-in.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

const PASSPHRASE = 'correct horse battery'
const PRESS_MS = 1_000
const GRAFANA = 'https://grafana.example/d/posthorn'
/** Views that the links of an instance do not lead to at once. */
const VIEWS = [
  'chats?chat=5511999990002%40s.whatsapp.net',
  'leads?view=board&chat=5511999990002%40s.whatsapp.net',
  'contacts',
  'agents?view=triggers',
  'campaigns/new',
  'opt-outs',
]

describe('the pages of administrators', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let shop: TestInstance
  let kiosk: TestInstance
  before(async () => {
    ;[world, browser] = await Promise.all([
      startWorld(cleanup, { DASHBOARD_GRAFANA_URL: GRAFANA }),
      startBrowser(cleanup),
    ])
    shop = await world.paired('5511999990001', 'Shop, north')
    kiosk = await world.paired('5511999990002', 'Shop, south')
  })

  it('takes an instance from the file that another installation exports', async (t) => {
    const elsewhere = await startWorld(t)
    const moved = await elsewhere.paired('5511999990007', 'Shop abroad')
    const there = await browser.session(t, elsewhere.gateway.url)
    await openSignedIn(there, elsewhere.gateway, `/instances/${moved.id}/settings`)
    await there.page.getByRole('button', { name: 'Export to another installation' }).click()
    const asked = there.page.getByRole('dialog')
    await asked.getByLabel('Passphrase of the file').fill(PASSPHRASE)
    const saved = there.page.waitForEvent('download')
    await asked.getByRole('button', { name: 'Export to another installation' }).click()
    const file = await (await saved).path()
    // Its gateway ends before its session does.
    await there.page.close()

    const here = await browser.session(t, world.gateway.url)
    const { page } = here
    here.expect(/status of (400|409)/)
    await openSignedIn(here, world.gateway, '/instances')
    await page.getByRole('button', { name: 'Import an instance' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import an instance' })
    await dialog.getByLabel('File of the export').setInputFiles(file)
    await dialog.getByLabel('Passphrase of the file').fill('another passphrase')
    await dialog.getByLabel('Connect it at once').uncheck()
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Passphrase of the file').fill(PASSPHRASE)
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await page.waitForURL(new RegExp(`/instances/${moved.id}$`))
    await page.getByText('Shop abroad').first().waitFor()
    const { status } = await world.gateway.call('GET', '/instance/status', { token: moved.token })
    assert.equal(status, 200)

    // It is here now.
    await page.goto(`${world.gateway.url}/dashboard/instances`)
    await page.getByRole('button', { name: 'Import an instance' }).click()
    await dialog.getByLabel('File of the export').setInputFiles(file)
    await dialog.getByLabel('Passphrase of the file').fill(PASSPHRASE)
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog
      .getByRole('alert')
      .getByText(/has the instance already|already/)
      .waitFor()
    await world.gateway.call('DELETE', '/instance', { token: moved.token })
  })

  it('changes all that match after a dry run, and names those that were left as they were', async (t) => {
    await world.instance('Shop, new')
    const { page } = await browser.session(t, world.gateway.url)
    await signIn(page, '/instances?search=shop%2C')
    await page.getByLabel('Select Shop, north').check()
    await page.getByRole('button', { name: 'Select all 3 that match' }).click()
    const toolbar = page.getByRole('toolbar')
    await toolbar.getByRole('button', { name: 'Tag' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tags to add').fill('street, city')
    await dialog.getByRole('button', { name: 'Count' }).click()
    await dialog.getByText('3 instances would be changed.').waitFor()
    await dialog.getByRole('button', { name: 'Tag' }).click()
    await dialog.getByText('Done. 3 of 3 changed').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    await page.goto(`${world.gateway.url}/dashboard/instances?tag=city&sort=%2Bname&columns=tags`)
    await page.getByRole('cell', { name: 'city, street' }).first().waitFor()
    await page.getByLabel('Select all that are loaded').check()
    await page.getByText('3 selected').waitFor()
    await toolbar.getByRole('button', { name: 'Reset' }).click()
    await dialog.getByText('3 instances would be changed.').waitFor()
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await dialog.getByText('Done. 2 of 3 changed').waitFor()
    await dialog.getByRole('link', { name: 'Shop, new' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    // A deletion wants its number typed, and says so when the selection has changed meanwhile.
    await page.getByLabel('Select Shop, new').check()
    await toolbar.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('1 instances would be changed.').waitFor()
    const confirm = dialog.getByRole('button', { name: 'Delete' })
    assert.equal(await confirm.getAttribute('aria-disabled'), 'true')
    await dialog.getByLabel(/type/i).fill('1')
    await confirm.click()
    await dialog.getByText('Done. 1 of 1 changed').waitFor()
    await Promise.all([shop, kiosk].map((one) => one.connected()))
  })

  it('shows since when a status holds, the sends that wait, the last hour of a node and Grafana, or a dash', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await kiosk.done('/send/text', { number: '5511999990001', text: 'Later', async: true, delay: 600_000 })
    await signIn(page, '/instances?search=shop%2C+south')
    const row = page.getByRole('row', { name: /Shop, south/ })
    await row.locator('[data-label="Waiting sends"]').getByText('1', { exact: true }).waitFor()
    await row.locator('[data-label="Since"] time').waitFor()
    await kiosk.call('DELETE', '/message/async')

    await page.goto(`${world.gateway.url}/dashboard/overview`)
    const hours = page.getByRole('region', { name: 'The last hour of each node' })
    for (const name of ['Waiting time of calls', 'Memory', 'Time to save', 'Not saved yet'])
      await hours.getByRole('img', { name: new RegExp(`^${name}, .*: now .*, at most .* in the last hour$`) }).waitFor()
    const link = page.getByRole('link', { name: 'Grafana' })
    assert.deepEqual(
      [await link.getAttribute('href'), await link.getAttribute('rel')],
      [GRAFANA, 'noopener noreferrer'],
    )

    // A node of the former release leaves the new fields out.
    await leaveOut(page, '**/instance/find', ({ instances }) => {
      for (const one of instances as Record<string, unknown>[]) {
        delete one.since
        delete one.waitingSends
      }
    })
    await leaveOut(page, '**/admin/figures', (figures) => {
      delete figures.nodes
      delete figures.grafanaUrl
    })
    await page.reload()
    await page.getByRole('heading', { name: 'Traffic' }).waitFor()
    assert.equal((await hours.count()) + (await link.count()), 0)
    await page.goto(`${world.gateway.url}/dashboard/instances?search=shop%2C+south`)
    for (const label of ['Since', 'Waiting sends'])
      await row.locator(`[data-label="${label}"]`).getByText('–', { exact: true }).waitFor()
  })

  it('leads from what needs a hand to the instances that have it, and to the newest message that was not sent', async (t) => {
    const fault = { kind: 'ack-error', phone: kiosk.number, recipient: shop.number, code: 479, times: 1 }
    await world.network('POST', '/faults', fault)
    await kiosk.call('POST', '/send/text', { number: shop.number, text: 'Not for you' })
    const [failed] = await eventually(
      () => kiosk.messages({ status: 'failed' }),
      ({ length }) => length === 1,
    )
    await kiosk.text(shop.number, 'For you')
    const { page, expect } = await browser.session(t, world.gateway.url)
    // There is none.
    expect(/status of 404 .*\/globalwebhook\)$/)
    await leaveOut(page, '**/admin/figures', (figures) => {
      Object.assign(figures.webhooks as object, { deadLetters: 5, waiting: 2, oldestWaitingSeconds: 120 })
      Object.assign((figures.minutes as object[]).at(-1) as object, { failed: 1 })
      const none = { deadLetters: 0, waiting: 0, failedSends: 0 }
      figures.troubled = [
        { id: kiosk.id, name: 'Kiosk <b>', ...none, deadLetters: 3, failedSends: 1 },
        { id: null, name: null, ...none, deadLetters: 2, waiting: 2 },
      ]
    })
    await signIn(page, '/overview')
    const needs = page.getByRole('region', { name: 'Needs your attention' })
    await needs.getByText('5 events were given up: their webhooks never took them.').waitFor()
    await needs.getByRole('link', { name: 'the webhook of all instances: 2' }).first().click()
    await page.getByRole('heading', { name: 'Webhook of all instances', level: 1 }).waitFor()
    await page.goBack()
    await needs.getByRole('link', { name: 'Kiosk <b>: 3' }).click()
    await page.waitForURL(new RegExp(`/instances/${kiosk.id}/webhooks\\?view=dead$`))
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await page.goBack()
    await needs.getByRole('link', { name: 'Kiosk <b>: 1' }).click()
    await page.waitForURL((url) => url.searchParams.get('message') === failed?.id)
    await page.getByRole('log').locator('article', { hasText: 'Not for you' }).waitFor()
  })

  it('changes settings, makes and explains a key, and shows a new token once', async (t) => {
    const { page, expect } = await browser.session(t, world.gateway.url)
    await signInToInstance(page, kiosk.token)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Name of the instance').fill('Kiosk <b>')
    await page.getByRole('region', { name: 'Name', exact: true }).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').first().waitFor()
    await page.getByText('Kiosk <b>', { exact: true }).first().waitFor()
    await page.getByLabel('Field 1', { exact: true }).fill('City')
    await page.getByRole('region', { name: 'Names of lead fields' }).getByRole('button', { name: 'Save' }).click()
    await eventually(
      () => kiosk.status(),
      ({ instance }) => (instance.fieldsMap as Record<string, string>).lead_field01 === 'City',
    )

    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('reads')
    await page.getByRole('button', { name: 'Create the key' }).click()
    const dialog = page.getByRole('dialog')
    const key = await dialog.locator('pre').innerText()
    assert.equal((await world.gateway.call('GET', '/instance/keys', { token: key })).status, 403)
    assert.equal((await world.gateway.call('GET', '/instance/health', { token: key })).status, 200)
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('button', { name: 'What can “reads” do?' }).click()
    await dialog.getByText('findMessages').waitFor()
    assert.equal(await dialog.getByText('sendText', { exact: true }).count(), 0)
    await page.keyboard.press('Escape')

    // The dashboard as the key sees it, in a tab of its own, whose sign-out leaves this one signed in.
    expect(/status of 401/)
    await page.getByRole('button', { name: 'Look as “reads”' }).click()
    await dialog.getByRole('button', { name: 'Make a link' }).click()
    const opening = page.context().waitForEvent('page')
    await dialog.getByRole('link').click()
    const looking = await opening
    await looking.getByText('This key may only read.').waitFor()
    await signOut(looking)
    await looking.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByRole('button', { name: 'Delete the key “👁 reads”' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete the key “👁 reads”' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete the key “reads”' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no key yet.').waitFor()
    assert.equal((await world.gateway.call('GET', '/instance/health', { token: key })).status, 401)

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Make another token' }).click()
    await dialog.getByLabel('The former token ends').selectOption('at once')
    await dialog.getByRole('button', { name: 'Make another token' }).click()
    await page.getByText('It is shown only now.').waitFor()
    const token = await dialog.locator('pre').innerText()
    assert.equal((await world.gateway.call('GET', '/instance/status', { token })).status, 200)
    assert.equal((await world.gateway.call('GET', '/instance/status', { token: kiosk.token })).status, 401)
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    // The tab that made the token stays signed in.
    await page.getByRole('link', { name: 'Connection' }).click()
    await page.getByRole('heading', { name: 'Health' }).waitFor()
    // A relative time gives way to the exact one while it has the focus.
    const time = page.getByRole('main').locator('time').first()
    await time.focus()
    await eventually(async () => (await time.innerText()) === (await time.getAttribute('title')))
  })

  it('asks for another sign-in when a pass ends by itself, and returns to the same view', async (t) => {
    const { page, expect } = await browser.session(t, world.gateway.url)
    expect(/status of 401/)
    await signIn(page, '/instances?search=shop%2C&sort=%2Bname&columns=tags')
    await page.getByRole('rowheader', { name: 'Shop, north' }).waitFor()
    await endPasses(world.gateway.databaseUrl)
    await page.getByRole('searchbox').fill('north')
    await returnByToken(page)
    await page.waitForURL(/\/dashboard\/instances\?(?=.*search=north)(?=.*sort=%2Bname)(?=.*columns=tags)/)
    await page.getByRole('rowheader', { name: 'Shop, north' }).waitFor()
    await eventually(async () => (await page.getByRole('rowheader').count()) === 1)

    // A change says so too, rather than only that it failed.
    await page.goto(`${world.gateway.url}/dashboard/instances/${kiosk.id}/settings`)
    await page.getByLabel('Name of the instance').fill('Not kept')
    await endPasses(world.gateway.databaseUrl)
    const save = page.getByRole('region', { name: 'Name', exact: true }).getByRole('button', { name: 'Save' })
    // The stream may notice the end first; then the button goes.
    const clicked = save.click().catch(() => {})
    await Promise.race([clicked, page.getByText('Your sign-in has ended.').waitFor()])
    await returnByToken(page)
    await page.waitForURL(new RegExp(`/dashboard/instances/${kiosk.id}/settings$`))
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  })

  it('shows a key no button that would fail, whatever its scopes', async (t) => {
    const folder = await fillPages()
    const views = [...VIEWS, `campaigns/${folder}`]
    const rights = [
      { scopes: ['read'] },
      { scopes: ['send'] },
      { scopes: ['read', 'send'], chat: '5511999990002' },
      { scopes: ['read', 'send', 'change'] },
    ]
    for (const [index, right] of rights.entries()) {
      const { token } = await shop.done<{ token: string }>('/instance/keys', { name: `key ${index}`, ...right })
      const { page, expect } = await browser.session(t, world.gateway.url)
      // A form that is not filled in, and a record that another button has deleted.
      expect(/status of (40[0149]|422|429|50\d)/)
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() === 403)
          refused.push(`${JSON.stringify(right)}: ${response.request().method()} ${response.url()}`)
      })
      const settled = watchCalls(page)
      await signInToInstance(page, token)
      // A key with every scope differs from the first by the pages on which one sends.
      let pressed = right.scopes.length === 3 ? 0 : await pressEveryButton(page, settled)
      assert.deepEqual(refused, [])
      const isForAll = right.scopes.includes('read') && right.chat === undefined
      // A key that may not read a page gets a message, also at its address.
      for (const view of isForAll ? [...views, 'scheduled'] : ['leads']) {
        await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/${view}`)
        pressed += await pressButtonsOfPage(page, settled)
        assert.deepEqual(refused, [], view)
      }
      t.diagnostic(`${JSON.stringify(right)}: ${pressed} buttons pressed`)
      await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/settings`)
      await page.getByText('Only the token of the instance may see and change its settings.').waitFor()
      assert.deepEqual(refused, [])
    }
  })

  it('goes to a page, to an instance and to an action by the palette', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await signIn(page, '/overview')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Page, instance or action' }).fill('north')
    await page.getByRole('option', { name: 'Shop, north' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Connection', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Page, instance or action' }).fill('keys')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  })

  async function signIn(page: Page, path: string): Promise<void> {
    await page.goto(`${world.gateway.url}/dashboard${path}`)
    await page.getByLabel('Token', { exact: true }).fill(world.gateway.adminToken)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Your menu/ }).waitFor()
  }

  async function returnByToken(page: Page): Promise<void> {
    await page.getByText('Your sign-in has ended.').waitFor()
    await page.getByLabel('Token', { exact: true }).fill(world.gateway.adminToken)
    await page.keyboard.press('Enter')
  }

  async function signInToInstance(page: Page, token: string): Promise<void> {
    await page.goto(`${world.gateway.url}/dashboard/`)
    await page.getByLabel('the token or a key of an instance').check()
    await page.getByLabel('Token', { exact: true }).fill(token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Connection' }).waitFor()
  }

  /** Presses each button of each page that the links of the instance lead to, and closes what opens. */
  async function pressEveryButton(page: Page, settled: () => Promise<unknown>): Promise<number> {
    let pressed = 0
    const links = await page.getByRole('navigation', { name: 'Pages of the instance' }).getByRole('link').all()
    for (const link of links) {
      await link.click()
      pressed += await pressButtonsOfPage(page, settled)
    }
    return pressed
  }

  /** Fills each page with something that has buttons. Returns the id of a campaign. */
  async function fillPages(): Promise<string> {
    const made = async (path: string, given: Record<string, unknown>) => {
      const { status, body } = await shop.call('POST', path, given)
      assert.ok(status < 300, `${path}: ${JSON.stringify(body)}`)
      return body
    }
    const person = '5511999990002'
    await shop.text(person, 'From the shop')
    await world.write(person, '5511999990001', 'To the shop')
    await shop.chat(person)
    await made('/group/create', { name: 'Buyers', participants: [person] })
    await made('/label/edit', { name: 'VIP', color: 1 })
    await made('/quickreply/edit', { shortCut: 'hi', type: 'text', text: 'Hello' })
    await made('/knowledge/edit', { knowledge: { tittle: 'Hours', content: 'From nine to six' } })
    await made('/function/edit', {
      function: { name: 'look', description: 'Looks', method: 'GET', endpoint: 'https://api.example/' },
    })
    const agent = { name: 'Bot', provider: 'openai', model: 'm', apikey: 'sk-0123456789abcdef' }
    const bot = (await made('/agent/edit', { agent })) as { id: string }
    await made('/trigger/edit', { trigger: { type: 'agent', agent_id: bot.id, wordsToStart: 'never' } })
    await made('/sender/suppression/add', { numbers: ['5511999990009'], reason: 'asked' })
    const later = Date.now() + 3_600_000
    await made('/send/text', { number: person, text: 'Later', send_at: later })
    const campaign = { numbers: [person], type: 'text', text: 'Offer', scheduled_for: 60, folder: 'Offer' }
    return String((await made('/sender/simple', campaign)).folder_id)
  }
})

/** Presses each button of the page, each entry of a menu and each button of a dialog that opens. */
async function pressButtonsOfPage(page: Page, settled: () => Promise<unknown>): Promise<number> {
  await loadDialogs(page)
  await settled()
  const buttons = page.getByRole('main').getByRole('button')
  const menu = page.getByRole('menuitem')
  let pressed = 0
  for (let place = 0; place < (await buttons.count()); place += 1) {
    const opensMenu = (await buttons.nth(place).getAttribute('aria-haspopup')) === 'menu'
    if (await isPressed(buttons.nth(place))) {
      pressed += 1
      if (opensMenu) await page.getByRole('menu').waitFor()
    }
    for (let entry = 0; entry < (await menu.count()); entry += 1) {
      if (await isPressed(menu.nth(entry))) pressed += 1
      pressed += await pressInDialog(page)
      await page.keyboard.press('Escape')
      // The menu closes with its entry.
      if ((await menu.count()) === 0) await isPressed(buttons.nth(place))
    }
    pressed += await pressInDialog(page)
    await page.keyboard.press('Escape')
  }
  await settled()
  return pressed
}

/** Opens a dialog and closes it: the code of dialogs loads after a page. From then on they open at once. */
async function loadDialogs(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Go to…', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Time in which a button that was counted can be read, if it is still there. */
const SHOWN_MS = 1_000

async function pressInDialog(page: Page): Promise<number> {
  const buttons = page.getByRole('dialog').getByRole('button')
  let pressed = 0
  for (let place = 0; place < (await buttons.count()); place += 1) {
    const text = await buttons
      .nth(place)
      .innerText({ timeout: SHOWN_MS })
      .catch(async (error: unknown) => {
        // A button that was pressed may remove others.
        if (place < (await buttons.count())) throw error
        return undefined
      })
    // The cross closes what the others are in.
    if (text === undefined || text === '✕') continue
    if (await isPressed(buttons.nth(place))) pressed += 1
  }
  return pressed
}

/** A button that has gone meanwhile, or lies below something that has opened, cannot be pressed by anyone. */
async function isPressed(button: Locator): Promise<boolean> {
  try {
    // The two looks save the time that a click waits.
    if (!(await button.isVisible()) || !(await button.isEnabled({ timeout: PRESS_MS }))) return false
    await button.click({ timeout: PRESS_MS })
    return true
  } catch {
    return false
  }
}

/** Returns a function that waits until no call but streams is under way. */
function watchCalls(page: Page): () => Promise<unknown> {
  const running = new Set<Request>()
  page.on('request', (request) => {
    if (!request.url().includes('/sse?')) running.add(request)
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => void running.delete(request))
  return () =>
    eventually(
      async () => (await page.getByText('Loading…').count()) + running.size,
      (left) => left === 0,
    )
}

/** Changes the answers of one operation. */
async function leaveOut(page: Page, url: string, change: (body: Record<string, unknown>) => void): Promise<void> {
  await page.route(url, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as Record<string, unknown>
    change(body)
    await route.fulfill({ response, json: body })
  })
}

/** Ends every pass as time does. */
async function endPasses(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query("UPDATE pass SET idle_ends = clock_timestamp() - interval '1 second'")
  } finally {
    await client.end()
  }
}
