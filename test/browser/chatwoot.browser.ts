/** Journey through the page of Chatwoot: a wrong token, the right one, what is carried, and what is wrong later. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type FakeChatwoot, startChatwoot } from '../../sandbox/chatwoot/index.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { lastingPort } from '../support/port.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

/** Chromium writes each answer from 400 on to the console. */
const REFUSED = /status of 4\d\d/
const SHOP = '5511999990001'
const ANA = '5511999990002'

describe('the page of Chatwoot', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let shop: TestInstance
  let chatwoot: FakeChatwoot
  before(async () => {
    const port = await lastingPort()
    ;[world, browser, chatwoot] = await Promise.all([
      startWorld(cleanup),
      startBrowser(cleanup),
      startChatwoot({ port }),
    ])
    cleanup.after(() => chatwoot.close())
    shop = await world.paired(SHOP, 'Shop')
    await world.phone(ANA, 'Ana')
  })

  it('tests and saves an inbox, shows what was carried, and says when the token was revoked', async (t) => {
    const { page, expect } = await browser.session(t, world.gateway.url)
    expect(REFUSED)
    await open(page)
    await page.getByLabel('Address of Chatwoot').fill(chatwoot.url)
    await page.getByLabel('Access token').fill('of-nobody')
    await page.getByLabel('Number of the account').fill(String(chatwoot.account.id))
    await page.getByLabel('Number of the inbox').fill(String(chatwoot.inbox.id))
    await page.getByRole('button', { name: 'Test and save' }).click()
    await page.getByRole('alert').first().waitFor()
    assert.equal(chatwoot.inbox.webhookUrl, '')

    await page.getByLabel('Access token').fill(chatwoot.tokens.administrator)
    await page.getByRole('button', { name: 'Test and save' }).click()
    await page.getByText('Address, token, account and inbox are right. Saved.').waitFor()
    await page.getByText('Nothing was carried yet.').waitFor()
    assert.notEqual(chatwoot.inbox.webhookUrl, '')
    await page.locator('pre', { hasText: chatwoot.inbox.webhookUrl }).waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), new RegExp(chatwoot.tokens.administrator))

    await world.write(ANA, SHOP, 'Hello')
    await eventually(() => chatwoot.messages().some(({ content }) => content === 'Hello'))
    await page.getByRole('button', { name: 'Read again' }).click()
    await page
      .getByRole('row', { name: /messages/ })
      .first()
      .getByText('carried', { exact: true })
      .waitFor()
    await page.getByText('Nothing was given up.').waitFor()
    await page.getByRole('button', { name: 'Test again' }).click()
    await page.getByText('Address, token, account and inbox are right.', { exact: true }).waitFor()

    chatwoot.revoke(chatwoot.tokens.administrator)
    await world.write(ANA, SHOP, 'Are you there?')
    await stateIs('auth_failed')
    await page.reload()
    await page.getByRole('alert').getByText('Chatwoot refuses the token').waitFor()

    // By keyboard alone.
    await tabTo(page, page.getByLabel('Access token'))
    await page.keyboard.type(chatwoot.tokens.agent)
    await page.keyboard.press('Enter')
    await page.getByText('Address, token, account and inbox are right. Saved.').waitFor()
    await eventually(() => chatwoot.messages().some(({ content }) => content === 'Are you there?'))

    await chatwoot.stop()
    await world.write(ANA, SHOP, 'And now?')
    await stateIs('unreachable')
    await page.reload()
    const alert = page.getByRole('alert')
    await alert.getByText('Chatwoot does not answer; messages wait').waitFor()
    await alert.getByText('Details', { exact: true }).click()
    await alert.getByText(/Chatwoot did not answer: /).waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Read again' }))
    await page.keyboard.press('Enter')
    await page
      .getByRole('row', { name: /messages/ })
      .first()
      .getByText(/^(failed, is tried again|waits)$/)
      .waitFor()
  })

  async function stateIs(wanted: string): Promise<void> {
    await eventually(
      async () => (await shop.call<{ state: string }>('GET', '/chatwoot/config')).body.state,
      (state) => state === wanted,
      60_000,
    )
  }

  /** Moves the focus by the key for it, as who has no mouse does. */
  async function tabTo(page: Page, target: Locator): Promise<void> {
    await target.waitFor()
    for (let presses = 0; presses < 100; presses += 1) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
      await page.keyboard.press('Tab')
    }
    assert.fail('The focus does not get there.')
  }

  async function open(page: Page): Promise<void> {
    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/chatwoot`)
    await page.getByLabel('the token or a key of an instance').check()
    await page.getByLabel('Token', { exact: true }).fill(shop.token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Chatwoot' }).waitFor()
  }
})
