/** Every page of the dashboard: readable by everyone, in both themes, on a narrow window and with large text. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { packageRoot } from '../../schemas/package-root.js'
import { startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { suiteCleanup } from '../support/cleanup.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'
import { type ListedPage, listedPages } from './page-list.js'

interface Finding {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly unknown[] }[]
}

const NARROW = { width: 360, height: 740 }
const WIDE = { width: 1280, height: 800 }
const axe = readFileSync(path.join(packageRoot, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')

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
    await page.evaluate(axe)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      found.push(...(await findingsOf(page)).map((finding) => `${name}, ${colorScheme}: ${finding}`))
    }
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

async function findingsOf(page: Page): Promise<string[]> {
  const findings = await page.evaluate<Finding[]>(`axe.run(document, { resultTypes: ['violations'] })
    .then(({ violations }) => violations.map(({ id, help, nodes }) => ({ id, help, nodes })))`)
  return findings.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes
        .map(({ target }) => target.join(' '))
        .join('; ')
        .slice(0, 500)})`,
  )
}

/** Returns the element that reaches farthest to the right, if the page can be scrolled sideways. */
async function sidewaysBy(page: Page): Promise<string> {
  return page.evaluate<string>(`new Promise((done) => requestAnimationFrame(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return done('')
    const right = (element) => element.getBoundingClientRect().right
    const widest = [...document.body.querySelectorAll('*')].reduce((one, other) => (right(other) > right(one) ? other : one))
    done(widest.tagName + '.' + widest.className + ' ends at ' + Math.round(right(widest)) + ' of ' + clientWidth)
  }))`)
}
