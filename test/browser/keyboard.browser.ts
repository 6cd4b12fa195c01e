/** Journeys by the keyboard alone: the focus is visible at each stop, and never lost by a dialog, a deletion or a navigation. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { chooseAt, hasFocus, keepsFocus, moveTo, pressAt, tabTo, turnAt, typeAt } from '../support/keyboard.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'
import { walkTheComposer } from './walks/composer.js'
import { walkTheDeadLetters } from './walks/dead-letters.js'
import { walkTheGroups } from './walks/groups.js'
import { walkTheSchedule, walkTheSettings } from './walks/instance.js'
import { walkTheAgents } from './walks/records.js'
import { ANA, BEN, SHOP } from './walks/walker.js'

const GIVE_UP_SOON = { WEBHOOK_BACKOFF_MIN_MS: '10', WEBHOOK_BACKOFF_MAX_MS: '20', WEBHOOK_ATTEMPTS_MAX: '2' }

describe('a person with a keyboard', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let receiver: Receiver
  let shop: TestInstance
  let folder: string
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'keyboard-'))
    cleanup.after(() => rmSync(folder, { recursive: true }))
    ;[world, browser, receiver] = await Promise.all([
      startWorld(cleanup, GIVE_UP_SOON),
      startBrowser(cleanup),
      startReceiver(cleanup),
    ])
    shop = await world.paired(SHOP, 'Shop')
    await world.phone(ANA, 'Ana')
    await world.phone(BEN, 'Ben')
    await world.write(ANA, SHOP, 'Hello')
    await shop.chat(ANA)
  })

  it('opens a chat, replies, reacts, and deletes the answer', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await signIn(page, `/instances/${shop.id}/chats`)
    await tabTo(page, page.getByRole('listbox', { name: 'Chats' }))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const log = page.getByRole('log')
    await log.getByText('Hello').waitFor()
    await keepsFocus(page, 'the choice of a chat')
    // The box takes the focus once the chat is there.
    await hasFocus(page.getByLabel('Write a message'), 'a chat was opened')
    await tabTo(page, log)
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await moveTo(page, page.getByRole('menuitem', { name: 'Reply' }), 'ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('Reply to Ana').waitFor()
    await typeAt(page, page.getByLabel('Write a message'), 'From the keyboard')
    await page.keyboard.press('Enter')
    const own = log.locator('article', { hasText: 'From the keyboard' })
    await own.locator('[data-status="delivered"]').waitFor()
    await keepsFocus(page, 'a send')

    await tabTo(page, own.getByRole('button', { name: /^Actions for/ }))
    await page.keyboard.press('Enter')
    await moveTo(page, page.getByRole('menuitem', { name: 'Delete for everyone' }), 'ArrowDown')
    await page.keyboard.press('Enter')
    await pressAt(page, page.getByRole('dialog').getByRole('button', { name: 'Delete for everyone' }))
    await log.getByText('This message was deleted.').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keepsFocus(page, 'a deletion')
    await pressAt(page, page.getByRole('button', { name: 'Details' }))
    await page.getByRole('complementary', { name: 'Details' }).waitFor()
    await keepsFocus(page, 'the opening of the details')
  })

  it('makes, tries and deletes a webhook, and looks at its deliveries', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await signIn(page, `/instances/${shop.id}/webhooks`)
    await pressAt(page, page.getByRole('button', { name: 'New webhook' }))
    const form = page.getByRole('dialog')
    await typeAt(page, form.getByLabel('Address', { exact: true }), receiver.url)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Secret of the webhook' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keepsFocus(page, 'the secret was shown')
    await pressAt(page, page.getByRole('button', { name: 'Send a test' }))
    await page.getByText(/The receiver answered 200/).waitFor()
    await world.write(ANA, SHOP, 'To be delivered')
    await eventually(() => receiver.of('messages').length > 0)
    await pressAt(page, page.getByRole('button', { name: 'Deliveries' }))
    await pressAt(page, page.getByRole('table').getByRole('button', { name: 'Open' }).first())
    await page.getByRole('dialog', { name: /^Delivery of/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keepsFocus(page, 'a delivery was shown')
    await pressAt(page, page.getByRole('button', { name: 'Endpoints' }))
    await pressAt(page, page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }))
    await pressAt(page, page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }))
    await page.getByText('There is no webhook yet.').waitFor()
    await keepsFocus(page, 'the deletion of a webhook')
  })

  it('makes and deletes a key and a quick reply', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await signIn(page, `/instances/${shop.id}/keys`)
    await typeAt(page, page.getByLabel('Name', { exact: true }), 'reads')
    await turnAt(page, page.getByRole('checkbox', { name: 'send', exact: true }))
    await chooseAt(page, page.getByLabel('Ends', { exact: true }), '7')
    await pressAt(page, page.getByRole('button', { name: 'Create the key' }))
    await pressAt(page, page.getByRole('dialog').getByRole('button', { name: 'I have stored it' }))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keepsFocus(page, 'a key was shown')
    const { body } = await shop.call<{ keys: { name: string; scopes: string[]; expires: string }[] }>(
      'GET',
      '/instance/keys',
    )
    assert.deepEqual(
      body.keys.map(({ name, scopes, expires }) => [name, scopes, expires !== null]),
      [['reads', ['read', 'send'], true]],
    )
    const explain = page.getByRole('button', { name: 'What can “reads” do?' })
    await pressAt(page, explain)
    await page
      .getByRole('dialog')
      .getByText(/^It may call \d+ operations/)
      .waitFor()
    await page.keyboard.press('Escape')
    await hasFocus(explain, 'what the key can do was shown')
    await pressAt(page, page.getByRole('button', { name: 'Delete the key “reads”' }))
    await pressAt(page, page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }))
    await page.getByText('There is no key yet.').waitFor()
    await keepsFocus(page, 'the deletion of a key')

    await pressAt(page, page.getByRole('link', { name: 'Quick replies' }))
    await page.getByRole('heading', { name: 'Quick replies', level: 1 }).waitFor()
    await keepsFocus(page, 'a navigation')
    await pressAt(page, page.getByRole('button', { name: 'New quick reply' }))
    await typeAt(page, page.getByRole('dialog').getByLabel('Shortcut'), 'hours')
    await typeAt(page, page.getByRole('dialog').getByLabel('Text'), 'From nine to six')
    await pressAt(page, page.getByRole('dialog').getByRole('button', { name: 'Save' }))
    await page.getByRole('rowheader', { name: 'hours' }).waitFor()
    await keepsFocus(page, 'a quick reply was saved')
    await pressAt(page, page.getByRole('main').getByRole('button', { name: 'Edit', exact: true }))
    await typeAt(page, page.getByRole('dialog').getByLabel('Text'), 'From nine to seven')
    await pressAt(page, page.getByRole('dialog').getByRole('button', { name: 'Save' }))
    await page.getByRole('cell', { name: 'From nine to seven' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await hasFocus(page.getByRole('main').getByRole('button', { name: 'Edit', exact: true }), 'a change')
    await pressAt(page, page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }))
    await pressAt(page, page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }))
    await page.getByText('There is no quick reply yet.').waitFor()
    await keepsFocus(page, 'the deletion of a quick reply')
  })

  it('makes a campaign of a list that is pasted, and deletes it', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await signIn(page, `/instances/${shop.id}/campaigns`)
    await pressAt(page, page.getByRole('link', { name: 'New campaign' }))
    await page.getByRole('heading', { name: 'New campaign', level: 1 }).waitFor()
    await keepsFocus(page, 'a navigation')
    await typeAt(page, page.getByLabel('Or paste it'), `number,name\n${ANA},Ana`)
    await pressAt(page, page.getByRole('button', { name: 'Read what is pasted' }))
    await page.getByText('1 numbers can be right').waitFor()
    await pressAt(page, page.getByRole('button', { name: 'Next' }))
    await typeAt(page, page.getByLabel('Message', { exact: true }), 'Oi {{name}}')
    await pressAt(page, page.getByRole('button', { name: 'Next' }))
    await typeAt(page, page.getByLabel('Name of the campaign'), 'Offers')
    await tabTo(page, page.getByLabel('Only at certain hours'))
    await page.keyboard.press('Space')
    await page.keyboard.press('Space')
    await pressAt(page, page.getByRole('button', { name: 'Next' }))
    await pressAt(page, page.getByRole('button', { name: 'Check', exact: true }))
    await pressAt(page, page.getByRole('button', { name: 'Start for 1 person' }))
    await page.getByRole('heading', { name: 'Offers', level: 1 }).waitFor()
    await keepsFocus(page, 'the start of a campaign')
    await pressAt(page, page.getByRole('button', { name: /^all\b/ }))
    await page.getByRole('rowheader', { name: ANA }).waitFor()
    await keepsFocus(page, 'the choice of a filter')
  })

  it('goes from page to page by the palette and links, chooses instances, and leaves a dialog', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await signIn(page, '/instances', 'admin')
    await page.getByRole('rowheader', { name: 'Shop' }).waitFor()
    await tabTo(page, page.getByRole('region', { name: 'Instances' }))
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await pressAt(page, page.getByRole('toolbar').getByRole('button', { name: 'Reset' }))
    await page.getByRole('dialog').getByText('1 instances would be changed.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keepsFocus(page, 'the end of a dialog')
    for (const heading of ['Overview', 'Cluster', 'Audit log']) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Page, instance or action' }).fill(heading)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await keepsFocus(page, `the palette led to ${heading}`)
    }
    await typeAt(page, page.getByLabel('Operation', { exact: true }), 'openPass')
    await page.keyboard.press('Enter')
    await page.waitForURL(/operation=openPass/)
    await page.getByRole('cell', { name: 'openPass', exact: true }).first().waitFor()
    await keepsFocus(page, 'a filter')
    await pressAt(page, page.getByRole('button', { name: 'Clear', exact: true }))
    await page.waitForURL(/audit$/)
    await keepsFocus(page, 'the end of a filter')
    await pressAt(page, page.getByRole('button', { name: /^Your menu/ }))
    await moveTo(page, page.getByRole('menuitem', { name: 'Sign out' }), 'ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await keepsFocus(page, 'the sign-out')
    assert.match(page.url(), /sign-in/)
  })

  const given = () => ({ world, browser, receiver, shop })
  walkTheComposer(given, () => folder)
  walkTheGroups(given)
  walkTheAgents(given)
  walkTheSchedule(given)
  walkTheSettings(given)
  walkTheDeadLetters(given)

  /** Signs in on a page by the keyboard: with the token of the instance, or the administrator's. */
  async function signIn(page: Page, place: string, kind: 'instance' | 'admin' = 'instance'): Promise<void> {
    await page.goto(`${world.gateway.url}/dashboard${place}`)
    await tabTo(page, page.getByLabel('the administrator’s token'))
    if (kind === 'instance') await page.keyboard.press('ArrowDown')
    await typeAt(
      page,
      page.getByLabel('Token', { exact: true }),
      kind === 'admin' ? world.gateway.adminToken : shop.token,
    )
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Your menu/ }).waitFor()
    await keepsFocus(page, 'the sign-in')
  }
})
