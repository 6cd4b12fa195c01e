/** Journeys of a business: its profile and catalogue, its calls, pins of a chat, and albums. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { png } from '../support/samples.js'
import { openSignedIn } from '../support/sign-in.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

type Json = Record<string, unknown>
const [SHOP, ANA] = ['5511999990001', '5511999990002']

describe('the pages of a business', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let shop: TestInstance
  before(async () => {
    ;[world, browser] = await Promise.all([startWorld(cleanup), startBrowser(cleanup)])
    shop = await world.paired(SHOP, 'Shop')
    await world.phone(ANA, 'Ana')
  })
  const network = <T = Json>(method: string, path: string, body?: object) => world.network<T>(method, path, body)
  const opened = async (t: Parameters<TestBrowser['session']>[0], rest: string): Promise<Page> => {
    const session = await browser.session(t, world.gateway.url)
    session.expect(/status of 404/)
    await openSignedIn(session, world.gateway, `/instances/${shop.id}${rest}`)
    return session.page
  }
  const products = async () =>
    (await shop.done<{ response: { products: Json[] } }>('/business/catalog/list', {})).response.products
  const product = (isSo: (one: Json | undefined) => boolean) => eventually(async () => (await products())[0], isSo)

  it('change the profile and the catalogue, which an ordinary account does not have', async (t) => {
    const page = await opened(t, '/account?view=business')
    await page.getByText('This account is not one of WhatsApp Business.').waitFor()
    await network('PUT', `/phones/${SHOP}/business`, { description: 'We sell' })
    await page.reload()
    const description = page.getByLabel('Description', { exact: true })
    assert.equal(await description.inputValue(), 'We sell')
    await description.fill('We bake')
    await page.getByLabel('Web pages').fill('https://shop.example')
    await page.getByLabel('Hotel').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { response } = await shop.done<{ response: Json }>('/business/get/profile', {})
    assert.deepEqual([response.description, response.websites], ['We bake', ['https://shop.example']])

    await page.getByText('The catalogue has no product.').waitFor()
    await page.getByRole('button', { name: 'New product' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name', { exact: true }).fill('Bread')
    await form.getByLabel('Price').fill('5,5')
    await form.getByLabel('Currency').fill('brl')
    await form
      .getByLabel('Pictures')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await png(900, 700) })
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('rowheader', { name: 'Bread' }).waitFor()
    const bread = await product((one) => one !== undefined)
    assert.deepEqual(
      [bread?.price, bread?.currency, (bread?.image_urls as unknown[] | undefined)?.length],
      [5_500, 'BRL', 1],
    )
    await page.getByRole('button', { name: 'Hide: Bread' }).click()
    await page.getByRole('button', { name: 'Show: Bread' }).waitFor()
    await product((one) => one?.is_hidden === true)
    await page.getByRole('button', { name: 'Edit: Bread' }).click()
    await form.getByLabel('Name', { exact: true }).fill('Rye bread')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('rowheader', { name: 'Rye bread' }).waitFor()
    const changed = await product((one) => one?.name === 'Rye bread')
    assert.deepEqual([changed?.price, changed?.is_hidden], [5_500, true])
    await page.getByRole('button', { name: 'Delete: Rye bread' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The catalogue has no product.').waitFor()
    assert.deepEqual(await products(), [])
  })

  it('ring a person, hang up, list calls, and make links', async (t) => {
    const page = await opened(t, '/account?view=calls')
    await page.getByText('There is no call yet.').waitFor()
    await page.getByRole('button', { name: 'Ring somebody' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Number').fill(ANA)
    await form.getByRole('button', { name: 'Ring', exact: true }).click()
    await form.getByText('WhatsApp took the call.').waitFor()
    const calls = () => network<{ state: string }[]>('GET', `/phones/${ANA}/calls`)
    await eventually(calls, ([one]) => one?.state === 'ringing')
    await form.getByRole('button', { name: 'Hang up' }).click()
    await form.getByText('The call has ended.').waitFor()
    await eventually(calls, ([one]) => one !== undefined && one.state !== 'ringing')
    await form.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByRole('row', { name: /5511999990002.*Outgoing, Voice call.*ended/ }).waitFor()
    await page.getByRole('button', { name: 'New link' }).click()
    await form.getByLabel('Video call').check()
    await form.getByRole('button', { name: 'Make the link' }).click()
    await form.getByText(/^https:\/\/call\.whatsapp\.com\/video\//).waitFor()
  })

  it('pin messages of a chat, and show them above it', async (t) => {
    const id = await world.write(ANA, SHOP, 'We meet at six')
    await shop.chat(ANA)
    await eventually(async () => (await shop.messages({ id }))[0])
    const page = await opened(t, `/chats?chat=${ANA}%40s.whatsapp.net`)
    const menu = page.getByRole('button', { name: 'Actions for the message of Ana' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Pin', exact: true }).click()
    await page.getByRole('dialog').getByLabel('For how long').selectOption('30')
    await page.getByRole('dialog').getByRole('button', { name: 'Pin', exact: true }).click()
    const bar = page.getByRole('navigation', { name: 'Pinned messages' })
    await bar.getByRole('button', { name: 'We meet at six' }).waitFor()
    const sent = () => network<{ id: string; pinned: number }[]>('GET', `/phones/${ANA}/sent`)
    await eventually(sent, (all) => all.find((one) => one.id === id)?.pinned === 30 * 86_400)
    await bar.getByRole('button', { name: 'We meet at six' }).click()
    await page.waitForURL(/message=/)
    await menu.click()
    await page.getByRole('menuitem', { name: 'Unpin' }).click()
    await bar.waitFor({ state: 'detached' })
    await eventually(sent, (all) => all.find((one) => one.id === id)?.pinned === 0)
  })

  it('send several pictures as one album, or apart', async (t) => {
    const page = await opened(t, `/chats?chat=${ANA}%40s.whatsapp.net`)
    const kinds = async () =>
      (await network<{ kind: string; own: boolean }[]>('GET', `/phones/${ANA}/messages?own=false`)).map(
        ({ kind }) => kind,
      )
    const choose = async () => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Attach files' }).click()
      const buffer = await png()
      await (await chooser).setFiles([
        { name: 'one.png', mimeType: 'image/png', buffer },
        { name: 'two.png', mimeType: 'image/png', buffer },
      ])
    }
    const tray = page.getByRole('region', { name: 'Files to send' })
    await choose()
    await tray.getByLabel('Caption').fill('The garden')
    await tray.getByLabel('Together, as one album').waitFor()
    await page.keyboard.press('Enter')
    await eventually(kinds, (all) => all.filter((kind) => kind === 'imageMessage').length === 2)
    assert.equal((await kinds()).filter((kind) => kind === 'albumMessage').length, 1)
    await choose()
    await tray.getByLabel('Together, as one album').uncheck()
    await tray.getByRole('button', { name: 'Send 2 files' }).click()
    await eventually(kinds, (all) => all.filter((kind) => kind === 'imageMessage').length === 4)
    assert.equal((await kinds()).filter((kind) => kind === 'albumMessage').length, 1)
  })
})
