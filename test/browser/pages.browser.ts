/** Every page of the dashboard: readable by everyone, in both themes, on a narrow window and with large text. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { packageRoot } from '../../schemas/package-root.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { sidewaysBy } from '../support/page-fit.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'
import { type ListedPage, listedPages } from './page-list.js'

interface Finding {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly unknown[] }[]
}

const NARROW = { width: 360, height: 740 }
const WIDE = { width: 1280, height: 800 }
/** Loads of which the median counts. The bars are 1 s, and 2.5 s with the processor slowed 4 times, on an idle machine. */
const LOADS = 5
const axe = readFileSync(path.join(packageRoot, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')

/** Notes when the list of instances has its rows. */
const NOTE_USABLE = `{
  const observer = new MutationObserver(() => {
    if (document.querySelector('tbody th') === null) return
    observer.disconnect()
    window.usableMs = performance.now()
  })
  observer.observe(document, { childList: true, subtree: true })
}`

interface Opening {
  readonly name: string
  readonly path: ListedPage['path']
  readonly opener: (page: Page) => Locator
  readonly shown: 'dialog' | 'menu'
}

const ofInstance =
  (rest: string): ListedPage['path'] =>
  ({ instance }) =>
    `/instances/${instance}${rest}`
const CHAT = '/chats?chat=5511999990002%40s.whatsapp.net'

/** What opens over a page. */
const openings: readonly Opening[] = [
  {
    name: 'palette',
    path: () => '/overview',
    opener: (page) => page.getByRole('button', { name: 'Go to' }),
    shown: 'dialog',
  },
  {
    name: 'drain of a node',
    path: () => '/cluster',
    opener: (page) => page.getByRole('button', { name: /^Drain / }),
    shown: 'dialog',
  },
  {
    name: 'menu of a message',
    path: ofInstance(CHAT),
    opener: (page) => page.getByRole('button', { name: 'Actions for the message of Ana' }),
    shown: 'menu',
  },
  {
    name: 'more kinds of messages',
    path: ofInstance(CHAT),
    opener: (page) => page.getByRole('button', { name: 'More kinds of messages' }),
    shown: 'dialog',
  },
  {
    name: 'disconnection',
    path: ofInstance(''),
    opener: (page) => page.getByRole('button', { name: 'Disconnect', exact: true }),
    shown: 'dialog',
  },
  {
    name: 'new token',
    path: ofInstance('/settings'),
    opener: (page) => page.getByRole('button', { name: 'Make another token' }),
    shown: 'dialog',
  },
]

describe('every page of the dashboard', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let shop: TestInstance
  before(async () => {
    ;[world, browser] = await Promise.all([startWorld(cleanup), startBrowser(cleanup)])
    shop = await world.paired('5511999990001', 'Shop')
    await world.phone('5511999990002', 'Ana')
    await world.write('5511999990002', '5511999990001', 'Hello')
    await shop.chat('5511999990002')
    const hook = { url: 'https://receiver.example/hook', events: ['messages'] }
    await world.gateway.call('POST', '/globalwebhook', { admin: true, body: hook })
    await shop.done('/webhook', { action: 'add', ...hook })
  })

  it('has no finding of axe in light and dark, and no sideways scroll at 360 px or with text of 200 %', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    const found: string[] = []
    for (const one of listedPages.filter(({ isOpen }) => isOpen === true)) found.push(...(await faultsOf(page, one)))
    await signIn(page)
    for (const one of listedPages.filter(({ isOpen }) => isOpen !== true)) found.push(...(await faultsOf(page, one)))
    assert.deepEqual(found, [])
  })

  it('has no finding of axe with a dialog, a menu or the palette open, and gives the focus back', async (t) => {
    const { page } = await browser.session(t, world.gateway.url)
    await signIn(page)
    const found: string[] = []
    for (const { name, path: pathOf, opener, shown } of openings) {
      await page.goto(`${world.gateway.url}/dashboard${pathOf({ instance: shop.id })}`)
      const button = opener(page)
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole(shown).waitFor()
      // A menu stands beside the landmarks, as its pattern has it.
      const findings = await findingsInBothThemes(page, name)
      found.push(...findings.filter((finding) => shown !== 'menu' || !finding.includes(': region: ')))
      const isInside = await page.getByRole(shown).evaluate((part) => part.contains(part.ownerDocument.activeElement))
      if (!isInside) found.push(`${name} does not take the focus`)
      await page.keyboard.press('Escape')
      await page.getByRole(shown).waitFor({ state: 'detached' })
      const isBack = () => button.evaluate((element) => element === element.ownerDocument.activeElement)
      await eventually(isBack).catch(() => found.push(`${name} does not give the focus back`))
    }
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
    const { page } = await browser.session(t, world.gateway.url)
    await page.addInitScript(NOTE_USABLE)
    await signIn(page)
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

  async function signIn(page: Page): Promise<void> {
    await page.setViewportSize(WIDE)
    await page.goto(`${world.gateway.url}/dashboard/instances`)
    await page.getByLabel('Token', { exact: true }).fill(world.gateway.adminToken)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Instances', level: 1 }).waitFor()
  }

  async function faultsOf(page: Page, { name, path: pathOf, heading, text }: ListedPage): Promise<string[]> {
    const found: string[] = []
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(WIDE)
    await page.goto(`${world.gateway.url}/dashboard${pathOf({ instance: shop.id })}`)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    if (text !== undefined) await page.getByText(text).first().waitFor()
    found.push(...(await findingsInBothThemes(page, name)))
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    const large = await sidewaysBy(page)
    await page.evaluate(`document.documentElement.style.fontSize = ''`)
    await page.setViewportSize(NARROW)
    const narrow = await sidewaysBy(page)
    if (large !== '') found.push(`${name} scrolls sideways with text of 200 %: ${large}`)
    if (narrow !== '') found.push(`${name} scrolls sideways at 360 px: ${narrow}`)
    return found
  }
})

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN)
}

async function findingsInBothThemes(page: Page, name: string): Promise<string[]> {
  await page.evaluate(axe)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = (await findingsOf(page, {})).map((finding) => `${name}, light: ${finding}`)
  await page.emulateMedia({ colorScheme: 'dark' })
  // A theme changes colours alone.
  const dark = await findingsOf(page, { runOnly: ['color-contrast', 'link-in-text-block'] })
  return [...light, ...dark.map((finding) => `${name}, dark: ${finding}`)]
}

async function findingsOf(page: Page, options: Readonly<Record<string, unknown>>): Promise<string[]> {
  const given = JSON.stringify({ resultTypes: ['violations'], ...options })
  const findings = await page.evaluate<Finding[]>(`axe.run(document, ${given})
    .then(({ violations }) => violations.map(({ id, help, nodes }) => ({ id, help, nodes })))`)
  return findings.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes
        .map(({ target }) => target.join(' '))
        .join('; ')
        .slice(0, 500)})`,
  )
}
