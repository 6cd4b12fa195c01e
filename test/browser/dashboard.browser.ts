/** Journeys through the dashboard: a real browser, a real gateway process with its policy, and phones of the sandbox. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { toDataURL } from 'qrcode'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { openSignedIn } from '../support/sign-in.js'
import { startWorld, type World } from '../support/world.js'

/** Chromium writes each answer from 400 on to the console. */
const REFUSED = /status of 401/
/** A person who works shows it after this time, and the pass lives on. */
const LATER_MS = 6 * 60_000
const SHOP = '5511999990001'
const CODED = '5511999990003'
const GUEST = '5511999990004'
/** The person to whom the pages write. */
const REGULAR = '5511999990002'
/** Text of a stranger, which must stay text. */
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script> \u202egnp.exe'

interface Arrived {
  readonly text: string
}

describe('the dashboard', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  before(async () => {
    ;[world, browser] = await Promise.all([startWorld(cleanup), startBrowser(cleanup)])
    for (const [number, name] of [
      [SHOP, 'Shop'],
      [CODED, 'Second'],
      [GUEST, 'Guest'],
      [REGULAR, 'Ana'],
    ] as const)
      await world.phone(number, name)
  })

  it('signs in by a link, creates an instance, pairs it by QR, sends a first message and shows the answer', async (t) => {
    const { page, expect } = await browser.session(t, world.gateway.url)
    const { code } = (await world.gateway.call<{ code: string }>('POST', '/pass/code', { admin: true, body: {} })).body
    await page.goto(`${world.gateway.url}/dashboard/#welcome=${code}`)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.doesNotMatch(page.url(), new RegExp(code))

    await page.getByRole('link', { name: 'New instance' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Shop, support')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: '“Shop, support” is created' }).waitFor()
    await page.getByLabel('I have stored the token').check()
    await page.getByRole('button', { name: 'Pair a phone' }).click()

    await page.getByRole('button', { name: 'Show the QR code' }).click()
    const picture = page.getByAltText('QR code for the phone')
    await picture.waitFor()
    await page.getByText(/New code in \d+ seconds?/).waitFor()
    await pairByQr(page)
    await page.getByText(`Connected as Shop, +${SHOP}`).waitFor()
    // The next step is ready to be edited.
    await eventually(() =>
      page.getByLabel('Text', { exact: true }).evaluate((text) => text === text.ownerDocument.activeElement),
    )

    await page.getByLabel('To', { exact: true }).fill(REGULAR)
    await page.getByLabel('Text', { exact: true }).fill("It's here")
    await page.getByText(`"text":"It'\\''s here"`).waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await arrivedAt(REGULAR, "It's here")
    const log = page.getByRole('log')
    await log.getByText("It's here").waitFor()
    await world.write(REGULAR, SHOP, HOSTILE)
    await log.getByText('<img src=x').waitFor()
    assert.match(await log.innerText(), /\[U\+202E\]gnp\.exe/)
    assert.equal(await page.title(), 'Posthorn')
    assert.equal(await page.locator('img[src="x"]').count(), 0)

    // A used link signs nobody in.
    expect(REFUSED)
    const other = await browser.session(t, world.gateway.url)
    other.expect(REFUSED)
    await other.page.goto(`${world.gateway.url}/dashboard/#welcome=${code}`)
    await other.page.getByText('The link has been used already').waitFor()
  })

  it('signs in with a typed token, pairs by code, and forgets everything at the sign-out', async (t) => {
    const made = await world.instance('Second')
    const { page, expect } = await browser.session(t, world.gateway.url)
    expect(REFUSED)
    await page.goto(`${world.gateway.url}/dashboard/`)
    await page.getByLabel('Language').selectOption('pt-BR')
    await page.getByLabel('o token ou uma chave de uma instância').check()
    await page.getByLabel('Token', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Entrar' }).click()
    await page.getByText('O gateway não conhece este token').waitFor()
    await page.getByLabel('Token', { exact: true }).fill(made.token)
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Número do telefone' }).click()
    await page.getByLabel('Número do telefone, com código do país').fill(CODED)
    await page.keyboard.press('Enter')
    const spelled = page.getByText(/^Código: (\w ){7}\w$/)
    await spelled.waitFor({ state: 'attached' })
    const code = ((await spelled.textContent()) ?? '').replace('Código:', '').replaceAll(' ', '')
    await world.network('POST', `/phones/${CODED}/code`, { code })
    await page.getByText(`Conectada como Second, +${CODED}`).waitFor()
    const stored = await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')
    assert.doesNotMatch(String(stored), new RegExp(made.token))

    await page.getByRole('button', { name: /^Seu menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sair' }).click()
    await page.getByRole('heading', { name: 'Entrar' }).waitFor()
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
    await page.goto(`${world.gateway.url}/dashboard/instances/${made.id}`)
    await page.getByRole('heading', { name: 'Entrar' }).waitFor()
  })

  it('gives a link with which somebody else pairs, and sees nothing else', async (t) => {
    const made = await world.instance('For a guest')
    const owner = await browser.session(t, world.gateway.url)
    await owner.page.goto(`${world.gateway.url}/dashboard/instances/${made.id}`)
    await owner.page.getByLabel('Token', { exact: true }).fill(world.gateway.adminToken)
    await owner.page.keyboard.press('Enter')
    await owner.page.getByRole('button', { name: 'Link to pair' }).click()
    const link = await owner.page.getByText('/dashboard/#pair=').innerText()

    const { page } = await browser.session(t, world.gateway.url)
    await page.goto(link)
    await page.getByLabel('Language').selectOption('pt-BR')
    await page.getByRole('heading', { name: 'Conecte um telefone a “For a guest”' }).waitFor()
    assert.doesNotMatch(page.url(), /pair=/)
    assert.equal(await page.getByRole('link').count(), 0, 'no way into the console')
    await page.getByRole('button', { name: 'Mostrar o código QR' }).click()
    const alt = 'Código QR para o telefone'
    // A reload before the answer could take back the call.
    await page.getByAltText(alt).waitFor()
    await page.reload()
    await page.getByAltText(alt).waitFor()
    await pairByQr(page, 'For a guest', GUEST, alt)
    await page.getByText(`Conectada como Guest, +${GUEST}`).waitFor()
    await page.getByText('Você pode fechar esta página.').waitFor()
    await owner.page.getByText(`Connected as Guest, +${GUEST}`).waitFor()

    const late = await browser.session(t, world.gateway.url)
    late.expect(REFUSED)
    await late.page.goto(link)
    await late.page.getByText('This link was used already').waitFor()
  })

  it('lists, filters and follows instances, keeps the view in the address, and shows nothing to a key that it may not do', async (t) => {
    const made = await world.instance('Warehouse')
    const { page, expect } = await browser.session(t, world.gateway.url)
    await page.goto(`${world.gateway.url}/dashboard/instances?search=ware`)
    await page.getByLabel('Token', { exact: true }).fill(world.gateway.adminToken)
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: 'Warehouse' }).waitFor()
    assert.equal(await page.getByRole('rowheader').count(), 1)
    await page.getByRole('button', { name: /^Disconnected 1/ }).click()
    await page.waitForURL(/status=disconnected/)
    const opened = page.waitForResponse(/\/sse\?/)
    await page.reload()
    await page.getByRole('rowheader', { name: 'Warehouse' }).waitFor()
    await opened
    const searches: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/instance/find')) searches.push(request.url())
    })
    await made.done('/instance/connect', {})
    await page.getByText('No instance fits.').waitFor()
    await page.getByRole('button', { name: /^Disconnected 0/ }).waitFor()
    assert.deepEqual(searches, [], 'the event itself changes the list and the counts')

    // A record that cannot be drawn takes its row, and not the page.
    expect(/replaceAll|is not a function/)
    await page.route('**/instance/find', async (route) => {
      const response = await route.fetch()
      const found = (await response.json()) as { instances: { instance: { name: unknown } }[] }
      for (const { instance } of found.instances) if (instance.name === 'Warehouse') instance.name = 7
      await route.fulfill({ response, json: found })
    })
    await page.goto(`${world.gateway.url}/dashboard/instances`)
    await page.getByText('This record cannot be shown.').waitFor()
    await page.getByRole('rowheader', { name: 'Shop, support' }).waitFor()
    await page.unroute('**/instance/find')

    const key = await made.done<{ token: string }>('/instance/keys', { name: 'reads', scopes: ['read'] })
    const reader = await browser.session(t, world.gateway.url)
    await reader.page.goto(`${world.gateway.url}/dashboard/`)
    await reader.page.getByLabel('the token or a key of an instance').check()
    await reader.page.getByLabel('Token', { exact: true }).fill(key.token)
    await reader.page.keyboard.press('Enter')
    await reader.page.getByText('This key may only read.').waitFor()
    const buttons = await reader.page.getByRole('main').getByRole('button').allInnerTexts()
    assert.deepEqual(buttons, [])
  })

  it('gives a webhook headers, keeps them through an edit that does not show them, and names a wrong one', async (t) => {
    const shop = await world.instance('Headers')
    const receiver = await startReceiver(t)
    const { page, expect } = await browser.session(t, world.gateway.url)
    expect(/status of 400/)
    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/webhooks`)
    await page.getByLabel('the token or a key of an instance').check()
    await page.getByLabel('Token', { exact: true }).fill(shop.token)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'New webhook' }).click()
    const form = page.getByRole('dialog')
    const headers = form.getByLabel('Headers', { exact: true })
    await form.getByLabel('Address', { exact: true }).fill(receiver.url)
    await headers.fill('Host: elsewhere.example')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').waitFor()
    assert.deepEqual((await shop.call<unknown[]>('GET', '/webhook')).body, [])
    await headers.fill('Authorization: Bearer key:of-the-shop\n\n x-shop : 7 ')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Secret of the webhook' }).waitFor()
    await page.keyboard.press('Escape')
    const delivered = async () => {
      const before = receiver.attempts
      await page.getByRole('button', { name: 'Send a test' }).click()
      await eventually(() => receiver.attempts > before)
      const { authorization, 'x-shop': own } = receiver.got.at(-1)?.headers ?? {}
      return [authorization, own]
    }
    assert.deepEqual(await delivered(), ['Bearer key:of-the-shop', '7'])

    await page.getByRole('button', { name: 'Edit' }).click()
    const shown = await headers.inputValue()
    assert.match(shown, /^authorization: \*\*\*$/im)
    assert.ok(!(await page.content()).includes('of-the-shop'))
    await headers.fill(shown.replace(/^x-shop: .*$/im, 'x-shop: 8'))
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    assert.deepEqual(await delivered(), ['Bearer key:of-the-shop', '8'])
  })

  it('renews the pass while a person works, and says errors in the language of the reader', async (t) => {
    const session = await browser.session(t, world.gateway.url)
    const { page, expect } = session
    let renewals = 0
    page.on('request', (request) => {
      if (request.method() === 'GET' && new URL(request.url()).pathname === '/pass') renewals += 1
    })
    await openSignedIn(session, world.gateway, '/overview')
    await page.getByRole('heading', { name: 'Traffic' }).waitFor()
    const before = renewals
    await page.keyboard.press('Shift')
    await page.clock.setFixedTime(Date.now() + LATER_MS)
    await eventually(async () => {
      await page.keyboard.press('Shift')
      return renewals > before
    })
    // The key before that time renewed nothing.
    assert.equal(renewals, before + 1)

    expect(/status of 403/)
    const answer = { code: 'PASS_NOT_ENOUGH', error: 'This pass may not do that.' }
    await page.route('**/admin/figures/traffic*', (route) => route.fulfill({ status: 403, json: answer }))
    await page.evaluate(`localStorage.setItem('posthorn.language', 'pt-BR')`)
    await page.reload()
    const main = page.getByRole('main')
    await main.getByText('Esta sessão não permite fazer isso. Entre com o token.').waitFor()
    await main.getByText('Detalhes').click()
    await main.getByText(answer.error).waitFor()
    await main.getByText(answer.code).waitFor()
  })

  /** Reads the code that is shown as a phone would, and scans the next one where the network asks for it. */
  async function pairByQr(
    page: Page,
    name = 'Shop, support',
    phone = SHOP,
    alt = 'QR code for the phone',
  ): Promise<void> {
    const { instances } = (
      await world.gateway.call<{ instances: { instance: { id: string; name: string } }[] }>('POST', '/instance/find', {
        admin: true,
        body: { filter: { name } },
      })
    ).body
    const id = instances[0]?.instance.id ?? ''
    const { token } = (
      await world.gateway.call<{ token: string }>('POST', `/admin/instances/${id}/pass`, { admin: true, body: {} })
    ).body
    const shown = page.getByAltText(alt)
    let scanned = ''
    const scan = async (): Promise<boolean> => {
      const { instance } = (
        await world.gateway.call<{ instance: { qrcodeText: string; qrcode: string } }>('GET', '/instance/status', {
          token,
        })
      ).body
      if (instance.qrcodeText === '' || instance.qrcodeText === scanned) return false
      // Only a code that the page shows is scanned.
      const drawn = await toDataURL(instance.qrcodeText, { margin: 2, errorCorrectionLevel: 'L' })
      if (![instance.qrcode, drawn].includes((await shown.getAttribute('src', { timeout: 1_000 })) ?? '')) return false
      scanned = instance.qrcodeText
      const { status } = await world.network('POST', `/phones/${phone}/scan`, { qr: scanned })
      return status === 'paired'
    }
    await eventually(scan)
  }

  async function arrivedAt(number: string, text: string): Promise<void> {
    await eventually(
      () => world.network<Arrived[]>('GET', `/phones/${number}/messages`),
      (messages) => messages.some((message) => message.text === text),
    )
  }
})
