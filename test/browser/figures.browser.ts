/** Pictures of figures, and the page of the API: read by the pointer and by keys, as a table, and tried. */
import assert from 'node:assert/strict'
import { before, describe, it, type TestContext } from 'node:test'
import { findingsInBothThemes } from '../support/axe.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { openSignedIn } from '../support/sign-in.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

const ANA = '5511999990002'
const NOBODY = '5511987650002'

describe('pictures of figures', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let shop: TestInstance
  before(async () => {
    ;[world, browser] = await Promise.all([startWorld(cleanup), startBrowser(cleanup)])
    shop = await world.paired('5511999990001', 'Shop')
    await world.phone(ANA, 'Ana')
  })

  it('show the traffic of the last hour to the pointer, to the arrow keys and as a table', async (t) => {
    for (const text of ['one', 'two', 'three']) await world.write(ANA, '5511999990001', text)
    await eventually(async () => (await shop.messages({ text: 'three' })).length > 0)
    const session = await browser.session(t, world.gateway.url)
    const { page } = session
    await openSignedIn(session, world.gateway, '/overview')
    const traffic = page.getByRole('region', { name: 'Traffic' })
    const chart = traffic.getByRole('slider', { name: /^Messages/ })
    await chart.focus()
    const valueAt = async (key: string) => {
      await page.keyboard.press(key)
      return String(await chart.getAttribute('aria-valuetext'))
    }
    await eventually(
      () => valueAt('Home'),
      (value) => value.endsWith('Received 0, Sent 0, Not sent 0'),
    )
    // They came in the present minute, or in one before it.
    const isRead = async (key: string) => /Received [1-9]/.test(await valueAt(key))
    await eventually(async () => (await isRead('End')) || (await isRead('ArrowLeft')) || (await isRead('ArrowLeft')))
    await traffic.getByText('Messages as a table').click()
    const table = traffic.getByRole('table', { name: 'Messages as a table' })
    // The row of the heads, and at least one minute.
    await table.getByRole('row').nth(1).waitFor()
    await traffic.getByRole('button', { name: 'Week' }).click()
    await traffic.getByText('No webhook took an event in this time.').waitFor()
  })

  it('show accounts by state over time, and what each receiver took hour by hour', async (t) => {
    const session = await browser.session(t, world.gateway.url)
    const { page } = session
    const now = Date.now()
    const accounts = [
      { at: new Date(now - 30 * 3_600_000).toISOString(), connected: 2, connecting: 0, disconnected: 1 },
      { at: new Date(now - 3_600_000).toISOString(), connected: 1, connecting: 0, disconnected: 2 },
    ]
    await page.route('**/admin/figures/traffic*', async (route) => {
      const told = (await (await route.fetch()).json()) as object
      await route.fulfill({ json: { ...told, accounts } })
    })
    await openSignedIn(session, world.gateway, '/overview')
    const chart = page.getByRole('slider', { name: /^Over time/ })
    await chart.focus()
    const valueAt = async (key: string) => {
      await page.keyboard.press(key)
      return String(await chart.getAttribute('aria-valuetext'))
    }
    await eventually(
      () => valueAt('Home'),
      (value) => /connected 2.*disconnected 1$/i.test(value),
    )
    await eventually(
      () => valueAt('End'),
      (value) => /connected 1.*disconnected 2$/i.test(value),
    )

    const hook = { action: 'add', url: 'https://receiver.example', events: ['messages'], enabled: false }
    const [added] = (await shop.call<{ id: string }[]>('POST', '/webhook', hook)).body
    t.after(() => shop.unhook())
    const rows = [
      {
        at: new Date(Math.floor(now / 3_600_000) * 3_600_000).toISOString(),
        delivered: 90,
        failed: 10,
        averageSeconds: 0.2,
        slowestSeconds: 3,
      },
    ]
    await page.route('**/webhook/figures*', async (route) => {
      const told = (await (await route.fetch()).json()) as { webhooks: { rows: unknown[] }[] }
      assert.deepEqual(
        told.webhooks.map((one) => one.rows),
        [[]],
      )
      await route.fulfill({ json: { ...told, webhooks: [{ webhook_id: added?.id, rows }] } })
    })
    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/webhooks`)
    await page.getByText('Hour by hour').click()
    await page.getByText('90 events taken, 10 attempts failed.').waitFor()
    await page.getByRole('slider', { name: /^How long the receiver took/ }).waitFor()
    await page.getByRole('button', { name: 'Week' }).click()
    await page.getByText('90 events taken, 10 attempts failed.').waitFor()
    assert.deepEqual(await findingsInBothThemes(page, 'webhooks'), [])
  })

  it('give reasons of a proxy and of a stopped agent in the language of the reader, and names in place of ids', async (t) => {
    const scheduled = { number: ANA, text: 'See you', send_at: new Date(Date.now() + 3_600_000).toISOString() }
    assert.equal((await shop.call('POST', '/send/text', scheduled)).status, 200)
    const { page } = await openInPortuguese(t, `/instances/${shop.id}/scheduled`)
    await page.getByRole('cell', { name: 'Ana', exact: true }).waitFor()
    assert.equal(await page.getByText(`${ANA}@`).count(), 0)

    const why = '10.0.0.9:3128: the proxy refuses the user or the password (407)'
    await page.route('**/instance/proxy', async (route) => {
      const told = (await (await route.fetch()).json()) as object
      await route.fulfill({ json: { ...told, fallback: { active: true, reason: why, code: 'auth', since: 1 } } })
    })
    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/settings`)
    const proxy = page.getByText('O proxy recusa o usuário ou a senha.')
    await proxy.waitFor()
    const original = page.getByText(why)
    assert.equal(await original.isVisible(), false)
    await proxy.locator('..').getByText('Detalhes').click()
    await original.waitFor()

    const reason = 'The provider said: invalid x-api-key'
    const agent = { agent: { name: 'Helper', provider: 'openai', model: 'm', apikey: 'sk-1' } }
    await page.route('**/agent/list', async (route) => {
      const told = (await (await route.fetch()).json()) as object[]
      const blocked = { blockedReason: reason, blockedCode: 'provider_key' }
      await route.fulfill({ json: told.map((one) => ({ ...one, ...blocked })) })
    })
    assert.ok((await shop.call('POST', '/agent/edit', agent)).status < 300)
    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/agents`)
    await page.getByText('O provedor não aceita a chave.').waitFor()
    assert.equal(await page.getByText(reason).isVisible(), false)
    await page
      .getByRole('row', { name: /Helper/ })
      .getByText('Detalhes')
      .click()
    await page.getByText(reason).waitFor()
  })

  it('give reasons of deliveries and of knowledge in the language of the reader, with the English text behind details', async (t) => {
    const receiver = await startReceiver(t)
    receiver.answer(500)
    await shop.hook(receiver.url)
    const away = await startReceiver(t)
    await away.leave()
    await shop.hook(away.url, { action: 'add' })
    await world.write(ANA, '5511999990001', 'who hears it?')
    const { page } = await openInPortuguese(t, `/instances/${shop.id}/webhooks?view=deliveries`)
    await eventually(
      () => shop.call<{ deliveries: { code: string }[] }>('GET', '/webhook/deliveries?state=failed'),
      ({ body }) => ['connect', 'status'].every((code) => body.deliveries.some((one) => one.code === code)),
    )
    await page.reload()
    const english = page.getByText('ECONNREFUSED')
    for (const sentence of ['O destino respondeu com o status 500.', 'O destino não aceita conexões.'])
      await page.getByText(sentence).first().waitFor()
    assert.equal(await english.first().isVisible(), false)
    await page
      .getByRole('row', { name: /não aceita conexões/ })
      .first()
      .getByText('Detalhes')
      .click()
    await english.first().waitFor()
    await page
      .getByRole('row', { name: /status 500/ })
      .first()
      .getByRole('button', { name: 'Abrir' })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('O destino respondeu com o status 500.').first().waitFor()
    assert.equal(await dialog.getByText('The receiver answered 500.').first().isVisible(), false)

    const refusal = 'The URL could not be fetched: It answered 404.'
    assert.ok(
      (await shop.call('POST', '/knowledge/edit', { knowledge: { tittle: 'Hours', content: 'Nine to five.' } }))
        .status < 300,
    )
    await page.route('**/knowledge/list', async (route) => {
      const told = (await (await route.fetch()).json()) as object[]
      const failed = { vectorStatus: 'error', vectorError: refusal, vectorCode: 'url' }
      await route.fulfill({ json: told.map((one) => ({ ...one, ...failed })) })
    })
    const noVectors = 'model "text-embedding-3-small" not found'
    await page.route('**/agent/list', async (route) => {
      const told = (await (await route.fetch()).json()) as object[]
      const without = { blockedReason: '', embeddingError: noVectors, embeddingCode: 'provider_refused' }
      await route.fulfill({ json: told.map((one) => ({ ...one, ...without })) })
    })
    const agent = { agent: { name: 'Local', provider: 'custom', model: 'm', baseUrl: 'http://127.0.0.1:9/v1' } }
    assert.ok((await shop.call('POST', '/agent/edit', agent)).status < 300)
    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/agents`)
    const row = page.getByRole('row', { name: /Local/ })
    await row.getByText('O provedor não gera vetores para isto.').waitFor()
    assert.equal(await row.getByText(noVectors).isVisible(), false)
    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/knowledge`)
    await page.getByText('Não foi possível buscar o endereço.').waitFor()
    assert.equal(await page.getByText(refusal).isVisible(), false)
    await shop.unhook()
  })

  async function openInPortuguese(t: TestContext, path: string) {
    const session = await browser.session(t, world.gateway.url)
    await openSignedIn(session, world.gateway, '/overview')
    await session.page.evaluate(`localStorage.setItem('posthorn.language', 'pt-BR')`)
    await session.page.goto(`${world.gateway.url}/dashboard${path}`)
    return session
  }

  it('keep the minute that one reads, and the open table, when the figures are renewed', async (t) => {
    const session = await browser.session(t, world.gateway.url)
    const { page } = session
    // Each answer is a minute later than the one before it, as if that much time had passed.
    let answers = 0
    await page.route('**/admin/figures', async (route) => {
      const figures = await (await route.fetch()).json()
      const laterMs = 60_000 * answers++
      for (const minute of figures.minutes) minute.at = new Date(Date.parse(minute.at) + laterMs).toISOString()
      await route.fulfill({ json: figures })
    })
    await openSignedIn(session, world.gateway, '/overview')
    const traffic = page.getByRole('region', { name: 'Traffic' })
    const chart = traffic.getByRole('slider', { name: /^Messages/ })
    await traffic.getByText('Messages as a table').click()
    await chart.focus()
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key)
    const read = async () => String(await chart.getAttribute('aria-valuetext')).replace(/, Received .*/, '')
    const [before, place] = [await read(), await chart.getAttribute('aria-valuenow')]
    assert.notEqual(before, '')
    // The page reads figures of more than five seconds ago when one comes back to its tab.
    await eventually(async () => {
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
      return (await chart.getAttribute('aria-valuenow')) !== place || (await read()) !== before
    })
    assert.equal(await read(), before)
    await traffic.getByRole('table', { name: 'Messages as a table' }).waitFor()
  })

  it('show a campaign as a funnel and a curve, with sentences for its failures', async (t) => {
    const campaign = { numbers: [ANA, NOBODY], type: 'text', text: 'Offer', folder: 'Offers', delayMin: 0, delayMax: 0 }
    const { folder_id: id } = (await shop.call<{ folder_id: string }>('POST', '/sender/simple', campaign)).body
    await eventually(
      async () => (await shop.call<{ status: string }>('GET', `/sender/folder?id=${id}`)).body.status,
      (status) => status === 'done',
    )
    const session = await browser.session(t, world.gateway.url)
    const { page } = session
    await openSignedIn(session, world.gateway, `/instances/${shop.id}/campaigns/${id}`)
    const funnel = page.getByRole('list', { name: 'From the list to an answer' })
    await funnel.getByRole('listitem').filter({ hasText: 'Sent' }).getByText('50%').waitFor()
    await page.getByRole('slider', { name: /^Over time/ }).waitFor()
    const reasons = page.getByRole('list', { name: 'Why some got nothing yet' })
    await reasons.getByText('The number is not on WhatsApp.').waitFor()
    await reasons.getByText('1 failed').waitFor()
    await page.getByRole('button', { name: 'failed (1)' }).click()
    await page.getByRole('cell', { name: /The number is not on WhatsApp\./ }).waitFor()
    assert.equal(await page.getByText('not_on_network').count(), 0)
  })

  it('try an operation, give its code, and list who called', async (t) => {
    const session = await browser.session(t, world.gateway.url)
    session.expect(/status of 400/)
    const { page } = session
    await openSignedIn(session, world.gateway, `/instances/${shop.id}/api`)
    await page.getByLabel('Find an operation').fill('send a text')
    await page.getByRole('button', { name: /Send a text POST/ }).click()
    const trial = page.getByRole('region', { name: 'Send a text' })
    await trial.getByLabel('number', { exact: true }).fill(ANA)
    await trial.getByLabel('text', { exact: true }).fill("It's here")
    for (const [form, code] of [
      ['Python', 'urllib.request'],
      ['PHP', 'curl_init'],
      ['n8n', 'n8n-nodes-base.httpRequest'],
    ] as const) {
      await trial.getByRole('button', { name: form }).click()
      await trial.getByText(code).waitFor()
    }
    await trial.getByRole('button', { name: 'Run' }).click()
    await trial.getByRole('status').getByText('200').waitFor()
    const arrived = await world.network<{ text: string }[]>('GET', `/phones/${ANA}/messages?own=false`)
    assert.ok(arrived.some(({ text }) => text === "It's here"))

    const refused = await shop.call('POST', '/send/text', { number: ANA })
    assert.equal(refused.status, 400)
    await page.getByRole('button', { name: 'Calls' }).click()
    const row = page.getByRole('row').filter({ hasText: 'sendText' })
    await row.filter({ hasText: '400 INVALID_REQUEST' }).getByText('token of the account').waitFor()
    await row.filter({ hasText: '200' }).filter({ hasText: 'dashboard' }).first().waitFor()
    assert.equal(await page.getByRole('row').filter({ hasText: 'listRequests' }).count(), 0)
    await page.getByLabel('Only failed calls').check()
    await eventually(async () => (await row.filter({ hasText: '200' }).count()) === 0)
  })
})
